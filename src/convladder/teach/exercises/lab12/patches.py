"""Usual mistakes with the width of a row, or of a patch, with their hints: lab 12, exercise 1."""

from __future__ import annotations

from ...grading.exercise import Misconception
from ..lab06.sources import edited
from .conv_sources import SOURCE

LOOPS = SOURCE[SOURCE.index("    for (int a") : SOURCE.index("    float most")]
# A thread's 6 × 6 pixels in registers, read as if their rows were 5 long.
PATCH = edited(
    SOURCE,
    (
        LOOPS,
        """\
    float patch[36];
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) patch[r * 6 + c] = x[(2 * h + r) * i_w + 2 * v + c];
"""
        + edited(
            LOOPS,
            ("x + (2 * h + a) * i_w + 2 * v + b", "patch + a * 5 + b"),
            ("at[i_w]", "at[5]"),
            ("at[i_w + 1]", "at[6]"),
        ),
    ),
)
# The image in shared memory, without its last four columns.
NARROW = edited(
    SOURCE,
    (
        "    int i =",
        """\
    __shared__ float tile[1024];
    int width = 2 * p_w;
    for (int t = threadIdx.x; t < (2 * p_h + 4) * width; t += blockDim.x)
        tile[t] = x[t / width * i_w + t % width];
    __syncthreads();
    int i =""",
    ),
    ("x + (2 * h + a) * i_w", "tile + (2 * h + a) * width"),
    ("at[i_w]", "at[width]"),
    ("at[i_w + 1]", "at[width + 1]"),
)


def rows_of(width):
    return edited(
        SOURCE,
        ("(2 * h + a) * i_w", f"(2 * h + a) * ({width})"),
        ("at[i_w]", f"at[{width}]"),
        ("at[i_w + 1]", f"at[{width} + 1]"),
    )


PATCHES = [
    *(
        Misconception(
            f"rows of {width} pixels",
            rows_of(width),
            symptom=f"Your values are as if a row of pixels had {width} values: the first row of them "
            "is right, the others begin too early.",
            concept=f"A row of the image has `i_w` values, not {width}; so has a patch that holds "
            "whole rows. A smaller patch has a width of its own.",
            line=f"`(2 * h + a) * i_w` and, for the row below, `at[i_w]`; in a patch, {width} or not, "
            "the width by which it was filled.",
        )
        for width in ("p_w", "p_w + 4", "i_w - 1", "5", "6")
    ),
    Misconception(
        "a patch read by another width",
        PATCH,
        symptom="Your values are as if six pixels had been laid down for each row of a patch, and "
        "five were counted where it is read.",
        concept="Four windows of 5 × 5 lie over 6 × 6 pixels: one row and one column more than a "
        "window has.",
        line="A patch of 6 × 6 is filled as `patch[r * 6 + c]`, and read from "
        "`patch + a * 6 + b`: `at[0]`, `at[1]`, `at[6]`, `at[7]`.",
    ),
    Misconception(
        "a patch with places left out",
        NARROW,
        symptom="A window reads a place of your array that nobody has filled: columns or rows of "
        "pixels are missing, or it is read by another width than it was filled by.",
        concept="Windows reach beyond the pixels at which they begin: for `2 * p_w` windows in a "
        "row `2 * p_w + 4` columns are needed, which is `i_w`, and for `2 * p_h` in a "
        "column `2 * p_h + 4` rows.",
        line="As many rows and columns as the windows reach, and one width for all: where the "
        "array is filled, and where it is read.",
    ),
]
