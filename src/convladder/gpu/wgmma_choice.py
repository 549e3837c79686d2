"""Which tile the float16 kernel should take, and in how many parts the window: a model.

A block's time for a slice is the longest of three: multiplying it, fetching it, and waiting for it,
which is the shorter the more slices are under way. The numbers, in nanoseconds, were fitted to
timings on one NVIDIA H200, of 16 layers of AlexNet, VGG and ResNet-50 with 1 image and 32. Over 25
layers the plan chosen took 2 % longer than the best of those tried on average (1 % on the nine
that the fit had not seen), 20 % at worst: cv7, whose three channels come value by value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..core.problem import ConvProblem
from .tensor_map import unmapped
from .tile_choice import TileChip

DEPTH = 64  # columns of a slice: 128 bytes, the width of the swizzle
LAUNCH = 1780.0  # of a call: launch, first slice, last store
LATENCY = 650.0  # a slice from memory
MULTIPLY = 0.000306  # a multiply-add of a multiprocessor
FETCH = 0.0109  # a byte of a slice
GATHER = {64: 0.0, 8: 0.021, 1: 0.0812}  # more for a value of the image, by values a copy
STORE = 0.0634  # a value of the tile
SPLITTING = 783.0  # a block for meeting others in its cluster ...
SPLITTING_PER_VALUE = 0.0861  # ... and for a value of the tile
SPLITS = (1, 2, 4, 8)  # 8 blocks are the largest cluster that every chip of sm_90 takes
MOST_SPLIT = 6  # blocks a multiprocessor: with more there is nothing to gain from a split


@dataclass(frozen=True)
class GroupTile:
    """`pixels` × `channels` values, multiplied by `groups` warpgroups; `stages` slices in flight.

    `blocks` fit on a multiprocessor at a time.
    """

    pixels: int
    channels: int
    groups: int
    stages: int
    blocks: int

    def count(self, problem: ConvProblem) -> int:
        """Return the tiles that cover the output."""
        return -(-problem.pixels // self.pixels) * -(-problem.k_c // self.channels)


TILES = (
    GroupTile(128, 256, 2, 3, 1),
    GroupTile(128, 128, 2, 4, 1),
    GroupTile(64, 256, 1, 4, 1),
    GroupTile(128, 64, 2, 3, 2),
    GroupTile(128, 64, 2, 6, 1),
    GroupTile(64, 128, 1, 6, 1),
    GroupTile(64, 64, 1, 5, 2),
    GroupTile(64, 64, 1, 8, 1),
    GroupTile(64, 32, 1, 8, 2),
)


@dataclass(frozen=True)
class GroupPlan:
    """A tile, and in how many parts the window is split: blocks of a cluster, one each."""

    tile: GroupTile
    split: int

    @property
    def shared_bytes(self) -> int:
        """Return the bytes of barriers and slices, and the result's, which leaves through them.

        Where the window is split, the sums lie over the slices, in float32.
        """
        t = self.tile
        slices, result = 2 * t.stages * (t.pixels + t.channels) * DEPTH, t.pixels * (t.channels + 8)
        return 1024 + (slices + 2 * result if self.split == 1 else max(slices, 4 * result))


def vector(problem: ConvProblem) -> int:
    """Return how many channels a copy takes: 64 by the copy engine, 8 or 1 by threads."""
    if problem.i_c % 64 == 0 and unmapped(problem) is None:
        return 64
    return 8 if problem.i_c % 8 == 0 else 1


def predicted_seconds(problem: ConvProblem, plan: GroupPlan, chip: TileChip) -> float:
    """Return the seconds of one call, launch included, by the model above."""
    t, values = plan.tile, plan.tile.pixels * plan.tile.channels
    slices = _ceil(_ceil(problem.window, DEPTH), plan.split)
    fetch = FETCH * 2 * (t.pixels + t.channels) + GATHER[vector(problem)] * t.pixels
    slice_of_one = DEPTH * max(MULTIPLY * values, fetch)
    meeting = SPLITTING if plan.split > 1 else 0.0
    store = values * (STORE + (SPLITTING_PER_VALUE if plan.split > 1 else 0.0))

    def together(number: int) -> float:
        if not number:
            return 0.0
        loop = slices * max(number * slice_of_one, LATENCY / (t.stages - 1))
        return loop + number * store + meeting

    waves, rest = divmod(_ceil(t.count(problem) * plan.split, chip.reach(plan.split)), t.blocks)
    return (LAUNCH + waves * together(t.blocks) + together(rest)) * 1e-9


def plans(problem: ConvProblem, chip: TileChip) -> list[GroupPlan]:
    """Return all that suit a problem: no wider than channels need, split where blocks are few."""
    found = []
    for tile in TILES:
        wide = tile.channels > 64 and problem.k_c <= tile.channels // 2
        for split in () if wide else SPLITS:
            few = tile.count(problem) * split <= MOST_SPLIT * chip.multiprocessors
            if split == 1 or few and problem.window > DEPTH * (2 * split - 1):
                found.append(GroupPlan(tile, split))
    return found


@cache
def choose(problem: ConvProblem, chip: TileChip) -> GroupPlan:
    """Return the plan with the fewest predicted seconds."""
    return min(plans(problem, chip), key=lambda plan: predicted_seconds(problem, plan, chip))


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
