"""The way through a share of a convolution: which tiles it has, and where each begins.

What a tile computes and is called with differs between float32 and bytes; the way does not. These
functions are compiled into the shares, so each is a step of the loops there, none a loop's body.
`a` is a LAYOUT, `box` one of its BOXes.
"""

from __future__ import annotations

from numba import types

from ...core.jit import numba
from .blocking import BOX, LAYOUT

BOXES, LAYOUTS = (types.CPointer(numba.from_dtype(kind)) for kind in (BOX, LAYOUT))


@numba.njit
def panel_of(a, begin, narrow, wider):
    """Return where the panel of blocks from `begin` on ends, and how many vectors it has.

    Blocks have `narrow` vectors, the first `wider` of each group one more.
    """
    end = min(begin + a.panel, a.all_blocks)
    first, last = begin // a.blocks, end // a.blocks
    more = (last - first) * wider + min(end % a.blocks, wider) - min(begin % a.blocks, wider)
    return end, (end - begin) * narrow + more


@numba.njit
def tiles_of(a, box, wide, before, piece, pieces):
    """Return a piece's first tile of a box, the one behind its last, and the cost before the next.

    A tile belongs to the piece in whose part of the whole cost it begins.
    """
    cost = box.cost * wide
    first = min(max(-((before - a.cost * piece // pieces) // cost), 0), box.tiles)
    last = min(max(-((before - a.cost * (piece + 1) // pieces) // cost), 0), box.tiles)
    return first, last, before + cost * box.tiles


@numba.njit
def place_of(box, number):
    """Return image, row and column of the first pixel of a tile; the pixels that each tile has at
    least, and how many have one more."""
    fewest, larger = divmod(box.images * box.rows * box.cols, box.tiles)
    line, col = divmod(number * fewest + min(number, larger), box.cols)
    image, row = divmod(line, box.rows)
    return image, row, col, fewest, larger


@numba.njit
def tiles_in_row(box, number, last, col, fewest, larger):
    """Return the pixels of a tile, and how many such tiles follow in its row, itself included."""
    pixels = fewest + (number < larger)
    alike = (larger if number < larger else last) - number
    return pixels, max(1, min(alike, last - number, (box.cols - col) // pixels))


@numba.njit
def begins(a, box, image, row, col):
    """Return the places of a pixel's first values in x and in y."""
    return (
        box.x_at + image * a.x_image + row * a.x_row + col * a.x_col,
        box.y_at + image * a.y_image + row * a.y_row + col * a.y_col,
    )


@numba.njit
def blocks_from(a, box, block, end, narrow, wider):
    """Return vectors of a block, how many such blocks follow in its group before `end`, the places
    of its first values among the channels of x, in the weights and among those of y, and the lanes
    of the last vector that are channels."""
    group, block = divmod(block, a.blocks)
    end = min(end - group * a.blocks, a.blocks)
    vectors = narrow + (block < wider)
    vector = block * narrow + min(block, wider)
    blocks = (min(wider, end) if block < wider else end) - block
    w_at = group * a.w_group + a.lanes * (vector * a.steps + vectors * box.w_at)
    valid = min(a.lanes, a.y_group - (vector + blocks * vectors - 1) * a.lanes)
    return vectors, blocks, group * a.x_group, w_at, group * a.y_group + vector * a.lanes, valid


@numba.njit
def onward(box, image, row, col, pixels):
    """Return image, row and column so many pixels on."""
    col += pixels
    while col >= box.cols:
        col -= box.cols
        row += 1
    while row >= box.rows:
        row -= box.rows
        image += 1
    return image, row, col
