"""A share of a convolution, compiled once for each size of tile."""

from __future__ import annotations

from functools import cache

import numba
from numba import types

from . import tile_order as walk
from .blocking import Tile
from .tile import EDITION, tile
from .tile_order import begins, blocks_from, group_of, onward, place_of, tiles_in_row, tiles_of

FLOATS = types.CPointer(types.float32)
SIGNATURE = types.void(
    types.int64, types.int64, walk.LAYOUTS, walk.BOXES, FLOATS, FLOATS, FLOATS, *[types.int64] * 3
)  # fmt: skip


@cache
def compiled(size: Tile, depthwise: bool = False):
    """Return `share(piece, pieces, layout, boxes, x, w, y, bias, added, relu)`, in C for tiles of
    `size`; `bias` and `added` are addresses or 0.

    It does what lies in one of `pieces` equal parts of the whole cost, in the order: groups of
    channels, boxes, tiles, blocks of channels. Kept on disk by Numba.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    pixels_most, vectors_most, lanes, edition, way = *size, EDITION, walk.EDITION
    each_own = int(depthwise)

    @numba.cfunc(SIGNATURE, cache=True)
    def share(piece, pieces, layout, boxes, x, w, y, bias, added, relu):
        edition, way  # noqa: B018
        a = numba.carray(layout, 1)[0]
        before = 0
        narrow, wider = divmod(a.vectors, a.blocks)
        for group in range(0, a.blocks, a.group):
            end, wide = group_of(a, group, narrow, wider)
            for box in numba.carray(boxes, a.boxes):
                number, last, before = tiles_of(a, box, wide, before, piece, pieces)
                image, row, col, fewest, larger = place_of(box, number)
                while number < last:
                    pixels, tiles = tiles_in_row(box, number, last, col, fewest, larger)
                    x_at, y_at = begins(a, box, image, row, col)
                    block = group
                    while block < end:
                        vectors, blocks, channel, w_at, valid = blocks_from(
                            a, box, block, end, lanes, narrow, wider)
                        block += blocks
                        tile(
                            pixels_most, vectors_most, lanes, each_own, pixels, vectors,
                            (x, w, y),
                            (x_at + each_own * channel, w_at, y_at + channel),
                            (box.k_rows, box.run, a.x_next, a.w_next,
                             box.rows, box.cols, row, col, tiles,
                             a.x_col, a.x_row, a.x_image, a.y_col, a.y_row, a.y_image,
                             blocks, a.steps, valid,
                             bias + 4 * channel if bias else 0,
                             added + 4 * (y_at + channel) if added else 0,
                             relu, a.x_step),
                        )  # fmt: skip
                    number += tiles
                    image, row, col = onward(box, image, row, col, tiles * pixels)

    return share
