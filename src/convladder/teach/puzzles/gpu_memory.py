"""Chapter 08: the sectors of a request, and a swizzled tile."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "touched_sectors": Puzzle(
        lambda addresses: len({address // 32 for address in addresses}),
        [
            ([4 * lane for lane in range(32)],),
            ([4 * lane + 4 for lane in range(32)],),
            ([64] * 32,),
            ([20 * lane + 12 for lane in range(32)],),
            ([128 * (lane % 4) for lane in range(32)],),
        ],
        "Sector k holds bytes 32·k to 32·k + 31. Count the different ones.",
    ),
    "swizzled_place": Puzzle(
        lambda row, column: 32 * row + (column ^ row),
        [(0, 5), (1, 5), (5, 5), (31, 5), (12, 31)],
        "The value stays in its row of 32 floats. Within the row it lies at `column ^ row`.",
    ),
}
