"""Blocks put on slides: as many together as fit, each slide in the largest letters that fit."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import Block, Figure
from .room import HEIGHT, SIZES

GAP = 14


@dataclass(frozen=True)
class Placed:
    """A block on a slide. size: of its letters; hidden: until one clicks."""

    block: Block
    size: int
    hidden: bool = False


def pages(blocks: list[tuple[Block, bool]], height: float = HEIGHT) -> list[list[Placed]]:
    """Return the blocks, each with whether it is hidden at first, as they stand slide by slide."""
    found: list[list[Placed]] = []
    left = list(blocks)
    while left:
        count = next((count for count in range(len(left), 1, -1) if _size(left[:count], height)), 1)
        group, left = left[:count], left[count:]
        size = _size(group, height)
        if size:
            found.append(
                [Placed(block, size, hidden and len(group) > 1) for block, hidden in group]
            )
            continue
        ((whole, _),) = group
        pieces = whole.pages(height)
        size = min(_size([(piece, False)], height) or SIZES[-1] for piece in pieces)
        found += [[Placed(piece, size)] for piece in pieces]
    return found


def _size(blocks: list[tuple[Block, bool]], height: float) -> int | None:
    """Return the largest letters in which the blocks fit on one slide, None if in none."""
    if len(blocks) > 1 and any(isinstance(block, Figure) for block, _ in blocks):
        return None
    return next(
        (
            size
            for size in SIZES
            if sum(block.height(size) for block, _ in blocks) + GAP * (len(blocks) - 1) <= height
        ),
        None,
    )
