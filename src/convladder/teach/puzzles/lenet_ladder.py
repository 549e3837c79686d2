"""Chapter 14: a run whose copies overlap its kernels, and where a weight lies."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "overlapped": Puzzle(
        lambda wire, kernels, chunks: max(wire, kernels) + min(wire, kernels) / chunks,
        [(600.0, 300.0, 10), (300.0, 600.0, 10), (5.0, 5.0, 1), (8.0, 2.0, 4)],
        "The longer of the two never stops. A chunk of the shorter one has nothing to run beside.",
        tolerance=1e-9,
    ),
    "positions": Puzzle(
        lambda o, j, inputs, outputs: (o * inputs + j, j * outputs + o),
        [(0, 5, 256, 120), (1, 0, 256, 120), (7, 3, 120, 84)],
        "Before, a row holds all inputs of one output. After, a row holds one input's weights for "
        "all outputs, so that neighbouring lanes read neighbours.",
    ),
}
