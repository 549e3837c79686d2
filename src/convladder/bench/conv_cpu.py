"""Methods and libraries on the same layer, in paired rounds, on a processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import POINTWISE, random_arrays
from ..core.registry import Method, get_method
from ..cpu.microkernel import aligned
from ..measure.peak import peak_again, peak_now
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timing import Comparison
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
