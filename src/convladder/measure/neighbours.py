"""Programs that keep cores busy beside ours, and what two clocks then say of one call."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter, thread_time

from .quick import shortened
from .timer import rest

LONGEST = 60  # seconds, should nobody be left to stop them
SPIN = f"""
import sys, time
end = time.monotonic() + {LONGEST}
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
