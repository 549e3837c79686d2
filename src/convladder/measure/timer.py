"""One way to time everything: warmed up, repeated, interleaved where methods are compared."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter, process_time, sleep

import numpy as np

from .pinning import thread_count
from .pinning import threads as pinned
from .quick import fewer, shortened

FEWEST = 3  # runs, however slow: below that there is no spread to speak of
SAMPLE_SECONDS = 50e-6  # a quicker function is called again, so that the clock costs nothing
NAP_SECONDS = 0.02  # of a rest: some ticks of the clock by which systems count threads' time
BUSY = 0.1  # of a core in one nap: threads that use less are asleep
LONGEST_REST = 1.0  # seconds; some threads never sleep
SETTLE_SECONDS = 0.01  # of calls at the start of a turn: threads wake up, clocks rise
TURN_SECONDS = 0.03  # of timed calls in one turn
FEWEST_CALLS = 3  # timed in one turn


@dataclass(frozen=True)
class Timing:
    """Seconds for one call: the median, and the quartiles `low` and `high`, over `runs` runs."""

    median: float
    low: float
    high: float
    runs: int
    threads: int

    def __str__(self) -> str:
        runs, held = _counted(self.runs, "run"), _counted(self.threads, "thread")
        spread = f" ({seconds(self.low)} to {seconds(self.high)})" if self.runs > 1 else ""
        return f"{seconds(self.median)}{spread}, {runs}, {held}"


@dataclass(frozen=True)
class Comparison:
    """Timings of functions that took turns, so that a busy moment met all of them alike.

    `rounds[name]` holds the seconds of each round, in order: equal indices are one round.
    """

    timings: dict[str, Timing]
    rounds: dict[str, tuple[float, ...]]

    def ratio(self, a: str, b: str) -> float:
        """Return how many times slower `a` is than `b`:
        the median over rounds of their quotient.
        """
        return float(np.median(self._quotients(a, b)))

    def spread(self, a: str, b: str) -> tuple[float, float]:
        """Return the quartiles of that quotient over the rounds."""
        low, high = np.percentile(self._quotients(a, b), (25, 75))
        return float(low), float(high)

    def _quotients(self, a: str, b: str) -> np.ndarray:
        for name in (a, b):
            if name not in self.rounds:
                raise ValueError(f"{name!r} was not compared; there are {', '.join(self.rounds)}")
        return np.divide(self.rounds[a], self.rounds[b])

    def __str__(self) -> str:
        quickest = min(self.timings, key=lambda name: self.timings[name].median)
        width = max(map(len, self.timings))
        return "\n".join(
            f"{name:<{width}}  {timing}  {self.ratio(name, quickest):.2f}x"
            for name, timing in self.timings.items()
        )


def timed(
    fn: Callable[[], object], *, budget: float = 0.3, threads: int | None = None
) -> Timing:
    """Time `fn()` for about `budget` seconds on `threads` threads (None: all cores).

    One call before is not counted: it compiles, loads and touches memory. Then come at least
    three runs, or a single one if that alone outlasts the budget. An error in `fn` passes
    through. Raises `ValueError` for an invalid budget or number of threads.
    """
    check_budget(budget)
    thread_count(threads)
    with pinned(threads):
        fn()
    with pinned(threads) as number:  # anew, for a library that this call has loaded
        runs = Runs()
        for lap in laps({"fn": fn}):
            runs.add(lap["fn"])
            if runs.enough(budget):
                return timing_of(runs.times, number)


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
    for `warm=False`: then the caller has called each already. Errors pass through. Raises `ValueError` for no functions, or for a budget or a number of
    threads that cannot be.
    """
    if not functions:
        raise ValueError("functions={} is empty; give at least one, as {'name': function}")
    check_budget(budget)
    thread_count(threads)
    if warm:
        with pinned(threads):
            for fn in functions.values():
                fn()
    with pinned(threads) as number:  # anew, for libraries that these calls have loaded
        runs = {name: Runs(number) for name in functions}
        for rounds, lap in enumerate(laps(functions, number), start=1):
            for name, duration in lap.items():
                runs[name].add(duration)
            used = sum(each.used for each in runs.values())
            if rounds >= fewer(FEWEST) and used >= shortened(budget) * len(functions):
                break
    return Comparison(
        {name: timing_of(each.times, number) for name, each in runs.items()},
        {name: tuple(each.times) for name, each in runs.items()},
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
    measure = clock or (turn if threads > 1 else _sample)
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
    begin, used = perf_counter(), float("inf")
    while used > BUSY * NAP_SECONDS and perf_counter() - begin < LONGEST_REST:
        before = process_time()
        sleep(NAP_SECONDS)
        used = process_time() - before
    return perf_counter() - begin


def turn(fn: Callable[[], object]) -> float:
    """Return seconds for one call of `fn`: the median of a few hundredths of a second of calls.

    Before them come a `rest`, until all threads sleep, and calls that do not count. A
    call that takes longer than those needs none of them: it is the only one.
    """
    rest()
    settle, least = shortened(SETTLE_SECONDS), shortened(TURN_SECONDS)
    begin = perf_counter()
    fn()
    first = settled = perf_counter() - begin
    if first >= least:
        return first
    while settled < settle:
        fn()
        settled = perf_counter() - begin
    times = []
    while len(times) < FEWEST_CALLS or sum(times) < least:
        start = perf_counter()
        fn()
        times.append(perf_counter() - start)
    return float(np.median(times))


def _sample(fn: Callable[[], object]) -> float:
    start = perf_counter()
    for calls in itertools.count(1):
        fn()
        elapsed = perf_counter() - start
        if elapsed >= SAMPLE_SECONDS:
            return elapsed / calls


class Runs:
    """The durations of one function, and what they have `used` of a budget, in seconds."""

    def __init__(self, threads: int = 1):
        self.times: list[float] = []
        self.used = 0.0
        # A turn is more than one call.
        self._least = shortened(TURN_SECONDS) if threads > 1 else 0.0

    def add(self, duration: float) -> None:
        """Add a run, which took `duration` seconds."""
        self.times.append(duration)
        self.used += max(duration, self._least)

    def enough(self, budget: float) -> bool:
        """Return whether a budget in seconds asks for no more runs."""
        budget = shortened(budget)
        return self.times[0] > budget or (
            len(self.times) >= fewer(FEWEST) and self.used >= budget)


def timing_of(times: list[float], threads: int) -> Timing:
    """Return the `Timing` of runs that took `times` seconds."""
    low, median, high = (float(value) for value in np.percentile(times, (25, 50, 75)))
    return Timing(median, low, high, len(times), threads)


def check_budget(budget: float) -> None:
    """Raise `ValueError` unless `budget` is a number of seconds above zero."""
    if not 0 < budget < float("inf"):
        raise ValueError(f"budget={budget!r} is not a valid time; use seconds above 0")


def seconds(value: float) -> str:
    """Return a duration with its unit, to three digits: `1.25 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if value >= size or unit == "ns":
            number = value / size
            return f"{number:.3g} {unit}" if number < 99.5 else f"{number:.0f} {unit}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
