"""A cache on paper: the reads of six plain loops, and those that it cannot serve."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from ..core.problem import ConvProblem


def input_reads(problem: ConvProblem) -> Iterator[int]:
    """Yield the place in `x` of every read that six plain loops make, in order.

    Place: how many values lie before it in the NHWC array. Padding is nowhere in memory: unread.
    """
    p = problem
    for n in range(p.i_n):
        for h in range(p.o_h):
            for v in range(p.o_w):
                for _ in range(p.k_c):
                    for a in range(p.k_h):
                        for b in range(p.k_w):
                            row, column = p.s_h * h + a - p.p_h, p.s_w * v + b - p.p_w
                            if 0 <= row < p.i_h and 0 <= column < p.i_w:
                                first = ((n * p.i_h + row) * p.i_w + column) * p.i_c
                                yield from range(first, first + p.i_c)


def misses(reads: Iterable[int], capacity: int) -> int:
    """Return reads that a cache of `capacity` values cannot serve.

    It holds single values and forgets the one that was used longest ago (LRU): real caches hold
    lines of 64 bytes and are less exact. Raises `ValueError` for a capacity below 1.
    """
    if capacity < 1:
        raise ValueError(f"capacity={capacity} holds nothing; use 1 or more")
    held: OrderedDict[int, None] = OrderedDict()
    missed = 0
    for place in reads:
        if place in held:
            held.move_to_end(place)
            continue
        missed += 1
        held[place] = None
        if len(held) > capacity:
            held.popitem(last=False)
    return missed
