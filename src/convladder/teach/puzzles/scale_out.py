"""Chapter 18: rows of a band, a worker's weights, bytes of a sum, batches in flight."""

from __future__ import annotations

import numpy as np

from . import Puzzle

WEIGHTS = np.arange(3 * 2 * 4 * 6).reshape(3, 2, 4, 6)

PUZZLES = {
    "band_rows": Puzzle(
        lambda begin, stop, i_h: (max(0, begin - 1), min(i_h, stop + 1)),
        [(0, 4, 12), (4, 8, 12), (8, 12, 12), (0, 5, 5)],
        "The window of output row h covers image rows h-1 to h+1. Cut off what lies outside.",
    ),
    "second_weights": Puzzle(
        lambda w: w[:, :, : w.shape[2] // 2],
        [(WEIGHTS,), (WEIGHTS[:, :, :2],)],
        "w is [k_h, k_w, i_c, k_c]. Worker 0 has the first half of the channels that this layer "
        "reads, and makes sums for every filter.",
    ),
    "sum_bytes": Puzzle(
        lambda size, n: 2 * size * (n - 1) / n,
        [(1200, 2), (1200, 3), (1e6, 8), (4.0, 1)],
        "First n-1 of the n pieces arrive to be added up, then n-1 finished pieces.",
        tolerance=1e-9,
    ),
    "in_flight": Puzzle(
        lambda stage, stages, batches: min(batches, stages - stage),
        [(0, 4, 16), (3, 4, 16), (1, 4, 2), (0, 8, 8)],
        "Stage 0 is the first. It waits until its first batch has gone to the last stage and come "
        "back, and has begun one batch for each stage on that way.",
    ),
}
