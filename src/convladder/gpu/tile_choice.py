"""Which tile an implicit GEMM should take: a model of waves, latency and overhead.

A chip with S multiprocessors runs S·blocks tiles at a time. Large tiles reuse more of what they
load; small ones leave no multiprocessor idle at the end. The numbers below were fitted to some
1,900 timings on one NVIDIA H200, over thirteen layers with batches of 1 and 32; with them the
tile chosen was on average within 3 % of the best one tried, 13 % at worst.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..problem import ConvProblem

LANES = 128  # float32 multiply-adds a multiprocessor starts a cycle
STEP = 122.0  # cycles that a slice takes however small it is ...
STEP_PER_MAC = 1.16  # ... and for each multiply-add of one thread in it
BEND = 3.15  # how sharply throughput gives way to latency: a p-norm of the two
BLOCK = 2150.0  # cycles to start and to store a tile
SPLITTING = 2150.0  # cycles to meet in a cluster, and more for each block and 4096 values of it
SPLITTING_PER_PART = 260.0
LAUNCH = 5450.0  # cycles
SPLITS = (1, 2, 4, 8)  # 8 blocks are the largest cluster that every chip of sm_90 takes
DEEPEST = 24  # columns of a slice gathered value by value


@dataclass(frozen=True)
class Chip:
    """What the choice depends on: `clusters` is whether blocks can share memory (sm_90)."""

    multiprocessors: int
    clusters: bool


H200 = Chip(132, True)
EMULATOR = Chip(1, False)  # which gains nothing from many blocks


@dataclass(frozen=True)
class Tile:
    """`pixels` × `channels` values of a block, of which a thread holds some of each.

    `blocks` of them fit on a multiprocessor at a time; `depth`: columns of a slice where channels
    are read by fours; `efficiency`: share of the peak when nothing else holds it up.
    """

    pixels: int
    channels: int
    thread_pixels: int
    thread_channels: int
    blocks: int
    depth: int
    efficiency: float

    @property
    def threads(self) -> int:
        return self.pixels // self.thread_pixels * (self.channels // self.thread_channels)


TILES = (
    Tile(32, 64, 4, 4, 4, 32, 0.58),
    Tile(64, 64, 8, 4, 4, 8, 0.65),
    Tile(128, 64, 8, 8, 3, 16, 0.65),
    Tile(128, 64, 16, 8, 3, 8, 0.67),
    Tile(128, 96, 8, 12, 2, 8, 0.62),
    Tile(128, 128, 8, 8, 2, 8, 0.69),
)


@dataclass(frozen=True)
class Plan:
    """A tile with its slice's `depth`, values a load (`vector`) and parts of the window (`split`)."""

    tile: Tile
    depth: int
    vector: int
    split: int

    def tiles(self, problem: ConvProblem) -> int:
        """Tiles that cover the output."""
        t = self.tile
        return _ceil(problem.pixels, t.pixels) * _ceil(problem.k_c, t.channels)

    @property
    def shared_bytes(self) -> int:
        """Two slices of both factors; a split tile is added up in the same memory."""
        t = self.tile
        slices = 2 * self.depth * (t.pixels + 4 + t.channels)
        return 4 * max(slices, t.pixels * t.channels if self.split > 1 else 0)


def predicted_cycles(problem: ConvProblem, plan: Plan, chip: Chip = H200) -> float:
    """Clock cycles of one call, launch included, by the model above."""
    t, macs = plan.tile, plan.tile.pixels * plan.tile.channels
    blocks = _ceil(plan.tiles(problem) * plan.split, chip.multiprocessors)
    slices = _ceil(_ceil(problem.window, plan.depth), plan.split)
    latency = STEP + STEP_PER_MAC * plan.depth * t.thread_pixels * t.thread_channels

    def together(number: int) -> float:
        work = number * macs * plan.depth / LANES / t.efficiency
        return slices * (work**BEND + latency**BEND) ** (1 / BEND) + BLOCK

    waves, rest = divmod(blocks, t.blocks)
    cycles = waves * together(t.blocks) + (together(rest) if rest else 0) + LAUNCH
    if plan.split > 1:
        cycles += SPLITTING + SPLITTING_PER_PART * plan.split * macs / 4096
    return cycles


def plans(problem: ConvProblem) -> list[Plan]:
    """All that suit a problem."""
    vector = 4 if problem.i_c % 4 == 0 else 1
    row = problem.k_w * problem.i_c
    # A slice that divides a kernel row needs no thread to look up which row it is on.
    divisor = max(d for d in range(1, DEEPEST + 1) if row % d == 0)
    scalar = divisor if divisor >= 7 else 8
    found = []
    for tile in TILES:
        depth = tile.depth if vector == 4 else scalar
        for split in SPLITS:
            if split == 1 or _ceil(problem.window, depth) >= 2 * split:
                found.append(Plan(tile, depth, vector, split))
    return found


@cache
def choose(problem: ConvProblem, chip: Chip = H200) -> Plan:
    """The plan with the fewest predicted cycles."""
    return min(plans(problem), key=lambda plan: predicted_cycles(problem, plan, chip))


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
