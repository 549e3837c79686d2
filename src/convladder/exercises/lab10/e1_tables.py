"""Lab 10, exercise 1: the implicit matrix without a division, by two tables and a mask."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

TOY = ConvProblem(1, 4, 5, 2, 2, 2, 1, padding=(0, 1))
WHOLE = ConvProblem(1, 6, 7, 3, 3, 2, 4)
PADDED = ConvProblem(2, 6, 7, 2, 4, 3, 4, stride=(1, 2), padding=(2, 1))
BATCH = ConvProblem(3, 5, 4, 1, 2, 3, 2, stride=(2, 1), padding=1)  # more images than channels


def tables(problem):
    p = problem
    n, h, v = np.unravel_index(np.arange(p.pixels), (p.i_n, p.o_h, p.o_w))
    a, b, c = np.unravel_index(np.arange(p.window), (p.k_h, p.k_w, p.i_c))
    top, left = h * p.s_h - p.p_h, v * p.s_w - p.p_w
    base = ((n * p.i_h + top) * p.i_w + left) * p.i_c
    step = (a * p.i_w + b) * p.i_c + c
    row, column = top[:, None] + a[:: p.i_c], left[:, None] + b[:: p.i_c]
    there = (row >= 0) & (row < p.i_h) & (column >= 0) & (column < p.i_w)
    return base, step, there


MASK = "(row >= 0) & (row < p.i_h) & (column >= 0) & (column < p.i_w)"

EXERCISE = Exercise(
    name="tables",
    lab=10,
    task="Two tables whose sums are the positions of the implicit matrix, and a padding mask.",
    solution=tables,
    cases=lambda rng: [(TOY,), (WHOLE,), (layer(rng, 14),), (BATCH,), (PADDED,)],
    allowed=("convladder.core.problem",),
    mend="`base = ((n * i_h + h * s_h - p_h) * i_w + v * s_w - p_w) * i_c`, "
    "`step = (a * i_w + b) * i_c + c`, and a mask that tests row `h * s_h - p_h + a` and column "
    "`v * s_w - p_w + b`",
    misconceptions=[
        Misconception(
            "a mask from the index",
            [
                edit(
                    MASK,
                    "((at := base[:, None] + step[:: p.i_c]) >= 0) "
                    "& (at < p.i_n * p.i_h * p.i_w * p.i_c)",
                ),
                edit(
                    MASK,
                    "((at := (row * p.i_w + column) * p.i_c) >= 0) & (at < p.i_h * p.i_w * p.i_c)",
                ),
            ],
            "Your mask accepts positions that lie in another row of the image, or in another "
            "image.",
            "Column -1 is the last column of the row above in memory. So the index is valid, and "
            "only the row and the column show the padding.",
        ),
        Misconception(
            "rows or columns untested",
            [
                edit(MASK, "(row >= 0) & (row < p.i_h) & (column == column)"),
                edit(MASK, "(column >= 0) & (column < p.i_w) & (row == row)"),
                edit(MASK, "(row == row) & (column == column)"),
            ],
            "Your mask accepts rows above and below the image, or columns beside it.",
            "A position lies in the image if its row does and its column does too.",
        ),
        Misconception(
            "padding left out",
            [
                edit("h * p.s_h - p.p_h, v * p.s_w - p.p_w", "h * p.s_h, v * p.s_w"),
                edit(
                    "base = ((n * p.i_h + top) * p.i_w + left)",
                    "base = ((n * p.i_h + h * p.s_h) * p.i_w + v * p.s_w)",
                ),
            ],
            "Layers without padding are right. With padding, your windows begin too late.",
            "The first window begins in the padding, at row `-p_h` and column `-p_w`.",
        ),
        Misconception(
            "a wrong stride",
            [
                edit("h * p.s_h - p.p_h, v * p.s_w - p.p_w", "h - p.p_h, v - p.p_w"),
                edit(
                    "h * p.s_h - p.p_h, v * p.s_w - p.p_w",
                    "(h - p.p_h) * p.s_h, (v - p.p_w) * p.s_w",
                ),
            ],
            "Layers with strides of 1 are right.",
            "Output row `h` begins at image row `s_h * h - p_h`. The padding is not multiplied.",
        ),
        Misconception(
            "a window in consecutive pixels",
            edit("(a * p.i_w + b)", "(a * p.k_w + b)"),
            "Your `step` is right within the first kernel row.",
            "The next kernel row lies one image row further on, which is `i_w` pixels.",
        ),
        Misconception(
            "a wrong offset of the image",
            [
                edit("(n * p.i_h + top)", "(top)"),
                edit("(n * p.i_h + top)", "(n * p.o_h + top)"),
            ],
            "The first image is right. The bases of the other images are wrong.",
            "Image `n` begins `n * i_h * i_w * i_c` values after the first.",
        ),
    ],
)
