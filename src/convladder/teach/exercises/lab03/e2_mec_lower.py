"""Lab 03, exercise 2: lowering along the width."""

from __future__ import annotations

import numpy as np

from ....cpu import mec
from ....cpu.im2col import pad, padded_bytes
from ...grading.exercise import Exercise, Misconception
from . import mec_lower_wrong as wrong
from .layers import PADDED, PHOTO, PROBLEM, STRIDED, TOY, image

VIEW = 1024  # bytes that a learner's list of slices may take for each: Python objects, no data


def mec_lower(x, problem):
    return mec.lower(x, problem)


EXERCISE = Exercise(
    name="mec_lower",
    lab=3,
    reference=mec_lower,
    task="Lower a batch of images along the width: L[i_n, o_w, padded_h, k_w, i_c].",
    calls_allowed=PROBLEM,
    contiguous=True,
    workspace=lambda x, problem: padded_bytes(problem) + VIEW * problem.o_w,
    cases=lambda rng: [(image(rng, p), p) for p in (TOY, STRIDED, PADDED, PHOTO)],
    misconceptions=[
        Misconception(
            "lowered along the height",
            wrong.along_height,
            symptom="Your `L` holds strips of rows: its axes are as long as `o_h`, the padded "
            "width and `k_h`.",
            concept="MEC lowers along the width. A strip is `k_w` neighbouring columns over the "
            "full height; the height is left to the partitions.",
            line="Strip `w`, one for each output column, is `padded[:, :, s_w * w : s_w * w + "
            "k_w]`, with its axes as they are.",
        ),
        Misconception(
            "h before w in L",
            lambda x, problem: mec.lower(x, problem).swapaxes(1, 2).copy(),
            symptom="The second and third axis of your `L` have changed places.",
            concept="A row of `L` is a whole strip. `o_w` must come before the height, so that a "
            "strip lies in one piece of memory and a partition is a slice of it.",
            line="`L[:, w]` is strip `w`: of a list of strips, `np.stack(..., axis=1)`; of a view, "
            "`o_w` as the second axis.",
        ),
        Misconception(
            "channel before kernel column",
            lambda x, problem: mec.lower(x, problem).swapaxes(3, 4).copy(),
            symptom="The last two axes of your `L` have changed places.",
            concept="The kernel is `w[k_h, k_w, i_c, k_c]`: the channel moves fastest. `L` must "
            "have the same order, as a slice of `x` has it already.",
            line="A slice of the padded image has the channel last, as it is. A "
            "`sliding_window_view` has `k_w` last: there, exchange the last two axes.",
        ),
        Misconception(
            "stride left out",
            lambda x, problem: wrong.strips(pad(x, problem), problem, 1),
            symptom="With a horizontal stride of 1 all is right; with a larger one all strips but "
            "the first begin too far left.",
            concept="Output column `w` looks at image columns from `s_w * w` on.",
            line="Strip `w` begins at `problem.s_w * w`; of a view of all strips, take every "
            "`s_w`-th.",
        ),
        Misconception(
            "stride of the height",
            lambda x, problem: wrong.strips(pad(x, problem), problem, problem.s_h),
            symptom="Right where both strides are equal; where they differ, the strips begin in "
            "the wrong columns.",
            concept="Strips move across the image, so they move by the horizontal stride.",
            line="Strip `w` begins at `problem.s_w * w`, and `problem.s_h` plays no part.",
        ),
        Misconception(
            "padded rows left out",
            wrong.rows_unpadded,
            symptom="Your `L` is as high as the image, not as the padded image.",
            concept="A partition is a view and cannot add zeros later: the padded rows, above and "
            "below, must lie in `L`.",
            line="The third axis of `L` is `problem.padded_h` long; pad the rows as well.",
        ),
        Misconception(
            "strips higher than L",
            wrong.strips_too_high,
            symptom="Without padding all is right. With padding the strips are higher than your "
            "`L`, which the message says in shapes.",
            concept="The padded rows belong into `L`: a partition is a view and cannot add zeros "
            "later.",
            line="The third axis of `L` wants `problem.padded_h` rows.",
        ),
        Misconception(
            "image never padded",
            wrong.never_padded,
            symptom="With vertical padding your strips are as high as the image, and `L` is "
            "higher.",
            concept="`L` has room for the padded rows, but what you slice has none above and "
            "below. If it is `x` itself, the first and the last strips lack their columns of "
            "zeros as well.",
            line="Put zeros around the image with `np.pad`, rows and columns, and slice what it "
            "returns.",
        ),
        Misconception(
            "every axis padded",
            wrong.all_axes_padded,
            symptom="Without padding all is right. With padding, batch and channels are padded as "
            "well, as the message says in shapes.",
            concept="`np.pad` with one number puts zeros around all four axes alike.",
            line="`np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`: a pair for each axis.",
        ),
        Misconception(
            "padding exchanged",
            wrong.padding_exchanged,
            symptom="Right where `p_h` and `p_w` are equal; elsewhere the strips do not fit into "
            "`L`, as the message says.",
            concept="`x` has the axes batch, height, width, channel: rows are padded by `p_h`, "
            "columns by `p_w`.",
            line="In `np.pad` the second entry is `(p_h, p_h)` and the third `(p_w, p_w)`.",
        ),
        Misconception(
            "a view of windows",
            wrong.view_of_windows,
            symptom="The values are right, but nothing was lowered: this is a view of the padded "
            "image, in which strips overlap.",
            concept="The point of `L` is that a strip lies in one piece of memory, so that a "
            "slice of it is a row that BLAS can take. That needs one copy.",
            line="`np.ascontiguousarray(...)` of what you return is the lowering, in one line.",
        ),
        Misconception(
            "strips of all images together",
            wrong.strips_outside_images,
            symptom="The values are right. In memory the first axis is `o_w`, and the images lie "
            "inside it.",
            concept="An array made of a list of strips has the strips outermost. `swapaxes` then "
            "changes strides and moves no value.",
            line="Make `L` first and write `L[:, w] = strip`, or stack with `axis=1`.",
        ),
        Misconception(
            "padding on one side",
            wrong.one_sided,
            choices={"behind": (True,)},
            symptom="Shapes are right, but with padding the image sits in a corner of its zeros.",
            concept="Padding is `p_h` rows above and `p_h` below, `p_w` columns left and `p_w` "
            "right, not twice as much on one side.",
            line="`np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`; in an array of zeros, "
            "the image begins at row `p_h`, column `p_w`.",
        ),
        Misconception(
            "zeros never written",
            wrong.zeros_unwritten,
            symptom="There is NaN where the padding should be.",
            concept="`np.empty` gives memory with whatever was in it. Padding is a number, zero, "
            "and somebody must write it.",
            line="Begin with `np.zeros` in place of `np.empty`, or write the margins yourself.",
        ),
        Misconception(
            "float64",
            lambda x, problem: mec.lower(x, problem).astype(np.float64),
            symptom="Your `L` is float64: twice the bytes.",
            concept="`np.zeros` and `np.empty` give float64 unless they are told otherwise.",
            line="Say `dtype=np.float32` where you make `L`, or the image that it is put together "
            "from.",
        ),
        Misconception(
            "strips copied twice",
            wrong.strips_copied,
            choices={"where": ("at the end", "in order")},
            symptom="The values are right. For a moment, all strips exist twice.",
            concept="A slice is a view: it costs nothing. Whatever else holds all strips is a "
            "second `L`: copies kept until they are put together, a copy at the end, or an "
            "array with its axes in another order.",
            line="Make `L` first, with its images in front, and write each slice into `L[:, w]` at "
            "once; or stack slices, not copies, with `axis=1`.",
        ),
        Misconception(
            "image padded in float64",
            wrong.image_in_float64,
            symptom="The values are right. Besides `L` there is about twice the padded image.",
            concept="An image put into `np.zeros` without a dtype is float64 from there on. Two "
            "images in float32 take as much: `astype` copies, also where the dtype is right.",
            line="One padded image in float32, as `np.pad` makes it of `x`, and no other copy.",
        ),
        Misconception(
            "through float64",
            wrong.through_float64,
            symptom="The values are right. For a moment there is twice `L` beside yours: as much "
            "as one in float64 takes.",
            concept="Two more copies in float32 cost as much. And `astype` at the end comes too "
            "late: the bytes were taken before.",
            line="Make `L` once, with `dtype=np.float32`, and return it as it is.",
        ),
        Misconception(
            "pairs of the padding's two numbers",
            wrong.padded_by(lambda p: ((0, 0), (p.p_h, p.p_w), (p.p_h, p.p_w), (0, 0))),
            symptom="Right without padding, or where `p_h` and `p_w` are equal. Elsewhere the "
            "padded image has the wrong size, or the image sits off its middle.",
            concept="A pair of `np.pad` is (before, behind) of *one* axis.",
            line="`((0, 0), (p_h, p_h), (p_w, p_w), (0, 0))`",
        ),
        Misconception(
            "only the height padded",
            wrong.padded_by(lambda p: ((0, 0), (p.p_h, p.p_h), (0, 0), (0, 0))),
            symptom="Right without horizontal padding; with it, strips that reach into it are too "
            "narrow, or empty.",
            concept="The first and the last strips begin or end in the columns of zeros.",
            line="The third pair for `np.pad` is `(p_w, p_w)`.",
        ),
        Misconception(
            "padded with other than zeros",
            wrong.padded_by(lambda p: ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)), mode="edge"),
            choices={"mode": ("reflect", "symmetric", "wrap")},
            symptom="Shapes are right; where zeros should be, there are pixels of the image.",
            concept="Padding is with zeros.",
            line="`np.pad(...)` with its default mode; and where you slice the image itself, no "
            "negative index, which counts from the end.",
        ),
        Misconception(
            "columns counted from the end",
            wrong.wrapped_columns,
            symptom="Without horizontal padding all is right. With it, strips that begin left of "
            "the image hold its last columns, where zeros should be.",
            concept="A negative index counts from the end, and raises nothing. Column -1 of the "
            "image is its last one, not the padding's.",
            line="Strip `w` of the padded image begins at `s_w * w`: no column is negative. In `x` "
            "itself, ask for `0 <= column < i_w`.",
        ),
        Misconception(
            "batch innermost",
            wrong.batch_inside,
            symptom="Your `L` has the axes `[o_w, padded_h, i_n, k_w, i_c]`.",
            concept="Each image has its strips: the batch is the first axis, as in `x`.",
            line="`L[:, w] = ...` writes strip `w` of all images at once.",
        ),
        Misconception(
            "reshape in place of a transpose",
            wrong.reshaped_only,
            symptom="The shape is right, and all values are there; but strips, or pieces of them, "
            "lie where others belong.",
            concept="`reshape` names the places anew and moves no value. If strips lie side by "
            "side in memory, it cuts through them; if the images lie inside the strips, it "
            "deals these out to the wrong images.",
            line="Make `L` with the axes of the result, and write `L[:, w] = strip`.",
            choices={"batch_last": (True,)},
        ),
        Misconception(
            "stride within the strip",
            wrong.spread_strips,
            symptom="With a horizontal stride of 1 all is right; with a larger one your strips "
            "leave out columns.",
            concept="A strip is `k_w` *neighbouring* columns. The stride says where the next strip "
            "begins.",
            line="`padded[:, :, s_w * w : s_w * w + k_w]`, with no step, neither here nor before.",
            choices={"begin": ("stride",)},
        ),
        Misconception(
            "stride down the strip",
            wrong.rows_thinned,
            symptom="With a vertical stride of 1 all is right; with a larger one your strips lack "
            "rows.",
            concept="MEC lowers along the width only: a strip has all rows of the padded image. "
            "The vertical stride moves the partitions, later.",
            line="`padded[:, :, s_w * w : s_w * w + k_w]`: the axis of the height whole, without "
            "a step.",
            choices={"left": (np.nan,)},
        ),
        Misconception(
            "strips side by side",
            wrong.side_by_side,
            choices={"cut": (True,)},
            symptom="Your strips do not overlap: each begins where the one before has ended.",
            concept="A strip is `k_w` columns wide, but the next one begins `s_w` columns further, "
            "however wide it is.",
            line="`padded[:, :, s_w * w : s_w * w + k_w]`: `s_w * w`, not `k_w * w`.",
        ),
        Misconception(
            "last strip missing",
            wrong.last_strip_missing,
            choices={"left": (0.0,)},
            symptom="The last strip was never written.",
            concept="There are `o_w` strips, numbered 0 to `o_w - 1`, and `range(o_w)` ends "
            "there by itself.",
            line="`range(problem.o_w)`, to its end.",
        ),
        Misconception(
            "first image only",
            wrong.one_image,
            choices={"left": (np.nan,)},
            symptom="Image 0 is right; the others were never lowered.",
            concept="A batch is `i_n` images, each with strips of its own.",
            line="Leave the first axis whole, `L[:, w] = padded[:, :, ...]`; or loop over it, and "
            "return behind that loop.",
        ),
        Misconception(
            "strips turned round",
            wrong.turned_strips,
            symptom="Each strip holds the right columns, the last one first.",
            concept="Nothing is flipped here: column `b` of a strip is image column `s_w * w + b`.",
            line="`padded[:, :, s_w * w : s_w * w + k_w]`, in the order in which its columns lie.",
        ),
        Misconception(
            "zeros into the argument",
            wrong.over_the_image,
            symptom="You wrote zeros over pixels of `x` itself.",
            concept="Whoever called you needs the image again, and its first row is no padding.",
            line="Pad a copy: `np.pad` makes one.",
        ),
    ],
)
