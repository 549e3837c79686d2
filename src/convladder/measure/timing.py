"""One way to time everything: warmed up, repeated, interleaved where functions are compared.

A figure is plain seconds, and whether it was disturbed: others had the core for more than a tenth
of the time. A disturbed round is measured again, until the budget has been used up twice. What is
still disturbed then says so: in `Timing.disturbed`, and wherever a timing is printed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from statistics import median
from time import perf_counter, process_time, sleep, thread_time
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..core.text import count_text, mark_disturbed, seconds_text
from .cpu_share import FOREIGN, CpuLoad, Section
from .machine_lock import PROCESSOR, machine_lock, shared_folder
from .pinning import thread_count
from .pinning import threads as pinned
from .quick import fewer, quick, shortened

LEAST_SHARE = 0.9  # of a core: a section that received less was disturbed
SLACK = 1.02  # a limit and a rate near it differ by so much from one moment to the next
SAMPLE_SECONDS = 50e-6  # a quicker function is called again, so that the clock costs nothing
NAP_SECONDS = 0.02  # of a rest: some ticks of the clock by which systems count threads' time
BUSY = 0.1  # of a core in one nap: threads that use less are asleep
LONGEST_REST = 1.0  # seconds; some threads never sleep
SETTLE_SECONDS = 0.01  # of calls at the start of a block: threads wake up, clocks rise
FEWEST_CALLS = 3  # timed in one block
BLOCK_SECONDS = 0.03  # of timed calls in one block on several threads
FEWEST_ROUNDS = 3  # however slow: below that there is no spread to speak of
MOST_BUDGETS = 2  # where rounds that others disturbed are taken again

Reading = TypeVar("Reading")  # of a clock

disturbed_listeners: list[Callable[[], object]] = []  # called for every disturbed result


class Sample(NamedTuple):
    """Seconds of one call, the share of a core received meanwhile, and by which clock.

    `share` is None where the system does not tell. `clock`: "wall", or "thread" for a thread's own.
    """

    seconds: float
    share: float | None = None
    disturbed: bool = False
    clock: str = "wall"


def sample_of(seconds: float, share: float | None, late: bool = False) -> Sample:
    """Return seconds by the wall clock; `late`: measured without the lock of the machine."""
    return Sample(seconds, share, late or (share is not None and share < LEAST_SHARE))


class Rate(NamedTuple):
    """A measured limit: FLOP or bytes per second."""

    per_second: float
    disturbed: bool = False


@dataclass(frozen=True)
class Timing:
    """Seconds for one call: the median, and the quartiles `low` and `high`, over `runs` runs.

    `disturbed`: others had the core for more than a tenth of it, taken again and again. `share`:
    of a core, in the median run; None where untold. `clock`: "wall", or "thread" where learners
    share a machine.
    """

    median: float
    low: float
    high: float
    runs: int
    threads: int
    disturbed: bool = False
    share: float | None = None
    clock: str = "wall"

    def rate(self, amount: float) -> float:
        """Return `amount` (FLOP, bytes) per second."""
        return amount / self.median

    def __str__(self) -> str:
        spread = (
            f" ({seconds_text(self.low)} to {seconds_text(self.high)})" if self.runs > 1 else ""
        )
        clock = ", by the thread's own clock" if self.clock == "thread" else ""
        return (
            f"{mark_disturbed(seconds_text(self.median), self.disturbed)}{spread}, "
            f"{count_text(self.runs, 'run')}, {count_text(self.threads, 'thread')}{clock}"
        )


@dataclass(frozen=True)
class Comparison:
    """Timings of interleaved functions, so that a busy moment met all of them alike.

    `rounds[name]` holds the seconds of each round, in order: equal indices are one round.
    """

    timings: dict[str, Timing]
    rounds: dict[str, tuple[float, ...]]

    @classmethod
    def of(cls, rounds: Mapping[str, Sequence[Sample | float]], threads: int) -> Comparison:
        """Return the comparison of such rounds; a `Sample` says whether it was disturbed."""
        timings = {name: timing_of(samples, threads) for name, samples in rounds.items()}
        return cls(
            timings,
            {name: tuple(each.seconds for each in _samples(all_)) for name, all_ in rounds.items()},
        )

    @property
    def disturbed(self) -> bool:
        """Return whether any of the timings was."""
        return any(each.disturbed for each in self.timings.values())

    def ratio(self, a: str, b: str) -> float:
        """Return how many times slower `a` is than `b`: the median quotient over the rounds."""
        return float(np.median(self._quotients(a, b)))

    def spread(self, a: str, b: str) -> tuple[float, float]:
        """Return the quartiles of that quotient over the rounds."""
        low, high = np.percentile(self._quotients(a, b), (25, 75))
        return float(low), float(high)

    def _quotients(self, a: str, b: str) -> np.ndarray:
        for name in (a, b):
            if name not in self.rounds:
                there = ", ".join(map(str, self.rounds))
                raise ValueError(f"{name!r} was not compared; there are {there}")
        return np.divide(self.rounds[a], self.rounds[b])

    def __str__(self) -> str:
        quickest = min(self.timings, key=lambda name: self.timings[name].median)
        width = max(len(str(name)) for name in self.timings)
        return "\n".join(
            f"{name:<{width}}  {timing}  {self.ratio(name, quickest):.2f}x"
            for name, timing in self.timings.items()
        )


def timed(fn: Callable[[], object], *, budget: float = 0.3, threads: int | None = None) -> Timing:
    """Time `fn()` for about `budget` seconds on `threads` threads (None: all cores).

    One call before is not counted: it compiles, loads and touches memory. Then come at least
    three runs, or a single one if that alone outlasts the budget. An error in `fn` passes
    through. Raises `ValueError` for an invalid budget or number of threads.
    """
    check_budget(budget)
    thread_count(threads)
    if not quick():
        with pinned(threads):
            fn()
    # Pinned anew, for a library that this call has loaded.
    with pinned(threads) as number, machine_lock(lock_name(number)) as late:
        rounds = Rounds(threads=number, late=late, least=SAMPLE_SECONDS)
        for each in interleave({"fn": fn}, partial(_sample, threads=number)):
            rounds.add(each["fn"])
            if rounds.enough(budget):
                break
    return reported(timing_of(rounds.chosen()["fn"], number))


def compare(
    functions: Mapping[str, Callable[[], object]],
    *,
    budget: float = 0.5,
    threads: int | None = None,
    warm: bool = True,
) -> Comparison:
    """Time functions against one another, interleaved, for about `budget` seconds each.

    A round calls each once (on several threads, each has a `timed_block`), in an order that is
    reversed every other round; there are three at least. Each function is called once before,
    uncounted, but for `warm=False`: then the caller has called each already. Errors pass through.
    Raises `ValueError` for no functions, or for an invalid budget or number of threads.
    """
    if not functions:
        raise ValueError("functions={} is empty; give at least one, as {'name': function}")
    check_budget(budget)
    thread_count(threads)
    if warm and not quick():
        with pinned(threads):
            for fn in functions.values():
                fn()
    # Pinned anew, for libraries that these calls have loaded.
    with pinned(threads) as number, machine_lock(lock_name(number)) as late:
        rounds = Rounds(tuple(functions), number, late)
        for each in interleave(functions, clock_for(number)):
            rounds.add(*(each[name] for name in functions))
            if rounds.enough(budget):
                break
    return reported(Comparison.of(rounds.chosen(), number))


def interleave(
    functions: Mapping[str, Callable[[], object]], clock: Callable[[Any], Reading]
) -> Iterator[dict[str, Reading]]:
    """Yield round after round `{name: clock(function)}`, for as long as `functions` holds any.

    The caller may take functions out between rounds. Every other round runs backwards, so that
    none always finds the caches as the same neighbour left them.
    """
    rest()  # threads of an earlier call may still hold a core
    for number in itertools.count():
        if not functions:
            return
        order = list(functions)[:: -1 if number % 2 else 1]
        yield {name: clock(functions[name]) for name in order}


def clock_for(threads: int) -> Callable[[Callable[[], object]], Sample]:
    """Return what times one call: on several threads a whole `timed_block`, undisturbed by the
    threads of its neighbour.
    """
    return partial(timed_block, threads=threads) if threads > 1 else _sample


def rest() -> float:
    """Sleep until no thread of this process works, `LONGEST_REST` seconds at most; return how long.

    Threads of a call that has returned spin before they sleep, and take a core from the next
    call's. OpenBLAS's spin for 2^26 or 2^28 ticks of the clock counter, depending on its build: 26
    or 103 ms at 2.6 GHz. The system tells how much processor time this process still takes.
    """
    begin, nap = perf_counter(), shortened(NAP_SECONDS)
    for _ in range(ceil(LONGEST_REST / nap)):  # so that it ends by any clock
        before = process_time()
        sleep(nap)
        asleep = process_time() - before <= BUSY * nap
        if asleep or perf_counter() - begin >= LONGEST_REST:  # naps last longer on a busy machine
            break
    return perf_counter() - begin


def lock_name(threads: int) -> str | None:
    """Return the lock for a measurement on so many threads (see machine_lock.py)."""
    return PROCESSOR if threads > 1 else None


def timed_block(fn: Callable[[], object], threads: int | None = None) -> Sample:
    """Return seconds for one call: the median of a few hundredths of a second of calls.

    Before them come a `rest`, until all threads sleep, and calls that do not count. A
    call that takes longer than those needs none of them: it is the only one. `threads`: how many
    it is held to; None: several.
    """
    rest()
    settle, least, several = shortened(SETTLE_SECONDS), shortened(BLOCK_SECONDS), threads or 2
    begin = perf_counter()
    first = sampled(partial(_median_call, fn, 1, 0.0), several)
    if first.seconds >= least:
        return first
    while perf_counter() - begin < settle:
        fn()
    return sampled(partial(_median_call, fn, FEWEST_CALLS, least), several)


def sampled(work: Callable[[Callable[[], float]], float], threads: int) -> Sample:
    """Return the seconds that `work(clock)` gives, and what share of a core it received.

    Where learners share a machine, `clock` counts the processor time of a single thread. Work that
    waits for others, which that clock leaves out, is done once more by the wall clock, locked.
    """
    own = threads == 1 and shared_folder() is not None
    section = Section(threads)
    seconds = work(thread_time if own else perf_counter)
    received = section.end()
    if not own:
        return sample_of(seconds, received.share)
    if not received.slept:
        return Sample(seconds, received.share, clock="thread")
    with machine_lock(PROCESSOR) as late:
        section = Section(2)
        seconds = work(perf_counter)
        return sample_of(seconds, section.end().share, late)


def _median_call(
    fn: Callable[[], object], fewest: int, least: float, clock: Callable[[], float]
) -> float:
    times: list[float] = []
    total = 0.0
    while len(times) < fewest or total < least:
        start = clock()
        fn()
        times.append(clock() - start)
        total += times[-1]
    return float(np.median(times))


def _mean_call(fn: Callable[[], object], clock: Callable[[], float]) -> float:
    begin, start, calls = perf_counter(), clock(), 0
    while True:
        fn()
        calls += 1
        elapsed = clock() - start
        if perf_counter() - begin >= SAMPLE_SECONDS:
            return elapsed / calls


def _sample(fn: Callable[[], object], threads: int = 1) -> Sample:
    return sampled(partial(_mean_call, fn), threads)


@dataclass
class Rounds:
    """Rounds of samples, one for each of `names`, until they are enough for a budget.

    A round in which one of them received less than its share is taken again, until as many rounds
    were undisturbed as the budget asks for, or twice the budget is used up. A call that is shorter
    than its sample or block counts for `least` seconds, as long as that. `late`: without the lock.
    """

    names: Sequence[str] = ("fn",)
    threads: int = 1
    late: bool = False
    least: float | None = None
    _all: list[tuple[Sample, ...]] = field(default_factory=list)
    _good: list[tuple[Sample, ...]] = field(default_factory=list)
    _used: float = 0.0
    _used_well: float = 0.0

    def __post_init__(self):
        self._load = CpuLoad()
        if self.least is None:
            self.least = shortened(BLOCK_SECONDS) if self.threads > 1 else SAMPLE_SECONDS

    def add(self, *samples: Sample) -> None:
        """Add a round, in the order of the names."""
        if self.late:
            samples = tuple(each._replace(disturbed=True) for each in samples)
        used = sum(max(each.seconds, self.least) for each in samples)
        self._all.append(samples)
        self._used += used
        if not any(each.disturbed for each in samples):
            self._good.append(samples)
            self._used_well += used

    def enough(self, budget: float) -> bool:
        """Return whether a budget in seconds for each function asks for no more rounds."""
        budget = shortened(budget)
        if self._fill(self._good, self._used_well, budget):
            return True
        if self.late or self._crowded() or quick():
            return self._fill(self._all, self._used, budget)
        if len(self.names) == 1 and self._all and self._all[0][0].seconds > budget:
            return len(self._all) > 1  # a long run, and once more
        return self._fill(self._all, self._used, MOST_BUDGETS * budget)

    def chosen(self) -> dict[str, list[Sample]]:
        """Return the samples of each function in the rounds that count, in order.

        They are the undisturbed ones, or all where those are too few to speak for them.
        """
        chosen = self._all
        if self._crowded():
            chosen = [tuple(each._replace(disturbed=False) for each in all_) for all_ in self._all]
        elif self._good and (len(self._good) >= FEWEST_ROUNDS or len(self._all) < FEWEST_ROUNDS):
            chosen = self._good
        return {name: list(samples) for name, samples in zip(self.names, zip(*chosen))}

    def _fill(self, rounds: list, used: float, budget: float) -> bool:
        if not rounds:
            return False
        if len(self.names) == 1 and rounds[0][0].seconds > budget:
            return True
        return len(rounds) >= fewer(FEWEST_ROUNDS) and used >= budget * len(self.names)

    def _crowded(self) -> bool:
        """Return whether what queued for a core queued behind threads of this process only."""
        if self.threads == 1 or len(self._good) == len(self._all):
            return False
        if len(self._all) < FEWEST_ROUNDS or self.late:
            return False  # somebody else had the lock, however little they did in it
        others = self._load.others()
        return others is not None and others < FOREIGN


def timing_of(samples: Sequence[Sample | float], threads: int) -> Timing:
    """Return the `Timing` of runs; it is disturbed if most of them were."""
    samples = _samples(samples)
    low, middle, high = np.percentile([each.seconds for each in samples], (25, 50, 75))
    shares = [each.share for each in samples if each.share is not None]
    return Timing(
        float(middle),
        float(low),
        float(high),
        len(samples),
        threads,
        disturbed=2 * sum(each.disturbed for each in samples) > len(samples),
        share=median(shares) if shares else None,
        clock=samples[0].clock,
    )


def _samples(values: Iterable[Sample | float]) -> list[Sample]:
    return [each if isinstance(each, Sample) else Sample(float(each)) for each in values]


def reported(result):
    """Return `result`, once the listeners know of it if it was disturbed."""
    if result.disturbed:
        for listener in disturbed_listeners:
            listener()
    return result


def check_budget(budget: float) -> None:
    """Raise `ValueError` unless `budget` is a number of seconds above zero."""
    if not 0 < budget < float("inf"):
        raise ValueError(f"budget={budget!r} is not a valid time; use seconds above 0")
