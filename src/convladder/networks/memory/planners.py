"""Plans: an offset in one arena for each block, so that no two that meet overlap.

To find the smallest arena is NP-hard (dynamic storage allocation: Garey & Johnson, "Computers and
Intractability", 1979, problem SR2), hence rules of thumb: `best` takes the best of them, `search`
tries some orders by chance besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from .lifetimes import Block, lower_bound

ORDERS = 20  # by chance, of `search`
# Largest first needs 23, in the order of steps 19, and there is a way in 17, the lower bound.
PUZZLE = (
    Block("a", 2, 0, 3), Block("b", 7, 0, 1), Block("c", 2, 0, 3), Block("d", 6, 1, 3),
    Block("e", 6, 3, 5), Block("f", 4, 4, 5), Block("g", 7, 4, 5),
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """`offsets` in bytes by name. Raises `ValueError` if two blocks that meet overlap, unless one
    is written over the other."""

    planner: str
    blocks: tuple[Block, ...]
    offsets: dict[str, int]

    def __post_init__(self) -> None:
        for b, a in overlaps(self.blocks, self.offsets):
            begin_a, begin_b = self.offsets[a.name], self.offsets[b.name]
            replaced = (b.name in a.over and a.first == b.last) or (
                a.name in b.over and b.first == a.last
            )
            if not (replaced and begin_a == begin_b):
                raise ValueError(
                    f"{a.name!r} at {begin_a} and {b.name!r} at {begin_b} overlap "
                    f"while both are needed; {a} {b}"
                )

    @property
    def bytes(self) -> int:
        """Return the arena's size: where the highest block ends."""
        return max((self.offsets[b.name] + b.bytes for b in self.blocks), default=0)

    @property
    def bound(self) -> int:
        """Return the lower bound of plans without writing over."""
        return lower_bound(self.blocks)

    def __str__(self) -> str:
        return f"{self.planner}: {self.bytes:,} B, bound {self.bound:,} B"


def overlaps(blocks: Sequence[Block], offsets: Mapping[str, int]) -> list[tuple[Block, Block]]:
    """Return the pairs of blocks that are needed at one step and share a byte."""
    return [
        (a, b)
        for a, b in combinations(blocks, 2)
        if a.meets(b)
        and offsets[a.name] < offsets[b.name] + b.bytes
        and offsets[b.name] < offsets[a.name] + a.bytes
    ]


def naive(blocks: Sequence[Block]) -> Plan:
    """Give every block a place of its own: what a program does that never frees."""
    offsets, end = {}, 0
    for block in blocks:
        offsets[block.name] = end
        end += block.bytes
    return Plan("naive", tuple(blocks), offsets)


def first_fit(blocks: Sequence[Block], order: Iterable[Block]) -> Plan:
    """Place blocks in `order`, which holds each once, in the lowest gap that fits."""
    placed, offsets = [], {}
    for block in order:
        offsets[block.name] = next(
            low
            for low, high in _gaps(block, placed, offsets)
            if high is None or high - low >= block.bytes
        )
        placed.append(block)
    return Plan("first fit", tuple(blocks), offsets)


def in_order(blocks: Sequence[Block]) -> Plan:
    """Do `first_fit` in the order of their steps: what an allocator does, which is asked as the
    program runs and cannot look ahead."""
    return replace(first_fit(blocks, sorted(blocks, key=lambda b: b.first)), planner="in order")


def best_fit(blocks: Sequence[Block]) -> Plan:
    """Place the largest block first, each in the smallest gap that fits, else on top.

    Source: Pisarchyk & Lee, "Efficient Memory Management for Deep Neural Net Inference" (MLSys
    workshop 2020), greedy by size for offsets.
    """
    placed, offsets = [], {}
    for block in sorted(blocks, key=lambda b: (-b.bytes, b.first)):
        gaps = _gaps(block, placed, offsets)
        offsets[block.name] = min(
            (gap for gap in gaps if gap[1] is None or gap[1] - gap[0] >= block.bytes),
            key=lambda gap: float("inf") if gap[1] is None else gap[1] - gap[0],
        )[0]
        placed.append(block)
    return Plan("best fit", tuple(blocks), offsets)


def two_ends(blocks: Sequence[Block]) -> Plan | None:
    """Place in the order of steps, in turns at the bottom and the top of an arena as small as the
    lower bound; None if one does not fit.

    On a chain, where only neighbours meet, all fit: two neighbours are at opposite ends, and
    together no larger than the bound.
    """
    room, placed, offsets, top = lower_bound(blocks), [], {}, False
    for block in sorted(blocks, key=lambda b: b.first):
        gaps = [
            (low, room if high is None else high) for low, high in _gaps(block, placed, offsets)
        ]
        fits = [gap for gap in gaps if gap[1] - gap[0] >= block.bytes]
        if not fits:
            return None
        offsets[block.name] = fits[-1][1] - block.bytes if top else fits[0][0]
        placed.append(block)
        top = not top
    return Plan("two ends", tuple(blocks), offsets)


def in_place(blocks: Sequence[Block]) -> Plan:
    """Let blocks that may be written over another of at least their size take its place, then
    `search` for the others; or for all of them, where that comes out smaller: a place that is kept
    for longer can be in the way. May do with less than the bound."""
    host: dict[str, str] = {}
    whole = {block.name: block for block in blocks}
    for block in sorted(blocks, key=lambda b: b.first):
        for name in block.over:
            root = host.get(name, name)
            ends = root in whole and whole[root].last == block.first
            if ends and whole[root].bytes >= block.bytes:
                host[block.name] = root
                whole[root] = replace(whole[root], last=block.last)
                del whole[block.name]
                break
    plan, separate = search(list(whole.values())), search(blocks)
    offsets = {b.name: plan.offsets[host.get(b.name, b.name)] for b in blocks}
    if separate.bytes < plan.bytes:
        offsets = separate.offsets
    return Plan("in place", tuple(blocks), offsets)


def best(blocks: Sequence[Block]) -> Plan:
    """Return the smallest of `best_fit`, `two_ends` and `in_order`."""
    plans = [plan for plan in (best_fit(blocks), two_ends(blocks), in_order(blocks)) if plan]
    return min(plans, key=lambda plan: plan.bytes)


def search(blocks: Sequence[Block]) -> Plan:
    """Return the smallest of `best` and of `first_fit` in 20 orders by chance, always the same.

    Ends at the first that reaches the lower bound. On 400 sets of nine blocks by chance, whose
    least arena was found by trying everything, it reached that in 398, and `best` in 354.
    """
    plan, bound, random = best(blocks), lower_bound(blocks), Random(0)
    for _ in range(ORDERS):
        if plan.bytes == bound:
            break
        tried = first_fit(blocks, random.sample(blocks, len(blocks)))
        plan = min(plan, tried, key=lambda plan: plan.bytes)
    return replace(plan, planner="search")


def _gaps(
    block: Block, placed: Sequence[Block], offsets: dict[str, int]
) -> list[tuple[int, int | None]]:
    """Free `(begin, end)` among the placed blocks that `block` meets; the last has no end."""
    gaps, end = [], 0
    for other in sorted((b for b in placed if b.meets(block)), key=lambda b: offsets[b.name]):
        if offsets[other.name] > end:
            gaps.append((end, offsets[other.name]))
        end = max(end, offsets[other.name] + other.bytes)
    return [*gaps, (end, None)]


PLANNERS: dict[str, Callable[[Sequence[Block]], Plan | None]] = {
    "naive": naive,
    "in order": in_order,
    "best fit": best_fit,
    "two ends": two_ends,
    "in place": in_place,
    "best": best,
    "search": search,
}
