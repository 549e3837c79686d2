"""What threads do to one another: left spinning after a call, or writing to one cache line."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter, process_time, sleep

import numpy as np

from .parallel import best_seconds
from .pinning import thread_count
from .timer import rest

TIMES = 5_000_000  # some milliseconds: long beside the time it takes to wake a thread
LINE = 128  # bytes: a cache line, or two that some processors fetch together
REPEATS = 4


def sleeping_seconds(before: Callable[[], object], asleep: float = 0.2) -> float:
    """Return the seconds of processor time that this process uses in `asleep` seconds of sleep.

    The sleep begins when `before()` returns. An error in it passes through.
    """
    rest()
    before()
    used = process_time()
    sleep(asleep)
    return process_time() - used


def calls_after(
    before: Callable[[], object], fn: Callable[[], object], seconds: float = 0.2
) -> list[tuple[float, float]]:
    """Return `(start, duration)` in seconds of calls of `fn`, one after the other.

    `start` is counted from when `before()` returns. The first call is there, however long it takes.
    Errors pass through.
    """
    fn()  # compiles and loads
    rest()
    before()
    calls, begin = [], perf_counter()
    while not calls or perf_counter() - begin < seconds:
        start = perf_counter()
        fn()
        calls.append((start - begin, perf_counter() - start))
    return calls


@cache
def _counter():
    import numba  # half a second

    @numba.njit(nogil=True)
    def count(counters: np.ndarray, places: np.ndarray, times: int) -> None:
        # Which counter is next comes from memory, so that none is kept in a register.
        for i in range(times):
            counters[places[i % places.size]] += 1

    return count


def counting_seconds(distance: int, threads: int = 1) -> float:
    """Return the seconds in which each thread adds 1 to its own counter five million times.

    The counters, 8 bytes each, lie `distance` bytes from one another, the first at the start of a
    cache line. No thread touches another's counter. Raises `ValueError` for a `distance` that is
    no multiple of 8, or an invalid number of threads.
    """
    if distance < 8 or distance % 8:
        raise ValueError(f"distance={distance} bytes: counters of 8 bytes lie 8, 16, 24 ... apart")
    threads, count = thread_count(threads), _counter()
    memory = np.zeros(threads * distance + 2 * LINE, np.int8)
    begin = -memory.ctypes.data % LINE
    counters = memory[begin : begin + threads * distance + LINE - LINE % 8].view(np.int64)
    places = [np.full(8, thread * distance // 8) for thread in range(threads)]
    count(counters, places[0], 1)
    return best_seconds(lambda thread: count(counters, places[thread], TIMES), threads, REPEATS)
