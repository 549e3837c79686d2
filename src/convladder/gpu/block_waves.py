"""How a layer's tiles meet the multiprocessors of a chip: waves, and who is idle in the last."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..core.problem import ConvProblem
from .tile_choice import H200, BlockTile, TileChip, TilePlan, plans


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
        """Return the waves that the blocks come in, the last perhaps not full."""
        return -(-self.blocks // self.places)

    @property
    def share(self) -> float:
        """Return the share of all places in all waves that have a block."""
        return self.blocks / (self.number * self.places)

    @property
    def idle(self) -> int:
        """Count multiprocessors without a block in the last wave; blocks are dealt out in turn."""
        last = self.blocks - (self.number - 1) * self.places
        return max(0, self.multiprocessors - last)


def waves(problem: ConvProblem, plan: TilePlan, chip: TileChip = H200) -> Waves:
    """Return the waves of an implicit-GEMM plan."""
    return Waves(plan.tiles(problem) * plan.split, chip.multiprocessors, plan.tile.blocks)


def plan_with(problem: ConvProblem, tile: BlockTile, split: int) -> TilePlan:
    """Return the plan of a tile, the window in `split` parts whether
    or not the model would allow it.
    """
    first = next(plan for plan in plans(problem) if plan.tile == tile)
    return TilePlan(tile, first.depth, first.vector, split)


Piece = tuple[int, int, int]  # tile, its first slice, the first that is not done


def stream_k_shares(tiles: int, slices: int, places: int) -> list[list[Piece]]:
    """Return, for each place of a chip, its pieces of all tiles: each place has as many slices as
    any other, or one fewer (Osama et al., "Stream-K", PPoPP 2023).
    """
    return pieces(tiles, slices, even_cuts(tiles * slices, places))


def even_cuts(units: int, places: int) -> list[int]:
    """Return where each place begins, and the end: the first places have one unit more."""
    each, rest = divmod(units, places)
    return [place * each + min(place, rest) for place in range(places + 1)]


def pieces(tiles: int, slices: int, cuts: list[int]) -> list[list[Piece]]:
    """Return the pieces of tiles between neighbouring cuts, which count slices of all tiles."""
    shares = []
    for begin, end in pairwise(cuts):
        share = []
        while begin < min(end, tiles * slices):
            tile, first = divmod(begin, slices)
            last = min(slices, first + end - begin)
            share.append((tile, first, last))
            begin += last - first
        shares.append(share)
    return shares


def lost(tiles: int, places: int) -> float:
    """Return the share of a launch's time in which places stand idle because tiles are whole."""
    return 1 - tiles / (-(-tiles // places) * places)
