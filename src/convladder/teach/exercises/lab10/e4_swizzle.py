"""Lab 10, exercise 4: an order of the pieces of each row in which no column meets in one bank."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ...grading import stages
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import wholes

GROUPS = 8  # of four banks: 16 bytes each


def swizzle(rows, chunks):
    return _made(rows, chunks, lambda row, chunk: chunk ^ row * chunks // GROUPS % chunks)


def _made(rows, chunks, place):
    row, chunk = np.indices((rows, chunks))
    return place(row, chunk)


def groups_of(places: np.ndarray) -> np.ndarray:
    """Return the group of banks, 0 to 7, of each chunk of `places[rows, chunks]`."""
    rows, chunks = places.shape
    return (np.arange(rows)[:, None] * chunks + places) % GROUPS


def accept(rows, chunks, places):
    """Take any order in which eight rows of a column lie in eight groups of banks."""
    if isinstance(places, list):
        with suppress(ValueError):  # lists of several lengths
            places = np.array(places)
    if not isinstance(places, np.ndarray) or places.shape != (rows, chunks):
        shape = getattr(places, "shape", None)
        what = f"a {type(places).__name__}" if shape is None else f"an array of shape {shape}"
        return stages.WRONG_SHAPE, (
            f"returned {what}; a whole number for each row and chunk is "
            f"wanted, an array of shape ({rows}, {chunks})."
        )
    if places.dtype.kind not in "iu":
        return stages.WRONG_SHAPE, (
            f"returned an array of dtype {places.dtype}; places are whole numbers."
        )
    for row in range(rows):
        if sorted(places[row].tolist()) != list(range(chunks)):
            return stages.WRONG_VALUES, (
                f"puts the chunks of row {row} at {places[row].tolist()}: each of the places 0 to "
                f"{chunks - 1} must be taken once."
            )
    groups = groups_of(places)
    for chunk in range(chunks):
        for first in range(0, rows, GROUPS):
            met = groups[first : first + GROUPS, chunk].tolist()
            if len(set(met)) < len(met):
                turns = max(met.count(group) for group in met)
                return stages.WRONG_VALUES, (
                    f"lets chunk {chunk} of rows {first} to {first + GROUPS - 1} lie in the groups "
                    f"of banks {met}, with rows of {chunks} chunks: {turns} turns for one load."
                )
    return None


def _lambda(place):
    return lambda rows, chunks: _made(rows, chunks, lambda row, chunk: place(row, chunk, chunks))


EXERCISE = Exercise(
    name="swizzle",
    lab=10,
    reference=swizzle,
    accept=accept,
    task="Places for the 16-byte chunks of a tile's rows, so that ldmatrix meets no bank twice.",
    cases=lambda rng: [
        (8, 8),
        (16, 4),
        *((8 * rows, chunks) for rows, chunks in zip(wholes(rng, 3, 60), (8, 2), strict=True)),
    ],
    misconceptions=[
        Misconception(
            "as they come",
            _lambda(lambda row, chunk, chunks: chunk),
            symptom="Every chunk stays where it is.",
            concept="A row of 128 bytes fills all banks once, so the same chunk of the next row is "
            "in the same banks, and eight rows take eight turns.",
            line="`chunk ^ row * chunks // 8 % chunks`: with eight chunks that is `chunk ^ row % "
            "8`.",
        ),
        Misconception(
            "the row's number, whatever the width",
            _lambda(lambda row, chunk, chunks: chunk ^ row % chunks),
            symptom="Right for rows of eight chunks.",
            concept="Four chunks fill half of the banks, and two rows lie side by side in them: "
            "rows 0 and 1 never meet. The place must change with every *second* row.",
            line="`chunk ^ row * chunks // 8 % chunks`.",
        ),
        Misconception(
            "half the chunks for the rows",
            _lambda(lambda row, chunk, chunks: chunk ^ row // (chunks // 2) % chunks),
            symptom="Rows of four chunks come out right. Of rows of eight, four in turn have their "
            "chunks at the same places.",
            concept="The longer a row, the *fewer* of them fill all eight groups of banks: one row "
            "of eight chunks, two of four, four of two.",
            line="`row // (8 // chunks) % chunks`: eight over `chunks`, not `chunks` over two.",
        ),
        Misconception(
            "a row too early",
            lambda rows, chunks, turn=False: _made(
                rows,
                chunks,
                lambda row, chunk: (
                    (chunk + row // 2) % chunks if turn else chunk ^ row // 2 % chunks
                ),
            ),
            symptom="Right for rows of four chunks.",
            choices={"turn": (True,)},
            concept="How many rows fill all banks depends on the row's length: 8 // chunks of "
            "them.",
            line="`row // (8 // chunks) % chunks` in place of `row // 2 % chunks`.",
        ),
        Misconception(
            "rows turned by half",
            _lambda(lambda row, chunk, chunks: chunk ^ row % 2 * (chunks // 2)),
            symptom="You have two orders; rows of eight chunks need eight, one for each row.",
            concept="With two orders of eight chunks, four of eight rows meet in a group of banks.",
            line="`chunk ^ row * chunks // 8 % chunks`: as many orders as a row has chunks.",
        ),
        Misconception(
            "order turned round",
            _lambda(lambda row, chunk, chunks: np.where(row % 2, chunks - 1 - chunk, chunk)),
            symptom="Every other row runs backwards.",
            concept="That makes two orders. Of rows of eight chunks, 0, 2, 4 and 6 still meet.",
            line="`(chunk + row * chunks // 8) % chunks`, or the same with `^` for `+`.",
        ),
        Misconception(
            "all the same",
            _lambda(lambda row, chunk, chunks: (row + 0 * chunk) % chunks),
            symptom="All chunks of a row get one place.",
            concept="Within a row, each place is taken once: it is an order.",
            line="`(chunk + row * chunks // 8) % chunks`: of the chunk as well as of the row.",
        ),
        Misconception(
            "out of the row",
            lambda rows, chunks, after=8: _made(
                rows,
                chunks,
                lambda row, chunk: chunk + (row % after if after else row * chunks // 8),
            ),
            symptom="Your places go beyond the row.",
            concept="A chunk pushed out at the end of its row comes back in at its beginning.",
            line="`% chunks` around the sum: `(chunk + row * chunks // 8) % chunks`.",
            choices={"after": (0, 10**9)},
        ),
        Misconception(
            "places in the whole tile",
            lambda rows, chunks, right=False: _made(
                rows,
                chunks,
                lambda row, chunk: (
                    row * chunks + (chunk ^ row * (chunks if right else GROUPS) // GROUPS % chunks)
                ),
            ),
            symptom="Your places count through the whole tile.",
            concept="What is wanted is the place within the row, 0 to `chunks - 1`.",
            line="`chunk ^ row * chunks // 8 % chunks`, with no `row * chunks` added.",
            choices={"right": (True,)},
        ),
        Misconception(
            "with a row of padding",
            _lambda(lambda row, chunk, chunks: (chunk + row) % (chunks + 1)),
            symptom="You count with a chunk more than a row has.",
            concept="Padding rows to nine chunks would do, and costs an eighth of the memory. A "
            "swizzle needs none.",
            line="`(chunk + row * chunks // 8) % chunks`.",
        ),
        Misconception(
            "every second place",
            _lambda(lambda row, chunk, chunks: (2 * chunk + row * chunks // 8) % chunks),
            symptom="Half of the places of a row are taken twice, the other half never.",
            concept="Chunks are multiplied by 2 and cut off at the width, so that two of them "
            "meet. An order gives each place once.",
            line="`(chunk + row * chunks // 8) % chunks`: the chunk as it is.",
        ),
        Misconception(
            "places counted from 1",
            lambda rows, chunks, turn=0: (
                1
                + _made(
                    rows,
                    chunks,
                    lambda row, chunk: (
                        (chunk + turn * (row * chunks // 8)) % chunks
                        if turn
                        else chunk ^ row * chunks // 8 % chunks
                    ),
                )
            ),
            symptom="The order is right; all of it is one place too far.",
            concept="Places go from 0 to `chunks - 1`, as indices do.",
            line="Places from 0 on, without a `+ 1`.",
            choices={"turn": (1, -1)},
        ),
        Misconception(
            "turned by the row, whatever the width",
            _lambda(lambda row, chunk, chunks: (chunk + row) % chunks),
            symptom="Right for rows of eight chunks, which fill all banks.",
            concept="Rows of four or two chunks lie side by side in the banks, and those do not "
            "meet: the order must change when the banks are full, and not before.",
            line="`(chunk + row * chunks // 8) % chunks`.",
        ),
        Misconception(
            "beyond the row by xor",
            _lambda(lambda row, chunk, chunks: chunk ^ row % 8),
            symptom="With eight chunks in a row all is right; in shorter rows your places go "
            "beyond the row.",
            concept="`^` with a number from 0 to 7 gives numbers from 0 to 7. A row of four "
            "chunks has places 0 to 3.",
            line="`chunk ^ row * chunks // 8 % chunks`.",
        ),
        Misconception(
            "a new order every `chunks` rows",
            lambda rows, chunks, how=np.add: _made(
                rows, chunks, lambda row, chunk: how(chunk, row // chunks % chunks) % chunks
            ),
            symptom="Some rows that lie in the same banks have the same order with you.",
            concept="Rows of eight chunks meet from the first on, rows of four every second, rows "
            "of two every fourth. That is every `8 // chunks` rows, not every `chunks`.",
            line="`row // (8 // chunks)` in place of `row // chunks`.",
            choices={"how": (np.bitwise_xor,)},
        ),
        Misconception(
            "the banks, not the place in the row",
            _lambda(lambda row, chunk, chunks: (row * chunks + chunk + row * chunks // 8) % 8),
            symptom="You give the group of banks where a chunk comes to lie.",
            concept="The group follows from the place: it is `(row * chunks + place) % 8`. Asked "
            "for is the place, 0 to `chunks - 1`.",
            line="`(chunk + row * chunks // 8) % chunks`, with no `row * chunks` added.",
        ),
        Misconception(
            "rows for chunks",
            lambda rows, chunks: _made(chunks, rows, lambda row, chunk: (chunk + row) % rows),
            symptom="Your array has chunks down and rows across.",
            concept="`places[row, chunk]`: a row of the array for each row of the tile.",
            line="`row, chunk = np.indices((rows, chunks))`, then `(chunk + row * chunks // 8) % "
            "chunks`.",
        ),
        Misconception(
            "a new order every eight rows",
            lambda rows, chunks, how=np.bitwise_xor: _made(
                rows, chunks, lambda row, chunk: how(chunk, row // 8 % chunks) % chunks
            ),
            symptom="Within eight rows the order never changes, and just these are read together.",
            concept="`ldmatrix` reads the same chunk of rows 0 to 7. They must differ from each "
            "other, not from the next eight.",
            line="`row * chunks // 8 % chunks` changes within eight rows.",
            choices={"how": (np.add,)},
        ),
        Misconception(
            "multiplied by the row",
            _lambda(lambda row, chunk, chunks: chunk * (row + 1) % chunks),
            symptom="In every second row some places are taken more than once.",
            concept="A multiple of the chunk is an order only where the factor is odd, and chunk 0 "
            "never moves.",
            line="`(chunk + row * chunks // 8) % chunks`: added, not multiplied.",
        ),
        Misconception(
            "the rest by chunks forgotten",
            _lambda(lambda row, chunk, chunks: chunk ^ row * chunks // 8),
            symptom="From row 8 on your places go beyond the row.",
            concept="Every eight rows of eight chunks the orders begin again: the row's number is"
            " taken modulo the chunks of a row.",
            line="`% chunks` at the end of what is taken from the row.",
        ),
        Misconception(
            "turned back by the row, whatever the width",
            _lambda(lambda row, chunk, chunks: (chunk - row) % chunks),
            symptom="Right for rows of eight chunks; narrower rows that lie side by side in the "
            "banks are turned too often.",
            concept="Rows of four chunks fill all banks two by two: the order must change with "
            "every second row.",
            line="`(chunk - row * chunks // 8) % chunks`.",
        ),
    ],
)
