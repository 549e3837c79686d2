"""Methods and libraries on the same layer, in paired rounds, on a processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import POINTWISE, random_arrays
from ..core.registry import Method, choose, get_method
from ..core.winograd_transforms import POINTS, error_model, sizes, unsupported
from ..cpu import winograd
from ..cpu.microkernel import aligned
from ..cpu.threads import threads_now
from ..measure.peak import peak_again, peak_now
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timing import Comparison, compare
from .libraries.conv import peers
from .result import Result
from .rounds import ROUNDS, error_of, judge_then_time, paired_rounds, prepared_calls


@dataclass(frozen=True)
class ConvComparison:
    """One layer: what each method and each library's way did, in the same rounds.

    `peak` is the multiply-add peak of as many threads, in FLOP/s: the median over the same rounds
    (in the record of the EPYC, the higher of two readings, before them and after). `chosen` is the
    one of them that `auto` takes, where that was asked.
    """

    problem: ConvProblem
    threads: int
    measured: dict[str, Result]
    peak: float
    chosen: str | None = None

    @classmethod
    def of(
        cls, problem: ConvProblem, threads: int, comparison: Comparison,
        libraries: Mapping[str, str], prepare_seconds: Mapping[str, float], peak: float,
        chosen: str | None = None,
    ) -> ConvComparison:  # fmt: skip
        """Make one from the rounds, whose each way is, and what preparing weights took."""
        measured = {
            name: Result(name, problem, timing, comparison.rounds[name], peak,
                           libraries.get(name), prepare_seconds=prepare_seconds.get(name),
                           beyond=_beyond(name, problem, name in libraries))
            for name, timing in comparison.timings.items()
        }  # fmt: skip
        return cls(problem, threads, measured, peak, chosen)

    @property
    def comparison(self) -> Comparison:
        """Return the timings and rounds, by name."""
        return Comparison(
            {name: each.timing for name, each in self.measured.items()},
            {name: each.rounds for name, each in self.measured.items()},
        )

    @property
    def libraries(self) -> dict[str, str]:
        """Return the names of those that are a library's -> its name (PyTorch has two ways)."""
        return {name: each.library for name, each in self.measured.items() if each.library}

    @property
    def prepare_seconds(self) -> dict[str, float]:
        """Return the seconds of preparing weights once, of methods that do."""
        return {
            name: each.prepare_seconds
            for name, each in self.measured.items()
            if each.prepare_seconds is not None
        }

    def seconds(self, name: str) -> float:
        """Return the median over rounds of the median call."""
        return self.measured[name].timing.median

    def share(self, name: str) -> float:
        """Return the share of the multiply-add peak in the same rounds."""
        return self.measured[name].share

    def best_of(self, library: str) -> str | None:
        """Return the faster of a library's ways, None if it was not there."""
        return min(
            (name for name, of in self.libraries.items() if of == library),
            key=self.seconds,
            default=None,
        )

    def ratio(self, rival: str, name: str) -> float:
        """Return how many times slower `rival`, a library or a method, is than method `name`."""
        return self.comparison.ratio(self.best_of(rival) or rival, name)

    def ratio_unprepared(self, rival: str, name: str) -> float:
        """Return the same ratio, were weights prepared in every call of `name`."""
        prepared = self.seconds(name) + self.prepare_seconds.get(name, 0.0)
        return self.ratio(rival, name) * self.seconds(name) / prepared

    def as_dict(self) -> dict[str, object]:
        """Return it ready for JSON; times in seconds."""
        return {
            "problem": str(self.problem),
            "flops": self.problem.flops,
            "libraries": self.libraries,
            "prepare_seconds": self.prepare_seconds,
            "peak_flops_per_s": self.peak,
            "rounds": {name: list(each.rounds) for name, each in self.measured.items()},
            **({"chosen": self.chosen} if self.chosen else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping, threads: int) -> ConvComparison:
        """Read back what `as_dict` wrote down, with the threads that go with it."""
        return cls.of(
            ConvProblem.parse(data["problem"]),
            threads,
            Comparison.of(data["rounds"], threads),
            data["libraries"],
            data["prepare_seconds"],
            data["peak_flops_per_s"],
            data.get("chosen"),
        )


def _beyond(name: str, problem: ConvProblem, of_library: bool) -> str:
    """Return the reason why it can pass the multiply-add peak, or "" if it can't."""
    if of_library:
        return "perhaps fewer multiplications"
    try:
        exact = get_method(name).error_model(problem) == POINTWISE
    except ValueError:  # a variant of a method, such as one size of Winograd's tiles
        exact = False
    return "" if exact else "fewer multiplications"


def compare_methods(
    problem: ConvProblem,
    methods: Sequence[Method],
    *,
    threads: int | None = None,
    rounds: int = ROUNDS,
    with_peers: bool = True,
    progress: Progress = report_progress,
) -> ConvComparison:
    """Let `methods` and the installed libraries take turns on random arrays of a problem.

    Each has a `timed_block`, in an order that is reversed every other round.
    `progress(name)` is called before each result is judged, and before each round.

    Raises `ValueError` for an invalid number of threads, and `RuntimeError` naming whoever
    gave a wrong result.
    """
    number = thread_count(threads)
    values, w = random_arrays(problem)
    x = aligned(values.size).reshape(values.shape)  # as the libraries' own arrays lie
    x[...] = values
    calls, preparing = prepared_calls(methods, x, w, problem, number, budget=0.05)
    models = {method.name: method.error_model(problem) for method in methods}
    libraries, answers = {}, {}
    for way in peers(x, w, problem, number) if with_peers else ():
        calls[way.name], libraries[way.name], answers[way.name] = way.run, way.package, way.answer

    def judge(name: str, call: Callable) -> bool:
        with pinned(number):  # tiles are compiled for the parts that so many threads have
            y = answers.get(name, call)()
        error_of(name, y, x, w, problem, models.get(name, POINTWISE))  # a library's is not known
        return True

    return judge_then_time(
        calls,
        judge,
        lambda right: time_in_rounds(
            problem, right, libraries, preparing, number, rounds, progress
        ),
        progress=progress,
    )[0]


def time_in_rounds(
    problem: ConvProblem,
    calls: Mapping[str, Callable[[], object]],
    libraries: Mapping[str, str],
    preparing: Mapping[str, float],
    number: int,
    rounds: int = ROUNDS,
    progress: Progress = report_progress,
) -> ConvComparison:
    """Time `calls`, which were judged and have all run, on `number` threads."""
    peaks = []
    # All have run by now: what they load is there to be held, and has set its own threads.
    with pinned(number):
        times = paired_rounds(
            calls,
            rounds,
            threads=number,
            progress=progress,
            # Each time, since clocks change from second to second.
            after_round=lambda: peaks.append(peak_now(number)),
        )
        quiet = [peak.per_second for peak in peaks if not peak.disturbed]
        peak = median(quiet or [peak.per_second for peak in peaks])
        found = ConvComparison.of(problem, number, times, libraries, preparing, peak)
        if any(each.disturbed for each in found.measured.values() if not each.beyond):
            peak = peak_again(number).per_second
            found = ConvComparison.of(problem, number, times, libraries, preparing, peak)
    return found


MICROKERNEL = "microkernel"


def with_tiles(m: int) -> Method:
    """Return `winograd` as "F(m)", with tiles of `m` whatever the model says, cut as it says."""

    def refused(p: ConvProblem) -> str | None:
        none = f"there are no points for F({m}) with a kernel of {p.k_h}×{p.k_w}"
        return unsupported(p) or (None if m in sizes(p) else none)

    return replace(
        get_method("winograd"), name=f"F({m})", unsupported=refused,
        run=lambda x, U, p: winograd.convolve(
            x, U, p, m, winograd.cut(p, m, threads_now()), threads_now()),
        prepare=lambda w, p: winograd.pack(w, p, m),
        error_model=lambda p: error_model(p, m),
        cost=lambda p: winograd.expected(p, m, threads_now()),
    )  # fmt: skip


def all_tiles() -> list[Method]:
    """Return `with_tiles` for each size that any kernel has."""
    return [with_tiles(m) for m in sorted({m for m, _ in POINTS if m > 1})]


def auto(problem: ConvProblem, threads: int) -> str:
    """Return the name of `auto`'s choice on so many threads; "F(m)" is Winograd's."""
    threads_now()  # imports Numba, which is held only if it is there
    with pinned(threads):
        chosen = choose(problem).name
    return f"F({winograd.choose(problem)})" if chosen == "winograd" else chosen


@dataclass(frozen=True)
class TileComparison:
    """One layer: `comparison` of "F(2)", "F(4)", ... and the microkernel, all checked beforehand.

    `expected` has the time that the model gives each of them, in a unit of its own; `chosen` is the
    one with the least.
    """

    problem: ConvProblem
    threads: int
    comparison: Comparison
    expected: dict[str, float]

    @property
    def chosen(self) -> str:
        return min(self.expected, key=self.expected.get)

    @property
    def fastest(self) -> str:
        """Return the fastest by the median over the rounds."""
        return min(self.expected, key=lambda name: self.comparison.timings[name].median)

    @property
    def loss(self) -> float:
        """Return the chosen one's time over the fastest's: 1 for a right choice."""
        return self.comparison.ratio(self.chosen, self.fastest)

    def __str__(self) -> str:
        gains = ", ".join(
            f"{name} {self.comparison.ratio(MICROKERNEL, name):.2f} "
            f"({self.expected[MICROKERNEL] / self.expected[name]:.2f} expected)"
            for name in self.expected
            if name != MICROKERNEL
        )
        return (
            f"{self.problem}: times as fast as {MICROKERNEL}: {gains}; chosen {self.chosen}, "
            f"fastest {self.fastest}, {self.loss:.2f} of its time"
        )


def compare_tiles(
    problem: ConvProblem, *, threads: int | None = None, budget: float = 0.5, seed: int = 0
) -> TileComparison:
    """Time every `F(m, r)` of a problem in turns, each cut as the model would, and judge it.

    About `budget` seconds each, on `threads` threads (None: all cores). Raises `ValueError` for a
    problem that Winograd does not take, `RuntimeError` for a result that is wrong.
    """
    number = thread_count(threads)
    if reason := get_method("winograd").unsupported(problem):
        raise ValueError(f"winograd does not take {problem}: {reason}")
    x, w = random_arrays(problem, seed)
    calls: dict[str, Callable[[], object]] = {}
    direct, expected = get_method(MICROKERNEL), {}
    threads_now()  # imports Numba, which is held only if it is there
    with pinned(number):
        for way in (direct, *(with_tiles(m) for m in sizes(problem))):
            weights = way.prepare(w, problem)
            calls[way.name] = partial(way.run, x, weights, problem)
            expected[way.name] = way.cost(problem)
            error_of(way.name, calls[way.name](), x, w, problem, way.error_model(problem))
    return TileComparison(problem, number, compare(calls, budget=budget, threads=number), expected)
