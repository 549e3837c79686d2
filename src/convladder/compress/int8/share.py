"""A share of a convolution of bytes, compiled once for each size of tile: as `cpu.simd.share`."""

from __future__ import annotations

import ctypes
from functools import cache

import numba
from numba import types

from ...cpu.simd import tile_order as walk
from ...cpu.simd.blocking import Tile
from ...cpu.simd.tile_order import (
    begins,
    blocks_from,
    group_of,
    onward,
    place_of,
    tiles_in_row,
    tiles_of,
)  # fmt: skip
from .dots import HOWS, Dot
from .tile import EDITION, tile

BYTES, WORDS, FLOATS = (types.CPointer(t) for t in (types.uint8, types.int32, types.float32))


@cache
def compiled(size: Tile, dot: Dot, raw: bool):
    """Return `share(piece, pieces, layout, boxes, x, w, first, scale, y, run, zero, least)`.

    A C function, called by addresses; Numba keeps it on disk. `run`: bytes that are cut into fours
    together, see `convolve.run_of`. It does what lies in one of `pieces`
    equal parts of the whole cost, in the order: groups of channels, boxes, tiles, blocks of
    channels. `first` has `vectors · lanes` sums for each box.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    pixels_most, vectors_most, lanes, edition, way = *size, EDITION, walk.EDITION
    how, plain = HOWS.index(dot.how), int(raw)
    signature = types.void(
        types.int64, types.int64, walk.LAYOUTS, walk.BOXES, BYTES, WORDS, WORDS, FLOATS,
        WORDS if raw else BYTES, types.int64, types.int64, types.int64,
    )  # fmt: skip

    @numba.cfunc(signature, cache=True)
    def share(piece, pieces, layout, boxes, x, w, first, scale, y, run, zero, least):
        edition, way  # noqa: B018
        a = numba.carray(layout, 1)[0]
        before = 0
        narrow, wider = divmod(a.vectors, a.blocks)
        w_run = (run + 3) // 4
        for group in range(0, a.blocks, a.group):
            end, wide = group_of(a, group, narrow, wider)
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
                    block = group
                    while block < end:
                        vectors, blocks, channel, w_at, valid = blocks_from(
                            a, box, block, end, lanes, narrow, wider)
                        block += blocks
                        tile(
                            how, plain, pixels_most, vectors_most, lanes, pixels, vectors,
                            (x, w, first, scale, y),
                            (x_at, w_at, which * a.vectors * lanes + channel, channel,
                             y_at + channel),
                            (box.k_rows, runs, quads, tail,
                             a.x_next, run, a.w_next, w_run,
                             box.rows, box.cols, row, col, tiles,
                             a.x_col, a.x_row, a.x_image, a.y_col, a.y_row, a.y_image,
                             blocks, a.steps, valid, zero, least),
                        )  # fmt: skip
                    number += tiles
                    image, row, col = onward(box, image, row, col, tiles * pixels)

    call = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 12)(share.address)
    call.code = share  # lives as long
    return call
