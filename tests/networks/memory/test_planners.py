"""Plans of chains, of graphs by chance, and of what cannot be."""

import itertools

import numpy as np
import pytest

from convladder.networks import memory
from convladder.networks.memory import Block, Plan


def chain(sizes: list[int]) -> list[Block]:
    """Each array is read by the next step alone."""
    last = len(sizes) - 1
    return [Block(f"b{at}", size, at, min(at + 1, last)) for at, size in enumerate(sizes)]


def by_chance(seed: int) -> list[Block]:
    rng = np.random.default_rng(seed)
    firsts = np.sort(rng.integers(0, 12, 14)).tolist()
    return [
        Block(f"b{n}", int(rng.integers(1, 100)), first, first + int(rng.integers(0, 5)))
        for n, first in enumerate(firsts)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_a_chain_needs_its_two_largest_neighbours(seed):
    sizes = np.random.default_rng(seed).integers(1, 100, 9).tolist()
    plan = memory.best(chain(sizes))
    assert plan.bytes == plan.bound == max(a + b for a, b in itertools.pairwise(sizes))


@pytest.mark.parametrize("planner", memory.PLANNERS.values(), ids=memory.PLANNERS)
@pytest.mark.parametrize("seed", range(4))
def test_no_two_that_meet_overlap(planner, seed):
    """Byte by byte, apart from the check that a plan does itself."""
    blocks = by_chance(seed)
    plan = planner(blocks)
    if plan is None:
        return
    owner = np.full((20, plan.bytes), -1)
    for number, block in enumerate(blocks):
        at = plan.offsets[block.name]
        place = owner[block.first : block.last + 1, at : at + block.bytes]
        assert (place == -1).all()
        place[:] = number
    assert memory.lower_bound(blocks) <= plan.bytes <= memory.naive(blocks).bytes
    assert (owner[:, -1] != -1).any()


def test_the_smallest_gap_is_taken():
    """Of two free places, 4 and 2 bytes, the third block of 2 takes that of 2."""
    blocks = [
        Block("a", 9, 0, 4),
        Block("gone4", 8, 0, 1),
        Block("b", 7, 0, 4),
        Block("gone2", 6, 0, 1),
        Block("c", 5, 0, 4),
        Block("new", 4, 2, 4),
    ]
    plan = memory.best_fit(blocks)
    assert plan.offsets["new"] == plan.offsets["gone2"]
    assert plan.bytes == 9 + 8 + 7 + 6 + 5


def test_in_place():
    blocks = [Block("x", 8, 0, 1), Block("y", 8, 1, 2, over=("x",)), Block("z", 8, 2, 3)]
    plan = memory.in_place(blocks)
    assert plan.offsets["x"] == plan.offsets["y"] != plan.offsets["z"]
    assert plan.bytes == 16
    read_later = [Block("x", 8, 0, 2), Block("y", 8, 1, 2, over=("x",))]
    assert memory.in_place(read_later).bytes == 16
    larger = [Block("x", 4, 0, 1), Block("y", 8, 1, 1, over=("x",))]
    assert memory.in_place(larger).bytes == 12


def one_a_step(seed: int) -> list[Block]:
    """Each step makes one array, often over one that is read for the last time."""
    rng, blocks = np.random.default_rng(seed), []
    for first in range(12):
        ending = [b for b in blocks if b.last == first]
        over = ending[:1] if rng.random() < 0.6 else []
        size = over[0].bytes if over else int(rng.integers(1, 10))
        last, names = first + int(rng.integers(0, 4)), tuple(b.name for b in over)
        blocks.append(Block(f"b{first}", size, first, last, names))
    return blocks


def test_in_place_is_never_larger_than_apart():
    """Of the last two, a place that is kept for longer would be in the way."""
    plans = [
        (memory.in_place(each), memory.search(each))
        for each in map(one_a_step, [*range(40), 442, 6474])
    ]
    assert all(within.bytes <= apart.bytes for within, apart in plans)
    assert sum(within.bytes < apart.bytes for within, apart in plans) > 10


def test_a_plan_that_overlaps_is_refused():
    with pytest.raises(ValueError, match="'b1' at 3 and 'b0' at 0 overlap"):
        Plan("mine", tuple(chain([4, 4])), {"b0": 0, "b1": 3})
    assert Plan("mine", tuple(chain([4, 4, 4])), {"b0": 0, "b1": 4, "b2": 0}).bytes == 8


def test_lifetimes():
    steps = [("a", ["x"]), ("b", ["a"]), ("c", ["a", "b"]), ("d", ["c"])]
    blocks = memory.lifetimes(steps, dict(a=1, b=2, c=3, d=4), kept=["b"])
    assert [(b.first, b.last) for b in blocks] == [(0, 2), (1, 3), (2, 3), (3, 3)]
    assert memory.live_bytes(blocks) == [1, 3, 6, 9]
    with pytest.raises(ValueError, match="'a' reads 'b' before it is made"):
        memory.lifetimes([("a", ["b"]), ("b", [])], dict(a=1, b=1))
