"""Experiments with threads: who holds the interpreter lock, who spins, who shares a cache line."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from statistics import median
from time import perf_counter, process_time, sleep, thread_time

import numpy as np

from .parallel import best_seconds
from .pinning import thread_count
from .quick import shortened
from .timing import reported, rest

SWITCH_INTERVAL = 5.0  # seconds in which no thread is *asked* to release the lock
NAP = 2e-4


def releases_gil(fn: Callable[[], object], least: float = 0.05) -> bool:
    """Return whether other threads can run Python code while `fn()` works.

    A second thread calls `fn` for `least` seconds or longer. This thread wakes up again and again,
    for which it needs the interpreter's lock. No thread is asked to release it meanwhile, so the
    answer needs no second core. An error in `fn` passes through. Raises `TimeoutError` if that
    takes more than five seconds.
    """
    spans, errors, begin = [], [], threading.Event()

    def work() -> None:
        begin.wait()
        try:
            end = perf_counter() + least
            while True:
                start = perf_counter()
                fn()
                stop = perf_counter()
                spans.append((start, stop))
                if stop >= end:
                    return
        except BaseException as error:
            errors.append(error)

    fn()  # compiles and loads, which needs the lock
    before = sys.getswitchinterval()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    seen, deadline = [], perf_counter() + SWITCH_INTERVAL
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        begin.set()
        while thread.is_alive() and perf_counter() < deadline:
            sleep(NAP)
            seen.append(perf_counter())
    finally:
        sys.setswitchinterval(before)  # before any more waiting: a stuck thread keeps the lock
    thread.join(SWITCH_INTERVAL)
    if errors:
        raise errors[0]
    if thread.is_alive() or seen[-1] >= deadline:
        raise TimeoutError(
            f"the call took more than {SWITCH_INTERVAL:g} s, or another thread of this process "
            "keeps the interpreter's lock; restart the kernel if one was left running"
        )
    # A wake-up between two calls says nothing: count only those inside one.
    return any(start < moment < stop for moment in seen for start, stop in spans)


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
    not a multiple of 8, or an invalid number of threads.
    """
    if distance < 8 or distance % 8:
        raise ValueError(f"distance={distance} bytes: counters of 8 bytes lie 8, 16, 24 ... apart")
    threads, count = thread_count(threads), _counter()
    memory = np.zeros(threads * distance + 2 * LINE, np.int8)
    begin = -memory.ctypes.data % LINE
    counters = memory[begin : begin + threads * distance + LINE - LINE % 8].view(np.int64)
    places = [np.full(8, thread * distance // 8) for thread in range(threads)]
    count(counters, places[0], 1)
    best = best_seconds(lambda thread: count(counters, places[thread], TIMES), threads, REPEATS)
    return reported(best).seconds


LONGEST_SPIN = 60  # seconds, should nobody be left to stop the other programs
SPIN = f"""
import sys, time
end = time.monotonic() + {LONGEST_SPIN}
print(flush=True)
while time.monotonic() < end:
    pass
"""


@contextmanager
def neighbours(number: int) -> Iterator[None]:
    """Keep `number` other programs busy, a core each where there is one, until the block is left.

    Raises `ValueError` for a number below zero.
    """
    if number < 0:
        raise ValueError(f"number={number} of programs; use 0 or more")
    begun = [
        subprocess.Popen([sys.executable, "-S", "-c", SPIN], stdout=subprocess.PIPE)
        for _ in range(number)
    ]
    try:
        for each in begun:
            each.stdout.readline()  # it is at work
        yield
    finally:
        for each in begun:
            each.kill()
            each.communicate()


def clock_ratios(
    long: Callable[[], object], short: Callable[[], object], seconds: float = 0.6
) -> dict[str, float]:
    """Return how many times as long as `short` `long` takes, by "wall clock" and "own clock".

    They are called in alternation, for about `seconds`, three times at least; each ratio is of
    medians. The own clock is this thread's processor time. Errors pass through.
    """
    long(), short()
    rest()
    begin, taken = perf_counter(), {long: [], short: []}
    while len(taken[short]) < 3 or perf_counter() - begin < shortened(seconds):
        for call, times in taken.items():
            wall, own = perf_counter(), thread_time()
            call()
            times.append((perf_counter() - wall, thread_time() - own))
    return {
        clock: median(each[n] for each in taken[long]) / median(each[n] for each in taken[short])
        for n, clock in enumerate(("wall clock", "own clock"))
    }
