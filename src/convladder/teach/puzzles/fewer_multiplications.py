"""Chapter 06: an output of F(2,3), and the tiles of a row."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "second_output": Puzzle(
        lambda m1, m2, m3, m4: m2 - m3 + m4,
        [(-4, 30.0, 2.0, 18), (1, 0, 0, 0), (3, 7, -2, 5)],
        "m1 holds d0, which y1 does not contain. In y1, the products d1·g0 and d3·g2 are positive.",
    ),
    "tiles_across": Puzzle(
        lambda o, m: -(-o // m),
        [(12, 4), (14, 4), (5, 6), (56, 6)],
        "The last tile may hang over the edge, so round up.",
    ),
}
