"""Chapter 16: a zero point, the factor that balances two ranges, the bits of a weight in groups."""

from __future__ import annotations

from . import Puzzle

PUZZLES = {
    "zero_point": Puzzle(
        lambda least, most: round(-least / ((most - least) / 255)),
        [(-1.0, 3.0), (0.0, 6.0), (-4.0, 1.0)],
        "The steps start at q = 0, which stands for `least`. How many steps away is 0.0?",
    ),
    "balance": Puzzle(
        lambda x_most, w_most: (x_most / w_most) ** 0.5,
        [(36.0, 1.0), (2.0, 8.0), (0.5, 0.5)],
        "Afterwards the ranges are x_most / s and w_most · s. Set them equal.",
        1e-9,
    ),
    "bits_each": Puzzle(
        lambda bits, group, scale_bits: bits + scale_bits / group,
        [(4, 32, 16), (4, 128, 16), (3, 16, 8)],
        "A group has one scale, whose bits all its weights share.",
        1e-9,
    ),
}
