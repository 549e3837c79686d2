"""The register tile for bytes: a few pixels by a few vectors of int32 sums, emitted as LLVM IR.

As `cpu.simd.tile`, but that a step takes four neighbouring bytes of the input: it loads `vectors`
vectors of four weights a lane, broadcasts four bytes for each pixel, and does `pixels · vectors`
dot products. Sums begin with the bias, less what the input's zero point adds to them. The last step
of a run whose bytes are not a multiple of four loads them one by one; nothing beyond is ever read.
"""

from __future__ import annotations

import struct

from llvmlite import ir
from numba.core import cgutils

from ....cpu.simd.emit import FLOAT, INT, broadcast, pixel_offsets, store_sums, vector_at
from .dots import BYTE, WORD, Dot

ARGUMENTS = (
    # where the tile's first values lie: of x, the weights, the sums' beginnings, multipliers, y
    *("x", "w", "first", "scale", "y"),
    # the sum: rows of the kernel, runs of bytes in each, whole quads of a run, bytes left over
    *("k_rows", "runs", "quads", "tail"),
    # from a row, a run to the next: bytes in x, steps in the weights
    *("x_next", "x_run", "w_next", "w_run"),
    # the box of output pixels, the place in it of the tile's first; tiles, all in one row if many
    *("rows", "cols", "row", "col", "tiles"),
    # values from a pixel to the next one in its row, its column, the batch
    *("x_col", "x_row", "x_image", "y_col", "y_row", "y_image"),
    # channels: blocks of `vectors`, steps of one block, lanes of the last vector that are channels
    *("blocks", "steps", "valid"),
    # the output's grid: its zero, its least value (the zero itself where there is a ReLU)
    *("zero", "least"),
)
POINTERS = 5
# Added to a float32 below 2^22, this leaves it rounded, ties to even, in the sum's last bits.
ROUND = 1.5 * 2.0**23
ROUND_BITS = struct.unpack("<i", struct.pack("<f", ROUND))[0]
HIGHEST = 255


def kind_of(raw: bool) -> ir.FunctionType:
    """Return the type of a tile: pointers, then int64 numbers, see ARGUMENTS."""
    pointers = [kind.as_pointer() for kind in (BYTE, WORD, WORD, FLOAT, WORD if raw else BYTE)]
    return ir.FunctionType(ir.VoidType(), pointers + [INT] * (len(ARGUMENTS) - POINTERS))


def build_tile(
    module: ir.Module, dot: Dot, pixels: int, vectors: int, lanes: int, raw: bool
) -> ir.Function:
    """Add to `module` the function of one tile, of `kind_of(raw)`.

    y is int32 if `raw`, and gets the sums; else bytes, and gets them requantised.
    """
    words = ir.VectorType(WORD, lanes)
    name = f"convladder.int8.{dot.how}.{pixels}x{vectors}x{lanes}.{'raw' if raw else 'bytes'}"
    function = ir.Function(module, kind_of(raw), name)
    function.linkage = "internal"
    function.attributes.add("noinline")  # each has the registers to itself
    a = dict(zip(ARGUMENTS, function.args, strict=True))
    b = ir.IRBuilder(function.append_basic_block("entry"))
    sums = [[b.alloca(words) for _ in range(vectors)] for _ in range(pixels)]
    x_offsets, y_offsets = (pixel_offsets(b, a, array, pixels) for array in "xy")

    with cgutils.for_range(b, a["tiles"], intp=INT) as tile:
        ahead = b.mul(tile.index, INT(pixels))
        x = b.gep(a["x"], [b.mul(ahead, a["x_col"])])
        y = b.gep(a["y"], [b.mul(ahead, a["y_col"])])
        inputs = [b.gep(x, [offset]) for offset in x_offsets]
        with cgutils.for_range(b, a["blocks"], intp=INT) as block:
            channel = b.mul(block.index, INT(vectors * lanes))
            weights = b.gep(a["w"], [b.mul(channel, a["steps"])])
            for v in range(vectors):
                at = b.add(channel, INT(v * lanes))
                begin = b.load(vector_at(b, a["first"], at, words), align=4)
                for row in sums:
                    b.store(begin, row[v])
            _sum(b, dot, a, weights, inputs, sums)
            last = b.icmp_signed("==", b.add(block.index, INT(1)), a["blocks"])
            valid = b.select(last, a["valid"], INT(lanes))
            outputs = [b.gep(b.gep(y, [channel]), [offset]) for offset in y_offsets]
            finish = None if raw else _requantise(b, a, channel, vectors, lanes)
            store_sums(b, module, outputs, sums, valid, finish)
    b.ret_void()
    return function


def _sum(b, dot, a, weights, inputs, sums) -> None:
    """Add to the sums all products of the window."""
    words = sums[0][0].allocated_type
    lanes, vectors = words.count, len(sums[0])

    def step(x_at, w_at, quad_at) -> None:
        at = b.mul(w_at, INT(vectors * lanes))
        loaded = [
            dot.of_weights(
                b, b.load(vector_at(b, weights, b.add(at, INT(v * lanes)), words), align=4)
            )
            for v in range(vectors)
        ]
        for row, source in zip(sums, inputs, strict=True):
            value = dot.of_input(b, broadcast(b, quad_at(b.gep(source, [x_at])), lanes))
            for place, weight in zip(row, loaded, strict=True):
                b.store(dot.add(b, b.load(place), value, weight), place)

    def whole(place):
        return b.load(b.bitcast(place, WORD.as_pointer()), align=1)

    def part(place):
        quad = b.zext(b.load(place), WORD)
        for number in (1, 2):  # beyond the tail the first byte again: its weight there is zero
            there = b.icmp_signed("<", INT(number), a["tail"])
            byte = b.load(b.gep(place, [b.select(there, INT(number), INT(0))]))
            quad = b.or_(quad, b.shl(b.zext(byte, WORD), WORD(8 * number)))
        return quad

    with cgutils.for_range(b, a["k_rows"], intp=INT) as kernel_row:
        x_row = b.mul(kernel_row.index, a["x_next"])
        w_row = b.mul(kernel_row.index, a["w_next"])
        with cgutils.for_range(b, a["runs"], intp=INT) as each_run:
            x_at = b.add(x_row, b.mul(each_run.index, a["x_run"]))
            w_at = b.add(w_row, b.mul(each_run.index, a["w_run"]))
            with cgutils.for_range(b, a["quads"], intp=INT) as quad:
                step(b.add(x_at, b.mul(quad.index, INT(4))), b.add(w_at, quad.index), whole)
            with b.if_then(b.icmp_signed(">", a["tail"], INT(0))):
                step(b.add(x_at, b.mul(a["quads"], INT(4))), b.add(w_at, a["quads"]), part)


def _requantise(b, a, channel, vectors, lanes):
    """`finish(sums, v)`: clip(round(sum · scale)) + zero as bytes, for vector `v` of a block."""
    floats, words = ir.VectorType(FLOAT, lanes), ir.VectorType(WORD, lanes)
    scales = [
        b.load(vector_at(b, a["scale"], b.add(channel, INT(v * lanes)), floats), align=4)
        for v in range(vectors)
    ]
    zero = b.trunc(a["zero"], WORD)
    least = b.sitofp(b.sub(b.trunc(a["least"], WORD), zero), FLOAT)
    most = b.sitofp(b.sub(WORD(HIGHEST), zero), FLOAT)
    least, most = broadcast(b, least, lanes), broadcast(b, most, lanes)
    magic = ir.Constant(floats, [ROUND] * lanes)
    back = broadcast(b, b.sub(zero, WORD(ROUND_BITS)), lanes)

    def finish(total, v):
        value = b.fmul(b.sitofp(total, floats), scales[v])
        value = b.select(b.fcmp_ordered("<", value, least), least, value)
        value = b.select(b.fcmp_ordered(">", value, most), most, value)
        whole = b.add(b.bitcast(b.fadd(value, magic), words), back)
        return b.trunc(whole, ir.VectorType(BYTE, lanes))

    return finish
