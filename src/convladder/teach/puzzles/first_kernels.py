"""Chapter 07: which pixel is a thread's own."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "column": Puzzle(
        lambda thread, block, width: block * width + thread,
        [(0, 0, 16), (5, 0, 16), (5, 3, 16), (31, 7, 32)],
        "All blocks before this one have `width` threads each.",
    ),
    "take_apart": Puzzle(
        lambda i, o_h, o_w, k_c: (i // k_c // o_w, i // k_c % o_w, i % k_c),
        [(0, 5, 7, 64), (1, 5, 7, 64), (64, 5, 7, 64), (500, 5, 7, 64), (2239, 5, 7, 64)],
        "What changes fastest is the remainder of a division by its own number.",
    ),
}
