"""Lab 01: im2col and GEMM, from the size of the output to edges in a photograph.

Each mistake is written as a learner would write it, so that it behaves alike on every case.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...problem import ConvProblem
from ..exercise import Exercise, Misconception

COLUMNS = np.array([[1, 0, -1]] * 3, np.float32)  # the kernel of the source's example


# --- output_shape -----------------------------------------------------------------------------


def output_shape(image, kernel, stride, padding):
    """Pairs (vertical, horizontal) of whole numbers -> the pair (o_h, o_w)."""
    return tuple((i + 2 * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def forgets_the_first(image, kernel, stride, padding):
    return tuple((i + 2 * p - k) // s for i, k, s, p in zip(image, kernel, stride, padding))


def rounds_up(image, kernel, stride, padding):
    return tuple(-(-(i + 2 * p - k) // s) + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def pads_once(image, kernel, stride, padding):
    return tuple((i + p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))


def shape_without_stride(image, kernel, stride, padding):
    return tuple(i + 2 * p - k + 1 for i, k, p in zip(image, kernel, padding))


def shape_without_padding(image, kernel, stride, padding):
    return tuple((i - k) // s + 1 for i, k, s in zip(image, kernel, stride))


def divides_too_late(image, kernel, stride, padding):
    return tuple((i + 2 * p - k + 1) // s for i, k, s, p in zip(image, kernel, stride, padding))


def one_stride_for_the_shape(image, kernel, stride, padding):
    return output_shape(image, kernel, (stride[0], stride[0]), padding)


def width_first(image, kernel, stride, padding):
    return output_shape(image, kernel, stride, padding)[::-1]


def shape_cases(rng):
    return [
        ((4, 4), (3, 3), (1, 1), (0, 0)),
        ((5, 7), (3, 3), (2, 2), (0, 0)),
        ((8, 8), (3, 2), (2, 3), (1, 1)),
        ((9, 6), (2, 3), (3, 2), (0, 2)),
        ((224, 224), (7, 7), (2, 2), (3, 3)),
        ((10, 13), (4, 3), (3, 1), (2, 0)),
    ]


Exercise(
    name="output_shape",
    lab=1,
    task="Rows and columns of the output, from image, kernel, stride and padding.",
    reference=output_shape,
    cases=shape_cases,
    misconceptions=[
        Misconception(
            "first place forgotten", forgets_the_first,
            symptom="Your output is one row and one column too small.",
            concept="The kernel may start at 0 and at every step up to the last start that fits. "
            "The steps are the gaps between places; there is one place more than gaps.",
            line="Add 1 after the division.",
        ),
        Misconception(
            "rounded up", rounds_up,
            symptom="You are right wherever the stride divides evenly, and one too large elsewhere.",
            concept="A window that would hang over the edge is left out, not filled up. So the "
            "number of steps is rounded down.",
            line="Use `//`, which rounds down, in place of `ceil` or a rounding division.",
        ),
        Misconception(
            "padding counted once", pads_once,
            symptom="You are right without padding, and too small with it.",
            concept="Padding is put on both sides: above and below, left and right.",
            line="The padded image has `i + 2 * p` rows, not `i + p`.",
        ),
        Misconception(
            "stride ignored", shape_without_stride,
            symptom="You are right for a stride of 1, and too large for any other.",
            concept="With a stride of 2 the window skips every second start, so about half of "
            "them are left.",
            line="Divide the last start that fits, `i + 2 * p - k`, by the stride of that axis.",
        ),
        Misconception(
            "padding ignored", shape_without_padding,
            symptom="Your output is what an image without padding would give.",
            concept="The window moves over the padded image, which has `p` more rows on each side.",
            line="Add `2 * p` to the image's size before you subtract the kernel's.",
        ),
        Misconception(
            "one added before dividing", divides_too_late,
            symptom="You are right for a stride of 1, and often one too small for a larger one.",
            concept="The start at 0 always counts. Only the steps after it are thinned out by the "
            "stride.",
            line="Divide first, then add: `(i + 2 * p - k) // s + 1`.",
        ),
        Misconception(
            "one stride for both axes", one_stride_for_the_shape,
            symptom="You are right where both strides are equal; elsewhere your `o_w` is wrong.",
            concept="The stride is a pair: `stride[0]` moves down, `stride[1]` across.",
            line="In the line for `o_w`, use `stride[1]`.",
        ),
        Misconception(
            "width before height", width_first,
            symptom="You return the right numbers in the wrong order.",
            concept="This course puts the vertical axis first everywhere, as an array's shape does.",
            line="Return `(o_h, o_w)`.",
        ),
    ],
)


# --- window_columns ---------------------------------------------------------------------------


def window_columns(image, k_h, k_w):
    """float32 `[i_h,i_w]` -> float32 `[k_h·k_w, o_h·o_w]`, a window in each column."""
    windows = sliding_window_view(image, (k_h, k_w))
    return windows.transpose(2, 3, 0, 1).reshape(k_h * k_w, -1).copy()


def _laid_out(image, k_h, k_w, ravel, by_width=False):
    """Window by window, as most learners write it; `ravel` lays one window out."""
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


def column_cases(rng):
    return [
        (np.arange(1, 17, dtype=np.float32).reshape(4, 4), 3, 3),
        (np.arange(12, dtype=np.float32).reshape(3, 4), 2, 2),
        (rng.standard_normal((9, 7), dtype=np.float32), 3, 2),
        (rng.standard_normal((6, 8), dtype=np.float32), 1, 4),
    ]


Exercise(
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
            line="Where you write a window into the matrix, put the window's number last: "
            "`matrix[:, number] = ...`.",
        ),
        Misconception(
            "windows counted down the columns", windows_by_width,
            symptom="Every column is a window, but they stand in the wrong order.",
            concept="Column number `h * o_w + v` belongs to the window at row `h`, column `v`: the "
            "one that moves across comes faster, as in the output that you will reshape.",
            line="Let the loop over rows be the outer one, and the loop over columns the inner.",
        ),
        Misconception(
            "window read down its columns", weights_by_column,
            symptom="Within each column the values are right but in the wrong order.",
            concept="A window is laid out row by row, as `kernel.ravel()` lays out the kernel. "
            "Otherwise each pixel meets another pixel's weight.",
            line="Use `.ravel()` as it is: no `order='F'`, no `.T` before it.",
        ),
        Misconception(
            "flipped window", windows_flipped,
            symptom="Each of your columns stands upside down.",
            concept="Deep learning's convolution does not flip anything: the first weight meets "
            "the window's first pixel.",
            line="Copy the window without `[::-1, ::-1]`.",
        ),
        Misconception(
            "kernel's height and width exchanged", kernel_axes_swapped,
            symptom="You are right for square kernels and wrong for all others.",
            concept="`k_h` counts rows and belongs to the image's first axis, `k_w` counts columns.",
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
            symptom="You are right for square images; elsewhere some columns are overwritten, "
            "left empty, or beyond the matrix.",
            concept="Before row `h` of places begins, `h` rows of `o_w` places each are done.",
            line="The column's number is `h * o_w + v`.",
        ),
        Misconception(
            "float64", columns_in_float64,
            symptom="Your values are right, but in float64: twice the bytes.",
            concept="`np.zeros` and `np.empty` make float64 unless they are told otherwise.",
            line="Give the array its dtype: `np.empty(shape, np.float32)`.",
        ),
        Misconception(
            "reshape in place of a transpose", reshaped_only,
            symptom="The shape is right, but values of one window spread over several columns.",
            concept="`reshape` never moves a value: it cuts the same sequence into other lines. To "
            "exchange axes, transpose.",
            line="Bring the two axes of the window to the front with `.transpose(2, 3, 0, 1)` "
            "before you reshape.",
        ),
    ],
)


# --- lower_windows ----------------------------------------------------------------------------


def lower_windows(x, k_h, k_w, stride, padding):
    """float32 `x[i_n,i_h,i_w,i_c]`, pairs -> float32 `[i_n·o_h·o_w, k_h·k_w·i_c]`."""
    return _lower(x, k_h, k_w, stride, padding)


def _padded(x, padding):
    return np.pad(x, ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)))


def _lower(x, k_h, k_w, stride, padding, step=None, axes=(0, 1, 2, 4, 5, 3)):
    """step: how far windows really move, where that is not `stride`, which counts them."""
    return _rows(_padded(x, padding), k_h, k_w, stride, step or stride, axes)


def _rows(padded, k_h, k_w, stride, step, axes=(0, 1, 2, 4, 5, 3)):
    o_h, o_w = output_shape(padded.shape[1:3], (k_h, k_w), stride, (0, 0))
    windows = sliding_window_view(padded, (k_h, k_w), axis=(1, 2))
    windows = windows[:, :: step[0], :: step[1]][:, :o_h, :o_w].transpose(axes)
    return windows.reshape(-1, k_h * k_w * padded.shape[3]).copy()


def steps_of_one(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, stride, padding, step=(1, 1))


def stride_ignored(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, (1, 1), padding)


def one_stride(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, (stride[0], stride[0]), padding)


def across_by_the_stride_down(x, k_h, k_w, stride, padding):
    padded = _padded(x, padding)
    return _window_by_window(padded, x, k_h, k_w, stride, padding, (stride[0], stride[0]))


def counted_but_not_padded(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (padding[0], 0), (padding[1], 0), (0, 0)))
    return _window_by_window(padded, x, k_h, k_w, stride, padding, stride)


def _window_by_window(padded, x, k_h, k_w, stride, padding, step):
    """Raises, as a learner's loop does, where a window hangs over the edge of `padded`."""
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    matrix = np.empty((len(x), o_h, o_w, k_h * k_w * x.shape[3]), np.float32)
    for n, h, v in np.ndindex(matrix.shape[:3]):
        top, left = step[0] * h, step[1] * v
        matrix[n, h, v] = padded[n, top : top + k_h, left : left + k_w].ravel()
    return matrix.reshape(-1, matrix.shape[3])


def strides_exchanged(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, stride[::-1], padding)


def padded_before_only(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (padding[0], 0), (padding[1], 0), (0, 0)))
    return _rows(padded, k_h, k_w, stride, stride)


def padded_behind_only(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (0, 2 * padding[0]), (0, 2 * padding[1]), (0, 0)))
    return _rows(padded, k_h, k_w, stride, stride)


def padding_exchanged(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, stride, padding[::-1])


def padding_ignored(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, stride, (0, 0))


def channels_outermost(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, stride, padding, axes=(0, 1, 2, 3, 4, 5))


def places_by_width(x, k_h, k_w, stride, padding):
    return _lower(x, k_h, k_w, stride, padding, axes=(0, 2, 1, 4, 5, 3))


def windows_in_columns(x, k_h, k_w, stride, padding):
    return np.ascontiguousarray(_lower(x, k_h, k_w, stride, padding).T)


def first_image_only(x, k_h, k_w, stride, padding):
    return _lower(x[:1], k_h, k_w, stride, padding)


def lowering_cases(rng):
    small = np.arange(1, 19, dtype=np.float32).reshape(1, 3, 3, 2)
    return [(small, 2, 2, (1, 1), (0, 0))] + [
        (rng.standard_normal(shape, dtype=np.float32) + np.float32(0.25), *rest)
        for shape, *rest in [
            ((1, 9, 8, 3), 3, 2, (2, 1), (0, 0)),
            ((1, 8, 9, 2), 2, 3, (1, 2), (1, 0)),
            ((2, 10, 7, 3), 3, 2, (2, 1), (1, 2)),
            ((1, 7, 11, 1), 1, 3, (1, 3), (0, 1)),
        ]
    ]


_LOWERING = [
    Misconception(
        "windows one pixel apart", steps_of_one,
        symptom="Your matrix has the right shape, but its windows are neighbours: the stride "
        "counts them and does not move them.",
        concept="The window of output (h, v) begins at row `s_h * h` and column `s_w * v` of the "
        "padded image.",
        line="Multiply the output's position by the stride where you cut the window out.",
    ),
    Misconception(
        "stride ignored", stride_ignored,
        symptom="You lower every window that there is, whatever the stride.",
        concept="A stride of 2 leaves out every second start, so the matrix has fewer rows.",
        line="Take only the windows `[:, ::s_h, ::s_w]`, or loop over `o_h` and `o_w` that count "
        "the stride.",
    ),
    Misconception(
        "one stride for both axes", one_stride,
        symptom="You are right where both strides are equal, and only there.",
        concept="The stride is a pair: `stride[0]` moves down, `stride[1]` across.",
        line="Where you step along the width, use `stride[1]`.",
    ),
    Misconception(
        "across by the stride for down", across_by_the_stride_down,
        symptom="You are right where both strides are equal. Elsewhere your windows stand in the "
        "wrong columns, or hang over the edge.",
        concept="The number of windows follows from each axis' own stride, and so must the place "
        "of each window.",
        line="The window of output (h, v) begins at column `s_w * v`.",
    ),
    Misconception(
        "strides exchanged", strides_exchanged,
        symptom="Your windows step down by what they should step across.",
        concept="Pairs are (vertical, horizontal): the first belongs to the axis `i_h`.",
        line="Unpack the pair as `s_h, s_w = stride`.",
    ),
    Misconception(
        "padding on one side only", padded_before_only,
        symptom="You are right without padding; with it your matrix has too few rows.",
        concept="Zeros go on both sides: above and below, left and right.",
        line="In `np.pad`, give each padded axis the same number twice: `(p_h, p_h)`.",
    ),
    Misconception(
        "padding counted on both sides, put on one", counted_but_not_padded,
        symptom="You are right without padding; with it the last windows hang over the edge and "
        "are too short for their row.",
        concept="`output_shape` counts zeros on both sides of the image, so they must be there.",
        line="`np.pad` takes (before, behind) for each axis: `(p_h, p_h)` and `(p_w, p_w)`, not "
        "`(p_h, 0)`.",
    ),
    Misconception(
        "image in the padding's corner", padded_behind_only,
        symptom="The shape is right, but all zeros lie below and to the right of the image.",
        concept="The image stands in the middle of its padding, `p_h` rows from the top and `p_w` "
        "columns from the left.",
        line="Put the image at `padded[:, p_h : p_h + i_h, p_w : p_w + i_w]`.",
    ),
    Misconception(
        "padding exchanged", padding_exchanged,
        symptom="You pad the height by what belongs to the width.",
        concept="Pairs are (vertical, horizontal), and `x` has the axes batch, height, width, "
        "channel.",
        line="In `np.pad`, the second entry is `(p_h, p_h)` and the third `(p_w, p_w)`.",
    ),
    Misconception(
        "padding ignored", padding_ignored,
        symptom="You are right without padding; with it, windows on the border are missing.",
        concept="Windows may stand on the border once there are zeros around the image.",
        line="Begin with `np.pad`, and cut the windows out of what it returns.",
    ),
    Misconception(
        "channels outermost", channels_outermost,
        symptom="Each row holds the right values, sorted by channel first.",
        concept="The weights `w[k_h, k_w, i_c, k_c]` have the channel inside. A row must have the "
        "same order, or each value meets another value's weight.",
        line="`sliding_window_view` puts the window's axes last: transpose with "
        "(0, 1, 2, 4, 5, 3) so that the channel is last again.",
    ),
    Misconception(
        "places counted down the columns", places_by_width,
        symptom="Every row is a window, but they stand in the wrong order.",
        concept="Row number `h * o_w + v` belongs to output (h, v): then the product is `y` as it "
        "lies in memory.",
        line="Loop over `o_h` outside and `o_w` inside.",
    ),
    Misconception(
        "windows in columns", windows_in_columns,
        symptom="Your matrix is the transpose of what is asked for.",
        concept="With windows in rows, the product with the weights gives `[o_h·o_w, k_c]`, which "
        "is NHWC with nothing to rearrange.",
        line="Put a window into a row: `matrix[number] = ...`.",
    ),
    Misconception(
        "first image only", first_image_only,
        symptom="You are right for a batch of one; of a larger batch you lower the first image.",
        concept="`i_n` images are lowered one below the other: `i_n * o_h * o_w` rows.",
        line="Loop over `x` too, or keep its first axis: no `x[0]`.",
    ),
]

Exercise(
    name="lower_windows",
    lab=1,
    task="im2col with channels, stride, padding and a batch: each window becomes a row.",
    reference=lower_windows,
    cases=lowering_cases,
    misconceptions=_LOWERING,
)


# --- convolve_gemm ----------------------------------------------------------------------------


def convolve_gemm(x, w, stride, padding):
    """float32 `x[i_n,i_h,i_w,i_c]`, `w[k_h,k_w,i_c,k_c]`, pairs -> float32 `y[i_n,o_h,o_w,k_c]`."""
    product, shape = _product(x, w, stride, padding)
    return product.reshape(shape)


def _product(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    product = _lower(x, k_h, k_w, stride, padding) @ w.reshape(k_h * k_w * i_c, k_c)
    return product, (len(x), o_h, o_w, k_c)


def kernel_flipped(x, w, stride, padding):
    return convolve_gemm(x, np.ascontiguousarray(w[::-1, ::-1]), stride, padding)


def filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = _product(x, w, stride, padding)
    return np.ascontiguousarray(product.reshape(i_n, o_h, o_w, k_c).transpose(0, 3, 1, 2))


def reshaped_filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = _product(x, w, stride, padding)
    return product.reshape(i_n, k_c, o_h, o_w).transpose(0, 2, 3, 1).copy()


def weights_reshaped_wrongly(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    scrambled = w.reshape(k_c, -1).T.reshape(w.shape)
    return convolve_gemm(x, scrambled, stride, padding)


def output_axes_swapped(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = _product(x, w, stride, padding)
    return product.reshape(i_n, o_w, o_h, k_c)


def channels_do_not_match(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    matrix = channels_outermost(x, k_h, k_w, stride, padding)
    return (matrix @ w.reshape(-1, k_c)).reshape(_product(x, w, stride, padding)[1])


def never_reshaped(x, w, stride, padding):
    return _product(x, w, stride, padding)[0]


def result_in_float64(x, w, stride, padding):
    return convolve_gemm(x, w, stride, padding).astype(np.float64)


def stride_and_padding_forgotten(x, w, stride, padding):
    return convolve_gemm(x, w, (1, 1), (0, 0))


def gemm_cases(rng):
    seed = np.arange(1, 17, dtype=np.float32).reshape(1, 4, 4, 1)
    return [(seed, COLUMNS.reshape(3, 3, 1, 1), (1, 1), (0, 0))] + [
        (rng.standard_normal(image, dtype=np.float32) + np.float32(0.25),
         rng.standard_normal(kernel, dtype=np.float32) - np.float32(0.125), *rest)
        for image, kernel, *rest in [
            ((1, 7, 9, 2), (3, 2, 2, 4), (1, 1), (0, 0)),
            ((2, 8, 6, 3), (2, 3, 3, 5), (2, 1), (1, 0)),
            ((1, 9, 12, 2), (3, 3, 2, 3), (1, 2), (1, 2)),
        ]
    ]


Exercise(
    name="convolve_gemm",
    lab=1,
    task="Convolution as one matrix product, and the reshape that makes it NHWC.",
    reference=convolve_gemm,
    cases=gemm_cases,
    misconceptions=[
        Misconception(
            "flipped kernel", kernel_flipped,
            symptom="On the source's example you return +6 everywhere; it should be −6.",
            concept="Mathematics flips the kernel before it slides. Deep learning does not: its "
            "convolution is cross-correlation.",
            line="Use `w` as it is, without `[::-1, ::-1]`.",
        ),
        Misconception(
            "filters before rows and columns", filters_first,
            symptom="Your result has the right values with its axes in the order NCHW.",
            concept="NHWC keeps the channels of one pixel together, so `k_c` comes last.",
            line="Reshape the product to `(i_n, o_h, o_w, k_c)` and transpose nothing.",
        ),
        Misconception(
            "product reshaped with k_c first", reshaped_filters_first,
            symptom="The shape is right, but values of different pixels and filters are mixed up, "
            "except where there is one filter.",
            concept="In the product the filter moves fastest: each row is one pixel. `reshape` "
            "cannot change that order; naming the axes in another order mixes them.",
            line="Reshape the product straight to `(i_n, o_h, o_w, k_c)`.",
        ),
        Misconception(
            "weights reshaped with k_c first", weights_reshaped_wrongly,
            symptom="You are right for a single filter and wrong for several.",
            concept="In `w[k_h, k_w, i_c, k_c]` the filter moves fastest. `w.reshape(k_c, -1)` "
            "cuts that sequence at the wrong places, and a transpose does not mend it.",
            line="Use `w.reshape(k_h * k_w * i_c, k_c)`.",
        ),
        Misconception(
            "o_h and o_w exchanged", output_axes_swapped,
            symptom="You are right for square outputs; elsewhere height and width are exchanged.",
            concept="The matrix has its rows in the order of `h`, then `v`.",
            line="Reshape to `(i_n, o_h, o_w, k_c)`, height first.",
        ),
        Misconception(
            "channels in another order than the weights", channels_do_not_match,
            symptom="You are right for one channel and wrong for several.",
            concept="Row and weights must list the same things in the same order: row, column, "
            "channel.",
            line="Mend `lower_windows` first, until its own check passes.",
        ),
        Misconception(
            "product returned flat", never_reshaped,
            symptom="You return the product `[i_n·o_h·o_w, k_c]` itself.",
            concept="It holds the right values in the right order already; only the axes are "
            "missing.",
            line="End with `.reshape(i_n, o_h, o_w, k_c)`: it copies nothing.",
        ),
        Misconception(
            "float64", result_in_float64,
            symptom="Your values are right, but in float64.",
            concept="A float64 array anywhere in a product makes the product float64, and GEMM "
            "half as fast.",
            line="Look for `np.zeros` or `np.empty` without a dtype: give it `np.float32`.",
        ),
        Misconception(
            "stride and padding not handed on", stride_and_padding_forgotten,
            symptom="You are right for stride 1 without padding, and only there.",
            concept="Both decide which windows there are, so the lowering needs them, and the "
            "output's shape too.",
            line="Pass `stride` and `padding` on to `lower_windows` and to `output_shape`.",
        ),
    ],
)


# --- edge_strength ----------------------------------------------------------------------------


def edge_strength(photo):
    """float32 `photo[i_h,i_w,i_c]` -> float32 `[i_h,i_w]` in [0, 1]: how strong the edges are."""
    across, down = _differences(photo)
    return _scaled(np.sqrt(across**2 + down**2))


def _differences(photo, padding=(1, 1)):
    grey = photo.mean(axis=2, dtype=np.float32)[None, :, :, None]
    w = np.stack([COLUMNS, COLUMNS.T], axis=-1)[:, :, None, :]
    y = convolve_gemm(grey, w, (1, 1), padding)[0]
    return y[..., 0], y[..., 1]


def _scaled(strength):
    largest = strength.max()
    return strength / largest if largest > 0 else strength


def divides_by_nothing(photo):
    across, down = _differences(photo)
    strength = np.sqrt(across**2 + down**2)
    return strength / strength.max()


def not_scaled(photo):
    across, down = _differences(photo)
    return np.sqrt(across**2 + down**2)


def one_direction(photo):
    return _scaled(np.abs(_differences(photo)[0]))


def plain_sum(photo):
    across, down = _differences(photo)
    return _scaled(np.abs(across + down))


def sum_of_sizes(photo):
    across, down = _differences(photo)
    return _scaled(np.abs(across) + np.abs(down))


def no_root(photo):
    across, down = _differences(photo)
    return _scaled(across**2 + down**2)


def border_lost(photo):
    across, down = _differences(photo, padding=(0, 0))
    return _scaled(np.sqrt(across**2 + down**2))


def red_only(photo):
    return edge_strength(photo[:, :, :1])


def photo_cases(rng):
    corner = np.zeros((4, 5, 1), np.float32)
    corner[1:, 2:] = 1
    return [
        (corner,),
        (np.zeros((5, 4, 3), np.float32),),
        (rng.random((8, 11, 3), dtype=np.float32),),
        (rng.random((12, 7, 1), dtype=np.float32),),
    ]


Exercise(
    name="edge_strength",
    lab=1,
    task="How strong the edges of a photograph are, from two filters in one convolution.",
    reference=edge_strength,
    cases=photo_cases,
    calls_allowed=("convladder.convolve.conv2d",),
    misconceptions=[
        Misconception(
            "0 divided by 0", divides_by_nothing,
            symptom="A black image gives NaN in every pixel.",
            concept="An image without an edge has a largest strength of 0, and 0/0 is NaN. NaN "
            "spreads to all that is computed from it.",
            line="Divide only where the largest strength is above 0.",
        ),
        Misconception(
            "not scaled", not_scaled,
            symptom="Your strengths are right but for one factor.",
            concept="The strongest edge of a photograph shall have the strength 1, so that "
            "photographs can be compared.",
            line="Divide by the largest strength, if there is any.",
        ),
        Misconception(
            "one direction only", one_direction,
            symptom="Edges that run across are missing.",
            concept="The source's kernel compares left with right. An edge between above and below "
            "needs the same kernel turned.",
            line="Use two filters, `kernel` and `kernel.T`, and both of their outputs.",
        ),
        Misconception(
            "differences added with their signs", plain_sum,
            symptom="Some edges that slope vanish: their two differences cancel.",
            concept="Brighter to the left and brighter below have opposite signs. Squares have "
            "none.",
            line="Add the squares and take the root: `np.sqrt(across**2 + down**2)`.",
        ),
        Misconception(
            "sizes added", sum_of_sizes,
            symptom="Sloping edges come out too strong.",
            concept="The two differences are the sides of a right-angled triangle; the edge is its "
            "hypotenuse.",
            line="Use `np.sqrt(across**2 + down**2)` in place of a sum of `np.abs`.",
        ),
        Misconception(
            "root forgotten", no_root,
            symptom="Weak edges come out too weak.",
            concept="Squares exaggerate: an edge half as strong has a quarter of the square. The "
            "root takes that back.",
            line="Take `np.sqrt` of the sum of squares.",
        ),
        Misconception(
            "no padding", border_lost,
            symptom="Your result is two rows and two columns too small.",
            concept="A 3×3 kernel keeps the size if the image has one row or column of zeros on "
            "each side.",
            line="Convolve with `padding=(1, 1)`.",
        ),
        Misconception(
            "first channel only", red_only,
            symptom="You are right for images of one channel, and wrong in colour.",
            concept="An edge may show in one colour and not in another. The mean sees all three.",
            line="Give each filter the weight 1/i_c in every channel, or take the mean first.",
        ),
    ],
)


# --- faster_lower -----------------------------------------------------------------------------


def faster_lower(x, k_h, k_w, stride, padding):
    """As `lower_windows`, in no more memory than the result and the padded image."""
    padded = x if tuple(padding) == (0, 0) else _padded(x, padding)
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    windows = sliding_window_view(padded, (k_h, k_w), axis=(1, 2))[:, :: stride[0], :: stride[1]]
    matrix = np.empty((len(x), o_h, o_w, k_h, k_w, x.shape[3]), np.float32)
    matrix[...] = windows.transpose(0, 1, 2, 4, 5, 3)
    return matrix.reshape(-1, k_h * k_w * x.shape[3])


def lower_budget(x, k_h, k_w, stride, padding):
    """Bytes of the padded image, 0 without padding."""
    i_n, i_h, i_w, i_c = x.shape
    problem = ConvProblem(i_n, i_h, i_w, i_c, k_h, k_w, 1, stride, padding)
    padded = 4 * i_n * problem.padded_h * problem.padded_w * i_c
    return padded if problem.padding != (0, 0) else 0


def list_of_windows(x, k_h, k_w, stride, padding):
    padded = _padded(x, padding)
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    rows = [
        image[top : top + k_h, left : left + k_w].ravel()
        for image in padded
        for top in range(0, stride[0] * o_h, stride[0])
        for left in range(0, stride[1] * o_w, stride[1])
    ]
    return np.stack(rows)


def copied_twice(x, k_h, k_w, stride, padding):
    return faster_lower(x, k_h, k_w, stride, padding).copy()


def through_float64(x, k_h, k_w, stride, padding):
    wide = faster_lower(x, k_h, k_w, stride, padding).astype(np.float64)
    return wide.astype(np.float32)


def faster_cases(rng):
    large = rng.standard_normal((1, 96, 80, 3), dtype=np.float32)
    return [*lowering_cases(rng), (large, 5, 3, (1, 1), (2, 1))]


Exercise(
    name="faster_lower",
    lab=1,
    task="Lower in one copy, with no memory but the result's and the padded image's.",
    reference=faster_lower,
    cases=faster_cases,
    workspace=lower_budget,
    misconceptions=[
        *_LOWERING,
        Misconception(
            "a copy of every window", list_of_windows,
            symptom="All windows exist twice for a moment: one by one, and in the matrix.",
            concept="A list of copied windows takes as many bytes as the matrix that you then build "
            "from it, and Python's objects on top.",
            line="Make the matrix first with `np.empty`, then write each part into its place.",
        ),
        Misconception(
            "a second copy", copied_twice,
            symptom="For a moment your matrix exists twice.",
            concept="One copy is needed, from the overlapping view into the matrix. `reshape` of "
            "such a view makes it already; so does `np.ascontiguousarray`.",
            line="Take away the last `.copy()`, `np.array(...)` or `astype`.",
        ),
        Misconception(
            "a detour through float64", through_float64,
            symptom="Somewhere your values pass through float64, which takes twice the matrix.",
            concept="An array made without a dtype is float64; converting it back makes one more "
            "copy.",
            line="Make every array with `np.float32` from the start.",
        ),
    ],
)
