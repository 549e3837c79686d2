"""Lab 03, exercise 4: MEC, a GEMM for each output row."""

from __future__ import annotations

import numpy as np

from ....cpu import im2col, mec
from ....cpu.im2col import padded_bytes
from ...grading.exercise import Exercise, Misconception
from . import mec_conv_wrong as wrong
from .layers import PADDED, PHOTO, PROBLEM, STRIDED, TOY, images_and_kernels
from .mec_conv_wrong import kernel_matrix

OFFSET_HINT = "Look at the slice of `L`: it begins at `s_h * h * k_w * i_c`"


def mec_conv(x, w, problem):
    return mec.mec_rows(x, w, problem)


def by_row(x, w, p):
    """Return what Solution A's GEMMs leave: `[o_h, i_n, o_w, k_c]`."""
    return np.ascontiguousarray(mec.mec_rows(x, w, p).swapaxes(0, 1))


def one_lowering(x, w, problem):
    return problem.mec_bytes() + padded_bytes(problem)


EXERCISE = Exercise(
    name="mec_conv",
    lab=3,
    reference=mec_conv,
    calls_allowed=PROBLEM,
    task="Convolve by MEC: lower once, then one GEMM for each output row.",
    contiguous=True,
    workspace=one_lowering,
    cases=images_and_kernels(TOY, STRIDED, PADDED, PHOTO),
    misconceptions=[
        Misconception(
            "flipped kernel",
            lambda x, w, problem, channels=1: wrong.multiply(
                x, kernel_matrix(np.ascontiguousarray(w[::-1, ::-1, ::channels]), problem), problem
            ),
            choices={"channels": (-1,)},
            symptom="Your result is that of a kernel turned around.",
            concept="Deep learning's convolution does not flip: `w[0, 0]` meets the top left "
            "pixel of the window.",
            line="`w.reshape(k_h * k_w * i_c, k_c)` of `w` as it is, and partitions as they lie "
            "in `L`.",
        ),
        Misconception(
            "kernel columns before rows",
            lambda x, w, problem: wrong.multiply(
                x, w.transpose(1, 0, 2, 3).reshape(problem.window, problem.k_c), problem
            ),
            symptom="Right where the kernel is a single row or column; else the weights meet the "
            "wrong pixels.",
            concept="A partition's row runs over kernel row, kernel column, channel, in this "
            "order. The kernel matrix must have its rows in the same order.",
            line="`w.reshape(k_h * k_w * i_c, k_c)` of `w` as it lies has that order, and so has a "
            "slice of `L`.",
        ),
        Misconception(
            "partitions k_w too close",
            lambda x, w, problem: wrong.multiply(
                x, kernel_matrix(w, problem), problem, problem.s_h * problem.i_c
            ),
            symptom="The first output row is right; the others are not, unless the kernel is one "
            "column wide.",
            concept="One image row further down is `k_w * i_c` values further in `L`.",
            line=f"{OFFSET_HINT}, with `k_w`.",
        ),
        Misconception(
            "vertical stride left out",
            lambda x, w, problem: wrong.multiply(
                x, kernel_matrix(w, problem), problem, problem.k_w * problem.i_c
            ),
            symptom="Layers with a vertical stride of 1 are right; the others are right in their "
            "first row only.",
            concept="Output row `h` begins at image row `s_h * h`.",
            line=f"{OFFSET_HINT}, with `s_h`.",
        ),
        Misconception(
            "padding left out",
            wrong.without_padding,
            symptom="Your result is too small where the layer has padding.",
            concept="`o_h` and `o_w` count the windows of the padded image.",
            line="Take `problem.o_h` and `problem.o_w`, and lower with `problem`, so that `L` "
            "holds the zeros.",
        ),
        Misconception(
            "images inside rows",
            lambda x, w, problem: mec.mec_rows(x, w, problem).swapaxes(0, 1).copy(),
            symptom="Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            concept="NHWC puts the image first: all rows of image 0, then all of image 1.",
            line="Make `y` of `problem.output_shape` first, and write row `h` of all images into "
            "`y[:, h]`.",
        ),
        Misconception(
            "first image only",
            wrong.first_image_only,
            choices={"left": (np.nan,)},
            symptom="Image 0 is right; nothing was written into the others.",
            concept="`L` has a first axis for the images: each has its own strips.",
            line="`y[:, h]` from `L`'s strips of all images; or a loop over all `n`, with no "
            "`return` or `break` in it.",
        ),
        Misconception(
            "last row missing",
            wrong.last_row_missing,
            choices={"left": (0.0,)},
            symptom="The last output row was never written.",
            concept="There are `o_h` partitions, numbered 0 to `o_h - 1`.",
            line="`range(problem.o_h)`, which ends at `o_h - 1` by itself.",
        ),
        Misconception(
            "result in float64",
            lambda x, w, problem: mec.mec_rows(x, w, problem).astype(np.float64),
            symptom="Your result is float64.",
            concept="Input and kernel are float32, and so is the result; `np.empty` and "
            "`np.zeros` must be told.",
            line="`np.float32` for `y`, and for all that you make or convert on the way.",
        ),
        Misconception(
            "images inside rows, seen from outside",
            lambda x, w, problem: by_row(x, w, problem).swapaxes(0, 1),
            symptom="The values are right. In memory the images still lie inside the rows.",
            concept="`swapaxes` moves no value, it changes strides. Whoever takes your result for "
            "NHWC memory, BLAS or a file, finds the rows in the wrong place.",
            line="Make `y` of shape `problem.output_shape` and write row `h` into `y[:, h]`.",
        ),
        Misconception(
            "rows collected, then stacked",
            lambda x, w, problem: wrong.multiply(x, kernel_matrix(w, problem), problem),
            symptom="The values are right. For a moment there is a second result beside yours.",
            concept="That is what comes of a list of rows and `np.stack`, or of a copy at the "
            "end. A GEMM can write its rows where they belong at once.",
            line="Make `y` first, then `np.matmul(rows, kernel, out=y[:, h])`, or "
            "`y[:, h] = rows @ kernel`.",
        ),
        Misconception(
            "all partitions copied",
            wrong.copies_all_partitions,
            symptom="The values are right, in the bytes of im2col's matrix and more.",
            concept="MEC saves memory because partitions overlap as views. If each is copied, "
            "every shared value is stored again: that is im2col's matrix.",
            line="Multiply the slice of `L` itself: `L[...] @ kernel`.",
        ),
        Misconception(
            "im2col's matrix",
            lambda x, w, problem: im2col.im2col(x, w, problem),
            symptom="The values are right, in the bytes of im2col's matrix and of the padded "
            "image.",
            concept="im2col writes down every window in full. `L` holds a strip for each output "
            "column, and a partition is a view of it.",
            line="`mec_lower` first, then a GEMM for each output row.",
        ),
        Misconception(
            "every row into row 0",
            wrong.rows_on_one_another,
            choices={"left": (np.nan,)},
            symptom="Your first output row holds the last one, and nothing was written into the "
            "others.",
            concept="GEMM `h` makes output row `h`. Where all write to one place, the last one "
            "stays there.",
            line="`y[:, h]`, with the loop's `h`.",
        ),
        Misconception(
            "two L at once",
            wrong.lowers_in_float64,
            symptom="The values are right. For a moment there are the bytes of two `L`.",
            concept="An `L` in float64 takes as much. So do strips that are copied before they go "
            "into `L`, or a second lowering before the first is gone. One lowering in float32 "
            "serves all output rows.",
            line="Lower once, before the loop over `h`, and make `L` with `dtype=np.float32`.",
        ),
        Misconception(
            "result collected in float64",
            wrong.collects_in_float64,
            symptom="The values are right. Besides your result there is, for a moment, more than "
            "two `L`, as with an array in float64 and its copy.",
            concept="`np.zeros` and `np.empty` give float64 unless told otherwise, and `astype` "
            "behind that makes one more copy.",
            line="Make `L` and `y` with `dtype=np.float32`, and use both without `astype`.",
        ),
        Misconception(
            "kernel reshaped with k_c first",
            lambda x, w, problem: wrong.multiply(x, w.reshape(problem.k_c, -1).T, problem),
            symptom="Right for a single filter.",
            concept="In `w[k_h, k_w, i_c, k_c]` the filter moves fastest. Cut into `k_c` "
            "pieces, the weights of all filters are mixed.",
            line="`w.reshape(k_h * k_w * i_c, k_c)`, and no `.T`.",
        ),
        Misconception(
            "partitions side by side",
            lambda x, w, problem: wrong.multiply(
                x, kernel_matrix(w, problem), problem, problem.window
            ),
            symptom="The first output row is right. The later partitions do not overlap, and the "
            "last ones run out of `L`.",
            concept="The next partition begins `s_h` image rows further, though each is `k_h` "
            "rows long.",
            line="The offset is `s_h * h * k_w * i_c`, and no multiple of a partition's length.",
        ),
        Misconception(
            "stride of the width",
            lambda x, w, problem: wrong.multiply(
                x, kernel_matrix(w, problem), problem, problem.s_w * problem.k_w * problem.i_c
            ),
            symptom="Right where both strides are equal.",
            concept="`s_w` was used up when the strips were lowered. Output rows move down the "
            "image.",
            line="The offset has `s_h` in it, and no `s_w`.",
        ),
        Misconception(
            "a row for every start",
            wrong.a_row_for_each_start,
            symptom="With a vertical stride of 1 all is right; with a larger one your loop goes on "
            "behind the last output row.",
            concept="There are `o_h` output rows. With a stride windows stand at some of the "
            "`padded_h - k_h + 1` rows only.",
            line="`for h in range(problem.o_h)`.",
            choices={"into": (True,)},
        ),
        Misconception(
            "every s_h-th output row",
            wrong.rows_skipped,
            symptom="With a vertical stride of 1 all is right. With a larger one some output rows "
            "were never written.",
            concept="There are `o_h` output rows, and all of them are wanted. The stride says "
            "where in the image row `h` begins: at `s_h * h`.",
            line="`for h in range(problem.o_h)`, with no step; `s_h` stands in the offset only.",
            choices={"left": (np.nan,)},
        ),
        Misconception(
            "rows from below",
            wrong.rows_from_below,
            symptom="Every output row is right, the last one first.",
            concept="Output row `h` is partition `h`, counted from the top.",
            line="`y[:, h]` from the partition of the same `h`, and nothing turned round behind "
            "the loop.",
        ),
        Misconception(
            "columns for rows",
            wrong.columns_for_rows,
            symptom="Your result has the axes `[i_n, o_w, o_h, k_c]`.",
            concept="A GEMM makes all columns of one output row.",
            line="Make `y` of `problem.output_shape` first, and write it into `y[:, h]`: rows are "
            "the second axis.",
        ),
        Misconception(
            "always partition 0",
            wrong.always_the_first,
            symptom="All of your output rows are the first one.",
            concept="The GEMMs differ in one thing only: where their partition begins.",
            line="In each turn of the loop a partition of its own, whose offset has the loop's "
            "`h`.",
        ),
        Misconception(
            "first channel only",
            wrong.one_channel,
            symptom="Right for one channel.",
            concept="A row of a partition has `k_h * k_w * i_c` values: all channels of the "
            "window.",
            line="Lower `x` with its last axis whole, and take all rows of the kernel matrix.",
        ),
        Misconception(
            "padded with other than zeros",
            wrong.edge_repeated,
            symptom="Layers without padding are right; in others, pixels whose windows reach over "
            "the image's edge are wrong.",
            concept="Padding is with zeros, here as in every layer of the course.",
            line="Zeros around the image: what `np.pad` puts there without `mode=`.",
            choices={"mode": ("reflect", "symmetric", "wrap")},
        ),
        Misconception(
            "pairs of the padding's two numbers",
            wrong.pairs_of_axes,
            symptom="Layers whose two paddings are equal are right; in others the image sits off "
            "the middle of its zeros.",
            concept="`np.pad` wants for each axis how much goes *before* and *behind* it. "
            "`(p_h, p_w)` is one number of each axis.",
            line="`((0, 0), (p_h, p_h), (p_w, p_w), (0, 0))`",
        ),
        Misconception(
            "images added up",
            wrong.images_added,
            symptom="One image is right. Of a batch each has the sum of all.",
            concept="A batch is many images beside each other, and no sum runs over them.",
            line="Image `n` of `y` comes from image `n` of `L` alone: `@` keeps that axis, and in "
            "`einsum` `n` stands on both sides of the arrow.",
        ),
    ],
)
