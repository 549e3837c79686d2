"""One way to time everything: warmed up, repeated, interleaved where methods are compared."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil
from time import perf_counter, process_time, sleep, thread_time

import numpy as np

from .figure import Figure
from .pinning import thread_count
from .pinning import threads as pinned
from .quick import shortened
from .received import Section
from .runs import TURN_SECONDS, Runs
from .timings import Comparison, Timing, timing_of
from .turns import PROCESSOR, room, turn_at

SAMPLE_SECONDS = 50e-6  # a quicker function is called again, so that the clock costs nothing
NAP_SECONDS = 0.02  # of a rest: some ticks of the clock by which systems count threads' time
BUSY = 0.1  # of a core in one nap: threads that use less are asleep
LONGEST_REST = 1.0  # seconds; some threads never sleep
SETTLE_SECONDS = 0.01  # of calls at the start of a turn: threads wake up, clocks rise
FEWEST_CALLS = 3  # timed in one turn


def timed(fn: Callable[[], object], *, budget: float = 0.3, threads: int | None = None) -> Timing:
    """Time `fn()` for about `budget` seconds on `threads` threads (None: all cores).

    One call before is not counted: it compiles, loads and touches memory. Then come at least
    three runs, or a single one if that alone outlasts the budget. An error in `fn` passes
    through. Raises `ValueError` for an invalid budget or number of threads.
    """
    check_budget(budget)
    thread_count(threads)
    with pinned(threads):
        fn()
    with pinned(threads) as number, turn_of(number, budget) as mine:
        # Pinned anew, for a library that this call has loaded.
        runs = Runs(threads=number, turn=mine, least=0.0)
        for lap in laps({"fn": fn}, clock=partial(_sample, threads=number)):
            runs.add(lap["fn"])
            if runs.enough(budget):
                return timing_of(runs.times, number)
            mine.go_on()


def compare(
    functions: dict[str, Callable[[], object]],
    *,
    budget: float = 0.5,
    threads: int | None = None,
    warm: bool = True,
) -> Comparison:
    """Time functions against one another, in turns, for about `budget` seconds each.

    A round calls each once (on several threads, each has a `turn`), in an order that is reversed
    every other round; there are three at least. Each function is called once before, uncounted, but
    for `warm=False`: then the caller has called each already. Errors pass through. Raises
    `ValueError` for no functions, or for a budget or a number of threads that cannot be.
    """
    if not functions:
        raise ValueError("functions={} is empty; give at least one, as {'name': function}")
    check_budget(budget)
    thread_count(threads)
    if warm:
        with pinned(threads):
            for fn in functions.values():
                fn()
    with pinned(threads) as number, turn_of(number, budget * len(functions)) as mine:
        # Pinned anew, for libraries that these calls have loaded.
        runs = Runs(functions, number, mine)
        for lap in laps(functions, number):
            runs.add(*(lap[name] for name in functions))
            if runs.enough(budget):
                break
            mine.go_on()
    rounds = runs.rounds()
    return Comparison(
        {name: timing_of(times, number) for name, times in rounds.items()},
        {name: tuple(times) for name, times in rounds.items()},
    )


def laps(
    functions: dict[str, Callable[[], object]],
    threads: int = 1,
    clock: Callable[[Callable[[], object]], float] | None = None,
) -> Iterator[dict[str, float]]:
    """Yield round after round `{name: seconds}`, for as long as `functions` holds any.

    The caller may take functions out between rounds. Every other round runs backwards, so that
    none always finds the caches as the same neighbour left them. `clock(function)` gives the
    seconds; by default, on several threads, a function has a whole `turn`, undisturbed by the
    threads of its neighbour.
    """
    rest()  # whoever ran before may still hold a core
    measure = clock or (partial(turn, threads=threads) if threads > 1 else _sample)
    for number in itertools.count():
        if not functions:
            return
        order = list(functions)[:: -1 if number % 2 else 1]
        yield {name: measure(functions[name]) for name in order}


def rest() -> float:
    """Sleep until all threads of this process do, for `LONGEST_REST` seconds at most; how long.

    Threads of a call that has returned spin before they sleep, and take a core from the next
    call's. OpenBLAS's do for 2^26 or 2^28 ticks of the clock counter, as it was built: for 26 or
    103 ms at 2.6 GHz. The system tells how much processor time this process still takes.
    """
    begin, nap = perf_counter(), shortened(NAP_SECONDS)
    for _ in range(ceil(LONGEST_REST / nap)):  # so that it ends by any clock
        before = process_time()
        sleep(nap)
        asleep = process_time() - before <= BUSY * nap
        if asleep or perf_counter() - begin >= LONGEST_REST:  # naps last longer on a busy machine
            break
    return perf_counter() - begin


def turn_of(threads: int, seconds: float):
    """Return a turn over the machine in a room, for a figure of so many threads and seconds."""
    return turn_at(PROCESSOR if threads > 1 else None, seconds)


def turn(fn: Callable[[], object], threads: int | None = None) -> Figure:
    """Return seconds for one call: the median of a few hundredths of a second of calls.

    Before them come a `rest`, until all threads sleep, and calls that do not count. A
    call that takes longer than those needs none of them: it is the only one. `threads`: how many
    it is held to; None: several.
    """
    rest()
    settle, least, several = shortened(SETTLE_SECONDS), shortened(TURN_SECONDS), threads or 2
    begin = perf_counter()
    first = figure_of(partial(_median_call, fn, 1, 0.0), several)
    if first >= least:
        return first
    while perf_counter() - begin < settle:
        fn()
    return figure_of(partial(_median_call, fn, FEWEST_CALLS, least), several)


def figure_of(work: Callable[[Callable[[], float]], float], threads: int) -> Figure:
    """Return the seconds that `work(clock)` gives, and what share of a core it received.

    In a room, `clock` counts this thread's own processor time where there is but one; work that
    waits for others, which that clock leaves out, is done once more by the wall clock, in a turn.
    """
    own = threads == 1 and room() is not None
    section = Section(threads)
    seconds = work(thread_time if own else perf_counter)
    received = section.end()
    if not own:
        return Figure(seconds, received.share)
    if not received.slept:
        return Figure(seconds, received.share, disturbed=False, clock="thread")
    with turn_at(PROCESSOR, received.wall) as mine:
        section = Section(2)
        seconds = work(perf_counter)
        return Figure(seconds, section.end().share, disturbed=mine.late or None)


def _median_call(
    fn: Callable[[], object], fewest: int, least: float, clock: Callable[[], float]
) -> float:
    times: list[float] = []
    while len(times) < fewest or sum(times) < least:
        start = clock()
        fn()
        times.append(clock() - start)
    return float(np.median(times))


def _mean_call(fn: Callable[[], object], clock: Callable[[], float]) -> float:
    begin, start = perf_counter(), clock()
    for calls in itertools.count(1):
        fn()
        elapsed = clock() - start
        if perf_counter() - begin >= SAMPLE_SECONDS:
            return elapsed / calls


def _sample(fn: Callable[[], object], threads: int = 1) -> Figure:
    return figure_of(partial(_mean_call, fn), threads)


def check_budget(budget: float) -> None:
    """Raise `ValueError` unless `budget` is a number of seconds above zero."""
    if not 0 < budget < float("inf"):
        raise ValueError(f"budget={budget!r} is not a valid time; use seconds above 0")
