"""Winograd's tile sizes on a processor: each as a method, and all in turns on one layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from ..core.problem import ConvProblem
from ..core.reference import random_arrays
from ..core.registry import Method, choose, get_method
from ..core.winograd_transforms import POINTS, error_model, sizes, unsupported
from ..cpu import winograd
from ..cpu.threads import threads_now
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timing import Comparison, compare
from .rounds import error_of

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
