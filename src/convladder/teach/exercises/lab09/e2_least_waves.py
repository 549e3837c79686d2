"""Lab 09, exercise 2: a tile for a layer, by its waves."""

from __future__ import annotations

from ....problem import PAPER, ConvProblem
from ...grading.exercise import Exercise
from .least_waves_mistakes import MISTAKES, best

TILES = (
    (32, 64, 4, 0.47),
    (64, 64, 4, 0.61),
    (128, 64, 3, 0.60),
    (128, 96, 2, 0.73),
    (128, 128, 2, 0.72),
)
TOY = ConvProblem(1, 10, 10, 8, 1, 1, 100)
CHOICES = (  # on which the usual mistakes choose differently
    ("cv12", 1, 132),
    ("cv5", 32, 132),
    ("cv8", 4, 132),
    ("cv1", 32, 46),
    ("cv1", 4, 58),
    ("cv12", 32, 20),
    ("cv11", 32, 72),
)
MANY = 39  # choices among tiles by chance: two mistakes seldom make the same ones


def least_waves(problem, tiles, multiprocessors):
    return best(problem, tiles, multiprocessors)


def _drawn(rng):
    """Return a layer, tiles to choose from, and multiprocessors, all by chance."""
    sides = rng.integers((20, 20), 90, 2)
    problem = ConvProblem(
        int(rng.integers(1, 9)), *map(int, sides), 16, 3, 3, int(rng.integers(20, 400))
    )
    tiles = [
        (int(p), int(c), int(b), float(s))
        for p, c, b, s in zip(
            16 * rng.integers(1, 9, 8),
            16 * rng.integers(1, 9, 8),
            rng.integers(1, 6, 8),
            rng.uniform(0.3, 0.9, 8).round(2),
        )
    ]
    return problem, tuple(tiles), int(rng.integers(16, 150))


EXERCISE = Exercise(
    name="least_waves",
    lab=9,
    reference=least_waves,
    task="Choose the tile whose waves take least.",
    calls_allowed=("convladder.problem",),
    cases=lambda rng: [
        (TOY, ((32, 64, 1, 0.5), (64, 64, 1, 0.6)), 3),
        *(
            (PAPER[layer].with_batch(batch), TILES, multiprocessors)
            for layer, batch, multiprocessors in CHOICES
        ),
        *(_drawn(rng) for _ in range(MANY)),
    ],
    misconceptions=MISTAKES,
)
