"""Chapter 15: a weight with its batch norm inside, a fusion that is allowed, a bucket."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "folded_weight": Puzzle(
        lambda w, gamma, variance, epsilon: w * gamma / (variance + epsilon) ** 0.5,
        [(2.0, 3.0, 4.0, 0.0), (1.0, -0.5, 1e-4, 1e-5), (0.7, 1.0, 1.0, 1e-3)],
        "The norm divides by the root of the variance plus epsilon, and multiplies by gamma.",
        1e-9,
    ),
    "may_fuse": Puzzle(
        lambda readers, is_output: readers == 1 and not is_output,
        [(1, False), (2, False), (1, True), (2, True)],
        "Nothing but the ReLU may need the value that goes into it.",
    ),
    "bucket": Puzzle(
        lambda n: 1 << (n - 1).bit_length(),
        [(1,), (2,), (3,), (64,), (65,), (1000,)],
        "The bucket is the smallest power of two that isn't less than n, so a power of two stays.",
    ),
}
