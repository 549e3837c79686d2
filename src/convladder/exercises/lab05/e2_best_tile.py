"""Lab 05, exercise 2: the tile of fewest loads that the registers hold."""

from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit


def best_tile(registers, most_vectors):
    tiles = [((registers - v - 1) // v, v) for v in range(1, most_vectors + 1)]
    return min((tile for tile in tiles if tile[0] > 0), key=lambda t: (t[0] + t[1]) / (t[0] * t[1]))


def tall(rng):
    """Return few registers, of which the best tile has fewer vectors than it may have."""
    while True:
        registers, most = whole(rng, 10, 40), whole(rng, 4, 8)
        if best_tile(registers, most)[0] > registers // most + 1:
            return registers, most


PIXELS = "(registers - v - 1) // v"
LOADS = "(t[0] + t[1]) / (t[0] * t[1])"

EXERCISE = Exercise(
    name="best_tile",
    lab=5,
    task="Choose the tile of fewest loads per multiply-add that the registers hold.",
    solution=best_tile,
    cases=lambda rng: [
        *[(16, 2), (32, 2), (16, 4)],
        *zip(wholes(rng, 33, 99), wholes(rng, 3, 8)),
        *[(24, 4), (whole(rng, 40, 60), 1), (15, 3), (28, 4), (5, 4), (3, 2), tall(rng)],
    ],
    valid=lambda registers, most_vectors: registers > 2 and most_vectors > 0,
    mend="For each `v` up to `most_vectors`, `p = (registers - v - 1) // v` pixels fit; of these "
    "tiles, if `p > 0`, take the one with the smallest `(p + v) / (p * v)`",
    misconceptions=[
        Misconception(
            "registers for the sums only",
            edit(PIXELS, "registers // v"),
            "Your tiles are too large, and would spill.",
            "A step needs its operands in registers too: `v` vectors of weights and an input "
            "value.",
        ),
        Misconception(
            "no register for the input",
            edit(PIXELS, "(registers - v) // v"),
            "Some of your tiles need one register more than there is.",
            "The input value, copied into all lanes, takes a register as well.",
        ),
        Misconception(
            "an input register for each pixel",
            edit(PIXELS, "(registers - v) // (v + 1)"),
            "Some of your tiles are smaller than they could be.",
            "The pixels come one after another, so one register for the input value is enough.",
        ),
        Misconception(
            "most multiply-adds",
            edit(LOADS, "-t[0] * t[1]"),
            "You chose the tile with the most sums, not the one with the fewest loads.",
            "A tile of 30 × 1 has many sums, and more loads than multiply-adds.",
        ),
        Misconception(
            "most vectors",
            edit("range(1, most_vectors + 1)", "[most_vectors]"),
            "You chose the most vectors, even if they leave few pixels.",
            "Loads per multiply-add are `1 / p + 1 / v`, so a flat tile is as bad as a tall one.",
        ),
    ],
)
