"""Winograd's two transforms of a tile, a vector of channels at a time, emitted as LLVM IR.

Where the pixels of a tile lie is given by a table of addresses: those outside of the image are that
of a row of zeros, those outside of the result that of a row nobody reads. So no tile is special.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ...core.winograd_transforms import FloatArithmetic, Matrix, Side, apply_matrix, matrices
from .emit import FLOAT, INT, literals, masked_load, masked_store, pointer, vector_at


class _Vectors(FloatArithmetic):
    """The operations of `apply_matrix`, on vectors."""

    def __init__(self, b: ir.IRBuilder, module: ir.Module, lanes: int):
        self.b, self.vector = b, ir.VectorType(FLOAT, lanes)
        kind = ir.FunctionType(self.vector, [self.vector] * 3)
        self.fma = cgutils.get_or_insert_function(module, kind, f"llvm.fmuladd.v{lanes}f32")

    def _constant(self, c: Fraction) -> ir.Constant:
        return ir.Constant(self.vector, [float(c)] * self.vector.count)

    def add(self, x, y):
        return self.b.fadd(x, y)

    def subtract(self, x, y):
        return self.b.fsub(x, y)

    def multiply(self, c, x):
        return self.b.fmul(self._constant(c), x)

    def multiply_add(self, c, x, y):
        return self.b.call(self.fma, [self._constant(c), x, y])


def build_transform(
    module: ir.Module, columns: Side, rows: Side, lanes: int, back: bool
) -> ir.Function:
    """Add `void(float* planes, i64 next, i64* table, float* scratch, i64 channels)` to `module`.

    Forward it reads `d[a_h,a_w]` by the table and writes `Bᵀ d B` to `a_h·a_w` planes, `next`
    values from one to the next; back it reads those and writes `Aᵀ M A` by the table. `scratch` is
    for `a_h·a_w` vectors, aligned as they are: what is between the passes along columns and rows.
    """
    first, second = (side.AT if back else side.BT for side in (matrices(*columns), matrices(*rows)))
    kind = [FLOAT.as_pointer(), INT, INT.as_pointer(), FLOAT.as_pointer(), INT]
    sizes = ".".join(map(str, (*columns, *rows, lanes)))
    name = f"convladder.core.winograd_transforms.{'out' if back else 'in'}.{sizes}"
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kind), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    planes, following, table, scratch, channels = function.args
    planes.add_attribute("noalias")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    vector = ir.VectorType(FLOAT, lanes)

    def pixel(number: ir.Value, c: ir.Value) -> ir.Value:
        return vector_at(b, pointer(b, b.load(b.gep(table, [number]))), c, vector)

    def plane(number: ir.Value, c: ir.Value) -> ir.Value:
        return vector_at(b, planes, b.add(b.mul(number, following), c), vector)

    source, target = (plane, pixel) if back else (pixel, plane)

    def body(c: ir.Value, valid: ir.Value | None) -> None:
        def load(number: ir.Value) -> ir.Value:
            place = source(number, c)
            return b.load(place, align=4) if valid is None else masked_load(b, module, place, valid)

        def store(number: ir.Value, value: ir.Value) -> None:
            place = target(number, c)
            if valid is None:
                b.store(value, place, align=4)
            else:
                masked_store(b, module, value, place, valid)

        two_passes(b, module, first, second, scratch, lanes, load, store)

    rest = b.urem(channels, INT(lanes))
    whole = b.sub(channels, rest)
    with cgutils.for_range(b, b.udiv(channels, INT(lanes)), intp=INT) as loop:
        body(b.mul(loop.index, INT(lanes)), None)
    with b.if_then(b.icmp_signed("!=", rest, INT(0))):
        body(whole, rest)
    b.ret_void()
    return function


def two_passes(
    b: ir.IRBuilder,
    module: ir.Module,
    first: Matrix,
    second: Matrix,
    scratch: ir.Value,
    lanes: int,
    load: Callable[[ir.Value], ir.Value],
    store: Callable[[ir.Value, ir.Value], None],
) -> None:
    """Compute `first · d · secondᵀ` of vectors: columns to `scratch`, rows from there.

    All of it does not fit into registers; what does not is best left in the nearest cache.
    """
    on, vector = _Vectors(b, module, lanes), ir.VectorType(FLOAT, lanes)
    a_h, a_w = len(first[0]), len(second[0])

    def between(scratch: ir.Value, row: ir.Value | int, col: ir.Value | int) -> ir.Value:
        row, col = (INT(n) if isinstance(n, int) else n for n in (row, col))
        at = b.mul(b.add(b.mul(row, INT(a_w)), col), INT(lanes))
        return vector_at(b, scratch, at, vector)

    with cgutils.for_range(b, INT(a_w), intp=INT) as col:
        column = [load(b.add(INT(row * a_w), col.index)) for row in range(a_h)]
        for row, value in enumerate(apply_matrix(first, column, on)):
            b.store(value, between(scratch, row, col.index))
    # A new value to LLVM, which else would keep what was stored in registers, and spill it again.
    stored = b.asm(ir.FunctionType(scratch.type, [scratch.type]), "", "=r,0", [scratch], False)
    with cgutils.for_range(b, INT(len(first)), intp=INT) as row:
        line = [b.load(between(stored, row.index, col)) for col in range(a_w)]
        results = apply_matrix(second, line, on)
        for col, value in enumerate(results):
            store(b.add(b.mul(row.index, INT(len(results))), INT(col)), value)


def _intrinsic(back: bool):
    @intrinsic
    def transform(
        typing_context, m_h, r_h, m_w, r_w, lanes, planes, following, table, scratch, channels
    ):
        """The tile whose addresses are in the int64s at `table`; see `build_transform`."""
        sizes = m_h, r_h, m_w, r_w, lanes
        *sides, width = literals(*sizes)
        columns, rows = tuple(sides[:2]), tuple(sides[2:])

        def code(context, b, signature, arguments):
            planes, following, table, scratch, channels = arguments[5:]
            function = build_transform(b.module, columns, rows, width, back)
            place = b.inttoptr(table, INT.as_pointer())
            scratch = pointer(b, scratch)
            b.call(function, [pointer(b, planes), following, place, scratch, channels])
            return context.get_dummy_value()

        return types.void(*sizes, *[types.int64] * 5), code

    return transform


transform_in, transform_out = _intrinsic(False), _intrinsic(True)
