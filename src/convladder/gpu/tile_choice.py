"""Which tile an implicit GEMM should take: a model of waves, latency and overhead.

A chip with S multiprocessors runs S·blocks tiles at a time. Large tiles reuse more of what they
load; small ones leave no multiprocessor idle at the end. The numbers below were fitted to 336
timings on one NVIDIA H200, over thirteen layers with batches of 1 and 32. On sixteen layers in
another run the plan chosen took on average 2 % longer than the best one tried, 17 % at worst
(28 × 28 × 128 with 32 images).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..core.problem import ConvProblem

LANES = 128  # float32 multiply-adds a multiprocessor starts a cycle
STEP = 44.1  # cycles that a slice takes however small it is ...
STEP_PER_MAC = 1.3  # ... and for each multiply-add of one thread in it
BEND = 2.44  # how sharply throughput gives way to latency: a p-norm of the two
BLOCK = 4260.0  # cycles to launch, to start and to store what runs together
SPLITTING = 927.0  # cycles of a block for meeting others in its cluster ...
SPLITTING_PER_VALUE = 0.352  # ... and for each value of the tile
SPLITS = (1, 2, 4, 8)  # 8 blocks are the largest cluster that every chip of sm_90 takes
MOST_SPLIT = 5  # blocks a multiprocessor: with more there is nothing to gain from a split
DEEPEST = 24  # columns of a slice gathered value by value


@dataclass(frozen=True)
class TileChip:
    """The chip's part in the choice: `clusters` is whether blocks can share memory (sm_90)."""

    multiprocessors: int
    clusters: bool

    def reach(self, split: int) -> int:
        """Return the multiprocessors that clusters of `split` blocks can lie on.

        A cluster lies within one group of them, and what is left of a group stays idle: of an
        NVIDIA H200's 132, clusters of 2 reach all, those of 4 and 8 reach 120 (the driver's
        cuOccupancyMaxActiveClusters, where one block fits on each).
        """
        idle = self.clusters and split > 2
        return self.multiprocessors * 10 // 11 if idle else self.multiprocessors


H200 = TileChip(132, True)
EMULATOR = TileChip(1, False)  # which gains nothing from many blocks


@dataclass(frozen=True)
class BlockTile:
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
    def name(self) -> str:
        """Return "128 x 96, 8 x 12 a thread": its key in records."""
        own = f"{self.thread_pixels} x {self.thread_channels} a thread"
        return f"{self.pixels} x {self.channels}, {own}"

    @property
    def label(self) -> str:
        """Return "128 x 96, 8 x 12 per thread": as tables and pictures show it."""
        return self.name.replace("a thread", "per thread")

    @property
    def threads(self) -> int:
        return self.pixels // self.thread_pixels * (self.channels // self.thread_channels)


TILES = (
    BlockTile(32, 64, 4, 4, 4, 32, 0.491),
    BlockTile(64, 64, 8, 4, 4, 8, 0.605),
    BlockTile(128, 64, 8, 8, 3, 16, 0.609),
    BlockTile(128, 64, 16, 8, 3, 8, 0.604),
    BlockTile(128, 96, 8, 12, 2, 8, 0.795),
    BlockTile(128, 128, 8, 8, 2, 8, 0.777),
)
# For up to 32 filters, with which half of those above would be idle. Their efficiencies are round
# numbers near what six layers took on an H200.
NARROW = (BlockTile(64, 32, 4, 4, 4, 16, 0.5), BlockTile(128, 32, 8, 4, 4, 16, 0.55))


@dataclass(frozen=True)
class TilePlan:
    """A tile, its slice's `depth`, values a load (`vector`), parts of the window (`split`)."""

    tile: BlockTile
    depth: int
    vector: int
    split: int

    def tiles(self, problem: ConvProblem) -> int:
        """Return the tiles that cover the output."""
        t = self.tile
        return _ceil(problem.pixels, t.pixels) * _ceil(problem.k_c, t.channels)

    def shared_bytes(self, problem: ConvProblem) -> int:
        """Return the bytes of two slices of both factors, through which some tiles leave.

        A split tile is added up there, and one whose rows don't align is put in order.
        """
        t = self.tile
        slices = 2 * self.depth * (t.pixels + 4 + t.channels)
        through = self.split > 1 or problem.k_c % 4
        return 4 * max(slices, t.pixels * t.channels if through else 0)


def predicted_cycles(problem: ConvProblem, plan: TilePlan, chip: TileChip = H200) -> float:
    """Return the clock cycles of one call, launch included, by the model above."""
    t, macs = plan.tile, plan.tile.pixels * plan.tile.channels
    blocks = _ceil(plan.tiles(problem) * plan.split, chip.reach(plan.split))
    slices = _ceil(_ceil(problem.window, plan.depth), plan.split)
    latency = STEP + STEP_PER_MAC * plan.depth * t.thread_pixels * t.thread_channels
    meeting = (SPLITTING + SPLITTING_PER_VALUE * macs) if plan.split > 1 else 0

    def together(number: int) -> float:
        work = number * macs * plan.depth / LANES / t.efficiency
        return slices * (work**BEND + latency**BEND) ** (1 / BEND) + BLOCK + number * meeting

    waves, rest = divmod(blocks, t.blocks)
    return waves * together(t.blocks) + (together(rest) if rest else 0)


def plans(problem: ConvProblem, chip: TileChip = H200) -> list[TilePlan]:
    """Return all that suit a problem: the window is split only where blocks are few."""
    i_c, row = problem.i_c, problem.k_w * problem.i_c
    vector = 4 if i_c % 4 == 0 else 2 if i_c % 2 == 0 and i_c > 16 else 1
    # A slice that divides a kernel row needs no thread to look up which row it is on. That outdoes
    # pairs of few channels, on an H200.
    divisor = max(d for d in range(1, DEEPEST + 1) if row % d == 0)
    scalar = divisor if divisor >= 7 else 8
    found = []
    for tile in NARROW + TILES if problem.k_c <= NARROW[0].channels else TILES:
        depth = scalar if vector == 1 and (divisor >= 7 or i_c < 8) else tile.depth
        for split in SPLITS:
            plan = TilePlan(tile, depth, vector, split)
            few = plan.tiles(problem) * split <= MOST_SPLIT * chip.multiprocessors
            if split == 1 or few and _ceil(problem.window, depth) >= 2 * split:
                found.append(plan)
    return found


@cache
def choose(problem: ConvProblem, chip: TileChip = H200) -> TilePlan:
    """Return the plan with the fewest predicted cycles."""
    return min(plans(problem, chip), key=lambda plan: predicted_cycles(problem, plan, chip))


def _ceil(a: int, b: int) -> int:
    return -(-a // b)
