"""Chapter 01: windows, rows, shapes, strides."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...core.problem import REPORT
from . import Puzzle

PI = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8], [9, 7, 9, 3]])
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
        [(PI, 0), (PI, 2), (WIDE, 5)],
        "Row r is the window that begins at (h, v), its three rows one after the other.",
    ),
    "shapes": Puzzle(
        (
            (REPORT.pixels, REPORT.window),
            (REPORT.window, REPORT.k_c),
            (REPORT.pixels, REPORT.k_c),
        ),
        hint="Rows of L are windows, columns of W are filters. A window has three colours.",
    ),
    "stride": Puzzle(
        lambda windows: windows[::2, ::2],
        [(sliding_window_view(PI, (2, 2)),), (sliding_window_view(WIDE, (2, 3)),)],
        "The first two axes say where a window begins. The last two are its pixels; leave them.",
    ),
}
