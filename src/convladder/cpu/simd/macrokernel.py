"""A share of a convolution, compiled once for all tiles, and the tiles that it calls."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numba import types
from numba.extending import intrinsic

from ...core.jit import compiled_once, numba
from ...core.problem import ConvProblem
from . import tile_order as walk
from .blocking import LAYOUT, Tile, plan, tile_sizes
from .emit import INT, call_tile, literals
from .tile import KIND, build_tile
from .tile_order import begins, blocks_from, onward, panel_of, place_of, tiles_in_row, tiles_of
from .tile_table import TileTable

FLOATS = types.CPointer(types.float32)
SIGNATURE = types.void(
    types.int64, types.int64, walk.LAYOUTS, walk.BOXES, FLOATS, FLOATS, FLOATS, *[types.int64] * 3
)  # fmt: skip


@intrinsic
def _address_of(typing_context, pixels, vectors, lanes, depthwise):
    """Emit the tile of this size, all four literals, and return its address."""
    sizes = literals(pixels, vectors, lanes, depthwise)

    def code(context, b, signature, arguments):
        p, v, lane_count, each_own = sizes
        return b.ptrtoint(build_tile(b.module, p, v, lane_count, bool(each_own)), INT)

    return types.int64(pixels, vectors, lanes, depthwise), code


@intrinsic
def _tile(typing_context, table, pixels, vectors, arrays, at, numbers):
    """Compute `pixels` by `vectors` by the tile of that size in the `TileTable` at `table`.

    `arrays` are the pointers (x, w, y) to float32, `at` where to begin in each, `numbers` the
    other ARGUMENTS.
    """

    def code(context, b, signature, arguments):
        table, pixels, vectors, *tuples = arguments
        call_tile(b, table, (pixels, vectors), KIND, tuples)
        return context.get_dummy_value()

    return types.void(table, pixels, vectors, arrays, at, numbers), code


@compiled_once
def tiles(lanes: int, depthwise: bool) -> TileTable:
    """Return the tiles of so many lanes. Their code is kept on disk by Numba."""

    def compiled(pixels: int, vectors: int):
        # Constants to the compiler, and part of the name under which the code is kept.
        pixel_count, vector_count, lane_count = pixels, vectors, lanes
        each_own = int(depthwise)

        @numba.cfunc(types.int64(), cache=True)
        def address():
            return _address_of(pixel_count, vector_count, lane_count, each_own)

        return address

    return TileTable(compiled)


@lru_cache(maxsize=256)
def planned(
    problem: ConvProblem, size: Tile, threads: int, channels: int | None = None
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return `(layout, boxes, address)`: a plan and the share for it, whose tiles are compiled.

    With `channels` each has a filter of its own.
    """
    layout, boxes = plan(problem, size, threads, channels)
    layout = layout.copy()
    kind = size.lanes, channels is not None
    layout.view(LAYOUT)["tiles"] = tiles(*kind).address(tile_sizes(layout, boxes))
    return layout, boxes, compiled().address


@compiled_once
def compiled():
    """Return `share(piece, pieces, layout, boxes, x, w, y, bias, added, relu)`, in C; `layout`
    names the table of its tiles, `bias` and `added` are addresses or 0.

    It does what lies in one of `pieces` equal parts of the whole cost, in the order: panels of
    channels, boxes, tiles, blocks of channels. Kept on disk by Numba.
    """

    @numba.cfunc(SIGNATURE, cache=True)
    def share(piece, pieces, layout, boxes, x, w, y, bias, added, relu):
        a = numba.carray(layout, 1)[0]
        before = 0
        narrow, wider = divmod(a.vectors, a.blocks)
        for panel in range(0, a.all_blocks, a.panel):
            end, wide = panel_of(a, panel, narrow, wider)
            for box in numba.carray(boxes, a.boxes):
                number, last, before = tiles_of(a, box, wide, before, piece, pieces)
                image, row, col, fewest, larger = place_of(box, number)
                while number < last:
                    pixels, tiles = tiles_in_row(box, number, last, col, fewest, larger)
                    x_at, y_at = begins(a, box, image, row, col)
                    block = panel
                    while block < end:
                        vectors, blocks, x_channel, w_at, channel, valid = blocks_from(
                            a, box, block, end, narrow, wider
                        )
                        block += blocks
                        _tile(
                            a.tiles, pixels, vectors, (x, w, y),
                            (x_at + (channel if a.each_own else x_channel), w_at, y_at + channel),
                            (box.k_rows, box.k_cols, box.run, a.x_next, a.x_col_next, a.w_next,
                             box.rows, box.cols, row, col, tiles,
                             a.x_col, a.x_row, a.x_image, a.y_col, a.y_row, a.y_image,
                             blocks, a.steps, valid,
                             bias + 4 * channel if bias else 0,
                             added + 4 * (y_at + channel) if added else 0,
                             relu),
                        )  # fmt: skip
                    number += tiles
                    image, row, col = onward(box, image, row, col, tiles * pixels)

    return share
