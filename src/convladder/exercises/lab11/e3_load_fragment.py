"""Lab 11, exercise 3: which lane holds which value of a tensor core's first matrix."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def load_fragment(a):
    lane, value = np.indices((32, 8))
    row = lane // 4 + value // 2 % 2 * 8
    column = lane % 4 * 2 + value % 2 + value // 4 * 8
    return a[row, column]


ROW = "lane // 4 + value // 2 % 2 * 8"
COLUMN = "lane % 4 * 2 + value % 2 + value // 4 * 8"

EXERCISE = Exercise(
    name="load_fragment",
    lab=11,
    task="Deal the values of a 16 x 16 matrix out to the registers of 32 lanes, as mma wants them.",
    solution=load_fragment,
    cases=lambda rng: [("counted",), ("float16",)],
    inputs=lambda fill, kind: (
        np.arange(256, dtype=np.float32).reshape(16, 16)
        if kind == "counted"
        else fill(16, 16).astype(np.float16),
    ),
    mend="Row `lane // 4 + value // 2 % 2 * 8`, column `lane % 4 * 2 + value % 2 + value // 4 * 8`",
    misconceptions=[
        Misconception(
            "the right half before the lower half",
            edit(
                ROW,
                "lane // 4 + value // 4 * 8",
                COLUMN,
                "lane % 4 * 2 + value % 2 + value // 2 % 2 * 8",
            ),
            "Registers 2 and 3 are exchanged with 4 and 5.",
            "The squares come in the order upper left, lower left, upper right, lower right.",
        ),
        Misconception(
            "rows and columns exchanged",
            [
                edit("a[row, column]", "a[column, row]"),
                edit(
                    ROW,
                    "lane % 4 * 2 + value % 2 + value // 2 % 2 * 8",
                    COLUMN,
                    "lane // 4 + value // 4 * 8",
                ),
            ],
            "Rows and columns are exchanged, in the matrix or in each square.",
            "Four neighbouring lanes share a row, and a lane's pair lies side by side.",
        ),
        Misconception(
            "lanes along a column",
            edit(
                ROW,
                "lane % 8 + value // 2 % 2 * 8",
                COLUMN,
                "lane // 8 * 2 + value % 2 + value // 4 * 8",
            ),
            "Lane 1 holds a value of row 1.",
            "Lanes 0 to 3 share row 0: the row is `lane // 4`.",
        ),
        Misconception(
            "pairs from separate columns",
            [
                edit("lane % 4 * 2 + value % 2 +", "lane % 4 + value % 2 * 4 +"),
                edit("lane % 4 * 2 +", "lane % 4 +"),
            ],
            "A lane's two values lie apart, or lanes share columns.",
            "Each lane has two neighbouring columns, so that one load brings both.",
        ),
        Misconception(
            "a row of eight for each lane",
            edit(ROW, "lane // 2", COLUMN, "lane % 2 * 8 + value"),
            "Each lane has eight values of one row.",
            "The hardware's layout is fixed: pairs from four squares.",
        ),
    ],
)
