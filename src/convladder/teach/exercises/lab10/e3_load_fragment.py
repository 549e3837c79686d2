"""Lab 10, exercise 3: which lane holds which value of a tensor core's first matrix."""

from __future__ import annotations

import numpy as np

from ....gpu import fragments
from ...grading.exercise import Exercise, Misconception


def load_fragment(a):
    return fragments.load(a, fragments.A)


def _loaded(
    a,
    row=lambda lane, value: lane // 4 + value // 2 % 2 * 8,
    column=lambda lane, value: lane % 4 * 2 + value % 2 + value // 4 * 8,
):
    return np.array(
        [
            [a[row(lane, value) % 16, column(lane, value) % 16] for value in range(8)]
            for lane in range(32)
        ]
    )


EXERCISE = Exercise(
    name="load_fragment",
    lab=10,
    reference=load_fragment,
    task="Deal the values of a 16 x 16 matrix out to the registers of 32 lanes, as mma wants them.",
    cases=lambda rng: [
        (np.arange(256, dtype=np.float32).reshape(16, 16),),
        (rng.standard_normal((16, 16), dtype=np.float32).astype(np.float16),),
    ],
    misconceptions=[
        Misconception(
            "right half before the lower half",
            lambda a: _loaded(
                a,
                row=lambda lane, value: lane // 4 + value // 4 * 8,
                column=lambda lane, value: lane % 4 * 2 + value % 2 + value // 2 % 2 * 8,
            ),
            symptom="Registers 2 and 3 are exchanged with 4 and 5; the others are right.",
            concept="From register 1 to 2 the hardware goes *down*, eight rows, and to the right "
            "only from 3 to 4.",
            line="Upper left, lower left, upper right, lower right: `value // 2 % 2` is the lower "
            "half, `value // 4` the right one.",
        ),
        Misconception(
            "neighbours below each other",
            lambda a: _loaded(
                a,
                row=lambda lane, value: lane % 4 * 2 + value % 2 + value // 2 % 2 * 8,
                column=lambda lane, value: lane // 4 + value // 4 * 8,
            ),
            symptom="Within each square of 8 × 8 your rows and columns are exchanged: a lane's "
            "pair is two values one below the other.",
            concept="Two neighbouring registers hold two neighbours of a *row*: they are loaded as "
            "one word of four bytes.",
            line="The row is `lane // 4`, 8 more in the lower half; the column `lane % 4 * 2 + "
            "value % 2`, 8 more in the right one.",
        ),
        Misconception(
            "rows by lane % 8",
            lambda a: _loaded(
                a,
                row=lambda lane, value: lane % 8 + value // 2 % 2 * 8,
                column=lambda lane, value: lane // 8 * 2 + value % 2 + value // 4 * 8,
            ),
            symptom="Your lanes go down the rows: lane 1 is in row 1.",
            concept="Four neighbouring lanes share a row. Lane 1 is to the right of lane 0.",
            line="`lane // 4` is the row, `lane % 4 * 2` the first column.",
        ),
        Misconception(
            "pairs not side by side",
            lambda a: _loaded(
                a, column=lambda lane, value: lane % 4 + value % 2 * 4 + value // 4 * 8
            ),
            symptom="Your pairs are four columns apart.",
            concept="A lane has two *neighbouring* columns, so that one load of four bytes brings "
            "both.",
            line="`lane % 4 * 2 + value % 2`.",
        ),
        Misconception(
            "the next row in place of the eighth",
            lambda a: _loaded(a, row=lambda lane, value: lane // 4 * 2 + value // 2 % 2),
            symptom="Registers 2 and 3 come from the row below.",
            concept="They come from eight rows below: the matrix is four squares of 8 × 8, and a "
            "lane has the same place in each.",
            line="`lane // 4 + 8 * (value // 2 % 2)`.",
        ),
        Misconception(
            "eight in a row",
            lambda a: np.ascontiguousarray(a).reshape(32, 8),
            symptom="Each lane has eight values of one row.",
            concept="That is how memory has them. The hardware wants two values from each of four "
            "squares of 8 × 8.",
            line="Row `lane // 4 + value // 2 % 2 * 8`, column `lane % 4 * 2 + value % 2 + value "
            "// 4 * 8`.",
        ),
        Misconception(
            "strided lanes",
            lambda a: np.ascontiguousarray(a).reshape(8, 32).T.copy(),
            symptom="Value `i` of lane `l` is number `32 i + l` of the matrix.",
            concept="So a warp loads an array best, but a fragment is another pattern: pairs, in "
            "four squares.",
            line="Row `lane // 4 + value // 2 % 2 * 8`, column `lane % 4 * 2 + value % 2 + value "
            "// 4 * 8`.",
        ),
        Misconception(
            "registers first",
            lambda a: _loaded(a).T.copy(),
            symptom="Your result has a row for each register.",
            concept="The result is `registers[lane, value]`, 32 by 8.",
            line="A row for each lane: transpose.",
        ),
        Misconception(
            "only the upper left square's columns",
            lambda a: _loaded(a, column=lambda lane, value: lane % 4 * 2 + value % 2),
            symptom="Registers 4 to 7 repeat 0 to 3.",
            concept="They are the right half of the matrix: columns 8 to 15.",
            line="`+ 8 * (value // 4)` for the column.",
        ),
        Misconception(
            "only the upper squares' rows",
            lambda a: _loaded(a, row=lambda lane, value: lane // 4),
            symptom="Registers 2 and 3 repeat 0 and 1.",
            concept="They are of the lower half: rows 8 to 15.",
            line="`+ 8 * (value // 2 % 2)` for the row.",
        ),
        Misconception(
            "the transpose",
            lambda a: load_fragment(np.ascontiguousarray(a.T)),
            symptom="Your registers are those of the transposed matrix.",
            concept="Lanes go along rows: four of them share a row, each with two columns.",
            line="`a[row, column]`, not `a.T`: the row is made of `lane // 4`.",
        ),
        Misconception(
            "pairs that overlap",
            lambda a: _loaded(a, column=lambda lane, value: lane % 4 + value % 2 + value // 4 * 8),
            symptom="Your lanes begin one column apart, and each has two: they share columns.",
            concept="Four lanes with two columns each fill the eight of a square.",
            line="`lane % 4 * 2 + value % 2`: the lane's number times two.",
        ),
        Misconception(
            "squares of four",
            lambda a, down=4, across=4: _loaded(
                a,
                row=lambda lane, value: lane // 4 + value // 2 % 2 * down,
                column=lambda lane, value: lane % 4 * 2 + value % 2 + value // 4 * across,
            ),
            symptom="Your squares lie four rows or four columns apart, or both.",
            concept="The matrix is 16 × 16, in four squares of 8 × 8.",
            line="`* 8` for the lower half and for the right one.",
            choices={"down": (4, 8), "across": (8, 4)},
        ),
        Misconception(
            "four of a row, twice",
            lambda a: _loaded(
                a,
                row=lambda lane, value: lane // 4 + value // 4 * 8,
                column=lambda lane, value: lane % 4 * 4 + value % 4,
            ),
            symptom="Each lane has four neighbours of one row, and four of the row eight below.",
            concept="A lane has *two* neighbours in each of four squares of 8 × 8.",
            line="The column is `lane % 4 * 2 + value % 2 + value // 4 * 8`, the row "
            "`lane // 4 + value // 2 % 2 * 8`.",
        ),
        Misconception(
            "all rows of a lane first",
            lambda a: _loaded(
                a,
                row=lambda lane, value: lane // 4 + value % 2 * 8,
                column=lambda lane, value: lane % 4 * 2 + value // 2 % 2 + value // 4 * 8,
            ),
            symptom="Your register 1 is eight rows below register 0.",
            concept="Registers 0 and 1 are two neighbours of one row: one word of four bytes.",
            line="`value % 2` moves the column, `value // 2 % 2` the row.",
        ),
        Misconception(
            "round the squares",
            lambda a: _loaded(a, row=lambda lane, value: lane // 4 + (value // 2 in (1, 2)) * 8),
            symptom="Registers 4 and 5 are exchanged with 6 and 7; the others are right.",
            concept="On the right, too, the upper square comes first.",
            line="Upper left, lower left, upper right, lower right: registers 2, 3, 6 and 7 are of "
            "the lower half, `value // 2 % 2`.",
        ),
        Misconception(
            "the squares backwards",
            lambda a: _loaded(
                a,
                row=lambda lane, value: lane // 4 + (1 - value // 2 % 2) * 8,
                column=lambda lane, value: lane % 4 * 2 + value % 2 + (1 - value // 4) * 8,
            ),
            symptom="Your first registers hold the lower right square.",
            concept="Registers 0 and 1 are of the upper left one.",
            line="Upper left, lower left, upper right, lower right: `value // 2 % 2 * 8` down, "
            "`value // 4 * 8` to the right.",
        ),
        Misconception(
            "a lane's two values exchanged",
            lambda a: _loaded(
                a, column=lambda lane, value: lane % 4 * 2 + 1 - value % 2 + value // 4 * 8
            ),
            symptom="In each pair the second column comes first.",
            concept="Register 0 has the left one of two neighbours.",
            line="`+ value % 2`.",
        ),
    ],
)
