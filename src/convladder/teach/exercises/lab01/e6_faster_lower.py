"""Lab 01, exercise 6: a lowering in no more memory than it must have."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from . import lowering_lists as lists
from .shape import output_shape
from .lowering import lowering_cases, pad
from .lowering_mistakes import MISTAKES


def faster_lower(x, k_h, k_w, stride, padding):
    """Lower as `lower_windows`, in no more memory than the result and the padded image."""
    padded = x if tuple(padding) == (0, 0) else pad(x, padding)
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    windows = sliding_window_view(padded, (k_h, k_w), axis=(1, 2))[:, :: stride[0], :: stride[1]]
    matrix = np.empty((len(x), o_h, o_w, k_h, k_w, x.shape[3]), np.float32)
    matrix[...] = windows.transpose(0, 1, 2, 4, 5, 3)
    return matrix.reshape(-1, k_h * k_w * x.shape[3])


def lower_budget(x, k_h, k_w, stride, padding):
    """Return the bytes of the padded image, 0 without padding."""
    i_n, i_h, i_w, i_c = x.shape
    problem = ConvProblem(i_n, i_h, i_w, i_c, k_h, k_w, 1, stride, padding)
    padded = 4 * i_n * problem.padded_h * problem.padded_w * i_c
    return padded if problem.padding != (0, 0) else 0


def copied_twice(x, k_h, k_w, stride, padding, beside_the_image=False):
    """Copy the result; `beside_the_image`: while the padded one is still there."""
    if not beside_the_image or tuple(padding) == (0, 0):
        return faster_lower(x, k_h, k_w, stride, padding).copy()
    padded = pad(x, padding)
    return faster_lower(padded, k_h, k_w, stride, (0, 0)).copy()


def through_float64(x, k_h, k_w, stride, padding):
    wide = faster_lower(x, k_h, k_w, stride, padding).astype(np.float64)
    return wide.astype(np.float32)


def image_in_float64(x, k_h, k_w, stride, padding, filled=False):
    """Pad in float64: an image converted first, or zeros into which the image is written."""
    if not filled:
        return faster_lower(pad(x.astype(np.float64), padding), k_h, k_w, stride, (0, 0))
    if tuple(padding) == (0, 0):
        return faster_lower(x, k_h, k_w, stride, padding)
    (i_n, i_h, i_w, i_c), (p_h, p_w) = x.shape, padding
    padded = np.zeros((i_n, i_h + 2 * p_h, i_w + 2 * p_w, i_c))
    padded[:, p_h : p_h + i_h, p_w : p_w + i_w] = x
    return faster_lower(padded, k_h, k_w, stride, (0, 0))


def image_copied(x, k_h, k_w, stride, padding):
    x = x.copy()
    padded = x if tuple(padding) == (0, 0) else pad(x, padding)
    return faster_lower(padded, k_h, k_w, stride, (0, 0))


def gathered(x, k_h, k_w, stride, padding, counted=False, dtype=np.int64, inline=False):
    """Take the values by an array of their places, of 8 bytes each, or 4.

    counted: without an array of the places in the image. inline: that no variable holds.
    """
    padded = x if tuple(padding) == (0, 0) else pad(x, padding)
    if counted:
        o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
        n, h, w, a, b, c = np.ogrid[: len(x), :o_h, :o_w, :k_h, :k_w, : x.shape[3]]
        rows = n * padded.shape[1] + stride[0] * h + a
        index = (rows * padded.shape[2] + stride[1] * w + b) * x.shape[3] + c
        return padded.reshape(-1)[index.reshape(-1, k_h * k_w * x.shape[3])]
    places = np.arange(padded.size, dtype=dtype).reshape(padded.shape)
    windows = sliding_window_view(places, (k_h, k_w), axis=(1, 2))[:, :: stride[0], :: stride[1]]
    windows = windows.transpose(0, 1, 2, 4, 5, 3)
    if inline:
        return padded.reshape(-1)[windows.reshape(-1, k_h * k_w * x.shape[3])]
    index = windows.reshape(-1, k_h * k_w * x.shape[3])
    return padded.reshape(-1)[index]


def padded_if_one(x, k_h, k_w, stride, padding, axis=0):
    """Pad where one padding, or each of both, is above 0."""
    asked = all(padding) if axis is None else padding[axis]
    return faster_lower(x, k_h, k_w, stride, padding if asked else (0, 0))


def padded_by_nothing(x, k_h, k_w, stride, padding):
    return faster_lower(pad(x, padding), k_h, k_w, stride, (0, 0))


def faster_cases(rng):
    large = rng.standard_normal((2, 66, 80, 3), dtype=np.float32)  # copies may be free with one
    deep = rng.standard_normal((1, 40, 36, 12), dtype=np.float32)
    return [*lowering_cases(rng), (deep, 5, 5, (1, 1), (0, 0)), (large, 5, 6, (2, 1), (2, 1))]


EXERCISE = Exercise(
    name="faster_lower",
    lab=1,
    task="Lower in one copy, with no memory but the result's and the padded image's.",
    reference=faster_lower,
    cases=faster_cases,
    workspace=lower_budget,
    misconceptions=[
        *MISTAKES,
        Misconception(
            "one padding asked for both",
            padded_if_one,
            choices={"axis": (1, None)},
            symptom="You are right where both paddings are 0, or neither is. Where one is, zeros "
            "can be missing.",
            concept="A layer may be padded along one axis only. Nothing is padded where both "
            "numbers are 0, and nowhere else.",
            line="`np.pad` wherever `p_h or p_w`.",
        ),
        Misconception(
            "a copy of every window",
            lists.list_of_windows,
            symptom="All your values exist twice for a moment, and each window takes something "
            "besides: once one by one, once in the matrix.",
            concept="A list of copied windows takes as many bytes as the matrix that is built "
            "from it, and Python's objects on top.",
            line="One matrix from `np.empty`, each part written straight into its place, and that "
            "matrix returned: no list.",
        ),
        Misconception(
            "a copy of every window, in np.array",
            lists.array_of_windows,
            symptom="All your values exist twice for a moment: in the matrix, and in what it is "
            "made of, window by window.",
            concept="A list of parts keeps what they are made of until the matrix is done. "
            "`.ravel()` of a window, for one, has to copy it.",
            line="One matrix from `np.empty`, each window written straight into its row, and that "
            "matrix returned: no list.",
        ),
        Misconception(
            "a list of views, stacked",
            lists.stack_of_views,
            symptom="You hold a few hundred bytes for each window: as much as a list of views "
            "that is stacked.",
            concept="A view copies no value, and is yet a Python object of more than a hundred "
            "bytes. `np.stack` makes a second one of each.",
            line="Make the matrix first and write into it; or transpose one view of all windows, "
            "`sliding_window_view`, and copy it by `reshape` alone.",
        ),
        Misconception(
            "a list of views",
            lists.array_of_views,
            symptom="You hold some two hundred bytes for each window: as much as a list of views "
            "takes.",
            concept="A view is a Python object of more than a hundred bytes. A single one, with "
            "six axes, shows all windows at once.",
            line="`sliding_window_view(padded, (k_h, k_w), axis=(1, 2))[:, ::s_h, "
            "::s_w].transpose(0, 1, 2, 4, 5, 3).reshape(-1, k_h * k_w * i_c)` makes the one "
            "copy: no list, and no `np.array`.",
        ),
        Misconception(
            "a second copy",
            copied_twice,
            choices={"beside_the_image": (True,)},
            symptom="Besides the result there is as much for a moment as a second matrix takes.",
            concept="One copy is needed, from the overlapping view into the matrix. `reshape` of "
            "such a view makes it already. Parts put together by `np.stack` or "
            "`np.concatenate` are one more, and so is what a `.copy()` or arithmetic makes.",
            line="Fill one matrix from `np.empty`, its axes in the result's order, or copy one "
            "view; behind that, nothing but views: no list of parts, no `.copy()`, no "
            "`astype`.",
        ),
        Misconception(
            "a detour through float64",
            through_float64,
            symptom="Besides your matrix there is twice as much for a moment: what the same "
            "values take in float64.",
            concept="An array made without a dtype is float64; converting it back makes one more "
            "copy. Two more copies in float32 cost as much, and so do indices, of 8 bytes "
            "each.",
            line="Make every array with `np.float32` from the start, copy once, and take slices, "
            "not indices.",
        ),
        Misconception(
            "an array of places",
            gathered,
            choices={"counted": (False, True), "inline": (True, False)},
            symptom="Besides your matrix there are twice its bytes and more: as many as 8 bytes "
            "for the place of each value.",
            concept="An index for each value is a whole number of 8 bytes. A slice has three "
            "numbers for all of them.",
            line="Slices in place of indices: `padded[:, a : a + s_h * o_h : s_h, ...]`, or "
            "`sliding_window_view` of the image itself.",
        ),
        Misconception(
            "an array of places in int32",
            lambda x, k_h, k_w, stride, padding, inline=False: gathered(
                x, k_h, k_w, stride, padding, dtype=np.int32, inline=inline
            ),
            choices={"inline": (True,)},
            symptom="Besides your matrix there are its bytes once more, and some: as many as 4 "
            "bytes for the place of each value.",
            concept="A list of indices in int32 is as large as the matrix that it picks. And a "
            "finished copy beside the matrix would cost as much.",
            line="Slices in place of indices: `padded[:, a : a + s_h * o_h : s_h, ...]`; or "
            "one copy of `sliding_window_view(padded, ...)`.",
        ),
        Misconception(
            "the image in float64",
            image_in_float64,
            symptom="Besides the result you have twice the bytes of the padded image.",
            concept="A padded image in float64 takes as much, and `np.zeros` and `np.empty` make "
            "float64 unless they are told otherwise. Two images in float32 do too: `astype` "
            "makes one even where the dtype is right, and each `np.pad` makes one.",
            line="One padded image, in `np.float32`, and no copy of `x` besides; `np.pad` keeps "
            "the dtype.",
            choices={"filled": (True,)},
        ),
        Misconception(
            "a copy of the image",
            image_copied,
            symptom="There is an image more than there should be: one where nothing is padded, and "
            "a second one beside the padded image.",
            concept="`astype` and `np.array` copy, even where the dtype is right, as `.copy()` "
            "does.",
            line="Use `x` itself, which is float32 and contiguous already.",
        ),
        Misconception(
            "lists of Python numbers",
            lists.listed,
            symptom="Besides the result there are some 32 bytes for each of its values: what "
            "Python's numbers take in a list.",
            concept="A float of Python's is an object of 24 bytes, and a list has 8 more for each. "
            "A float32 in an array has 4.",
            line="One array from `np.empty`, and slices of the image written into it.",
        ),
        Misconception(
            "a copy where nothing is padded",
            padded_by_nothing,
            symptom="Without padding there is a copy of the image that nobody needs.",
            concept="With no zeros to add, the image serves as it is. `np.pad` copies it all the "
            "same, and so does an array of zeros that it is written into, or a `.copy()`.",
            line="Use `x` itself where `padding` is `(0, 0)`, and copy no image besides.",
        ),
    ],
)
