"""Which tile the float16 kernel should take, of which image, in how many parts the window: a model.

A block's time for a slice is the longest of three: multiplying it, fetching it, and waiting for it,
which is the shorter the more slices are under way. The numbers, in nanoseconds, were fitted to
1,351 timings on one NVIDIA H200: 75 layers with 32 images, 25 with 1, nine small ones. The plan
chosen took 2 % longer than the best of those tried on average, 20 % at worst. On 149 other layers
of networks it was 1.11 times as fast as cuDNN 9.19 in the faster of its layouts (geometric mean of
the record `networks`), 0.55 times at worst: 64 × 64, 1 × 1, 64 to 810 channels, whose rows don't
align. Most that are below 0.95 times are 1 × 1 with 512 channels or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from ..core.problem import ConvProblem
from .tensor_map import unmapped
from .tile_choice import TileChip

DEPTH = 64  # columns of a slice: 128 bytes, the width of the swizzle
LAUNCH = 1850.0  # of a call: launch, first slice, last store
LATENCY = 650.0  # a slice from memory
MULTIPLY = 0.00031  # a multiply-add of a multiprocessor
FETCH = 0.00974  # a byte of a slice
GATHER = {64: 0.006, 32: 0.006, 8: 0.0339, 1: 0.0997}  # more for a value of the image, by `wide`
GATHERING = 0.5  # blocks that gather at once take so much longer: their number to this power
BEND = 8.0  # how sharply the longest of several times rules: a p-norm
STORE = 0.0537  # a value of the tile
SPLITTING = 563.0  # a block for meeting others in its cluster ...
SPLITTING_PER_VALUE = 0.104  # ... and for a value of the tile
MEMORY = 0.00025  # a byte of x or y
LOWER = 1130.0  # to write another image first ...
LOWER_BYTE = 0.000288  # ... and for a byte that is read or written
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
    GroupTile(256, 128, 2, 3, 1),
    GroupTile(128, 192, 2, 4, 1),
    GroupTile(128, 128, 2, 4, 1),
    GroupTile(64, 256, 1, 4, 1),
    GroupTile(128, 96, 2, 3, 2),
    GroupTile(128, 96, 2, 6, 1),
    GroupTile(64, 96, 1, 8, 1),
    GroupTile(256, 64, 2, 4, 1),
    GroupTile(128, 64, 2, 3, 2),
    GroupTile(128, 64, 2, 6, 1),
    GroupTile(64, 128, 1, 6, 1),
    GroupTile(64, 64, 1, 8, 1),
    GroupTile(64, 64, 1, 5, 2),
    GroupTile(128, 32, 2, 4, 2),
    GroupTile(64, 32, 1, 8, 2),
)


@dataclass(frozen=True)
class GroupPlan:
    """A tile, and in how many parts the window is split: blocks of a cluster, one each.

    `image`: the problem on the image that is read, one of `images`. `wide`: channels of a copy, 64
    or 32 by the copy engine, which adds channels of zeros up to a multiple; 8 or 1 by threads.
    """

    tile: GroupTile
    split: int
    image: ConvProblem
    wide: int

    @property
    def inner(self) -> ConvProblem:
        """Return the problem as it is multiplied, with the engine's channels of zeros."""
        return replace(self.image, i_c=_ceil(self.image.i_c, self.wide) * self.wide)

    @property
    def shared_bytes(self) -> int:
        """Return the bytes of barriers and slices, and the result's, which leaves through them.

        Where the window is split, the sums lie over the slices, in float32.
        """
        t = self.tile
        slices, result = 2 * t.stages * (t.pixels + t.channels) * DEPTH, t.pixels * (t.channels + 8)
        return 1024 + (slices + 2 * result if self.split == 1 else max(slices, 4 * result))


def images(problem: ConvProblem) -> list[ConvProblem]:
    """Return the problem, and perhaps one with the same result on an image that is written first.

    That is for channels which no 8 divides: threads would gather them value by value. The
    `k_w`·`i_c` values of a window's row become channels of one pixel, as MEC has them.
    """
    p = problem
    if p.i_c % 8 == 0 or unmapped(p):
        return [p]
    depth, step, pad = _ceil(p.k_w * p.i_c, 32) * 32, (p.s_h, 1), (p.p_h, 0)
    return [p, ConvProblem(p.i_n, p.i_h, p.o_w, depth, p.k_h, 1, p.k_c, step, pad)]


def _wide(image: ConvProblem) -> int:
    """Return the channels of a copy: 64 unless a copy of 32 saves one of zeros."""
    if image.i_c % 8:
        return 1
    if image.i_c < 32 or unmapped(image):
        return 8
    return 32 if _ceil(image.i_c, 32) % 2 else 64


def _fits(plan: GroupPlan) -> bool:
    """Return whether registers suffice where threads gather: they hold a pixel's address each."""
    t, few = plan.tile, plan.tile.pixels * plan.tile.channels <= 128 * 64
    return plan.wide >= 32 or t.pixels <= 128 and (plan.wide == 8 or t.blocks == 1 or few)


def _lowering(problem: ConvProblem, image: ConvProblem) -> float:
    """Return the nanoseconds that it takes to write another image."""
    if image == problem:
        return 0.0
    values = math.prod(problem.input_shape) + math.prod(image.input_shape)
    return LOWER + LOWER_BYTE * 2 * values


def predicted_seconds(problem: ConvProblem, plan: GroupPlan, chip: TileChip) -> float:
    """Return the seconds of one call, launch included, by the model above."""
    t, values = plan.tile, plan.tile.pixels * plan.tile.channels
    slices = _ceil(_ceil(plan.inner.window, DEPTH), plan.split)
    multiply, fetch = MULTIPLY * values, FETCH * 2 * (t.pixels + t.channels)
    gather = GATHER[plan.wide] * t.pixels
    meeting = SPLITTING if plan.split > 1 else 0.0
    store = values * (STORE + (SPLITTING_PER_VALUE if plan.split > 1 else 0.0))

    def together(number: int) -> float:
        if not number:
            return 0.0
        fetching = number * fetch + number**GATHERING * gather
        parts = DEPTH * number * multiply, DEPTH * fetching, LATENCY / (t.stages - 1)
        loop = slices * sum(part**BEND for part in parts) ** (1 / BEND)
        return loop + number * store + meeting

    waves, rest = divmod(_ceil(t.count(problem) * plan.split, chip.reach(plan.split)), t.blocks)
    tiles = waves * together(t.blocks) + together(rest)
    memory = MEMORY * 2 * (math.prod(problem.input_shape) + math.prod(problem.output_shape))
    longest = (tiles**BEND + memory**BEND) ** (1 / BEND)
    return (LAUNCH + longest + _lowering(problem, plan.image)) * 1e-9


def plans(problem: ConvProblem, chip: TileChip) -> list[GroupPlan]:
    """Return all that suit a problem: no wider than channels need, split where blocks are few."""
    found = []
    for image, tile, split in product(images(problem), TILES, SPLITS):
        plan = GroupPlan(tile, split, image, _wide(image))
        few = tile.count(problem) * split <= MOST_SPLIT * chip.multiprocessors
        if (
            (tile.channels <= 64 or problem.k_c > tile.channels // 2)
            and (split == 1 or few and plan.inner.window > DEPTH * (2 * split - 1))
            and _fits(plan)
        ):
            found.append(plan)
    return found


@cache
def choose(problem: ConvProblem, chip: TileChip) -> GroupPlan:
    """Return the plan with the fewest predicted seconds."""
    return min(plans(problem, chip), key=lambda plan: predicted_seconds(problem, plan, chip))


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
