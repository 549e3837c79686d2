"""Lab 03, exercise 3: a partition, without a copy."""

from __future__ import annotations

import numpy as np

from ....cpu import mec
from ...grading.exercise import Exercise, Misconception
from .layers import APART, PADDED, PHOTO, PROBLEM, STRIDED, TOY, UNLIKE, image


def partition(L, h, problem):
    return mec.partition(L, h, problem)


def _from(begin, wide=None):
    """Make a partition that begins at `begin(h, p)` and is `wide(p)` values wide."""

    def wrong(L, h, problem):
        at, width = begin(h, problem), problem.window if wide is None else wide(problem)
        return L.reshape(problem.i_n, problem.o_w, -1)[:, :, at : at + width]

    return wrong


def _side_by_side(L, h, problem, pushed_back=False):
    """Let each begin where the one before ends; `pushed_back`: not so far that it runs out of L."""
    last = problem.padded_h * problem.k_w * problem.i_c - problem.window
    return _from(lambda h, p: min(h * p.window, last) if pushed_back else h * p.window)(
        L, h, problem
    )


def _right_begin(h, p):
    return p.s_h * h * p.k_w * p.i_c


def _rows_of_the_image(L, h, problem):
    """Slice the axis of the height, as many rows as there are outputs."""
    p = problem
    return L[:, :, p.s_h * h : p.s_h * h + p.o_h].reshape(p.i_n, p.o_w, -1)


def _images_inside(L, h, problem):
    return mec.partition(L, h, problem).swapaxes(0, 1)


def _one_image(L, h, problem):
    return mec.partition(L, h, problem)[:1]


def _strips_sliced(L, h, problem, end=()):
    """Slice the second axis, and reshape what is there to `end`, or leave it as it is."""
    p = problem
    strips = L[:, p.s_h * h : p.s_h * h + p.k_h]
    sizes = {"K": p.window, "o_w": p.o_w}
    return strips.reshape(p.i_n, *(sizes.get(size, size) for size in end)) if end else strips


def _rows_by_a_list(L, h, problem):
    """Take the rows by a list of indices, and copy them once more by `reshape`."""
    p = problem
    return L[:, :, [p.s_h * h + a for a in range(p.k_h)]].reshape(p.i_n, p.o_w, p.window)


def _all_copied(L, h, problem):
    return mec.partition(L.copy(), h, problem)


def _strides_in_values(L, h, problem):
    p = problem
    row = p.k_w * p.i_c
    return np.lib.stride_tricks.as_strided(
        L.reshape(-1)[p.s_h * h * row :],
        (p.i_n, p.o_w, p.window),
        (p.o_w * p.padded_h * row, p.padded_h * row, 1),
    )


def _values_before_strips(L, h, problem):
    """Name the axes of `L` in another order by `reshape`, and exchange them afterwards."""
    p = problem
    begin = _right_begin(h, p)
    return L.reshape(p.i_n, -1, p.o_w).swapaxes(1, 2)[:, :, begin : begin + p.window]


def _every_second(L, h, problem):
    p = problem
    strips = L.reshape(p.i_n, p.o_w, -1)
    return strips[:, :, h * p.k_w * p.i_c :: p.s_h][:, :, : p.window]


def _partitions_of(*pairs):
    return lambda rng: [(mec.lower(image(rng, p), p), h, p) for p, h in pairs]


EXERCISE = Exercise(
    name="partition",
    lab=3,
    reference=partition,
    may_view=True,
    calls_allowed=PROBLEM,
    task="Partition h of L, [i_n, o_w, k_h·k_w·i_c], as a view.",
    workspace=lambda L, h, problem: 0,
    cases=_partitions_of(
        (TOY, 1), (TOY, 2), (STRIDED, 2), (UNLIKE, 1), (APART, 2), (PADDED, 4), (PHOTO, 219)
    ),
    misconceptions=[
        Misconception(
            "offset without k_w",
            _from(lambda h, p: p.s_h * h * p.i_c),
            symptom="Partition 0 would be right; each later one begins too early.",
            concept="In `L` an image row of a strip takes `k_w * i_c` values. One image row "
            "further is that many values further.",
            line="`k_w` is missing from the offset: `s_h * h * k_w * i_c`.",
        ),
        Misconception(
            "strides in values",
            _strides_in_values,
            symptom="Only the first value of your partition is where it belongs.",
            concept="`as_strided` wants strides in *bytes*: how many of them from one value to the "
            "next along each axis. A float32 has four.",
            line="Multiply each stride by `L.itemsize`; or slice, which counts in values.",
        ),
        Misconception(
            "offset without s_h",
            _from(lambda h, p: h * p.k_w * p.i_c),
            symptom="With a vertical stride of 1 all is right, with a larger one the partitions "
            "begin too early.",
            concept="Output row `h` looks at image rows from `s_h * h` on.",
            line="Multiply the offset by `problem.s_h`.",
        ),
        Misconception(
            "offset without i_c",
            _from(lambda h, p: p.s_h * h * p.k_w),
            symptom="With one channel all is right, with several the partitions begin too early.",
            concept="Each pixel is `i_c` values. An image row of a strip takes `k_w * i_c` of "
            "them.",
            line="`i_c` is missing from the offset: `s_h * h * k_w * i_c`.",
        ),
        Misconception(
            "stride of the width",
            _from(lambda h, p: p.s_w * h * p.k_w * p.i_c),
            symptom="Right where both strides are equal; where they differ, all partitions but "
            "number 0 begin at the wrong row.",
            concept="`s_w` was used up when the strips were lowered. Partitions move down the "
            "image, by `s_h`.",
            line="The offset has `problem.s_h` in it, and no `s_w`.",
        ),
        Misconception(
            "offset h·o_w",
            _from(lambda h, p: h * p.o_w),
            symptom="Partition 0 would be right; later ones begin at the wrong value. (Two public "
            "C++ programs have this offset.)",
            concept="`o_w` is how many strips there are. How far apart two image rows lie "
            "within a strip has nothing to do with it: that is `k_w * i_c`.",
            line="The offset along a strip is `s_h * h * k_w * i_c`; `o_w` does not occur in it.",
        ),
        Misconception(
            "partitions side by side",
            _side_by_side,
            choices={"pushed_back": (True,)},
            symptom="Your partitions lie one behind the other, where they should overlap.",
            concept="Partitions overlap: the next begins only `s_h` image rows further, though "
            "each is `k_h` rows long. That overlap is MEC's saving.",
            line="`begin = s_h * h * k_w * i_c`: how far the next one begins is `s_h` rows, not "
            "`k_h`.",
        ),
        Misconception(
            "one kernel row wide",
            _from(_right_begin, lambda p: p.k_w * p.i_c),
            symptom="Your partition holds a single image row of each strip.",
            concept="A window has `k_h` rows, so a partition is `k_h * k_w * i_c` values wide.",
            line="The slice must end at `begin + k_h * k_w * i_c`, which is "
            "`begin + problem.window`.",
        ),
        Misconception(
            "contiguous copy",
            lambda L, h, problem: np.ascontiguousarray(mec.partition(L, h, problem)),
            symptom="The values are right, and you have copied them. Do so for all partitions and "
            "you have im2col's bytes again.",
            concept="BLAS takes rows that lie far apart, as long as each row is in one piece. "
            "So does `@`: a slice of `L` is all it needs.",
            line="Return the slice itself: nothing that copies, picks or puts together, such as "
            "`.copy()`, `take`, `np.concatenate` or an index that is a list.",
        ),
        Misconception(
            "rows by a list",
            _rows_by_a_list,
            symptom="The values are right, in as many bytes as two copies of the partition take.",
            concept="An index that is a list or an array copies what it picks, and `reshape` may "
            "have to copy that again. A slice `a:b` copies nothing.",
            line="`L.reshape(i_n, o_w, -1)[:, :, begin : begin + problem.window]`, where `begin = "
            "s_h * h * k_w * i_c`.",
        ),
        Misconception(
            "all of L copied",
            _all_copied,
            symptom="The values are right, and all of `L` was copied on the way.",
            concept="`flatten` always copies, and so do `copy` and `astype`. `reshape` of an "
            "array in one piece gives a view.",
            line="`L.reshape(i_n, o_w, -1)`",
        ),
        Misconception(
            "offset of the window's end",
            _from(lambda h, p: p.s_h * h * p.k_w * p.i_c + p.k_w * p.i_c),
            symptom="Your partitions begin one image row too late.",
            concept="Partition 0 begins where the strip begins, in its row 0.",
            line="`begin = s_h * h * k_w * i_c`, with nothing added.",
        ),
        Misconception(
            "padding taken off",
            _from(lambda h, p: (p.s_h * h - p.p_h) * p.k_w * p.i_c),
            symptom="Right without vertical padding. With it, partitions that should begin at a "
            "strip's row `p_h` or later begin `p_h` rows too early.",
            concept="The rows of zeros lie in `L` already: row 0 of a strip is the first of them.",
            line="`s_h * h * k_w * i_c`, with no `p_h` in it.",
        ),
        Misconception(
            "padding skipped",
            _from(lambda h, p: (p.s_h * h + p.p_h) * p.k_w * p.i_c),
            symptom="Right without vertical padding; with it your partitions begin `p_h` rows too "
            "late.",
            concept="The rows of zeros lie in `L`, and the first windows have them in it: nothing "
            "is skipped.",
            line="`begin = s_h * h * k_w * i_c`: take `p_h` out of it.",
        ),
        Misconception(
            "spread over the strip",
            _from(lambda h, p: h * (p.padded_h // p.o_h) * p.k_w * p.i_c),
            symptom="Your partitions are `padded_h // o_h` image rows apart.",
            concept="That is `s_h` only where the kernel is low. How far a window moves is the "
            "stride, whatever the strip's length.",
            line="`s_h` in place of `padded_h // o_h`.",
        ),
        Misconception(
            "stride as a slice's step",
            _every_second,
            symptom="Right for a vertical stride of 1; with a larger one you leave out values "
            "inside each window.",
            concept="A stride says where a window *begins*. Within it, every row counts.",
            line="`begin = s_h * h * k_w * i_c`, and a slice with no step.",
        ),
        Misconception(
            "offset in bytes",
            _from(lambda h, p: 4 * p.s_h * h * p.k_w * p.i_c),
            symptom="Your partitions begin four times too far into the strip.",
            concept="Slices of an array count values; only `strides` count bytes.",
            line="`begin = s_h * h * k_w * i_c`, in values: no 4, no `itemsize`, no `strides`.",
        ),
        Misconception(
            "the kernel's height for its width",
            _from(lambda h, p: p.s_h * h * p.k_h * p.i_c),
            symptom="Right for square kernels.",
            concept="From one image row of a strip to the next it is `k_w` columns of `i_c` "
            "values.",
            line="`s_h * h * k_w * i_c`: `k_h` is in the partition's length only.",
        ),
        Misconception(
            "as many rows as the output",
            _rows_of_the_image,
            symptom="Your partitions have the output's height, not the kernel's.",
            concept="A window is `k_h` rows high, whatever the output's size.",
            line="The slice ends `k_h` rows after it begins.",
        ),
        Misconception(
            "strips before images",
            _images_inside,
            symptom="The first two axes have changed places.",
            concept="`L` has the image first, and so has a partition.",
            line="`L.reshape(i_n, o_w, -1)` has them in order; a slice of its last axis keeps "
            "that.",
        ),
        Misconception(
            "strips named last by reshape",
            _values_before_strips,
            symptom="Each row of yours takes every `o_w`-th value of `L`: it has values of many "
            "strips.",
            concept="`reshape` moves no value. In `L` the values of one strip lie side by side, "
            "so `o_w` comes *before* them; an exchange of axes afterwards does not help.",
            line="`L.reshape(i_n, o_w, -1)`, without `swapaxes` or `transpose`.",
        ),
        Misconception(
            "first image only",
            _one_image,
            symptom="One image is right; of a batch you return the partition of the first.",
            concept="The first axis has all images, and the slice keeps it whole.",
            line="`[:, :, begin : ...]`",
        ),
        Misconception(
            "the axis of the strips",
            _strips_sliced,
            symptom="You slice the strips, where you should slice their rows.",
            concept="`L[i_n, o_w, padded_h, k_w, i_c]`: the second axis counts output columns, "
            "and a partition has all of them.",
            line="A slice of the last axis of `L.reshape(i_n, o_w, -1)`: `[:, :, begin : begin + "
            "problem.window]`, where `begin = s_h * h * k_w * i_c`.",
            choices={"end": ((-1,), (-1, "K"), ("o_w", -1))},
        ),
    ],
)
