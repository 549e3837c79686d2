"""Whether Winograd's model chooses well: every size of tile timed, beside the microkernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..cpu import winograd
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timer import Comparison, compare
from ..problem import ConvProblem
from ..reference import ErrorModel, random_arrays
from ..registry import get_method
from ..winograd import growth, sizes
from .rounds import error_of

DIRECT = "microkernel"


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
        """By the median over the rounds."""
        return min(self.expected, key=lambda name: self.comparison.timings[name].median)

    @property
    def loss(self) -> float:
        """How many times as long the chosen one takes as the fastest: 1 for a right choice."""
        return self.comparison.ratio(self.chosen, self.fastest)

    def __str__(self) -> str:
        gains = ", ".join(
            f"{name} {self.comparison.ratio(DIRECT, name):.2f} "
            f"({self.expected[DIRECT] / self.expected[name]:.2f} expected)"
            for name in self.expected if name != DIRECT
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
    direct = get_method(DIRECT)
    packed = direct.prepare(w, problem)
    calls = {DIRECT: lambda: direct.run(x, packed, problem)}
    with pinned(number):
        expected = {DIRECT: direct.cost(problem)}
        for m in sizes(problem.k_h):
            calls[f"F({m})"] = _call(x, w, problem, m, number)
            expected[f"F({m})"] = winograd.expected(problem, m, number)
    return Choice(problem, number, compare(calls, budget=budget, threads=number), expected)


def _call(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, m: int, threads: int
) -> Callable[[], np.ndarray]:
    U, way = winograd.pack(w, problem, m), winograd.cut(problem, m, threads)

    def call() -> np.ndarray:
        return winograd.convolve(x, U, problem, m, way, threads)

    error_of(f"F({m})", call(), x, w, problem, ErrorModel((m, m), growth(m, problem.k_h)))
    return call
