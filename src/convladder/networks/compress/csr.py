"""Products with sparse weights, compiled: pixels in the lanes, one weight at a time.

A weight is used for all pixels alike, so that a row of weights may have its zeros wherever it
likes: each one that is not zero is spread over a vector and multiplies vectors of pixels, which lie
side by side if the image is kept channel by channel. Elsen, Dukhan, Gale & Simonyan, "Fast sparse
ConvNets" (arXiv 1911.09723); their kernels are in XNNPACK.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...core.jit import compiled_once, numba
from ...cpu.simd.emit import (
    FLOAT,
    INT,
    LANE,
    broadcast,
    literals,
    masked_load,
    masked_store,
    pointer,
    vector_at,
)
from ...cpu.simd.work_stealing import leave_slot, take_slot

SUMS = 8  # side by side: enough to hide the latency of a multiply-add
WORK = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("x", "y", "values", "channels", "begins"),  # addresses
            *("i_c", "k_c", "pixels"),
            "parts",  # into which the rows of weights are cut, besides the blocks of pixels
            *("panels", "next", "taken", "threads"),  # the first panel, bytes to the next
        )
    ]
)
WORKS = types.CPointer(numba.from_dtype(WORK))
ARGUMENTS = ("panel", "y", "values", "channels", "begins", "first", "last", "pixels", "valid")


def build_rows(module: ir.Module, vectors: int, lanes: int) -> ir.Function:
    """Add `void(float* panel, y, values, i32* channels, i64* begins, i64 first, last, pixels,
    valid)` to `module`.

    For rows `first` to `last` of the weights it writes the sums of up to `vectors · lanes` pixels,
    as many as are `valid`, to `y[row, ...]`, rows `pixels` apart. The panel has the block's pixels
    of each channel side by side. A few weights at a time, each with sums of its own.
    """
    vector = ir.VectorType(FLOAT, lanes)
    kinds = [FLOAT.as_pointer()] * 3 + [LANE.as_pointer(), INT.as_pointer()] + [INT] * 4
    name = f"convladder.csr.{vectors}x{lanes}"
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    a = dict(zip(ARGUMENTS, function.args, strict=True))
    b = ir.IRBuilder(function.append_basic_block("entry"))
    together = max(1, SUMS // vectors)  # weights
    sums = [[b.alloca(vector) for _ in range(vectors)] for _ in range(together)]
    kind = ir.FunctionType(vector, [vector] * 3)
    fma = cgutils.get_or_insert_function(module, kind, f"llvm.fmuladd.v{lanes}f32")

    def add(at: ir.Value, totals: list[ir.Value]) -> None:
        weight = broadcast(b, b.load(b.gep(a["values"], [at])), lanes)
        channel = b.zext(b.load(b.gep(a["channels"], [at])), INT)
        source = b.gep(a["panel"], [b.mul(channel, INT(vectors * lanes))])
        for v, total in enumerate(totals):
            value = b.load(vector_at(b, source, INT(v * lanes), vector), align=4 * lanes)
            b.store(b.call(fma, [weight, value, b.load(total)]), total)

    with cgutils.for_range(b, b.sub(a["last"], a["first"]), intp=INT) as turn:
        row = b.add(a["first"], turn.index)
        begin = b.load(b.gep(a["begins"], [row]))
        terms = b.sub(b.load(b.gep(a["begins"], [b.add(row, INT(1))])), begin)
        for total in (total for totals in sums for total in totals):
            b.store(ir.Constant(vector, None), total)
        rest = b.urem(terms, INT(together))
        with cgutils.for_range(b, rest, intp=INT) as term:
            add(b.add(begin, term.index), sums[0])
        begin = b.add(begin, rest)
        with cgutils.for_range(b, b.udiv(terms, INT(together)), intp=INT) as term:
            for number, totals in enumerate(sums):
                add(b.add(b.add(begin, b.mul(term.index, INT(together))), INT(number)), totals)
        target = b.gep(a["y"], [b.mul(row, a["pixels"])])
        for v in range(vectors):
            total = b.load(sums[0][v])
            for totals in sums[1:]:
                total = b.fadd(total, b.load(totals[v]))
            _store(b, module, total, target, v, a["valid"])
    b.ret_void()
    return function


def _store(b, module, total, target, v, valid) -> None:
    """Vector `v` of a row, or as much of it as there is."""
    lanes = total.type.count
    place, left = vector_at(b, target, INT(v * lanes), total.type), b.sub(valid, INT(v * lanes))
    with b.if_else(b.icmp_signed(">=", left, INT(lanes))) as (whole, part):
        with whole:
            b.store(total, place, align=4)
        with part:
            masked_store(b, module, total, place, left)


@intrinsic
def _panel(typing_context, vectors, lanes, x, panel, channels, pixels, valid):
    """Copy a block of `valid` pixels of all channels, `pixels` apart, to a panel; zeros follow."""
    v_count, lane_count = literals(vectors, lanes)

    def code(context, b, signature, arguments):
        x, panel, channels, pixels, valid = arguments[2:]
        vector = ir.VectorType(FLOAT, lane_count)

        def copy(load):
            with cgutils.for_range(b, channels, intp=INT) as channel:
                source = b.gep(pointer(b, x), [b.mul(channel.index, pixels)])
                at = b.mul(channel.index, INT(v_count * lane_count))
                for v in range(v_count):
                    here = INT(v * lane_count)
                    value = load(vector_at(b, source, here, vector), b.sub(valid, here))
                    place = vector_at(b, pointer(b, panel), b.add(at, here), vector)
                    b.store(value, place, align=4 * lane_count)

        all_there = b.icmp_signed("==", valid, INT(v_count * lane_count))
        with b.if_else(all_there) as (whole, part):
            with whole:
                copy(lambda place, left: b.load(place, align=4))
            with part:
                copy(lambda place, left: masked_load(b, b.module, place, left))
        return context.get_dummy_value()

    return types.void(vectors, lanes, *[types.int64] * 5), code


@intrinsic
def _rows(typing_context, vectors, lanes, arrays, numbers):
    """`build_rows` of literal sizes, called with five addresses and four numbers."""
    sizes = literals(vectors, lanes)

    def code(context, b, signature, arguments):
        function = build_rows(b.module, *sizes)
        addresses, numbers = (cgutils.unpack_tuple(b, each) for each in arguments[2:])
        kinds = [argument.type for argument in function.args]
        pointers = [b.inttoptr(at, kind) for at, kind in zip(addresses, kinds, strict=False)]
        b.call(function, [*pointers, *numbers])
        return context.get_dummy_value()

    return types.void(vectors, lanes, arrays, numbers), code


@compiled_once
def compiled(vectors: int, lanes: int):
    """Return `part(piece, pieces, work)`, in C, which does one of `pieces` equal parts of a WORK.

    By blocks of `vectors · lanes` pixels. Kept on disk by Numba.
    """
    vector_count, lane_count = vectors, lanes
    most = vectors * lanes

    @numba.cfunc(types.void(types.int64, types.int64, WORKS), cache=True)
    def part(piece, pieces, work):
        w = numba.carray(work, 1)[0]
        slot = take_slot(w.taken, w.threads)
        panel, filled = w.panels + slot * w.next, -1
        units = w.parts * (-(-w.pixels // most))
        for unit in range(units * piece // pieces, units * (piece + 1) // pieces):
            block, rows = divmod(unit, w.parts)
            at, valid = 4 * block * most, min(most, w.pixels - block * most)
            if block != filled:
                _panel(vector_count, lane_count, w.x + at, panel, w.i_c, w.pixels, valid)
                filled = block
            first, last = w.k_c * rows // w.parts, w.k_c * (rows + 1) // w.parts
            _rows(
                vector_count,
                lane_count,
                (panel, w.y + at, w.values, w.channels, w.begins),
                (first, last, w.pixels, valid),
            )
        leave_slot(w.taken, slot)

    return part
