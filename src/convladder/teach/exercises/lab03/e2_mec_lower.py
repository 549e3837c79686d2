"""Lab 03, exercise 2: lowering along the width."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ....cpu import mec
from ....cpu.im2col import pad, padded_bytes
from ....problem import ConvProblem
from ...exercise import Exercise, Misconception
from .layers import PADDED, PHOTO, PROBLEM, STRIDED, TOY, image

VIEW = 1024  # bytes that a learner's list of slices may take for each: Python objects, no data


def mec_lower(x, problem):
    return mec.lower(x, problem)


def _strips(padded: np.ndarray, p: ConvProblem, step: int) -> np.ndarray:
    """A strip for each output column, `step` image columns apart: `[i_n, o_w, rows, k_w, i_c]`."""
    return np.stack([padded[:, :, step * w : step * w + p.k_w] for w in range(p.o_w)], axis=1)


def _along_height(x, problem):
    p, padded = problem, pad(x, problem)
    return np.stack([padded[:, p.s_h * h : p.s_h * h + p.k_h] for h in range(p.o_h)],
                    axis=1).swapaxes(2, 3).copy()


def _rows_unpadded(x, problem):
    p = problem
    return _strips(np.pad(x, ((0, 0), (0, 0), (p.p_w,) * 2, (0, 0))), p, p.s_w)


def _one_sided(x, problem):
    p = problem
    return _strips(np.pad(x, ((0, 0), (2 * p.p_h, 0), (2 * p.p_w, 0), (0, 0))), p, p.s_w)


def _zeros_unwritten(x, problem):
    p = problem
    around = ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0))
    return _strips(np.pad(x, around, constant_values=np.nan), p, p.s_w)


def _strips_too_high(x, problem):
    p, padded = problem, pad(x, problem)
    L = np.zeros((p.i_n, p.o_w, p.i_h, p.k_w, p.i_c), np.float32)
    for w in range(p.o_w):
        L[:, w] = padded[:, :, p.s_w * w : p.s_w * w + p.k_w]
    return L


def _view_of_windows(x, problem):
    windows = sliding_window_view(pad(x, problem).copy(), problem.k_w, axis=2)
    return windows[:, :, :: problem.s_w].transpose(0, 2, 1, 4, 3)


def _strips_copied(x, problem):
    p, padded = problem, pad(x, problem)
    strips = [padded[:, :, p.s_w * w : p.s_w * w + p.k_w].copy() for w in range(p.o_w)]
    return np.stack(strips, axis=1)


Exercise(
    name="mec_lower", lab=3, reference=mec_lower,
    task="Lower a batch of images along the width: L[i_n, o_w, padded_h, k_w, i_c].",
    calls_allowed=PROBLEM, contiguous=True,
    workspace=lambda x, problem: padded_bytes(problem) + VIEW * problem.o_w,
    cases=lambda rng: [(image(rng, p), p) for p in (TOY, STRIDED, PADDED, PHOTO)],
    misconceptions=[
        Misconception(
            "lowered along the height", _along_height,
            symptom="Your `L` holds strips of rows: its axes are as long as `o_h`, the padded "
                    "width and `k_h`.",
            concept="MEC lowers along the width. A strip is `k_w` neighbouring columns over the "
                    "full height; the height is left to the partitions.",
            line="Loop over output columns `w` and slice the third axis of `x`, not the second."),
        Misconception(
            "h before w in L", lambda x, problem: mec.lower(x, problem).swapaxes(1, 2).copy(),
            symptom="The second and third axis of your `L` have changed places.",
            concept="A row of `L` is a whole strip. `o_w` must come before the height, so that a "
                    "strip lies in one piece of memory and a partition is a slice of it.",
            line="Fill `L[:, w] = strip`, not `L[:, :, w] = strip`."),
        Misconception(
            "channel before kernel column",
            lambda x, problem: mec.lower(x, problem).swapaxes(3, 4).copy(),
            symptom="The last two axes of your `L` have changed places.",
            concept="The kernel is `w[k_h, k_w, i_c, k_c]`: the channel moves fastest. `L` must "
                    "have the same order, as a slice of `x` has it already.",
            line="Leave the axes of the slice of `x` as they are; do not transpose it."),
        Misconception(
            "stride left out", lambda x, problem: _strips(pad(x, problem), problem, 1),
            symptom="With a horizontal stride of 1 all is right; with a larger one the strips "
                    "begin too far left.",
            concept="Output column `w` looks at image columns from `s_w * w` on.",
            line="The strip begins at `problem.s_w * w`, not at `w`."),
        Misconception(
            "stride of the height",
            lambda x, problem: _strips(pad(x, problem), problem, problem.s_h),
            symptom="Right where both strides are equal, wrong where `s_h` and `s_w` differ.",
            concept="Strips move across the image, so they move by the horizontal stride.",
            line="Use `problem.s_w` where you have `problem.s_h`."),
        Misconception(
            "padded rows left out", _rows_unpadded,
            symptom="Your `L` is as high as the image, not as the padded image.",
            concept="A partition is a view and cannot add zeros later: the padded rows, above and "
                    "below, must lie in `L`.",
            line="The third axis of `L` is `problem.padded_h` long; pad the rows as well."),
        Misconception(
            "strips higher than L", _strips_too_high,
            symptom="Without padding all is right. With padding the strips are higher than your "
                    "`L`, which the message says in shapes.",
            concept="The padded rows belong into `L`: a partition is a view and cannot add zeros "
                    "later.",
            line="Make `L` `problem.padded_h` high where you have `problem.i_h`."),
        Misconception(
            "a view of windows", _view_of_windows,
            symptom="The values are right, but nothing was lowered: this is a view of the padded "
                    "image, in which strips overlap.",
            concept="The point of `L` is that a strip lies in one piece of memory, so that a "
                    "slice of it is a row that BLAS can take. That needs one copy.",
            line="`np.ascontiguousarray(...)` of what you return is the lowering, in one line."),
        Misconception(
            "padding on one side", _one_sided,
            symptom="Shapes are right, but with padding the image sits too low and too far right.",
            concept="Padding is `p_h` rows above and `p_h` below, `p_w` columns left and `p_w` "
                    "right, not twice as much on one side.",
            line="`np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`: a pair for each axis."),
        Misconception(
            "zeros never written", _zeros_unwritten,
            symptom="There is NaN where the padding should be.",
            concept="`np.empty` gives memory with whatever was in it. Padding is a number, zero, "
                    "and somebody must write it.",
            line="Begin with `np.zeros` in place of `np.empty`, or write the margins yourself."),
        Misconception(
            "float64", lambda x, problem: mec.lower(x, problem).astype(np.float64),
            symptom="Your `L` is float64: twice the bytes.",
            concept="`np.zeros` and `np.empty` give float64 unless they are told otherwise.",
            line="Add `dtype=np.float32` where you make `L`."),
        Misconception(
            "strips copied twice", _strips_copied,
            symptom="The values are right. For a moment, all strips exist twice.",
            concept="A slice is a view: it costs nothing. `.copy()` of each strip, kept in a list, "
                    "is a second `L`.",
            line="Take the `.copy()` away, or write each strip into `L[:, w]` at once."),
    ],
)
