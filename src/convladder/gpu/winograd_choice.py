"""Which tiles a GPU's Winograd should take: a model of bytes, products and launches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..problem import ConvProblem
from ..winograd import Tiles, sizes

PASS_BYTES = 24 << 20  # of V and P, that stay in the cache


@dataclass(frozen=True)
class Plan:
    """`m` outputs a side; channels a thread transforms; bytes of V and P of one pass."""

    m: int
    vector_in: int
    vector_out: int
    pass_bytes: int = PASS_BYTES

    def tiles(self, problem: ConvProblem) -> int:
        """Tiles of a pass; passes are as equal as can be."""
        t = Tiles.of(problem, self.m)
        each = 4 * t.a**2 * (problem.i_c + problem.k_c)
        passes = -(-t.count * each // self.pass_bytes)
        return -(-t.count // min(passes, t.count))


def vector(channels: int, m: int) -> int:
    """Channels of a thread: more make fewer and wider accesses, and need more registers."""
    return next(n for n in ((2, 1) if m == 6 else (4, 2, 1)) if channels % n == 0)


def predicted_cycles(problem: ConvProblem, plan: Plan, multiprocessors: int) -> float:
    t = Tiles.of(problem, plan.m)
    return t.count * t.a**2 * problem.i_c * problem.k_c


@cache
def choose(problem: ConvProblem, multiprocessors: int) -> Plan:
    """The plan with the fewest predicted cycles."""
    found = [Plan(m, vector(problem.i_c, m), vector(problem.k_c, m)) for m in sizes(problem.k_h)]
    return min(found, key=lambda plan: predicted_cycles(problem, plan, multiprocessors))
