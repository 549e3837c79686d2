"""The cost of a step from one cache line to the next: caches, pages, and pages of 2 MiB."""

from __future__ import annotations

import mmap
from functools import cache
from time import perf_counter

import numpy as np

LINE, PAGE = 64, 4096  # bytes
SECONDS = 0.01  # of a reading; the best of REPEATS counts
REPEATS = 5
HUGE = getattr(mmap, "MADV_HUGEPAGE", None)  # Linux


@cache
def _walk():
    import numba  # half a second

    @numba.njit(nogil=True)
    def walk(values, at, steps):
        for _ in range(steps):
            at = values[at]
        return at

    return walk


def step_seconds(
    lines: int, apart: int = LINE, shuffled: bool = True, huge: bool = False
) -> float | None:
    """Return seconds of one step through `lines` cache lines, each step waiting for the one before.

    The lines begin `apart` bytes from one another and are visited in order or `shuffled`. `huge`
    asks the system for pages of 2 MiB; None if it gives none. Raises `ValueError` for no lines, or
    lines that overlap.
    """
    if lines < 2 or apart < LINE or apart % 8:
        raise ValueError(
            f"lines={lines}, apart={apart}: give two lines or more, {LINE} bytes or "
            "more apart, a multiple of 8"
        )
    if huge and HUGE is None:
        return None
    # Private: pages that processes could share are never large, where nobody has set it so.
    private = {} if HUGE is None else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
    room = mmap.mmap(-1, lines * apart + 2**21, **private)
    if HUGE is not None:
        try:
            room.madvise(HUGE if huge else mmap.MADV_NOHUGEPAGE)
        except OSError:  # a kernel without them
            if huge:
                return None
    before = _huge_bytes()
    values = np.frombuffer(room, np.int64)
    first = -values.ctypes.data % 2**21 // 8  # huge pages begin at multiples of their size
    values = values[first:]
    places = np.arange(lines) * (apart // 8)
    order = np.random.default_rng(0).permutation(places) if shuffled else places
    values[:: PAGE // 8] = 0  # every page is touched, in order: so the system can give large ones
    values[order] = np.roll(order, -1)
    if huge and _huge_bytes() - before < lines * apart // 2:
        return None
    steps, at, best = lines, int(order[0]), float("inf")
    for _ in range(REPEATS):
        used = 0.0
        while used < SECONDS:
            start = perf_counter()
            at = _walk()(values, at, steps)
            used = perf_counter() - start
            best = min(best, used / steps)
            steps = steps if used >= SECONDS else 2 * steps
    return best


def _huge_bytes() -> int:
    """Return the bytes of this process that lie in huge pages, as Linux tells."""
    try:
        with open("/proc/self/smaps_rollup", encoding="ascii") as file:
            return sum(1024 * int(line.split()[1]) for line in file if "AnonHugePages" in line)
    except OSError:
        return 0
