"""Chapter 11: the steps of TF32, and how many short numbers hold a float32."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "tf32_gap": Puzzle(
        lambda e: 2.0 ** (e - 10),
        [(0,), (1,), (5,), (-3,)],
        "Ten bits of fraction cut the way from 2ᵉ to 2ᵉ⁺¹ into 2¹⁰ equal steps.",
    ),
    "parts_of_float32": Puzzle(
        lambda bits: -(-24 // bits),
        [(24,), (12,), (11,), (8,), (4,)],
        "Each part takes `bits` of the 24 that are left. The last one may be partly empty.",
    ),
}
