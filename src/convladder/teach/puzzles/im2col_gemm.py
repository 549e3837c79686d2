"""Chapter 01: windows, rows, shapes."""

from __future__ import annotations

import numpy as np

from . import Puzzle

WIDE = np.arange(30).reshape(5, 6)  # not square, so that swapped axes show

PUZZLES = {
    "window": Puzzle(
        lambda image, h, v: image[h : h + 3, v : v + 3],
        [(WIDE, 0, 0), (WIDE, 1, 0), (WIDE, 2, 3)],
        "Rows come first. A slice of three rows from h on ends at h + 3.",
    ),
}
