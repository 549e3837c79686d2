"""The register tile: a few pixels by a few vectors of channels, emitted as LLVM IR.

One tile is `pixels x vectors` accumulators that stay in vector registers for the whole sum. A step
of the sum loads `vectors` vectors of weights, broadcasts one input value for each pixel, and does
`pixels · vectors` multiply-adds: 14 x 2 of them for 16 loads. In NHWC one kernel row of a pixel is
`k_w·i_c` values side by side, so that a sum is `k_h` such runs and no window is ever copied. With
dilation or groups, the columns of a kernel row lie apart: a run for each.

A depthwise tile differs in one thing: each channel has its own input, so that a step loads vectors
of the input and broadcasts nothing. What follows the sum (bias, another map, ReLU) is done on the
way out of the registers.
"""

from __future__ import annotations

import math
from contextlib import ExitStack
from functools import partial

from llvmlite import ir
from numba.core import cgutils

from .emit import (
    FLOAT,
    INT,
    LANE,
    broadcast,
    masked_load,
    opaque,
    pixel_offsets,
    pointer,
    store_sums,
    vector_at,
)

ARGUMENTS = (
    # where the tile's first values lie: of x, of the packed weights, of y
    *("x", "w", "y"),
    # the sum: k_rows of k_cols runs of `run` values; from a row and from a column to the next in x,
    # from a row to the next in steps of the weights
    *("k_rows", "k_cols", "run", "x_next", "x_col_next", "w_next"),
    # the box of output pixels, the place in it of the tile's first; tiles, all in one row if many
    *("rows", "cols", "row", "col", "tiles"),
    # values from a pixel to the next one in its row, its column, the batch
    *("x_col", "x_row", "x_image", "y_col", "y_row", "y_image"),
    # channels: blocks of `vectors`, steps of one block, lanes of the last vector that are channels
    *("blocks", "steps", "valid"),
    # what follows: addresses of the first channel's bias and of a map like y to be added, or 0
    *("bias", "added", "relu"),
)
KIND = ir.FunctionType(ir.VoidType(), [FLOAT.as_pointer()] * 3 + [INT] * (len(ARGUMENTS) - 3))
LINE = 16  # float32 values in a cache line
# Values between the weights in use and those asked for. The processor asks ahead by itself, but
# stops at the end of each page. (4 KiB ahead, they would be put where those in use are.)
AHEAD = 48 * LINE
NEAREST, SECOND, DATA = 3, 2, LANE(1)  # LLVM's words: which cache, and of what


def build_tile(
    module: ir.Module, pixels: int, vectors: int, lanes: int, depthwise: bool = False
) -> ir.Function:
    """Add to `module` the function of one tile: `void(float* x, w, y, i64 ...)`, see ARGUMENTS.

    For one block of `vectors · lanes` channels after the other it takes the sums of `pixels`
    consecutive pixels of a box (rows run on into the next row and image), finishes and stores them.
    """
    vector = ir.VectorType(FLOAT, lanes)
    name = f"convladder.{'depthwise' if depthwise else 'tile'}.{pixels}x{vectors}x{lanes}"
    function = ir.Function(module, KIND, name)
    function.linkage = "internal"
    function.attributes.add("noinline")  # each has the registers to itself
    a = dict(zip(ARGUMENTS, function.args, strict=True))
    b = ir.IRBuilder(function.append_basic_block("entry"))
    # Variables to begin with: LLVM turns them into registers.
    sums = [[b.alloca(vector) for _ in range(vectors)] for _ in range(pixels)]
    x_offsets, y_offsets = (pixel_offsets(b, a, array, pixels) for array in "xy")

    with cgutils.for_range(b, a["tiles"], intp=INT) as tile:
        first = b.mul(tile.index, INT(pixels))
        x = b.gep(a["x"], [b.mul(first, a["x_col"])])
        y = b.gep(a["y"], [b.mul(first, a["y_col"])])
        inputs = [b.gep(x, [offset]) for offset in x_offsets]
        below = b.add(b.mul(b.sub(a["k_rows"], INT(1)), a["x_next"]), a["x_row"])
        if not depthwise:
            _announce_row(b, module, inputs, below, 1)
        with cgutils.for_range(b, a["blocks"], intp=INT) as block:
            channel = b.mul(block.index, INT(vectors * lanes))
            outputs = b.gep(y, [channel])
            _announce(b, module, outputs, y_offsets, vectors * lanes)
            weights = b.gep(a["w"], [b.mul(channel, a["steps"])])
            last = b.icmp_signed("==", b.add(block.index, INT(1)), a["blocks"])
            valid = b.select(last, a["valid"], INT(lanes))
            _begin(b, module, a["bias"], channel, sums, valid)
            if depthwise:
                own = [b.gep(source, [channel]) for source in inputs]
                for row in (below, b.sub(below, a["x_next"])):  # with stride 2 both are new
                    _announce_row(b, module, own, row, vectors * lanes)
                with b.if_else(b.icmp_signed("==", valid, INT(lanes))) as (whole, part):
                    with whole:
                        _sum(b, module, a, weights, own, sums, _own_values)
                    with part:  # a whole vector would reach into the next pixel, or beyond x
                        _sum(b, module, a, weights, own, sums, partial(_own_values, valid=valid))
            else:
                _sum(b, module, a, weights, inputs, sums, _one_value)
            with b.if_then(b.icmp_signed("!=", a["added"], INT(0))):
                at = b.add(b.mul(first, a["y_col"]), channel)
                _add(b, module, b.gep(pointer(b, a["added"]), [at]), y_offsets, sums, valid)
            _cut_off(b, a["relu"], sums)
            y = opaque(b, outputs)  # else LLVM would keep the addresses announced, and spill them
            store_sums(b, module, [b.gep(y, [offset]) for offset in y_offsets], sums, valid)
    b.ret_void()
    return function


def _begin(b, module, bias, channel, sums, valid) -> None:
    """Every sum begins with its channel's bias, or with zero."""
    vector = sums[0][0].allocated_type
    with b.if_else(b.icmp_signed("==", bias, INT(0))) as (without, there):
        for branch in (without, there):
            with branch:
                begins = [ir.Constant(vector, None)] * len(sums[0])
                if branch is there:
                    own = b.gep(pointer(b, bias), [channel])
                    begins = _own_values(b, module, own, sums[0], valid)
                for row in sums:
                    for place, begin in zip(row, begins, strict=True):
                        b.store(begin, place)


def _sum(b, module, a, weights, inputs, sums, read) -> None:
    """Add to `sums[pixel][v]`, over all steps, input times vector `v` of the weights.

    `read` gives a step's input of one pixel, a vector for each of the weights'. Where they are many
    values, a run is one step.
    """
    vector = sums[0][0].allocated_type
    lanes, vectors = vector.count, len(sums[0])
    # llvmlite's declare_intrinsic mangles no vector types. One rounding where the processor has
    # fused multiply-add, two where it has not.
    multiply_add = cgutils.get_or_insert_function(
        module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{lanes}f32"
    )
    with cgutils.for_range(b, a["k_rows"], intp=INT) as kernel_row:
        x_row = b.mul(kernel_row.index, a["x_next"])
        w_row = b.mul(kernel_row.index, a["w_next"])
        with cgutils.for_range(b, a["k_cols"], intp=INT) as column, ExitStack() as inner:
            # One offset for all pixels: LLVM would count on in a pointer for each, and spill them.
            x_at = opaque(b, b.add(x_row, b.mul(column.index, a["x_col_next"])))
            w_at = b.add(w_row, b.mul(column.index, a["run"]))
            if read is _one_value:
                step = inner.enter_context(cgutils.for_range(b, a["run"], intp=INT)).index
                x_at, w_at = b.add(x_at, step), b.add(w_at, step)
            at = b.mul(w_at, INT(vectors * lanes))
            loaded = [
                b.load(vector_at(b, weights, b.add(at, INT(v * lanes)), vector), align=4)
                for v in range(vectors)
            ]
            if vectors <= 2 and read is _one_value:  # wider tiles are for weights that stay near
                ahead = b.gep(weights, [b.add(at, INT(AHEAD))])
                _prefetch(b, module, ahead, vectors * lanes, to_write=False)
            for row, source in zip(sums, inputs, strict=True):
                values = read(b, module, b.gep(source, [x_at]), row)
                for place, value, weight in zip(row, values, loaded, strict=True):
                    b.store(b.call(multiply_add, [value, weight, b.load(place)]), place)


def _one_value(b, module, source, row) -> list[ir.Value]:
    """A value of the input goes to all channels."""
    return [broadcast(b, b.load(source), row[0].allocated_type.count)] * len(row)


def _own_values(b, module, source, row, valid=None) -> list[ir.Value]:
    """Vectors from `source` on, one for each sum of a row; of the last one only `valid` lanes."""
    vector = row[0].allocated_type
    places = [vector_at(b, source, INT(v * vector.count), vector) for v in range(len(row))]
    whole = places if valid is None else places[:-1]
    values = [b.load(place, align=4) for place in whole]
    return values if valid is None else [*values, masked_load(b, module, places[-1], valid)]


def _add(b, module, added, offsets, sums, valid) -> None:
    """Add the values of a map that lie where the sums will."""
    lanes = sums[0][0].allocated_type.count
    with b.if_else(b.icmp_signed("==", valid, INT(lanes))) as (whole, part):
        for branch, count in ((whole, None), (part, valid)):
            with branch:
                for row, offset in zip(sums, offsets, strict=True):
                    values = _own_values(b, module, b.gep(added, [offset]), row, count)
                    for place, value in zip(row, values, strict=True):
                        b.store(b.fadd(b.load(place), value), place)


def _cut_off(b, relu, sums) -> None:
    """With ReLU nothing less than zero is left; NaN stays."""
    vector = sums[0][0].allocated_type
    floor = b.select(b.icmp_signed("==", relu, INT(0)), FLOAT(-math.inf), FLOAT(0))
    floor = broadcast(b, floor, vector.count)
    for row in sums:
        for place in row:
            value = b.load(place)
            b.store(b.select(b.fcmp_ordered("<", value, floor), floor, value), place)


def _announce(b, module, y, outputs, channels) -> None:
    """Ask for the lines of `y` that will be written: they come while the sums are taken."""
    for output in outputs:
        _prefetch(b, module, b.gep(y, [output]), channels, to_write=True)


def _announce_row(b, module, inputs, row, values) -> None:
    """Ask for a row of the windows below, whose lines may lie too far apart for the processor to
    guess them."""
    for source in inputs:
        _prefetch(b, module, b.gep(source, [row]), values, to_write=False, cache=SECOND)


def _prefetch(b, module, begin, values, to_write, cache=NEAREST) -> None:
    """Ask for the lines of so many values, to be kept in that cache."""
    byte = ir.IntType(8).as_pointer()
    prefetch = cgutils.get_or_insert_function(
        module, ir.FunctionType(ir.VoidType(), [byte] + [LANE] * 3), "llvm.prefetch.p0"
    )
    for value in range(0, values, LINE):
        line = b.bitcast(b.gep(begin, [INT(value)]), byte)
        b.call(prefetch, [line, LANE(int(to_write)), LANE(cache), DATA])
