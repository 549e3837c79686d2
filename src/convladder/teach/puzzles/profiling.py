"""Chapter 13: Amdahl with the wall clock, and two copies that take turns."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "gain": Puzzle(
        lambda seconds, wall, factor: wall / (wall - seconds + seconds / factor),
        [(4.0, 10.0, 2), (0.352, 6.31, 4), (5.0, 5.0, 3)],
        "The line takes seconds / factor afterwards. Everything else takes as long as before.",
        1e-9,
    ),
    "in_turns": Puzzle(
        lambda a, b: 1 / (1 / a + 1 / b),
        [(50.0, 50.0), (54.0, 27.0), (10.0, 40.0)],
        "A gigabyte takes 1 / a seconds in one copy and 1 / b in the other. Add the times.",
        1e-9,
    ),
}
