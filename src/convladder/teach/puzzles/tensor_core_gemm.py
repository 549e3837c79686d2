"""Chapter 12: bytes in flight, the swizzle's place, and the parity of a phase."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "blocks_an_sm": Puzzle(
        lambda stages: 228 * 1024 // (stages * 2 * 128 * 64 * 2 + 1024),
        [(2,), (3,), (4,), (6,)],
        "A stage holds a tile of A and one of B, 128 × 64 halves each. A multiprocessor has "
        "228 KB, and each block takes 1 KB more.",
    ),
    "swizzle_offset": Puzzle(
        lambda row, chunk: row * 64 + (chunk ^ row % 8) * 8,
        [(0, 0), (1, 0), (5, 3), (8, 7), (127, 2)],
        "Rows are 64 halves, chunks 8 halves. Chunk c of row r trades places: `c ^ r % 8`.",
    ),
    "parity": Puzzle(
        lambda slice, stages: slice // stages % 2,
        [(0, 3), (2, 3), (3, 3), (7, 3), (9, 4)],
        "A stage's barrier ends one phase for each slice that it holds. How many slices has this "
        "stage held before? Odd or even is all that counts.",
    ),
}
