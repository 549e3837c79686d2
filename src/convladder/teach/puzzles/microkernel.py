"""Chapter 05: chains, the largest tile, a run of the image, packed weights."""

from __future__ import annotations

import numpy as np

from . import Puzzle

PADDED = np.arange(9 * 12 * 3, dtype=np.float32).reshape(9, 12, 3)
WEIGHTS = np.arange(2 * 1 * 2 * 6).reshape(2, 1, 2, 6)

PUZZLES = {
    "chains": Puzzle(
        lambda latency, starts: latency * starts,
        [(4, 1), (4, 2), (5, 2)],
        "In one latency, so many cycles pass, and in each of them so many steps can start.",
    ),
    "most pixels": Puzzle(
        lambda registers, vectors: (registers - vectors - 1) // vectors,
        [(32, 2), (16, 2), (16, 3), (32, 4)],
        "p·v sums, v vectors of weights and one input value must fit. Pixels are whole.",
    ),
    "run": Puzzle(
        lambda padded, h, v, a: padded[h + a].ravel()[3 * v : 3 * v + 21],
        [(PADDED, 0, 0, 0), (PADDED, 0, 2, 1), (PADDED, 2, 5, 6)],
        "A pixel has three values, so pixel v begins 3·v values into the row.",
    ),
    "packed": Puzzle(
        lambda w, width: w.reshape(-1, w.shape[3] // width, width).transpose(1, 0, 2),
        [(WEIGHTS, 2), (WEIGHTS, 3), (WEIGHTS, 6)],
        "Reshape to [step, block, channel] first, then exchange the first two axes.",
    ),
}
