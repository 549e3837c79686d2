"""Lab 01, exercise 2: each window of one channel becomes a column."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import columns_wrong as wrong
from .columns import window_columns


def column_cases(rng):
    return [
        (np.arange(1, 17, dtype=np.float32).reshape(4, 4), 3, 3),
        (np.arange(12, dtype=np.float32).reshape(3, 4), 2, 2),
        (rng.standard_normal((9, 7), dtype=np.float32), 3, 2),
        (rng.standard_normal((6, 8), dtype=np.float32), 1, 4),
    ]


EXERCISE = Exercise(
    name="window_columns",
    lab=1,
    task="im2col of one channel: each window becomes a column.",
    reference=window_columns,
    cases=column_cases,
    misconceptions=[
        Misconception(
            "windows in rows",
            wrong.windows_in_rows,
            symptom="Your matrix has a row for each window. This exercise wants a column for each.",
            concept="The kernel stands left of the product as a row of `k_h * k_w` weights, so the "
            "matrix must have as many rows.",
            line="The window's number is the last index of what you return: `matrix[:, number] = "
            "...` in a matrix of `k_h * k_w` rows, and `np.stack(windows, axis=1)` of a list. "
            "A `.T` at the end exchanges the two.",
        ),
        Misconception(
            "windows counted down the columns",
            wrong.windows_by_width,
            symptom="Every column is a window, but they stand in the wrong order.",
            concept="Column number `h * o_w + v` belongs to the window at row `h`, column `v`: the "
            "one that moves across comes faster, as in the output that you will reshape.",
            line="Write to column `h * o_w + v`; where you only count on, the loop over rows is "
            "the outer one. Of a `sliding_window_view`, transpose (2, 3, 0, 1).",
        ),
        Misconception(
            "window read down its columns",
            wrong.weights_by_column,
            symptom="Within each column the values are right but in the wrong order.",
            concept="A window is laid out row by row, as `kernel.ravel()` lays out the kernel. "
            "Otherwise each pixel meets another pixel's weight.",
            line="Pixel (a, b) of a window goes to row `a * k_w + b`, which is what `.ravel()` "
            "does as it is. Of a `sliding_window_view`, transpose (2, 3, 0, 1).",
        ),
        Misconception(
            "flipped window",
            wrong.windows_flipped,
            symptom="Each of your columns stands upside down.",
            concept="Deep learning's convolution does not flip anything: the first weight meets "
            "the window's first pixel.",
            line="Row 0 of the matrix has each window's first pixel, the last row its last: turn "
            "round neither the windows nor the matrix.",
        ),
        Misconception(
            "kernel's height and width exchanged",
            wrong.kernel_axes_swapped,
            symptom="You are right for square kernels and wrong for all others.",
            concept="`k_h` counts rows and belongs to the image's first axis, `k_w` counts "
            "columns.",
            line="The window at (h, v) is `image[h : h + k_h, v : v + k_w]`, where `h` goes up to "
            "`i_h - k_h` and `v` to `i_w - k_w`. In `sliding_window_view`, `(k_h, k_w)`.",
        ),
        Misconception(
            "last places forgotten",
            wrong.last_place_forgotten,
            choices={"of": ((1, 0), (0, 1))},
            symptom="Your matrix has too few columns: windows at the lower edge, the right one, or "
            "both, are missing.",
            concept="The last start that fits is `i_h - k_h` down and `i_w - k_w` across, and "
            "`range` stops before its end.",
            line="`o_h = i_h - k_h + 1` and `o_w = i_w - k_w + 1`, for the loops, the matrix and "
            "the number of its column alike.",
        ),
        Misconception(
            "last places never written",
            wrong.last_row_unwritten,
            symptom="Nothing was written for the windows at the image's lower edge, at its right "
            "one, or at both.",
            concept="There are `o_h` rows of windows, 0 to `o_h - 1`, and `o_w` windows in each. "
            "`range(o_h)` ends there by itself.",
            line="`range(o_h)` and `range(o_w)`, where `o_h = i_h - k_h + 1`, and `o_w` alike.",
            choices={"axis": (0, 1, None), "left": (np.nan, 0.0)},
        ),
        Misconception(
            "row number counted by k_h",
            wrong.rows_by_height,
            symptom="You are right for square kernels. Elsewhere rows can be written twice, left "
            "empty, or lie beyond the matrix.",
            concept="Before row `a` of the kernel begins, `a` rows of `k_w` weights each are done.",
            line="Pixel (a, b) of each window goes to row `a * k_w + b`.",
        ),
        Misconception(
            "column number counted by o_h",
            wrong.numbered_by_height,
            symptom="You are right where `o_h` and `o_w` are equal. Elsewhere columns can be "
            "overwritten, left empty, or lie beyond the matrix.",
            concept="Before row `h` of places begins, `h` rows of places are done, and each has as "
            "many as there are places across.",
            line="The column's number is `h * o_w + v`, where `o_w = i_w - k_w + 1`.",
        ),
        Misconception(
            "float64",
            wrong.columns_in_float64,
            symptom="Your values are right, but in float64: twice the bytes.",
            concept="`np.empty` and `np.zeros` make float64 unless they are told otherwise, and "
            "`float` as a dtype is float64.",
            line="`np.float32` wherever you make or convert an array, as in `np.empty(shape, "
            "np.float32)`.",
        ),
        Misconception(
            "reshape in place of a transpose",
            wrong.reshaped_only,
            symptom="The shape is right, but values of one window spread over several columns.",
            concept="`reshape` never moves a value: it cuts the same sequence into other lines. To "
            "exchange axes, transpose.",
            line="Of a `sliding_window_view`, bring the window's two axes to the front with "
            "`.transpose(2, 3, 0, 1)` before you reshape. Windows one below the other become "
            "columns by `.reshape(-1, k_h * k_w).T`.",
        ),
        Misconception(
            "windows side by side",
            wrong.side_by_side,
            symptom="Your windows do not overlap, so there are too few of them.",
            concept="The kernel moves by one pixel at a time: neighbouring windows overlap, which "
            "is why the matrix is so much larger than the image.",
            line="The window at (h, v) is `image[h : h + k_h, v : v + k_w]`, for every `h` of "
            "`range(o_h)` and `v` of `range(o_w)`.",
        ),
        Misconception(
            "windows from the end",
            wrong.last_window_first,
            symptom="Every column is a window, but the last one comes first.",
            concept="The first column is the window in the upper left corner.",
            line="Column `h * o_w + v` is the window at (h, v). In a list, each new window stands "
            "behind the others; and nothing is turned round at the end.",
        ),
        Misconception(
            "a window at every pixel",
            wrong.as_many_as_pixels,
            symptom="You have as many windows as the image has pixels; the last ones hang over "
            "its edge.",
            concept="Without padding, a window must lie on the image.",
            line="`o_h = i_h - k_h + 1`, and the same for the width.",
        ),
        Misconception(
            "only the last window kept",
            wrong.only_the_last_window,
            symptom="Only your first column is written, and the last window stands in it.",
            concept="Each window has a column of its own, number `h * o_w + v`.",
            line="In the inner loop, write each window to `matrix[:, h * o_w + v]`, or count "
            "`number += 1` behind each write.",
            choices={"left": (np.nan,)},
        ),
        Misconception(
            "only the last window of each row",
            wrong.one_column_a_row,
            symptom="Your first columns hold the last window of each row of windows, and nothing "
            "was written into the others.",
            concept="Each window has a column of its own; there is more than one in a row of them.",
            line="`matrix[:, h * o_w + v] = ...` for each window, in the inner loop; or a number "
            "that grows by 1 with each of them.",
            choices={"left": (np.nan,)},
        ),
        Misconception(
            "returned too early",
            wrong.returned_too_early,
            symptom="Your first columns are right, and nothing was written into the others.",
            concept="There is a window for each row `h` and each column `v`. A `return` or a "
            "`break` inside a loop ends that loop in its first turn.",
            line="Two loops, over `range(o_h)` and `range(o_w)`, and `return` behind both.",
            choices={"rows": (0, 1), "left": (0.0, np.nan)},
        ),
    ],
)
