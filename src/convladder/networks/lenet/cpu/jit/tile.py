"""The register tile of the fused network: a few places by a few channels, a lane an image.

All values are vectors of `lanes` images. A tile keeps `places x channels` sums in registers while
it walks the kernel: a step loads a vector of each place and broadcasts a weight for each channel,
then does `places · channels` multiply-adds. Places are the four pixels of a pool's window, or for
a fully connected layer the groups of images.
"""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from .....cpu.simd.emit import FLOAT, INT, LANE, broadcast, literals


class TileLayer(NamedTuple):
    """How the sums of a layer lie in memory, all but `channels` counted in vectors.

    The sum has `rows` runs of `run` steps, `row` apart in x. Places lie `apart` apart in x. A pool
    of 2×2 has its places in two rows; without one, results of places lie `out` apart in y.
    """

    lanes: int
    channels: int  # of one tile
    rows: int
    run: int
    row: int
    apart: int
    pool: int  # 1 or 0
    relu: int  # 1 or 0
    out: int
    places: int


def _build(module: ir.Module, layer: TileLayer) -> ir.Function:
    """Add the function of one tile: `void(float* x, float* w, float* bias, float* y)`."""
    vector = ir.VectorType(FLOAT, layer.lanes)
    kind = ir.FunctionType(ir.VoidType(), [FLOAT.as_pointer()] * 4)
    name = f"convladder.networks.lenet.{'x'.join(map(str, layer))}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, kind, name)
    function.linkage = "internal"
    function.attributes.add("noinline")  # each has the registers to itself
    x, w, bias, y = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    offsets = [
        place // 2 * layer.row + place % 2 * layer.apart if layer.pool else place * layer.apart
        for place in range(layer.places)
    ]
    sums = [[b.alloca(vector) for _ in range(layer.channels)] for _ in offsets]
    for c in range(layer.channels):
        start = broadcast(b, b.load(b.gep(bias, [INT(c)])), layer.lanes)
        for place in sums:
            b.store(start, place[c])
    multiply_add = cgutils.get_or_insert_function(
        module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{layer.lanes}f32"
    )
    with cgutils.for_range(b, INT(layer.rows), intp=INT) as kernel_row:
        x_row = b.mul(kernel_row.index, INT(layer.row * layer.lanes))
        w_row = b.mul(kernel_row.index, INT(layer.run * layer.channels))
        with cgutils.for_range(b, INT(layer.run), intp=INT) as step:
            at = b.add(x_row, b.mul(step.index, INT(layer.lanes)))
            values = [_load(b, x, b.add(at, INT(o * layer.lanes)), vector) for o in offsets]
            at = b.add(w_row, b.mul(step.index, INT(layer.channels)))
            for c in range(layer.channels):
                weight = b.load(b.gep(w, [b.add(at, INT(c))]))
                weight = broadcast(b, weight, layer.lanes)
                for value, place in zip(values, sums, strict=True):
                    b.store(b.call(multiply_add, [value, weight, b.load(place[c])]), place[c])
    for c in range(layer.channels):
        results = [b.load(place[c]) for place in sums]
        if layer.pool:
            results = [_largest(b, results)]
        for pixel, result in enumerate(results):
            if layer.relu:
                result = _largest(b, [result, ir.Constant(vector, None)])
            at = b.gep(y, [INT((pixel * layer.out + c) * layer.lanes)])
            b.store(result, b.bitcast(at, vector.as_pointer()), align=4)
    b.ret_void()
    return function


def _largest(b: ir.IRBuilder, values: list[ir.Value]) -> ir.Value:
    first, *others = values
    for other in others:
        first = b.select(b.fcmp_ordered(">", first, other), first, other)
    return first


def _load(b: ir.IRBuilder, base: ir.Value, offset: ir.Value, vector: ir.Type) -> ir.Value:
    align = 4 if vector.element == FLOAT else 1
    return b.load(b.bitcast(b.gep(base, [offset]), vector.as_pointer()), align=align)


@intrinsic
def tile(typing_context, layer, arrays, at):
    """Compute a tile of a `TileLayer` of literals.

    `arrays` are pointers (x, w, bias, y) to float32, `at` where to begin in each.
    """
    shape = TileLayer(*literals(*layer))

    def emit(context, b, signature, arguments):
        pointers, places = (cgutils.unpack_tuple(b, values) for values in arguments[1:])
        begin = [b.gep(array, [place]) for array, place in zip(pointers, places, strict=True)]
        b.call(_build(b.module, shape), begin)
        return context.get_dummy_value()

    return types.void(layer, arrays, at), emit


@intrinsic
def spread_bytes(typing_context, lanes, pixels, bytes_, at, first, last, x):
    """Set `x[pixel,lane]` to byte `pixel` of image `lane`, float32, a literal number of lanes.

    Images of `pixels` bytes lie one behind the other from `bytes_[at]` on. Pixels from `first` to
    before `last` are done, both multiples of `lanes`: a square of `lanes` pixels of `lanes` images
    is transposed in registers.
    """
    count, size = literals(lanes, pixels)

    def emit(context, b, signature, arguments):
        source, at, first, last, target = arguments[2:]
        short = ir.VectorType(ir.IntType(8), count)
        vector = ir.VectorType(FLOAT, count)
        numbers = ir.VectorType(LANE, count)
        pairs = [(i, count + i) for i in range(count)]
        low, high = (
            ir.Constant(numbers, [n for pair in half for n in pair])
            for half in (pairs[: count // 2], pairs[count // 2 :])
        )
        source = b.gep(source, [at])
        with cgutils.for_range_slice(b, first, last, INT(count), intp=INT) as (pixel, _):
            rows = [
                _load(b, source, b.add(pixel, INT(image * size)), short) for image in range(count)
            ]
            # Interleave row i with row i + count/2; after log2(count) times it is transposed.
            for _ in range(count.bit_length() - 1):
                half = list(zip(rows[: count // 2], rows[count // 2 :], strict=True))
                rows = [b.shuffle_vector(p, q, which) for p, q in half for which in (low, high)]
            for number, row in enumerate(rows):
                place = b.mul(b.add(pixel, INT(number)), INT(count))
                values = b.sitofp(b.zext(row, numbers), vector)  # never negative: one instruction
                b.store(values, b.bitcast(b.gep(target, [place]), vector.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(lanes, pixels, bytes_, at, first, last, x), emit
