"""Lab 11, exercise 4: places in shared memory without bank conflicts."""

import numpy as np

from ..draws import wholes
from ..exercise import Exercise, Misconception, edit

GROUPS = 8  # of four banks, 16 bytes: what one lane's chunk takes


def swizzle(rows, chunks):
    row, chunk = np.indices((rows, chunks))
    return chunk ^ (row * chunks // 8 % chunks)


def accept(rows, chunks, places):
    """Accept any order in which eight rows of a column lie in eight groups of banks."""
    try:
        places = np.asarray(places)
    except ValueError:  # lists of several lengths
        places = np.array(None)
    if places.shape != (rows, chunks) or places.dtype.kind not in "iu":
        return (
            f"The result is {places.dtype} {list(places.shape)}; it should be a whole number for "
            f"each row and chunk, {[rows, chunks]}."
        )
    for row in range(rows):
        if sorted(places[row].tolist()) != list(range(chunks)):
            return (
                f"The chunks of row {row} lie at {places[row].tolist()}. Each of the places 0 to "
                f"{chunks - 1} must be taken once."
            )
    groups = (np.arange(rows)[:, None] * chunks + places) % GROUPS
    for chunk in range(chunks):
        for first in range(0, rows, GROUPS):
            met = groups[first : first + GROUPS, chunk].tolist()
            if len(set(met)) < len(met):
                times = max(met.count(group) for group in met)
                return (
                    f"With {chunks} chunks a row, chunk {chunk} of rows {first} to "
                    f"{first + len(met) - 1} lies in the groups of banks {met}: one load takes "
                    f"{times} passes."
                )
    return None


PLACE = "chunk ^ (row * chunks // 8 % chunks)"

EXERCISE = Exercise(
    name="swizzle",
    lab=11,
    task="Places for the chunks of a tile, so that no column has bank conflicts.",
    solution=swizzle,
    accept=accept,
    cases=lambda rng: [
        *((8, 8), (8, 4), (16, 4)),
        *((8 * rows, chunks) for rows, chunks in zip(wholes(rng, 3, 60), (8, 2), strict=True)),
    ],
    valid=lambda rows, chunks: rows > 0 and chunks in (1, 2, 4, 8),
    mend="`chunk ^ (row * chunks // 8 % chunks)`",
    misconceptions=[
        Misconception(
            "no swizzle",
            edit(PLACE, "chunk"),
            "Chunks lie in order, and a column's rows share groups of banks.",
            "Rows of a whole number of 128 bytes begin in the same bank. A column then needs one "
            "pass per row.",
        ),
        Misconception(
            "a swizzle for eight chunks only",
            [edit(PLACE, "chunk ^ (row % chunks)"), edit(PLACE, "(chunk + row) % chunks")],
            "Tiles of eight chunks a row are right. Narrower ones have conflicts.",
            "With four chunks a row, two rows fill all banks: the shift changes every second row.",
        ),
        Misconception(
            "places beyond the row",
            [edit(PLACE, "chunk ^ row"), edit(PLACE, "chunk + row")],
            "Chunks of a row lie outside the row, or two share a place.",
            "Within a row each place from 0 to `chunks - 1` is taken once.",
        ),
    ],
)
