"""A share of a convolution of bytes, and the tiles that it calls: as `cpu.simd.macrokernel`."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from ....core.jit import compiled_once, numba
from ....cpu.simd import tile_order as walk
from ....cpu.simd.emit import INT, call_tile, literals
from ....cpu.simd.tile_order import (  # fmt: skip
    begins,
    blocks_from,
    onward,
    panel_of,
    place_of,
    tiles_in_row,
    tiles_of,
)
from ....cpu.simd.tile_table import TileTable
from .dots import HOWS, Dot
from .tile import build_tile, kind_of

BYTES, WORDS, FLOATS = (types.CPointer(t) for t in (types.uint8, types.int32, types.float32))


@intrinsic
def _address_of(typing_context, how, raw, pixels, vectors, lanes):
    """Emit the tile of this size and return its address; `how` is a place in HOWS, `raw` 1 or 0."""
    limits = literals(how, raw, pixels, vectors, lanes)

    def code(context, b, signature, arguments):
        kind, plain, p, v, lane_count = limits
        dot = Dot(HOWS[kind], 32 * lane_count, 0)
        return b.ptrtoint(build_tile(b.module, dot, p, v, lane_count, bool(plain)), INT)

    return types.int64(how, raw, pixels, vectors, lanes), code


@intrinsic
def _tile(typing_context, raw, table, pixels, vectors, arrays, at, numbers):
    """Compute `pixels` by `vectors` by the tile of that size in the `TileTable` at `table`.

    `arrays` are the pointers that come first in ARGUMENTS, `at` where to begin in each, `numbers`
    the others.
    """
    (plain,) = literals(raw)

    def code(context, b, signature, arguments):
        _, table, pixels, vectors, *tuples = arguments
        call_tile(b, table, (pixels, vectors), kind_of(bool(plain)), tuples)
        return context.get_dummy_value()

    return types.void(raw, table, pixels, vectors, arrays, at, numbers), code


@compiled_once
def tiles(lanes: int, how: str, raw: bool) -> TileTable:
    """Return the tiles of so many lanes. Their code is kept on disk by Numba."""

    def compiled(pixels: int, vectors: int):
        # Constants to the compiler, and part of the name under which the code is kept.
        pixel_count, vector_count, lane_count = pixels, vectors, lanes
        kind, plain = HOWS.index(how), int(raw)

        @numba.cfunc(types.int64(), cache=True)
        def address():
            return _address_of(kind, plain, pixel_count, vector_count, lane_count)

        return address

    return TileTable(compiled)


@compiled_once
def compiled(raw: bool):
    """Return `share(piece, pieces, layout, boxes, x, w, first, scale, y, run, zero, least)`, in C.

    `layout` names the table of its tiles. Numba keeps it on disk. `run`: bytes
    that are cut into fours together, see `convolve.run_of`. It does what lies in one of `pieces`
    equal parts of the whole cost, in the order: panels of channels, boxes, tiles, blocks of
    channels. `first` has `vectors · lanes` sums for each box.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    plain = int(raw)
    signature = types.void(
        types.int64, types.int64, walk.LAYOUTS, walk.BOXES, BYTES, WORDS, WORDS, FLOATS,
        WORDS if raw else BYTES, types.int64, types.int64, types.int64,
    )  # fmt: skip

    @numba.cfunc(signature, cache=True)
    def share(piece, pieces, layout, boxes, x, w, first, scale, y, run, zero, least):
        a = numba.carray(layout, 1)[0]
        before = 0
        narrow, wider = divmod(a.vectors, a.blocks)
        w_run = (run + 3) // 4
        for panel in range(0, a.all_blocks, a.panel):
            end, wide = panel_of(a, panel, narrow, wider)
            for which in range(a.boxes):
                box = numba.carray(boxes, a.boxes)[which]
                # Where a run is whole quads, so is a row of the kernel: one run.
                runs, quads, tail = box.run, run // 4, run % 4
                if tail == 0:
                    runs, quads = min(1, box.run), box.run * quads
                number, last, before = tiles_of(a, box, wide, before, piece, pieces)
                image, row, col, fewest, larger = place_of(box, number)
                while number < last:
                    pixels, tiles = tiles_in_row(box, number, last, col, fewest, larger)
                    x_at, y_at = begins(a, box, image, row, col)
                    block = panel
                    while block < end:
                        vectors, blocks, _, w_at, channel, valid = blocks_from(
                            a, box, block, end, narrow, wider
                        )
                        block += blocks
                        _tile(
                            plain, a.tiles, pixels, vectors, (x, w, first, scale, y),
                            (x_at, w_at, which * a.vectors * a.lanes + channel, channel,
                             y_at + channel),
                            (box.k_rows, runs, quads, tail,
                             a.x_next, run, a.w_next, w_run,
                             box.rows, box.cols, row, col, tiles,
                             a.x_col, a.x_row, a.x_image, a.y_col, a.y_row, a.y_image,
                             blocks, a.steps, valid, zero, least),
                        )  # fmt: skip
                    number += tiles
                    image, row, col = onward(box, image, row, col, tiles * pixels)

    return share
