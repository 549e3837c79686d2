"""Lab 09, exercise 1: the implicit matrix without a division: two small tables and a mask."""

from __future__ import annotations

from ....problem import ConvProblem
from ...grading.exercise import Exercise
from ....exercises.draws import layer
from . import tables_wrong as wrong
from .tables_mask import MASKS
from .tables_places import PLACES

TOY = ConvProblem(1, 4, 5, 2, 2, 2, 1, padding=(0, 1))
WHOLE = ConvProblem(1, 6, 7, 3, 3, 2, 4)
PADDED = ConvProblem(2, 6, 7, 2, 4, 3, 4, stride=(1, 2), padding=(2, 1))


def tables(problem):
    return wrong.made(problem)


EXERCISE = Exercise(
    name="tables",
    lab=9,
    reference=tables,
    task="Two tables whose sums are the places of the implicit matrix, and a mask for padding.",
    calls_allowed=("convladder.problem",),
    cases=lambda rng: [(TOY,), (WHOLE,), (layer(rng, 14),), (PADDED,)],
    misconceptions=PLACES + MASKS,
)
