"""What a warp's loads and stores cost in each layout of an image, by its 32 addresses."""

from __future__ import annotations

from ...cuda import Request
from ...problem import ConvProblem
from .warps import LANES, WORD, sectors


def blocked_place(channel: int, row: int, column: int, rows: int, columns: int, block: int) -> int:
    """Return where a value of `[blocks,rows,columns,block]` lies, counted in values."""
    return ((channel // block * rows + row) * columns + column) * block + channel % block


def layout_sectors(problem: ConvProblem, block: int, by_pixel: bool) -> tuple[int, int]:
    """Return 32-byte sectors of the first warp's first load of the image, and of its store.

    The threads are numbered along the pixels of a row, or along the channels: see
    `convladder.gpu.layouts`, whose kernel the emulator counts. Raises `ValueError` for a problem of
    fewer than 32 pixels a row, or channels out, in which a warp would have two of each.
    """
    p = problem
    if min(p.o_w, p.k_c) < LANES:
        raise ValueError(
            f"{p}: this counts a warp along a row or along the channels, so both need "
            f"{LANES} or more"
        )
    at = [(0, lane) if by_pixel else (lane, 0) for lane in range(LANES)]  # (channel, column)
    loads = [blocked_place(0, 0, v, p.i_h, p.i_w, block) for _, v in at]
    stores = [blocked_place(k, 0, v, p.o_h, p.o_w, block) for k, v in at]
    return tuple(
        len(sectors(Request(0, kind, "x", WORD, tuple(WORD * each for each in places))))
        for kind, places in (("loads", loads), ("stores", stores))
    )
