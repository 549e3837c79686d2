"""Work done by several threads at once, timed as one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import perf_counter

from .quick import fewer


def best_seconds(work: Callable[[int], object], threads: int, repeats: int) -> float:
    """Return the shortest time in which threads 0 to `threads`-1 all did `work(thread)`, in
    seconds.

    Each repeat begins when all are ready, and lasts from the first start to the last end. The
    best of them is taken: a limit is what the machine can do when nothing disturbs it. `work`
    must let go of the interpreter's lock, else threads wait for one another.
    """
    barrier = Barrier(threads)

    def member(thread: int) -> list[tuple[float, float]]:
        spans = []
        for _ in range(fewer(repeats)):
            barrier.wait()
            start = perf_counter()
            work(thread)
            spans.append((start, perf_counter()))
        return spans

    with ThreadPoolExecutor(threads) as pool:
        members = list(pool.map(member, range(threads)))
    return min(
        max(end for _, end in spans) - min(start for start, _ in spans)
        for spans in zip(*members, strict=True)
    )
