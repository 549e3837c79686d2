"""Lab 01, exercise 2: each window of one channel becomes a column."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...grading.exercise import Exercise, Misconception


def window_columns(image, k_h, k_w):
    """Lower float32 `[i_h,i_w]` to float32 `[k_h·k_w, o_h·o_w]`, a window in each column."""
    windows = sliding_window_view(image, (k_h, k_w))
    return windows.transpose(2, 3, 0, 1).reshape(k_h * k_w, -1).copy()


def _laid_out(image, k_h, k_w, ravel, by_width=False):
    """Lower window by window, as most learners write it; `ravel` lays one window out."""
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    places = [(h, v) for h in range(o_h) for v in range(o_w)]
    if by_width:
        places.sort(key=lambda place: place[::-1])
    return np.stack([ravel(image[h : h + k_h, v : v + k_w]) for h, v in places], axis=1)


def windows_in_rows(image, k_h, k_w):
    return np.ascontiguousarray(window_columns(image, k_h, k_w).T)


def windows_by_width(image, k_h, k_w):
    return _laid_out(image, k_h, k_w, np.ravel, by_width=True)


def weights_by_column(image, k_h, k_w):
    return _laid_out(image, k_h, k_w, lambda window: window.ravel(order="F"))


def windows_flipped(image, k_h, k_w):
    return _laid_out(image, k_h, k_w, lambda window: window[::-1, ::-1].ravel())


def kernel_axes_swapped(image, k_h, k_w):
    return window_columns(image, k_w, k_h)


def last_place_forgotten(image, k_h, k_w):
    return window_columns(image[:-1, :-1], k_h, k_w)


def numbered_by_height(image, k_h, k_w):
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    matrix = np.zeros((k_h * k_w, o_h * o_w), np.float32)
    for h in range(o_h):
        for v in range(o_w):
            matrix[:, h * o_h + v] = image[h : h + k_h, v : v + k_w].ravel()
    return matrix


def columns_in_float64(image, k_h, k_w):
    return window_columns(image, k_h, k_w).astype(np.float64)


def reshaped_only(image, k_h, k_w):
    return sliding_window_view(image, (k_h, k_w)).reshape(k_h * k_w, -1)


def side_by_side(image, k_h, k_w):
    """Lower windows that do not overlap."""
    return np.stack([image[h : h + k_h, v : v + k_w].ravel()
                     for h in range(0, image.shape[0] - k_h + 1, k_h)
                     for v in range(0, image.shape[1] - k_w + 1, k_w)], axis=1)


def last_window_first(image, k_h, k_w):
    return np.ascontiguousarray(window_columns(image, k_h, k_w)[:, ::-1])


def as_many_as_pixels(image, k_h, k_w):
    """Begin a window at each pixel, with zeros where the image has ended."""
    return window_columns(np.pad(image, ((0, k_h - 1), (0, k_w - 1))), k_h, k_w)


def only_the_last_window(image, k_h, k_w):
    matrix = np.zeros_like(window_columns(image, k_h, k_w))
    matrix[:, 0] = image[-k_h:, -k_w:].ravel()
    return matrix


def one_column_a_row(image, k_h, k_w, left=0.0):
    """Count the windows in the outer loop."""
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    matrix = np.full_like(window_columns(image, k_h, k_w), left)
    matrix[:, :o_h] = window_columns(image, k_h, k_w)[:, o_w - 1 :: o_w]
    return matrix


def returned_too_early(image, k_h, k_w, rows=0, left=0.0):
    """Return after the first window, or after the first `rows` rows of windows."""
    matrix = window_columns(image, k_h, k_w)
    matrix[:, rows * (image.shape[1] - k_w + 1) or 1 :] = left
    return matrix


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
            "windows in rows", windows_in_rows,
            symptom="Your matrix has a row for each window. This exercise wants a column for each.",
            concept="The kernel stands left of the product as a row of `k_h * k_w` weights, so the "
            "matrix must have as many rows.",
            line="Put the window's number last: `matrix[:, number] = ...`. A list of windows "
            "becomes columns by `np.stack(windows, axis=1)`.",
        ),
        Misconception(
            "windows counted down the columns", windows_by_width,
            symptom="Every column is a window, but they stand in the wrong order.",
            concept="Column number `h * o_w + v` belongs to the window at row `h`, column `v`: the "
            "one that moves across comes faster, as in the output that you will reshape.",
            line="Write to column `h * o_w + v`; where you only count on, the loop over rows is "
            "the outer one.",
        ),
        Misconception(
            "window read down its columns", weights_by_column,
            symptom="Within each column the values are right but in the wrong order.",
            concept="A window is laid out row by row, as `kernel.ravel()` lays out the kernel. "
            "Otherwise each pixel meets another pixel's weight.",
            line="Pixel (a, b) of a window goes to row `a * k_w + b`, which is what `.ravel()` "
            "does as it is.",
        ),
        Misconception(
            "flipped window", windows_flipped,
            symptom="Each of your columns stands upside down.",
            concept="Deep learning's convolution does not flip anything: the first weight meets "
            "the window's first pixel.",
            line="Copy each window as it lies, from its first pixel on: no `[::-1]`.",
        ),
        Misconception(
            "kernel's height and width exchanged", kernel_axes_swapped,
            symptom="You are right for square kernels and wrong for all others.",
            concept="`k_h` counts rows and belongs to the image's first axis, `k_w` counts "
            "columns.",
            line="The window at (h, v) is `image[h : h + k_h, v : v + k_w]`.",
        ),
        Misconception(
            "last row and column of places forgotten", last_place_forgotten,
            symptom="Your matrix has too few columns.",
            concept="The last start that fits is `i_h - k_h`, and `range` stops before its end.",
            line="Loop over `range(i_h - k_h + 1)`, and the same for the width.",
        ),
        Misconception(
            "column number counted by o_h", numbered_by_height,
            symptom="You are right where `o_h` and `o_w` are equal. Elsewhere columns can be "
                "overwritten, left empty, or lie beyond the matrix.",
            concept="Before row `h` of places begins, `h` rows of `o_w` places each are done.",
            line="The column's number is `h * o_w + v`.",
        ),
        Misconception(
            "float64", columns_in_float64,
            symptom="Your values are right, but in float64: twice the bytes.",
            concept="NumPy makes float64 of whatever has no dtype.",
            line="Give the array its dtype where you make it, as in `np.empty(shape, "
            "np.float32)`.",
        ),
        Misconception(
            "reshape in place of a transpose", reshaped_only,
            symptom="The shape is right, but values of one window spread over several columns.",
            concept="`reshape` never moves a value: it cuts the same sequence into other lines. To "
            "exchange axes, transpose.",
            line="Of a `sliding_window_view`, bring the window's two axes to the front with "
            "`.transpose(2, 3, 0, 1)` before you reshape. Of a matrix with windows in rows, take "
            "`.T` in place of `reshape`.",
        ),
        Misconception(
            "windows side by side", side_by_side,
            symptom="Your windows do not overlap, so there are too few of them.",
            concept="The kernel moves by one pixel at a time: neighbouring windows share most "
                    "of their pixels, which is why the matrix is so much larger than the image.",
            line="`range(o_h)` and `range(o_w)`, with no step of `k_h` or `k_w`."),
        Misconception(
            "windows from the end", last_window_first,
            symptom="Every column is a window, but the last one comes first.",
            concept="The first column is the window in the upper left corner.",
            line="Count `h` and `v` upwards."),
        Misconception(
            "a window at every pixel", as_many_as_pixels,
            symptom="You have as many windows as the image has pixels; the last ones hang over "
                    "its edge.",
            concept="Without padding, a window must lie on the image.",
            line="`o_h = i_h - k_h + 1`, and the same for the width."),
        Misconception(
            "number of the window never moves", only_the_last_window,
            symptom="All windows go to the same column, one over the other.",
            concept="Each window has a column of its own, number `h * o_w + v`.",
            line="Write to `matrix[:, h * o_w + v]`, or count `number += 1` inside the inner "
                    "loop."),
        Misconception(
            "number of the window moves by rows", one_column_a_row,
            symptom="All windows that begin in one row go to the same column, one over the other.",
            concept="The number of the window moves with each window, not with each row of them.",
            line="`number += 1` in the inner loop; or write to `matrix[:, h * o_w + v]`.",
            choices={"left": (np.nan,)}),
        Misconception(
            "returned too early", returned_too_early,
            symptom="Your first columns are right, and nothing was written into the others.",
            concept="There is a window for each row `h` and each column `v`. A `return` or a "
                "`break` inside a loop ends that loop in its first turn.",
            line="Two loops, over `range(o_h)` and `range(o_w)`, and `return` behind both.",
            choices={"rows": (0, 1), "left": (0.0, np.nan)}),
    ],
)
