"""A share of a convolution, compiled once for each size of tile."""

from __future__ import annotations

from functools import cache

import numba
from numba import types

from .blocking import BOX, LAYOUT, Tile
from .tile import EDITION, tile

BOXES, LAYOUTS = (types.CPointer(numba.from_dtype(kind)) for kind in (BOX, LAYOUT))
FLOATS = types.CPointer(types.float32)
SIGNATURE = types.void(
    types.int64, types.int64, LAYOUTS, BOXES, FLOATS, FLOATS, FLOATS, *[types.int64] * 3
)  # fmt: skip


@cache
def compiled(size: Tile, depthwise: bool = False):
    """`share(piece, pieces, layout, boxes, x, w, y, bias, added, relu)`, a C function for tiles of
    `size`; `bias` and `added` are addresses or 0.

    It does what lies in one of `pieces` equal parts of the whole cost, in the order: groups of
    channels, boxes, tiles, blocks of channels. Kept on disk by Numba.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    pixels_most, vectors_most, lanes, edition = *size, EDITION
    each_own = int(depthwise)

    @numba.cfunc(SIGNATURE, cache=True)
    def share(piece, pieces, layout, boxes, x, w, y, bias, added, relu):
        edition  # noqa: B018
        a = numba.carray(layout, 1)[0]
        begin = a.cost * piece // pieces
        end = a.cost * (piece + 1) // pieces
        before = 0
        narrow, wider = divmod(a.vectors, a.blocks)  # the first `wider` blocks have one more
        for group in range(0, a.blocks, a.group):
            behind = min(group + a.group, a.blocks)
            wide = (behind - group) * narrow + max(0, min(behind, wider) - group)
            for box in numba.carray(boxes, a.boxes):
                # A tile belongs to the piece in whose part of the cost it begins.
                cost = box.cost * wide
                first = min(max(-((before - begin) // cost), 0), box.tiles)
                last = min(max(-((before - end) // cost), 0), box.tiles)
                before += cost * box.tiles
                if first == last:
                    continue
                least, larger = divmod(box.images * box.rows * box.cols, box.tiles)
                line, col = divmod(first * least + min(first, larger), box.cols)
                image, row = divmod(line, box.rows)
                number = first
                while number < last:
                    pixels = least + (number < larger)
                    alike = (larger if number < larger else last) - number
                    in_row = (box.cols - col) // pixels
                    tiles = max(1, min(alike, last - number, in_row))
                    number += tiles
                    x_at = box.x_at + image * a.x_image + row * a.x_row + col * a.x_col
                    y_at = box.y_at + image * a.y_image + row * a.y_row + col * a.y_col
                    block = group
                    while block < behind:
                        vectors = narrow + (block < wider)
                        vector = block * narrow + min(block, wider)
                        blocks = (min(wider, behind) if block < wider else behind) - block
                        w_at = lanes * (vector * a.steps + vectors * box.w_at)
                        channel = vector * lanes
                        block += blocks
                        valid = min(lanes, a.k_c - (vector + blocks * vectors - 1) * lanes)
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
                    col += tiles * pixels
                    while col >= box.cols:
                        col -= box.cols
                        row += 1
                    while row >= box.rows:
                        row -= box.rows
                        image += 1

    return share
