"""Planning an arena by hand: a slider for each array, against the package's planners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...memory import PUZZLE, Block, best_fit, in_order

if TYPE_CHECKING:
    from ..explore import Explorer
    from ..plots.style import Picture


def puzzle(blocks: Sequence[Block] = PUZZLE) -> Explorer:
    """Return sliders for the places of `blocks`, all at 0 to begin with.

    The picture says what overlaps.
    Sizes should be small whole numbers: a slider moves by 1.
    """
    from ..explore import explore
    from ..plots.small_memory import placing_picture

    marks = {"largest first": best_fit(blocks).bytes, "in order": in_order(blocks).bytes}

    def draw(**offsets: int) -> Picture:
        return placing_picture(blocks, offsets, marks)

    most = max(marks.values())
    return explore(draw, **{block.name: (0, most - block.bytes) for block in blocks})
