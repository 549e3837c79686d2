"""Lab 05, exercise 2: the tile of fewest loads that the registers hold."""

from __future__ import annotations

from collections.abc import Callable

from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import whole, wholes


def _best(registers: int, most_vectors: int, needed: Callable, key: Callable) -> tuple[int, int]:
    fitting = [
        (p, v)
        for v in range(1, most_vectors + 1)
        for p in range(1, registers + 1)
        if needed(p, v) <= registers
    ]
    return min(fitting, key=lambda tile: key(*tile))


def _needed(p, v):
    return p * v + v + 1


def _loads(p, v):
    return (p + v) / (p * v), -p


def best_tile(registers, most_vectors):
    return _best(registers, most_vectors, _needed, _loads)


def _tall(rng):
    """Return few registers, of which the best tile has more pixels than one of most vectors."""
    while True:
        registers, most = whole(rng, 10, 40), whole(rng, 4, 8)
        if best_tile(registers, most)[0] > registers // most + 1:
            return registers, most


def _few_pixels(registers, most):
    """Take no more pixels than there would be registers for with the most vectors."""
    return min(
        (
            (p, v)
            for v in range(1, most + 1)
            for p in range(1, registers // most + 1)
            if _needed(p, v) <= registers
        ),
        key=lambda tile: _loads(*tile),
    )


EXERCISE = Exercise(
    name="best_tile",
    lab=5,
    reference=best_tile,
    task="Choose the tile of fewest loads a multiply-add that the registers hold.",
    cases=lambda rng: [
        (16, 2),
        (32, 2),
        (16, 4),
        *zip(wholes(rng, 33, 99), wholes(rng, 3, 8)),
        (24, 4),
        (whole(rng, 40, 60), 1),
        (15, 3),
        (28, 4),
        _tall(rng),
    ],
    misconceptions=[
        Misconception(
            "sums only",
            lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v, _loads
            ),
            symptom="Your tiles are too large: compiled, they would spill.",
            concept="A step needs its operands in registers too: `v` vectors of weights and an "
            "input value.",
            line="A tile needs `p * v + v + 1` registers: `p` is at most "
            "`(registers - v - 1) // v`.",
        ),
        Misconception(
            "no room for the input",
            lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v + v, _loads
            ),
            symptom="Some of your tiles want one register more than there is.",
            concept="The input value, copied into all lanes, is a vector as well.",
            line="A tile fits where `p * v + v + 1 <= registers`.",
        ),
        Misconception(
            "no room for the weights",
            lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v + 1, _loads
            ),
            symptom="Your tiles are too large: they have no registers for the weights.",
            concept="In each step `v` vectors of weights are multiplied with every pixel. They "
            "wait in registers meanwhile, and so does an input value.",
            line="Besides `p * v` sums a tile needs `v + 1` registers: "
            "`p * v + v + 1 <= registers`.",
        ),
        Misconception(
            "most multiply-adds",
            lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (-p * v, -p)
            ),
            symptom="You took one vector, and as many pixels as fit: the most sums, and not the "
            "fewest loads.",
            concept="A tile of 30 × 1 has many sums and more loads than multiply-adds. What "
            "counts is `(p + v) / (p * v)`.",
            line="Look at tiles of every `v` up to `most_vectors`, and keep the one of fewest "
            "loads a multiply-add.",
        ),
        Misconception(
            "fewest loads a step",
            lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (p + v, -p)
            ),
            symptom="You took the smallest tile.",
            concept="One pixel by one vector needs two loads only, but for a single multiply-add: "
            "no tile loads more for each.",
            line="Of `(p + v) / (p * v)`, loads over multiply-adds, take the smallest.",
        ),
        Misconception(
            "vectors first",
            lambda registers, most_vectors: best_tile(registers, most_vectors)[::-1],
            symptom="Your two numbers are right and stand in the wrong order.",
            concept="A tile is named pixels by vectors.",
            line="Exchange the two values that you return.",
        ),
        Misconception(
            "ties to the vectors",
            lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (_loads(p, v)[0], p)
            ),
            symptom="Right but where two tiles load equally much: there you took fewer pixels.",
            concept="Of two such tiles, the one with more pixels fetches all weights fewer times.",
            line="Where loads are equal, prefer the larger `p`.",
        ),
        Misconception(
            "most vectors left out",
            lambda registers, most_vectors, least=1: _best(
                registers, max(most_vectors - 1, least), _needed, _loads
            ),
            symptom="Where two vectors or more are allowed, your tiles never have as many.",
            concept="`most_vectors` is a number that may be taken. `range(1, most_vectors)` ends "
            "one too early, and so does `v < most_vectors`.",
            line="`for v in range(1, most_vectors + 1)`",
            choices={"least": (0,)},
        ),
        Misconception(
            "registers to spare",
            lambda registers, most_vectors, spare=1, twice=False: _best(
                registers, most_vectors, lambda p, v: _needed(p, v) + spare + twice * v, _loads
            ),
            choices={"spare": (0, 1, 2), "twice": (True,)},
            symptom="Some of your tiles leave registers unused that a better one would need.",
            concept="A tile that takes all registers fits.",
            line="A tile may take as many as there are: `p * v + v + 1 <= registers`.",
        ),
        Misconception(
            "an input for each pixel",
            lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v + v + p, _loads
            ),
            symptom="Your tiles are too small: as if each pixel of a tile had its input in a "
            "register.",
            concept="Pixels are taken one after the other: each value is used for `v` sums and "
            "then gone.",
            line="One register for the input: `p * v + v + 1`.",
        ),
        Misconception(
            "exchanged in the rule",
            lambda registers, most_vectors: _best(
                registers, most_vectors, lambda p, v: p * v + p + 1, _loads
            ),
            symptom="You count registers as if pixels were kept and weights passed by.",
            concept="The tile keeps `v` vectors of weights while its pixels pass by.",
            line="`p * v + v + 1`, with `v` for the weights.",
        ),
        Misconception(
            "most vectors first",
            lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (-v, -p)
            ),
            symptom="You take as many vectors as you may, and then as many pixels as fit.",
            concept="A flat, wide tile loads more than one that is nearly square.",
            line="Look at tiles of every `v` from 1 to `most_vectors`, and keep the one with the "
            "smallest `(p + v) / (p * v)`.",
        ),
        Misconception(
            "pixels of the widest tile",
            _few_pixels,
            symptom="Right but where fewer vectors than you may take are best: you can miss the "
            "tile with more pixels that fits then.",
            concept="How many pixels fit depends on the tile's own `v`, and not on `most_vectors`.",
            line="For each `v`, try all `p` with `p * v + v + 1 <= registers`.",
        ),
        Misconception(
            "a quotient rounded",
            lambda registers, most_vectors, way="few": _best(
                registers,
                most_vectors,
                _needed,
                lambda p, v: {
                    "many": (-(p * v // (p + v)), -p, -v),
                    "few": (-(p * v // (p + v)), v, p),
                    "loads": ((p + v) // (p * v), -p),
                    "digit": (round((p + v) / (p * v), 1), -p),
                }[way],
            ),
            symptom="Your tiles are those of a quotient without all of its digits, by which "
            "several load equally much.",
            concept="7 loads for 12 multiply-adds are fewer than 8 for 12. As whole numbers, "
            "`//`, both quotients are the same; and `round` makes others alike.",
            line="`(p + v) / (p * v)`, with `/` and no `round`, and the smallest of these.",
            choices={"way": ("many", "loads", "digit")},
        ),
        Misconception(
            "nearly square",
            lambda registers, most_vectors: _best(
                registers, most_vectors, _needed, lambda p, v: (abs(p - v), -p)
            ),
            symptom="Your tiles have as many pixels as vectors, or nearly, where those with more "
            "pixels are better.",
            concept="Of tiles with as many sums the squarest loads least, but a larger one can "
            "load less still.",
            line="Compare tiles by `(p + v) / (p * v)`.",
        ),
    ],
)
