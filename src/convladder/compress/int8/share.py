"""A share of a convolution of bytes, compiled once for each size of tile: as `cpu.vector.share`."""

from __future__ import annotations

import ctypes
from functools import cache

import numba
from numba import types

from ...cpu.simd.blocking import Tile
from ...cpu.simd.share import BOXES, LAYOUTS
from .dots import HOWS, Dot
from .tile import EDITION, tile

BYTES, WORDS, FLOATS = (types.CPointer(t) for t in (types.uint8, types.int32, types.float32))


@cache
def compiled(size: Tile, dot: Dot, raw: bool):
    """`share(piece, pieces, layout, boxes, x, w, first, scale, y, run, zero, least)`.

    A C function, called by addresses; Numba keeps it on disk. `run`: bytes that are cut into fours
    together, see `convolve.run_of`. It does what lies in one of `pieces`
    equal parts of the whole cost, in the order: groups of channels, boxes, tiles, blocks of
    channels. `first` has `vectors · lanes` sums for each box.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    pixels_most, vectors_most, lanes, edition = *size, EDITION
    how, plain = HOWS.index(dot.how), int(raw)
    signature = types.void(
        types.int64, types.int64, LAYOUTS, BOXES, BYTES, WORDS, WORDS, FLOATS,
        WORDS if raw else BYTES, types.int64, types.int64, types.int64,
    )  # fmt: skip

    @numba.cfunc(signature, cache=True)
    def share(piece, pieces, layout, boxes, x, w, first, scale, y, run, zero, least):
        edition  # noqa: B018
        a = numba.carray(layout, 1)[0]
        begin = a.cost * piece // pieces
        end = a.cost * (piece + 1) // pieces
        before = 0
        narrow, wider = divmod(a.vectors, a.blocks)  # the first `wider` blocks have one more
        w_run = (run + 3) // 4
        for group in range(0, a.blocks, a.group):
            behind = min(group + a.group, a.blocks)
            wide = (behind - group) * narrow + max(0, min(behind, wider) - group)
            for which in range(a.boxes):
                box = numba.carray(boxes, a.boxes)[which]
                # Where a run is whole quads, so is a row of the kernel: one run.
                runs, quads, tail = box.run, run // 4, run % 4
                if tail == 0:
                    runs, quads = min(1, box.run), box.run * quads
                # A tile belongs to the piece in whose part of the cost it begins.
                cost = box.cost * wide
                start = min(max(-((before - begin) // cost), 0), box.tiles)
                last = min(max(-((before - end) // cost), 0), box.tiles)
                before += cost * box.tiles
                if start == last:
                    continue
                fewest, larger = divmod(box.images * box.rows * box.cols, box.tiles)
                line, col = divmod(start * fewest + min(start, larger), box.cols)
                image, row = divmod(line, box.rows)
                number = start
                while number < last:
                    pixels = fewest + (number < larger)
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
                    col += tiles * pixels
                    while col >= box.cols:
                        col -= box.cols
                        row += 1
                    while row >= box.rows:
                        row -= box.rows
                        image += 1

    call = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 12)(share.address)
    call.code = share  # lives as long
    return call
