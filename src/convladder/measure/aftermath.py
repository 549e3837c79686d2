"""What a call leaves behind: threads that go on for a while, and hold the cores of the next."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time, sleep

from .timer import rest


def sleeping_seconds(before: Callable[[], object], asleep: float = 0.2) -> float:
    """Seconds of processor time that this process uses in `asleep` seconds of sleep.

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
    """`(start, duration)` of calls of `fn`, one after the other, from when `before()` returns.

    In seconds, `start` from that moment. The first call is there, however long it takes.
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
