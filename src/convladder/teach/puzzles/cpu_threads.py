"""Chapter 04: Amdahl's law, and the rows of a thread."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "amdahl": Puzzle(
        lambda s, n: 1 / (s + (1 - s) / n),
        [(0.2, 4), (0.5, 2), (0.1, 1000)],
        "One thread takes 1. With n threads, s stays and the rest takes an n-th. Divide.",
        tolerance=1e-9,
    ),
    "rows of a thread": Puzzle(
        lambda t, n: (t * 220 // n, (t + 1) * 220 // n),
        [(0, 2), (1, 2), (1, 3), (6, 7)],
        "Multiply before you divide, or the rounding adds up. Thread t stops where t + 1 begins.",
    ),
}
