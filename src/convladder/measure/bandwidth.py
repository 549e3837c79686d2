"""How fast this machine moves memory: a copy of arrays too large for any cache."""

from __future__ import annotations

import numpy as np

from .figure import Limit
from .hardware import machine
from .parallel import best_seconds
from .pinning import thread_count

LEAST_BYTES, MOST_BYTES = 2**27, 2**29  # of all arrays together
BEYOND_CACHE = 8  # how many times the last-level cache they should be
REPEATS = 8


def copy_bandwidth(threads: int = 1) -> Limit:
    """Return bytes per second that `threads` cores move by `np.copyto`: those read plus those
    written.

    A store that first fetches the line it overwrites moves half as much again; that traffic is
    not counted, as in STREAM (McCalpin, 1995). Raises `ValueError` for a number of threads that
    cannot be.
    """
    threads = thread_count(threads)
    last_cache = max(machine().caches.values(), default=0)
    total = min(MOST_BYTES, max(LEAST_BYTES, BEYOND_CACHE * last_cache))
    count = total // (2 * threads * 4)
    pairs = [(np.empty(count, np.float32), np.empty(count, np.float32)) for _ in range(threads)]

    def touch(thread: int) -> None:
        for array in pairs[thread]:
            array.fill(1)  # pages never written share one page of zeros, always in cache

    best_seconds(touch, threads, repeats=1)
    best = best_seconds(lambda thread: np.copyto(*pairs[thread]), threads, REPEATS)
    return Limit.at(threads * 2 * 4 * count / best)
