"""Whether Winograd's model chooses well: every size of tile timed, beside the microkernel."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..cpu import winograd
from ..cpu.threads import threads_now
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timing import Comparison, compare
from ..problem import ConvProblem
from ..reference import ErrorModel, random_arrays
from ..registry import Method, choose, get_method
from ..winograd import POINTS, growth, sizes, unsupported
from .compare import bound
from .rounds import error_of

DIRECT = "microkernel"


def with_tiles(m: int) -> Method:
    """Return `winograd` as "F(m)", with tiles of `m` whatever the model says, cut as it says."""

    def refused(p: ConvProblem) -> str | None:
        known = (m, p.k_h) in POINTS
        return unsupported(p) or (None if known else f"there are no points for F({m},{p.k_h})")

    return replace(
        get_method("winograd"), name=f"F({m})", unsupported=refused,
        run=lambda x, U, p: winograd.convolve(
            x, U, p, m, winograd.cut(p, m, threads_now()), threads_now()),
        prepare=lambda w, p: winograd.pack(w, p, m),
        error_model=lambda p: ErrorModel((m, m), growth(m, p.k_h)),
        cost=lambda p: winograd.expected(p, m, threads_now()),
    )  # fmt: skip


def all_tiles() -> list[Method]:
    """Return `with_tiles` for each size that any kernel has."""
    return [with_tiles(m) for m in sorted({m for m, _ in POINTS})]


def auto(problem: ConvProblem, threads: int) -> str:
    """Return what `auto` takes on so many threads, by name: "F(m)" for Winograd's."""
    threads_now()  # imports Numba, which is held only if it is there
    with pinned(threads):
        chosen = choose(problem).name
    return f"F({winograd.choose(problem)})" if chosen == "winograd" else chosen


@dataclass(frozen=True)
class Choice:
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
            f"{name} {self.comparison.ratio(DIRECT, name):.2f} "
            f"({self.expected[DIRECT] / self.expected[name]:.2f} expected)"
            for name in self.expected
            if name != DIRECT
        )
        return (
            f"{self.problem}: times as fast as {DIRECT}: {gains}; chosen {self.chosen}, fastest "
            f"{self.fastest}, {self.loss:.2f} of its time"
        )


def choice(
    problem: ConvProblem, *, threads: int | None = None, budget: float = 0.5, seed: int = 0
) -> Choice:
    """Time every `F(m, r)` of a problem in turns, each cut as the model would, and judge it.

    About `budget` seconds each, on `threads` threads (None: all cores). Raises `ValueError` for a
    problem that Winograd does not take, `RuntimeError` for a result that is wrong.
    """
    number = thread_count(threads)
    if reason := get_method("winograd").unsupported(problem):
        raise ValueError(f"winograd does not take {problem}: {reason}")
    x, w = random_arrays(problem, seed)
    direct, calls, expected = get_method(DIRECT), {}, {}
    threads_now()  # imports Numba, which is held only if it is there
    with pinned(number):
        for way in (direct, *(with_tiles(m) for m in sizes(problem.k_h))):
            weights = way.prepare(w, problem)
            calls[way.name] = bound(way.run, x, weights, problem)
            expected[way.name] = way.cost(problem)
            error_of(way.name, calls[way.name](), x, w, problem, way.error_model(problem))
    return Choice(problem, number, compare(calls, budget=budget, threads=number), expected)
