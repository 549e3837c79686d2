"""Usual mistakes of MEC's lowering: in where a value comes from."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .lowering import INSIDE, SOURCE
from .sources import edited

TAKEN_FROM = [
    Misconception(
        "ones for zeros",
        edited(SOURCE, (": 0.0f;", ": 1.0f;")),
        symptom="Without padding all is right; with it the border is 1.",
        concept="What is beside the image counts as nothing in a sum of products: 0.",
        line="`: 0.0f`.",
    ),
    Misconception(
        "stride with the window's column",
        edited(SOURCE, ("s_w * w + b", "w + s_w * b")),
        symptom="With a horizontal stride of 1 all is right; else your strips lie a pixel "
        "apart, with gaps within.",
        concept="The stride is from one strip to the next. Inside a strip columns are neighbours.",
        line="`s_w * w + b - p_w`: `s_w` belongs to `w`, not to `b`.",
    ),
    Misconception(
        "first row and column as border",
        edited(SOURCE, (INSIDE, "row > 0 && row < i_h && column > 0 && column < i_w")),
        symptom="Row 0 and column 0 of the image come out as zeros.",
        concept="Rows go from 0 to `i_h - 1`: 0 is inside.",
        line="`>= 0` in place of `> 0`.",
    ),
    Misconception(
        "channels as planes",
        edited(SOURCE, ("x[(row * i_w + column) * i_c + c]", "x[(c * i_h + row) * i_w + column]")),
        symptom="With one channel all is right; else you read each channel as an image of its own.",
        concept="`x` is `[i_h, i_w, i_c]`: the channels of a pixel are neighbours.",
        line="`c` counts fastest: `x[(row * i_w + column) * i_c + c]`.",
    ),
    Misconception(
        "stride down as well",
        edited(
            SOURCE,
            (
                "int row = i / (i_c * k_w) % padded_h",
                "int row = s_w * (i / (i_c * k_w) % padded_h)",
            ),
        ),
        symptom="With a horizontal stride of 1 all is right; else your rows are a stride apart.",
        concept="MEC lowers along the width only: `L` has *every* row of the padded image. "
        "The stride down comes later, in where a partition begins.",
        line="The row is `i / (i_c * k_w) % padded_h - p_h`, with no stride.",
    ),
    Misconception(
        "rows of the image, not of the padded one",
        edited(
            SOURCE,
            ("% padded_h - p_h", "% i_h - p_h"),
            ("(i_c * k_w * padded_h)", "(i_c * k_w * i_h)"),
        ),
        symptom="Without vertical padding all is right; else you take the number apart by "
        "too few rows.",
        concept="A strip of `L` has `padded_h` rows: the zeros above and below too.",
        line="`% padded_h` for the row, `/ (i_c * k_w * padded_h)` for the strip.",
    ),
    Misconception(
        "the place in the array tested",
        edited(
            SOURCE,
            (
                INSIDE,
                "(row * i_w + column) * i_c + c >= 0\n"
                "        && (row * i_w + column) * i_c + c < i_h * i_w * i_c",
            ),
        ),
        symptom="Nothing is read outside of `x`, but where columns of the padding should be "
        "zeros, values of another row can stand.",
        concept="Left of a row's first pixel lies the last one of the row above: a place of "
        "the array, and none of this row.",
        line="Test row and column, each against its own size: `row >= 0 && row < i_h && "
        "column >= 0 && column < i_w`.",
    ),
    Misconception(
        "columns not wrapped",
        edited(SOURCE, ("int b = i / i_c % k_w", "int b = i / i_c")),
        symptom="The first row of the first strip is right; later ones begin further and further "
        "to the right, and soon beyond the image.",
        concept="`i / i_c` counts pixels of all rows and strips. After `k_w` of them the next row "
        "begins with column 0.",
        line="`i / i_c % k_w`.",
    ),
    Misconception(
        "sizes exchanged in the test",
        edited(SOURCE, (INSIDE, "row >= 0 && row < i_w && column >= 0 && column < i_h")),
        symptom="You test rows by the width, and columns by the height.",
        concept="`i_h` counts rows, and `i_w` columns.",
        line="`row < i_h` and `column < i_w`.",
    ),
]
