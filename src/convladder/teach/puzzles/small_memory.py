"""Chapter 17: bytes alive, rows under a strip, bytes of a KV cache."""

from __future__ import annotations

from . import Puzzle

ARRAYS = [(10, 0, 1), (40, 1, 3), (30, 2, 3), (60, 3, 4)]

PUZZLES = {
    "alive": Puzzle(
        lambda arrays, step: sum(size for size, first, last in arrays if first <= step <= last),
        [(ARRAYS, 0), (ARRAYS, 1), (ARRAYS, 3), (ARRAYS, 4)],
        "An array counts at its first step, at its last one, and in between.",
    ),
    "rows_under": Puzzle(
        lambda rows: 2 * (rows + 2) + 2,
        [(1,), (2,), (8,)],
        "Go down from the top: a 3×3 convolution needs two rows more than it makes, and the pool "
        "needs twice as many as it makes.",
    ),
    "kv_bytes": Puzzle(
        lambda layers, kv_heads, width, tokens, itemsize: (
            2 * layers * kv_heads * width * tokens * itemsize
        ),
        [(1, 1, 1, 1, 1), (2, 3, 5, 7, 4), (80, 8, 128, 1, 2)],
        "Keys and values are two arrays. Everything else is a factor as well.",
    ),
}
