"""What two cores do to each other when they write to the same cache line."""

from __future__ import annotations

from functools import cache

import numpy as np

from .abreast import best_seconds
from .pinning import thread_count

TIMES = 5_000_000  # some milliseconds: long beside the time it takes to wake a thread
LINE = 128  # bytes: a cache line, or two that some processors fetch together
REPEATS = 4


@cache
def _counter():
    import numba  # half a second

    @numba.njit(nogil=True)
    def count(counters: np.ndarray, places: np.ndarray, times: int) -> None:
        # Which counter is next comes from memory, so that none is kept in a register.
        for i in range(times):
            counters[places[i % places.size]] += 1

    return count


def counting_seconds(apart: int, threads: int = 1) -> float:
    """Seconds in which each of `threads` adds 1 to a counter of its own five million times.

    The counters, 8 bytes each, lie `apart` bytes from one another, the first at the start of a
    cache line. No thread touches another's counter. Raises `ValueError` for an `apart` that is
    no multiple of 8, or an invalid number of threads.
    """
    if apart < 8 or apart % 8:
        raise ValueError(f"apart={apart} bytes: counters of 8 bytes lie 8, 16, 24 ... apart")
    threads, count = thread_count(threads), _counter()
    memory = np.zeros(threads * apart + 2 * LINE, np.int8)
    begin = -memory.ctypes.data % LINE
    counters = memory[begin : begin + threads * apart + LINE - LINE % 8].view(np.int64)
    places = [np.full(8, thread * apart // 8) for thread in range(threads)]
    count(counters, places[0], 1)
    return best_seconds(lambda thread: count(counters, places[thread], TIMES), threads, REPEATS)
