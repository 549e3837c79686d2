"""Chapter 03: strips, partitions, where they begin, how far apart they lie."""

from __future__ import annotations

import numpy as np

from . import Puzzle

TALL = 10 * np.arange(7)[:, None] + np.arange(7)
WIDE = 10 * np.arange(5)[:, None] + np.arange(6)  # not square, so that swapped axes show


def _strips(image: np.ndarray) -> np.ndarray:
    return np.stack([image[:, w : w + 3].ravel() for w in range(image.shape[1] - 2)])


PUZZLES = {
    "strip": Puzzle(
        lambda image, v: image[:, v : v + 3].ravel(),
        [(WIDE, 0), (WIDE, 3), (TALL, 1)],
        "A strip has all rows and three columns. ravel() lays it out row by row.",
    ),
    "partition": Puzzle(
        lambda L, h: L[:, 3 * h : 3 * h + 9],
        [(_strips(WIDE), 0), (_strips(WIDE), 1), (_strips(TALL), 4)],
        "One image row takes three columns of L, and a window is three image rows high.",
    ),
    "slice of a strip": Puzzle(
        lambda h: (21 * h, 21 * h + 147),
        [(0,), (1,), (219,)],
        "An image row of a strip has 7 pixels of 3 values. A window is 7 of these rows high.",
    ),
    "strides of the view": Puzzle(
        (21, 226 * 21, 1),
        hint="The next partition begins one image row later, the next row of L a strip later.",
    ),
}
