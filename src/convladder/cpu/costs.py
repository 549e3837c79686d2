"""What a method's time is made of, in multiply-adds of whole vectors: enough to choose by.

Two constants of the machine, its lanes and a cache's size, and two of all machines: a line from
beyond that cache costs as much time as some multiply-adds, and a tile or sum a few to begin.
Measured on Sapphire Rapids with AVX-512 (2 per cycle at 2.9 GHz, 30 GB/s from the third cache).
"""

from __future__ import annotations

from ..problem import ConvProblem

LINE_BYTES = 64
IN_CACHE = 2**20  # bytes that stay near a core: of the second-level cache, or its part of the third
LINE = 12  # multiply-adds in the time in which a line comes from farther off
BEGIN = 8  # steps of a sum, in the time that it takes to begin and to store one


def streamed(size: int, times: int = 1) -> float:
    """Return what it costs to read or write `size` bytes, `times` over, that stay in no cache."""
    return LINE * times * size / LINE_BYTES if size > IN_CACHE else 0.0


def products(rows: int, steps: int, columns: int, lanes: int) -> float:
    """Return the multiply-adds of `rows × steps` by `steps × columns`, in vectors of columns."""
    return rows * (steps + BEGIN) * -(-columns // lanes)


def direct(problem: ConvProblem, lanes: int, threads: int) -> float:
    """Return what the microkernel costs: its products, and weights that come from far off."""
    p = problem
    work = products(p.pixels, p.window, p.k_c, lanes)
    return (work + streamed(4 * p.params)) / threads
