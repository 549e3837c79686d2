"""Methods and libraries on the same layer, in the same minute, in paired rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

import numpy as np

from ..measure.hardware import machine
from ..measure.limits import roofline
from ..measure.peak import peak_now
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.quick import fewer
from ..measure.timer import Comparison, timed, timing_of, turn
from ..problem import ConvProblem
from ..records.store import versions
from ..reference import compare as judge
from ..reference import random_arrays
from ..registry import Method
from .libraries.conv import peers

ROUNDS = 7


@dataclass(frozen=True)
class Contest:
    """One layer: `comparison` has the rounds of every contestant, all checked beforehand.

    `libraries` maps the names of those that are a library's to its name (PyTorch has two, of
    which the faster counts). `prepare_seconds`: for methods that prepare weights, once.
    `peak` is the multiply-add peak of as many threads, in FLOP/s: the median over the same rounds
    (in the record of the EPYC, the higher of two readings, before them and after).
    """

    problem: ConvProblem
    threads: int
    comparison: Comparison
    libraries: dict[str, str]
    prepare_seconds: dict[str, float]
    peak: float

    def seconds(self, name: str) -> float:
        """The median over rounds of the median call."""
        return self.comparison.timings[name].median

    def share(self, name: str) -> float:
        """Of the multiply-add peak in the same rounds."""
        return self.problem.flops / self.seconds(name) / self.peak

    def best_of(self, library: str) -> str | None:
        """The faster of a library's ways, None if it was not there."""
        ways = [name for name, of in self.libraries.items() if of == library]
        return min(ways, key=self.seconds, default=None)

    def ratio(self, rival: str, name: str) -> float:
        """How many times slower `rival` (a library or a contestant) is than the method `name`."""
        return self.comparison.ratio(self.best_of(rival) or rival, name)

    def ratio_unprepared(self, rival: str, name: str) -> float:
        """The same were weights prepared in every call of `name`."""
        prepared = self.seconds(name) + self.prepare_seconds.get(name, 0.0)
        return self.ratio(rival, name) * self.seconds(name) / prepared

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON; times in seconds."""
        return {
            "problem": str(self.problem),
            "flops": self.problem.flops,
            "libraries": self.libraries,
            "prepare_seconds": self.prepare_seconds,
            "peak_flops_per_s": self.peak,
            "rounds": {name: list(times) for name, times in self.comparison.rounds.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping, threads: int) -> Contest:
        """What `as_dict` wrote down, with the threads that go with it."""
        return cls(
            ConvProblem.parse(data["problem"]),
            threads,
            _comparison(data["rounds"], threads),
            data["libraries"],
            data["prepare_seconds"],
            data["peak_flops_per_s"],
        )


def contest(
    problem: ConvProblem,
    methods: Sequence[Method],
    *,
    threads: int | None = None,
    rounds: int = ROUNDS,
    with_peers: bool = True,
    progress: Callable[[str], object] | None = None,
) -> Contest:
    """Let `methods` and the installed libraries take turns on random arrays of a problem.

    Each has a `turn` (see timer), in an order that is reversed every other round.
    `progress(name)` is called before each contestant is set up, and before each round.

    Raises `ValueError` for a number of threads that cannot be, and `RuntimeError` naming whoever
    gave a wrong result.
    """
    number = thread_count(threads)
    x, w = random_arrays(problem)
    calls, libraries, preparing = {}, {}, {}
    for method in methods:
        _tell(progress, method.name)
        prepare = method.prepare
        weights = prepare(w, problem) if prepare else w
        if prepare:
            again = _bound(prepare, w, problem)
            preparing[method.name] = timed(again, budget=0.05, threads=number).median
        calls[method.name] = _bound(method.run, x, weights, problem)
        _check(method.name, calls[method.name](), x, w, problem)
    for peer in peers(x, w, problem, number) if with_peers else ():
        _tell(progress, peer.name)
        _check(peer.name, peer.result(), x, w, problem)
        calls[peer.name] = peer.run
        libraries[peer.name] = peer.library
    return paired(problem, calls, libraries, preparing, number, rounds, progress)


def paired(
    problem: ConvProblem,
    calls: Mapping[str, Callable[[], object]],
    libraries: dict[str, str],
    preparing: dict[str, float],
    number: int,
    rounds: int = ROUNDS,
    progress: Callable[[str], object] | None = None,
) -> Contest:
    """The rounds of `calls`, which were judged and have all run, on `number` threads."""
    times = {name: [] for name in calls}
    peaks = []
    # All have run by now: what they load is there to be held, and has set its own threads.
    with pinned(number):
        for lap in range(fewer(rounds)):
            _tell(progress, f"round {lap + 1} of {rounds}")
            for name in list(calls)[:: -1 if lap % 2 else 1]:
                times[name].append(turn(calls[name]))
            peaks.append(peak_now(number))  # each time, since clocks change from second to second
    return Contest(
        problem, number, _comparison(times, number), libraries, preparing, median(peaks)
    )


def _comparison(rounds: Mapping[str, Sequence[float]], threads: int) -> Comparison:
    return Comparison(
        {name: timing_of(list(runs), threads) for name, runs in rounds.items()},
        {name: tuple(runs) for name, runs in rounds.items()},
    )


def _check(
    name: str, y: np.ndarray, x: np.ndarray, w: np.ndarray, problem: ConvProblem
) -> None:
    agreement = judge(y, x, w, problem)
    if not agreement.ok:
        raise RuntimeError(f"{name} is wrong on {problem}: {agreement.reason}; nothing was timed")


def _bound(fn: Callable, *args) -> Callable[[], object]:
    return lambda: fn(*args)


def _tell(progress: Callable[[str], object] | None, what: str) -> None:
    if progress is not None:
        progress(what)


def contests_as_dict(runs: Sequence[Mapping[str, Contest]]) -> dict[str, object]:
    """Contests by layer, one mapping for each number of threads, with machine, day and versions.

    Raises `ValueError` if there are none, since they say with how many threads.
    """
    if not runs or not all(runs):
        raise ValueError("runs has no contest: nothing was measured, so there is no record")
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine().as_dict(),
        "versions": versions(),
        "runs": [_run_as_dict(contests) for contests in runs],
    }


def _run_as_dict(contests: Mapping[str, Contest]) -> dict[str, object]:
    limits = roofline(next(iter(contests.values())).threads)
    return {
        "threads": limits.threads,
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        "layers": {layer: contest.as_dict() for layer, contest in contests.items()},
    }


def contests_of(record: Mapping) -> list[dict[str, Contest]]:
    """What `contests_as_dict` was given, from the record that it made."""
    return [
        {
            layer: Contest.from_dict(data, run["threads"])
            for layer, data in run["layers"].items()
        }
        for run in record["runs"]
    ]


@dataclass(frozen=True)
class Standing:
    """How many times as long as a method a rival takes, over many layers.

    `mean` is geometric, `least` the smallest, on `layer`; `unprepared` is the mean were the
    method's weights prepared in every call.
    """

    mean: float
    least: float
    layer: str
    unprepared: float


def standing(contests: Mapping[str, Contest], rival: str, name: str) -> Standing:
    """Of `rival` (a library or a contestant) beside the method `name`, in contests by layer.

    Raises `ValueError` if either did not take part in each of them.
    """
    ratios = {layer: each.ratio(rival, name) for layer, each in contests.items()}
    worst = min(ratios, key=ratios.get)
    unprepared = [each.ratio_unprepared(rival, name) for each in contests.values()]
    return Standing(
        geometric_mean(list(ratios.values())), ratios[worst], worst, geometric_mean(unprepared)
    )


def median_share(contests: Mapping[str, Contest], name: str) -> float:
    """Of the measured multiply-add peak: of the layer in the middle."""
    return median(each.share(name) for each in contests.values())


def geometric_mean(ratios: Sequence[float]) -> float:
    """The mean for ratios: of twice and half as fast, it is 1."""
    return float(np.exp(np.mean(np.log(ratios))))
