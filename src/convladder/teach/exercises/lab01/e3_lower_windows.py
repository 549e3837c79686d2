"""Lab 01, exercise 3: channels, stride, padding and a batch, windows in rows."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from .e1_output_shape import output_shape
from .lowering import lower, lowering_cases, pad, rows_of


def lower_windows(x, k_h, k_w, stride, padding):
    """Lower float32 `x[i_n,i_h,i_w,i_c]` to float32 `[i_n·o_h·o_w, k_h·k_w·i_c]`."""
    return lower(x, k_h, k_w, stride, padding)


def steps_of_one(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, step=(1, 1))


def stride_ignored(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, (1, 1), padding)


def one_stride(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, (stride[0], stride[0]), padding)


def across_by_the_stride_down(x, k_h, k_w, stride, padding):
    padded = pad(x, padding)
    return _window_by_window(padded, x, k_h, k_w, stride, padding, (stride[0], stride[0]))


def counted_but_not_padded(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (padding[0], 0), (padding[1], 0), (0, 0)))
    return _window_by_window(padded, x, k_h, k_w, stride, padding, stride)


def _window_by_window(padded, x, k_h, k_w, stride, padding, step):
    """Raise, as a learner's loop does, where a window hangs over the edge of `padded`."""
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    matrix = np.empty((len(x), o_h, o_w, k_h * k_w * x.shape[3]), np.float32)
    for n, h, v in np.ndindex(matrix.shape[:3]):
        top, left = step[0] * h, step[1] * v
        matrix[n, h, v] = padded[n, top : top + k_h, left : left + k_w].ravel()
    return matrix.reshape(-1, matrix.shape[3])


def strides_exchanged(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride[::-1], padding)


def padded_before_only(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (padding[0], 0), (padding[1], 0), (0, 0)))
    return rows_of(padded, k_h, k_w, stride, stride)


def padded_behind_only(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (0, 2 * padding[0]), (0, 2 * padding[1]), (0, 0)))
    return rows_of(padded, k_h, k_w, stride, stride)


def padding_exchanged(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding[::-1])


def padding_ignored(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, (0, 0))


def channels_outermost(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, axes=(0, 1, 2, 3, 4, 5))


def places_by_width(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, axes=(0, 2, 1, 4, 5, 3))


def windows_in_columns(x, k_h, k_w, stride, padding):
    return np.ascontiguousarray(lower(x, k_h, k_w, stride, padding).T)


def first_image_only(x, k_h, k_w, stride, padding):
    return lower(x[:1], k_h, k_w, stride, padding)


MISTAKES = [
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

EXERCISE = Exercise(
    name="lower_windows",
    lab=1,
    task="im2col with channels, stride, padding and a batch: each window becomes a row.",
    reference=lower_windows,
    cases=lowering_cases,
    misconceptions=MISTAKES,
)
