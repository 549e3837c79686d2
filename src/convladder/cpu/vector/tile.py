"""The register tile: a few pixels by a few vectors of channels, emitted as LLVM IR.

One tile is `pixels x vectors` accumulators that stay in vector registers for the whole sum. A step
of the sum loads `vectors` vectors of weights, broadcasts one input value for each pixel, and does
`pixels · vectors` multiply-adds: 14 x 2 of them for 16 loads. In NHWC one kernel row of a pixel is
`k_w·i_c` values side by side, so that a sum is `k_h` such runs and no window is ever copied.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic

INT, LANE, FLOAT = ir.IntType(64), ir.IntType(32), ir.FloatType()
# Numba keeps machine code on disk until the file of its function changes; whoever uses this file
# from another one holds on to this number, so that a change here counts too.
EDITION = zlib.crc32(Path(__file__).read_bytes())
ARGUMENTS = (
    # where the tile's first values lie: of x, of the packed weights, of y
    *("x", "w", "y"),
    # the sum: k_rows runs of `run` values; from one to the next in x, and in steps of the weights
    *("k_rows", "run", "x_next", "w_next"),
    # the box of output pixels, the place in it of the tile's first; tiles, all in one row if many
    *("rows", "cols", "row", "col", "tiles"),
    # values from a pixel to the next one in its row, its column, the batch
    *("x_col", "x_row", "x_image", "y_col", "y_row", "y_image"),
    # channels: blocks of `vectors`, steps of one block, lanes of the last vector that are channels
    *("blocks", "steps", "valid"),
)
LINE = 16  # float32 values in a cache line


def build_tile(module: ir.Module, pixels: int, vectors: int, lanes: int) -> ir.Function:
    """Add to `module` the function of one tile: `void(float* x, w, y, i64 ...)`, see ARGUMENTS.

    For one block of `vectors · lanes` channels after the other it takes the sums of `pixels`
    consecutive pixels of a box (rows run on into the next row and image) and stores them.
    """
    vector = ir.VectorType(FLOAT, lanes)
    numbers = len(ARGUMENTS) - 3
    function = ir.Function(
        module,
        ir.FunctionType(ir.VoidType(), [FLOAT.as_pointer()] * 3 + [INT] * numbers),
        f"convladder.tile.{pixels}x{vectors}x{lanes}",
    )
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
        with cgutils.for_range(b, a["blocks"], intp=INT) as block:
            channel = b.mul(block.index, INT(vectors * lanes))
            outputs = b.gep(y, [channel])
            _announce(b, module, outputs, y_offsets, vectors * lanes)
            weights = b.gep(a["w"], [b.mul(channel, a["steps"])])
            _sum(b, module, a, weights, inputs, sums)
            last = b.icmp_signed("==", b.add(block.index, INT(1)), a["blocks"])
            valid = b.select(last, a["valid"], INT(lanes))
            _store(b, module, outputs, y_offsets, sums, valid)
    b.ret_void()
    return function


def _sum(b, module, a, weights, inputs, sums) -> None:
    """`sums[pixel][v]` = the sum over all steps of input times vector `v` of the weights."""
    vector = sums[0][0].allocated_type
    lanes, vectors = vector.count, len(sums[0])
    # llvmlite's declare_intrinsic mangles no vector types. One rounding where the processor has
    # fused multiply-add, two where it has not.
    multiply_add = cgutils.get_or_insert_function(
        module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{lanes}f32"
    )
    for row in sums:
        for place in row:
            b.store(ir.Constant(vector, None), place)
    with cgutils.for_range(b, a["k_rows"], intp=INT) as kernel_row:
        x_run = b.mul(kernel_row.index, a["x_next"])
        w_run = b.mul(kernel_row.index, a["w_next"])
        with cgutils.for_range(b, a["run"], intp=INT) as step:
            at = b.mul(b.add(w_run, step.index), INT(vectors * lanes))
            loaded = [
                b.load(vector_at(b, weights, b.add(at, INT(v * lanes)), vector), align=4)
                for v in range(vectors)
            ]
            at = b.add(x_run, step.index)
            for row, source in zip(sums, inputs, strict=True):
                value = broadcast(b, b.load(b.gep(source, [at])), lanes)
                for place, weight in zip(row, loaded, strict=True):
                    b.store(b.call(multiply_add, [value, weight, b.load(place)]), place)


def _announce(b, module, y, outputs, channels) -> None:
    """Ask for the lines of `y` that will be written: they come while the sums are taken."""
    byte = ir.IntType(8).as_pointer()
    prefetch = cgutils.get_or_insert_function(
        module, ir.FunctionType(ir.VoidType(), [byte] + [LANE] * 3), "llvm.prefetch.p0"
    )
    to_write, keep, data = LANE(1), LANE(3), LANE(1)
    for output in outputs:
        for value in range(0, channels, LINE):
            line = b.bitcast(b.gep(b.gep(y, [output]), [INT(value)]), byte)
            b.call(prefetch, [line, to_write, keep, data])


def _store(b, module, y, outputs, sums, valid) -> None:
    """Store the sums; of the last vector only `valid` lanes, the rest being another pixel's."""
    vector = sums[0][0].allocated_type
    lanes, vectors = vector.count, len(sums[0])
    # A new value to LLVM, which else would keep the addresses announced, and spill them all.
    y = b.asm(ir.FunctionType(y.type, [y.type]), "", "=r,0", [y], False)
    last = []
    for row, output in zip(sums, outputs, strict=True):
        for v, place in enumerate(row):
            target = vector_at(b, b.gep(y, [output]), INT(v * lanes), vector)
            if v < vectors - 1:
                b.store(b.load(place), target, align=4)
            else:
                last.append((b.load(place), target))
    with b.if_else(b.icmp_signed("==", valid, INT(lanes))) as (whole, part):
        with whole:
            for total, target in last:
                b.store(total, target, align=4)
        with part:
            numbers = ir.Constant(ir.VectorType(LANE, lanes), list(range(lanes)))
            mask = b.icmp_signed("<", numbers, broadcast(b, b.trunc(valid, LANE), lanes))
            masked_store = cgutils.get_or_insert_function(
                module,
                ir.FunctionType(ir.VoidType(), [vector, vector.as_pointer(), LANE, mask.type]),
                f"llvm.masked.store.v{lanes}f32.p0",
            )
            for total, target in last:
                b.call(masked_store, [total, target, LANE(4), mask])


def pixel_offsets(
    b: ir.IRBuilder, a: dict[str, ir.Value], array: str, pixels: int
) -> list[ir.Value]:
    """Offsets of the tile's pixels in `array` from the first of them."""
    by_col = a[f"{array}_col"]
    one_row = b.icmp_signed("<=", b.add(a["col"], INT(pixels)), a["cols"])
    with b.if_else(one_row) as (straight, around):
        with straight:
            places = [b.mul(by_col, INT(pixel)) for pixel in range(pixels)]
            straight_end = b.block
        with around:
            turns = _walk(b, a, array, pixels)
            around_end = b.block
    offsets = []
    for place, turn in zip(places, turns, strict=True):
        offset = b.phi(INT)
        offset.add_incoming(place, straight_end)
        offset.add_incoming(turn, around_end)
        offsets.append(offset)
    return offsets


def _walk(b: ir.IRBuilder, a: dict[str, ir.Value], array: str, pixels: int) -> list[ir.Value]:
    """Offsets of the tile's pixels in `array` from the first: selects, no branches."""
    by_col, by_row, by_image = (a[f"{array}_{axis}"] for axis in ("col", "row", "image"))
    # At the end of a row: back to its start and one row on; likewise at the end of an image.
    whole_row = b.mul(b.sub(a["cols"], INT(1)), by_col)
    whole_box = b.add(whole_row, b.mul(b.sub(a["rows"], INT(1)), by_row))
    by_row, by_image = b.sub(by_row, whole_row), b.sub(by_image, whole_box)
    row, col, at = a["row"], a["col"], INT(0)
    offsets = [at]
    for _ in range(pixels - 1):
        col, next_row = b.add(col, INT(1)), b.add(row, INT(1))
        row_ends = b.icmp_signed("==", col, a["cols"])
        image_ends = b.icmp_signed("==", next_row, a["rows"])
        turn = b.select(image_ends, by_image, by_row)
        at = b.add(at, b.select(row_ends, turn, by_col))
        col = b.select(row_ends, INT(0), col)
        row = b.select(row_ends, b.select(image_ends, INT(0), next_row), row)
        offsets.append(at)
    return offsets


def vector_at(b: ir.IRBuilder, base: ir.Value, offset: ir.Value, vector: ir.Type) -> ir.Value:
    """The address of a `vector` that begins `offset` values behind `base`."""
    return b.bitcast(b.gep(base, [offset]), vector.as_pointer())


def broadcast(b: ir.IRBuilder, value: ir.Value, lanes: int) -> ir.Value:
    """A vector of `lanes` times `value`."""
    nothing = ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined)
    everywhere = ir.Constant(ir.VectorType(LANE, lanes), [0] * lanes)
    return b.shuffle_vector(b.insert_element(nothing, value, LANE(0)), nothing, everywhere)


@intrinsic
def tile(typing_context, most_pixels, most_vectors, lanes, pixels, vectors, arrays, at, numbers):
    """`pixels` by `vectors` of a tile of `lanes` lanes, of any size up to the literal most.

    `arrays` are the pointers (x, w, y) to float32, `at` where to begin in each, `numbers` the
    other ARGUMENTS. One function a size is emitted, and a jump to the one asked for.
    """
    limits = (most_pixels, most_vectors, lanes)
    if not all(isinstance(limit, types.IntegerLiteral) for limit in limits):
        raise RequireLiteralValue("a tile's largest size and its lanes are fixed when it compiles")
    p_most, v_most, lanes_most = (limit.literal_value for limit in limits)

    def emit(context, b, signature, arguments):
        pixels, vectors, *tuples = arguments[3:]
        arrays, at, numbers = (cgutils.unpack_tuple(b, values) for values in tuples)
        begin = [b.gep(array, [offset]) for array, offset in zip(arrays, at, strict=True)]
        rest = b.append_basic_block("tile.rest")
        choice = b.switch(b.add(b.mul(vectors, INT(p_most + 1)), pixels), rest)
        for v in range(1, v_most + 1):
            for p in range(1, p_most + 1):
                function = build_tile(b.module, p, v, lanes_most)
                block = b.append_basic_block(f"tile.{p}x{v}")
                choice.add_case(INT(v * (p_most + 1) + p), block)
                with b.goto_block(block):
                    b.call(function, [*begin, *numbers])
                    b.branch(rest)
        b.position_at_end(rest)
        return context.get_dummy_value()

    return types.void(*limits, pixels, vectors, arrays, at, numbers), emit
