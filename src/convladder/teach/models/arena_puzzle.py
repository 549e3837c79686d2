"""Planning an arena by hand: a slider for each array, against the package's planners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...memory import Block, best_fit, in_order

if TYPE_CHECKING:
    from ..display.explore import Explorer
    from ..plots.style import Picture

# Largest first needs 23, in the order of steps 19, and there is a way in 17, the lower bound.
PUZZLE = (
    Block("a", 2, 0, 3), Block("b", 7, 0, 1), Block("c", 2, 0, 3), Block("d", 6, 1, 3),
    Block("e", 6, 3, 5), Block("f", 4, 4, 5), Block("g", 7, 4, 5),
)  # fmt: skip


def puzzle(blocks: Sequence[Block] = PUZZLE) -> Explorer:
    """Return sliders for the places of `blocks`, all at 0 to begin with.

    The picture says what overlaps.
    Sizes should be small whole numbers: a slider moves by 1.
    """
    from ..display.explore import explore
    from ..plots.arena import placing_picture

    marks = {"largest first": best_fit(blocks).bytes, "in order": in_order(blocks).bytes}

    def draw(**offsets: int) -> Picture:
        return placing_picture(blocks, offsets, marks)

    most = max(marks.values())
    return explore(draw, **{block.name: (0, most - block.bytes) for block in blocks})
