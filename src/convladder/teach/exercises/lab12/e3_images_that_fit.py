"""Lab 12, exercise 3: how many images a block can keep in shared memory."""

from __future__ import annotations

from ...grading.exercise import Exercise
from ....exercises.draws import whole, wholes
from .fitting import images_that_fit
from .fitting_maps import MAPS
from .fitting_room import ROOM

LENET = [784, 864, 256, 120, 84, 10]

EXERCISE = Exercise(
    name="images_that_fit",
    lab=12,
    reference=images_that_fit,
    task="Count the images whose maps fit into shared memory, for blocks that share it.",
    cases=lambda rng: [
        ([100, 50], 10_000, 1),
        ([100, 50, 90, 80], 40_000, 1),
        (LENET, 233_472, 2),
        (LENET, 233_472, 1),
        (LENET, 167_936, 2),
        (list(wholes(rng, 20, 300, 5)), whole(rng, 100_000, 233_472), whole(rng, 1, 3)),
        ([200, 10, 190, 20], 20_480, 1),
        ([10, 90, 40, 80, 30], 30_000, 1),
        ([64, 64, 64], 16_384, 4),
        ([784, 3456, 864], 102_400, 1),
        ([10, 180, 190, 20, 300], 20_480, 1),
    ],
    misconceptions=MAPS + ROOM,
)
