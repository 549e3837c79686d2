"""How a layer's tiles meet the multiprocessors of a chip: waves, and who is idle in the last."""

from __future__ import annotations

from dataclasses import dataclass

from ...gpu.tile_choice import H200, BlockTile, TileChip, TilePlan, plans
from ...problem import ConvProblem


@dataclass(frozen=True)
class Waves:
    """`blocks` of a launch for a chip with `places`, `multiprocessors` times `each`."""

    blocks: int
    multiprocessors: int
    each: int

    @property
    def places(self) -> int:
        return self.multiprocessors * self.each

    @property
    def number(self) -> int:
        """Waves that the blocks come in, the last perhaps not full."""
        return -(-self.blocks // self.places)

    @property
    def share(self) -> float:
        """Of all places in all waves, those that have a block."""
        return self.blocks / (self.number * self.places)

    @property
    def idle(self) -> int:
        """Multiprocessors without any block in the last wave; blocks are dealt out in turn."""
        last = self.blocks - (self.number - 1) * self.places
        return max(0, self.multiprocessors - last)


def waves(problem: ConvProblem, plan: TilePlan, chip: TileChip = H200) -> Waves:
    """Return those of a plan of the implicit GEMM."""
    return Waves(plan.tiles(problem) * plan.split, chip.multiprocessors, plan.tile.blocks)


def plan_with(problem: ConvProblem, tile: BlockTile, split: int) -> TilePlan:
    """Return the plan of a tile, the window in `split` parts whether
    or not the model would allow it.
    """
    first = next(plan for plan in plans(problem) if plan.tile == tile)
    return TilePlan(tile, first.depth, first.vector, split)

