"""The cost of a method in multiply-adds of whole vectors, exact enough to choose by.

Of the machine it knows the lanes of a vector and the size of the second-level cache. Three numbers
are the same everywhere: what a line from farther off costs, what share of that cache keeps what is
to be used again, and what it costs to begin a sum.
Measured on Sapphire Rapids with AVX-512, at 5.8·10⁹ multiply-adds a second of one core.
"""

from __future__ import annotations

from functools import cache

from ..core.problem import ConvProblem
from ..core.processor import caches

LINE_BYTES = 64
LINE = 12  # multiply-adds in the time in which a line comes from beyond the second-level cache
NEAR = 0.4  # of that cache, for what is to stay in it; the rest is for what passes through
BEGIN = 8  # steps of a sum, in the time that it takes to begin and to store one


@cache
def cache_bytes() -> int:
    """Return the size of this core's second-level cache, 1 MiB where the system does not tell."""
    return caches().get("L2", 2**20)


def fetched(size: float) -> float:
    """Return the cost of `size` bytes that come from farther off."""
    return LINE * size / LINE_BYTES


def streamed(size: int) -> float:
    """Return the cost of one pass through `size` bytes, of which some stay near."""
    return fetched(max(0.0, size - NEAR * cache_bytes()))


def products(rows: int, steps: int, columns: int, lanes: int) -> float:
    """Return the multiply-adds of `rows × steps` by `steps × columns`, in vectors of columns."""
    return rows * (steps + BEGIN) * -(-columns // lanes)


def direct(problem: ConvProblem, lanes: int, threads: int) -> float:
    """Return the cost of the microkernel: its products, and weights that come from far off."""
    p = problem
    multiply_adds = p.groups * products(p.pixels, p.window, p.group_k_c, lanes)
    return (multiply_adds + streamed(4 * p.params)) / threads
