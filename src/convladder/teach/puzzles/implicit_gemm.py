"""Chapter 10: which pixel a row of the matrix belongs to."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "pixel_of_row": Puzzle(
        divmod,
        [(0, 110), (1, 110), (110, 110), (1000, 110), (29, 7)],
        "Pixels are counted along a row first. `divmod` gives quotient and remainder at once.",
    ),
}
