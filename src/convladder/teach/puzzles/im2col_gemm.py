"""Chapter 01: windows, rows, shapes."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..plots.im2col import IMAGE
from . import Puzzle

WIDE = np.arange(30).reshape(5, 6)  # not square, so that swapped axes show


def _row(image: np.ndarray, r: int) -> np.ndarray:
    h, v = divmod(r, image.shape[1] - 2)
    return image[h : h + 3, v : v + 3].ravel()


PUZZLES = {
    "window": Puzzle(
        lambda image, h, v: image[h : h + 3, v : v + 3],
        [(WIDE, 0, 0), (WIDE, 1, 0), (WIDE, 2, 3)],
        "Rows come first. A slice of three rows from h on ends at h + 3.",
    ),
    "row": Puzzle(
        _row,
        [(IMAGE, 0), (IMAGE, 2), (WIDE, 3), (WIDE, 5)],
        "Row r holds the nine values of the window at (h, v), in one line.",
    ),
    "shapes": Puzzle(
        ((48400, 147), (147, 64), (48400, 64)),
        hint="Rows of L are windows, and a window has 7·7 places in three colours. Columns of W "
        "are filters.",
    ),
    "every_other": Puzzle(
        sliding_window_view(IMAGE, (2, 2))[::2, ::2],
        hint="Slice the first two axes, which say where a window lies. Leave the window whole.",
    ),
}
