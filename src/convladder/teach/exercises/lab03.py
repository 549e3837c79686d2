"""Lab 03: MEC from its bytes to a version that needs less than half of them."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...cpu import mec
from ...cpu.im2col import pad, padded_bytes
from ...problem import SEED, ConvProblem
from ..exercise import Exercise, Misconception
from ..photo import photo

SHAPES = tuple(f"convladder.problem.ConvProblem.{name}" for name in (
    "s_h", "s_w", "p_h", "p_w", "o_h", "o_w", "padded_h", "padded_w",
    "input_shape", "kernel_shape", "output_shape"))
PROBLEM = ("convladder.problem",)
PHOTO = ConvProblem(1, 224, 224, 3, 7, 7, 16, padding=1)  # the seed's layer, fewer filters
VIEW = 1024  # bytes that a learner's list of slices may take for each: Python objects, no data
BAND = 8  # output rows that the last exercise's example lowers at a time

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 7, 9, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1))


def _image(rng: np.random.Generator, p: ConvProblem) -> np.ndarray:
    if p is TOY:
        return np.arange(1, 13, dtype=np.float32).reshape(p.input_shape)
    if p.input_shape == PHOTO.input_shape:
        return photo(p.i_h)[None] - np.float32(0.4)
    return rng.standard_normal(p.input_shape, dtype=np.float32)


def _kernel(rng: np.random.Generator, p: ConvProblem) -> np.ndarray:
    if p is TOY:
        return np.array([1, -2, 3, 5], np.float32).reshape(p.kernel_shape)
    return rng.standard_normal(p.kernel_shape, dtype=np.float32)


def _image_and_kernel(*problems: ConvProblem):
    return lambda rng: [(_image(rng, p), _kernel(rng, p), p) for p in problems]


# --- how many bytes ---------------------------------------------------------------------------


def lowered_bytes(problem):
    return problem.mec_bytes()


def _bytes(i_n, o_w, rows, k_w, i_c):
    return 4 * i_n * o_w * rows * k_w * i_c


Exercise(
    name="lowered_bytes", lab=3, reference=lowered_bytes,
    task="Count the bytes of MEC's lowered matrix L, padding included.",
    calls_allowed=SHAPES,
    cases=lambda rng: [(TOY,), (STRIDED,), (PADDED,), (SEED,)],
    misconceptions=[
        Misconception(
            "padded rows left out",
            lambda problem: _bytes(problem.i_n, problem.o_w, problem.i_h, problem.k_w,
                                   problem.i_c),
            symptom="Layers without padding are right; those with padding come out too small.",
            concept="A partition is a view, so the zeros above and below the image must lie in "
                    "`L` itself. A strip is as high as the padded image.",
            line="Where you wrote `problem.i_h`, the height that is lowered is "
                 "`problem.padded_h`."),
        Misconception(
            "padding on one side",
            lambda problem: _bytes(problem.i_n, problem.o_w, problem.i_h + problem.p_h,
                                   problem.k_w, problem.i_c),
            symptom="Layers with padding come out too small, by half of what padding adds.",
            concept="`p_h` rows of zeros are put above the image, and as many below it.",
            line="The height is `i_h + 2 * p_h`, which is `problem.padded_h`."),
        Misconception(
            "values, not bytes",
            lambda problem: problem.mec_bytes() // 4,
            symptom="Every answer is a quarter of the right one.",
            concept="You counted values. A float32 has 4 bytes.",
            line="Multiply the whole product by 4."),
        Misconception(
            "one image only",
            lambda problem: problem.mec_bytes() // problem.i_n,
            symptom="Layers of one image are right; a batch comes out too small.",
            concept="`L` holds the strips of all images of the batch: "
                    "`L[i_n, o_w, padded_h, k_w, i_c]`.",
            line="`problem.i_n` is missing from the product."),
        Misconception(
            "im2col's matrix",
            lambda problem: problem.im2col_bytes(),
            symptom="This is the size of im2col's matrix, the very thing that MEC avoids.",
            concept="im2col stores `k_h` rows for each of `o_h` output rows. MEC stores each row "
                    "of the image once.",
            line="In place of `o_h * k_h` there is one factor: the padded height."),
        Misconception(
            "lowered along the height",
            lambda problem: _bytes(problem.i_n, problem.o_h, problem.padded_w, problem.k_h,
                                   problem.i_c),
            symptom="Right for square layers, wrong where height and width differ.",
            concept="A strip is `k_w` columns wide and runs over the image's full height. There "
                    "is one strip for each output column.",
            line="Exchange every `_h` with its `_w`: `o_w` strips, `padded_h` high, `k_w` wide."),
        Misconception(
            "a strip for every image column",
            lambda problem: _bytes(problem.i_n, problem.padded_w, problem.padded_h, problem.k_w,
                                   problem.i_c),
            symptom="Every answer is too large, and most where the stride is.",
            concept="A strip begins only where an output column begins: there are `o_w` of them, "
                    "fewer than the image has columns.",
            line="The number of strips is `problem.o_w`, not the width of the image."),
        Misconception(
            "filters counted",
            lambda problem: problem.mec_bytes() * problem.k_c,
            symptom="With one filter the answer is right; with more it is that many times too "
                    "large.",
            concept="Lowering rearranges the image only. All `k_c` filters multiply the same `L`.",
            line="Take `problem.k_c` out of the product."),
        Misconception(
            "output counted too",
            lambda problem: problem.mec_bytes() + 4 * problem.pixels * problem.k_c,
            symptom="Every answer is too large, by the size of the output.",
            concept="Workspace is what a method needs besides its result. The output is not in "
                    "`L`.",
            line="Leave out the term with `o_h * o_w * k_c`."),
    ],
)


# --- lowering ---------------------------------------------------------------------------------


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
    cases=lambda rng: [(_image(rng, p), p) for p in (TOY, STRIDED, PADDED, PHOTO)],
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


# --- a partition ------------------------------------------------------------------------------


def partition(L, h, problem):
    return mec.partition(L, h, problem)


def _from(begin, wide=None):
    """A partition that begins at `begin(h, p)` and is `wide(p)` values wide."""
    def wrong(L, h, problem):
        at, width = begin(h, problem), problem.window if wide is None else wide(problem)
        return L.reshape(problem.i_n, problem.o_w, -1)[:, :, at : at + width]
    return wrong


def _right_begin(h, p):
    return p.s_h * h * p.k_w * p.i_c


def _partitions_of(*pairs):
    return lambda rng: [(mec.lower(_image(rng, p), p), h, p) for p, h in pairs]


Exercise(
    name="partition", lab=3, reference=partition, may_view=True, calls_allowed=PROBLEM,
    task="Partition h of L, [i_n, o_w, k_h·k_w·i_c], as a view.",
    workspace=lambda L, h, problem: 0,
    cases=_partitions_of((TOY, 1), (TOY, 2), (STRIDED, 1), (STRIDED, 2), (PADDED, 4), (PHOTO, 219)),
    misconceptions=[
        Misconception(
            "offset without k_w", _from(lambda h, p: p.s_h * h * p.i_c),
            symptom="Partition 0 would be right; each later one begins too early.",
            concept="In `L` an image row of a strip takes `k_w * i_c` values. One image row "
                    "further is that many values further.",
            line="`k_w` is missing from the offset: `s_h * h * k_w * i_c`."),
        Misconception(
            "offset without s_h", _from(lambda h, p: h * p.k_w * p.i_c),
            symptom="With a vertical stride of 1 all is right, with a larger one the partitions "
                    "begin too early.",
            concept="Output row `h` looks at image rows from `s_h * h` on.",
            line="Multiply the offset by `problem.s_h`."),
        Misconception(
            "offset without i_c", _from(lambda h, p: p.s_h * h * p.k_w),
            symptom="With one channel all is right, with several the partitions begin too early.",
            concept="Each pixel is `i_c` values. An image row of a strip takes `k_w * i_c` of "
                    "them.",
            line="`i_c` is missing from the offset: `s_h * h * k_w * i_c`."),
        Misconception(
            "stride of the width", _from(lambda h, p: p.s_w * h * p.k_w * p.i_c),
            symptom="Right where both strides are equal, wrong where `s_h` and `s_w` differ.",
            concept="`s_w` was used up when the strips were lowered. Partitions move down the "
                    "image, by `s_h`.",
            line="Use `problem.s_h` in the offset."),
        Misconception(
            "offset h·o_w", _from(lambda h, p: h * p.o_w),
            symptom="Partition 0 would be right; every later one is not. (Two public C++ programs "
                    "have this offset.)",
            concept="`o_w` is how many strips there are. How far apart two image rows lie "
                    "within a strip has nothing to do with it: that is `k_w * i_c`.",
            line="The offset along a strip is `s_h * h * k_w * i_c`; `o_w` does not occur in it."),
        Misconception(
            "partitions side by side", _from(lambda h, p: h * p.window),
            symptom="Your partitions lie one behind the other, and the later ones run out of `L`.",
            concept="Partitions overlap: the next begins only `s_h` image rows further, though "
                    "each is `k_h` rows long. That overlap is MEC's saving.",
            line="The offset has `s_h` where you have `k_h`: `s_h * h * k_w * i_c`."),
        Misconception(
            "one kernel row wide", _from(_right_begin, lambda p: p.k_w * p.i_c),
            symptom="Your partition holds a single image row of each strip.",
            concept="A window has `k_h` rows, so a partition is `k_h * k_w * i_c` values wide.",
            line="The slice must end at `begin + k_h * k_w * i_c`, which is "
                 "`begin + problem.window`."),
        Misconception(
            "contiguous copy",
            lambda L, h, problem: np.ascontiguousarray(mec.partition(L, h, problem)),
            symptom="The values are right, and you have copied them. Do so for all partitions and "
                    "you have im2col's bytes again.",
            concept="BLAS takes rows that lie far apart, as long as each row is in one piece. "
                    "So does `@`: a slice of `L` is all it needs.",
            line="Return the slice itself: no `.copy()`, no `np.ascontiguousarray`, no indexing "
                 "with a list."),
    ],
)


# --- MEC, a GEMM a row ------------------------------------------------------------------------


def mec_conv(x, w, problem):
    return mec.mec_rows(x, w, problem)


def _multiply(x, kernel, p, step=None):
    """The row GEMMs with any kernel matrix, partitions `step` values apart."""
    step = p.s_h * p.k_w * p.i_c if step is None else step
    L = mec.lower(x, p).reshape(p.i_n, p.o_w, -1)
    rows = [L[:, :, step * h : step * h + p.window] @ kernel for h in range(p.o_h)]
    return np.stack(rows, axis=1)


def _matrix(w, p):
    return w.reshape(p.window, p.k_c)


def _without_padding(x, w, problem):
    return mec.mec_rows(x, w, ConvProblem.from_arrays(x, w, stride=problem.stride))


def _first_image_only(x, w, problem):
    y = mec.mec_rows(x, w, problem)
    y[1:] = 0
    return y


def _last_row_missing(x, w, problem):
    y = mec.mec_rows(x, w, problem)
    y[:, -1] = np.nan
    return y


def _copies_all_partitions(x, w, problem):
    p, L = problem, mec.lower(x, problem)
    copies = [np.ascontiguousarray(mec.partition(L, h, p)) for h in range(p.o_h)]
    y = np.empty(p.output_shape, np.float32)
    for h, rows in enumerate(copies):
        np.matmul(rows, _matrix(w, p), out=y[:, h])
    return y


def _one_lowering(x, w, problem):
    return problem.mec_bytes() + padded_bytes(problem)


OFFSET_HINT = "Look at the slice of `L`: it begins at `s_h * h * k_w * i_c`"

Exercise(
    name="mec_conv", lab=3, reference=mec_conv, calls_allowed=PROBLEM,
    task="Convolve by MEC: lower once, then one GEMM for each output row.", contiguous=True,
    workspace=_one_lowering, cases=_image_and_kernel(TOY, STRIDED, PADDED, PHOTO),
    misconceptions=[
        Misconception(
            "flipped kernel",
            lambda x, w, problem: _multiply(x, _matrix(np.ascontiguousarray(w[::-1, ::-1]),
                                                       problem), problem),
            symptom="You have turned the kernel around.",
            concept="Deep learning's convolution does not flip: `w[0, 0]` meets the top left "
                    "pixel of the window.",
            line="Use `w` as it is: `w.reshape(k_h * k_w * i_c, k_c)`."),
        Misconception(
            "kernel columns before rows",
            lambda x, w, problem: _multiply(x, w.transpose(1, 0, 2, 3).reshape(
                problem.window, problem.k_c), problem),
            symptom="Right where the kernel is a single row or column; else the weights meet the "
                    "wrong pixels.",
            concept="A partition's row runs over kernel row, kernel column, channel, in this "
                    "order. The kernel matrix must have its rows in the same order.",
            line="Take out the transpose: `w.reshape(k_h * k_w * i_c, k_c)` has that order."),
        Misconception(
            "partitions k_w too close",
            lambda x, w, problem: _multiply(x, _matrix(w, problem), problem,
                                            problem.s_h * problem.i_c),
            symptom="The first output row is right; the others are not.",
            concept="One image row further down is `k_w * i_c` values further in `L`.",
            line=f"{OFFSET_HINT}, with `k_w`."),
        Misconception(
            "vertical stride left out",
            lambda x, w, problem: _multiply(x, _matrix(w, problem), problem,
                                            problem.k_w * problem.i_c),
            symptom="Layers with a vertical stride of 1 are right; the others are right in their "
                    "first row only.",
            concept="Output row `h` begins at image row `s_h * h`.",
            line=f"{OFFSET_HINT}, with `s_h`."),
        Misconception(
            "padding left out", _without_padding,
            symptom="Your result is too small where the layer has padding.",
            concept="`o_h` and `o_w` count the windows of the padded image.",
            line="Take `problem.o_h` and `problem.o_w`, and lower with `problem`, so that `L` "
                 "holds the zeros."),
        Misconception(
            "images inside rows",
            lambda x, w, problem: mec.mec_rows(x, w, problem).swapaxes(0, 1).copy(),
            symptom="Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            concept="NHWC puts the image first: all rows of image 0, then all of image 1.",
            line="Write row `h` of image `n` into `y[n, h]`, not into `y[h, n]`."),
        Misconception(
            "first image only", _first_image_only,
            symptom="Image 0 is right; the others hold zeros.",
            concept="`L` has a first axis for the images: each has its own strips.",
            line="Loop over `n` as well, or multiply `L[:, ...]` in place of `L[0]`."),
        Misconception(
            "last row missing", _last_row_missing,
            symptom="The last output row was never written: it holds what was in memory.",
            concept="There are `o_h` partitions, numbered 0 to `o_h - 1`.",
            line="`range(problem.o_h)` ends at `o_h - 1` already; do not subtract one."),
        Misconception(
            "result in float64",
            lambda x, w, problem: mec.mec_rows(x, w, problem).astype(np.float64),
            symptom="Your result is float64.",
            concept="Input and kernel are float32, and so is the result; `np.empty` and "
                    "`np.zeros` must be told.",
            line="Add `dtype=np.float32` where you make `y`."),
        Misconception(
            "images inside rows, seen from outside",
            lambda x, w, problem: _by_row(x, w, problem).swapaxes(0, 1),
            symptom="The values are right. In memory the images still lie inside the rows.",
            concept="`swapaxes` moves no value, it changes strides. Whoever takes your result for "
                    "NHWC memory, BLAS or a file, finds the rows in the wrong place.",
            line="Make `y` of shape `problem.output_shape` and write row `h` into `y[:, h]`."),
        Misconception(
            "rows collected, then stacked",
            lambda x, w, problem: _multiply(x, _matrix(w, problem), problem),
            symptom="The values are right. Your result exists twice for a moment: as a list of "
                    "rows, and as the array made of them.",
            concept="`np.stack` copies. A GEMM can write its rows where they belong at once.",
            line="Make `y` first, then `np.matmul(rows, kernel, out=y[:, h])`, or "
                 "`y[:, h] = rows @ kernel`."),
        Misconception(
            "all partitions copied", _copies_all_partitions,
            symptom="The values are right, and the partitions stand in memory as copies: that is "
                    "im2col's matrix.",
            concept="MEC saves memory because partitions overlap as views. A contiguous copy of "
                    "each stores every shared value again.",
            line="Multiply the slice of `L` itself: `L[...] @ kernel`."),
    ],
)


# --- Solution A -------------------------------------------------------------------------------

BATCH = ConvProblem(4, 40, 36, 8, 5, 5, 32, padding=1)  # its output fits into L, not beside it


def mec_batch(x, w, problem):
    return mec.mec_batch(x, w, problem)


def _by_row(x, w, p):
    """What Solution A's GEMMs leave: `[o_h, i_n, o_w, k_c]`."""
    return np.ascontiguousarray(mec.mec_rows(x, w, p).swapaxes(0, 1))


def _second_buffer(x, w, problem):
    p, L = problem, mec.lower(x, problem)
    out = np.empty((p.o_h, p.i_n, p.o_w, p.k_c), np.float32)
    for h in range(p.o_h):
        rows = mec.partition(L, h, p).reshape(p.i_n * p.o_w, p.window)
        np.matmul(rows, _matrix(w, p), out=out[h].reshape(p.i_n * p.o_w, p.k_c))
    return out.swapaxes(0, 1).copy()


def _spare_never_filled(x, w, problem):
    p, L = problem, mec.lower(x, problem)
    spare = np.resize(L.reshape(-1), p.i_n * p.o_h * p.o_w * p.k_c)
    return spare.reshape(p.o_h, p.i_n, p.o_w, p.k_c).swapaxes(0, 1).copy()


Exercise(
    name="mec_batch", lab=3, reference=mec_batch, calls_allowed=PROBLEM,
    task="Solution A: one GEMM for row h of the whole batch, then put the rows in order.",
    contiguous=True,
    workspace=_one_lowering, cases=_image_and_kernel(TOY, STRIDED, PADDED, BATCH),
    misconceptions=[
        Misconception(
            "fix-up left out",
            lambda x, w, problem: _by_row(x, w, problem).reshape(problem.output_shape),
            symptom="One image is right; in a batch every value is there, in the wrong row.",
            concept="The GEMMs wrote row 0 of all images, then row 1 of all images. `reshape` "
                    "gives these rows other names; it moves none of them.",
            line="Read the memory as `[o_h, i_n, o_w, k_c]`, exchange the first two axes with "
                 "`swapaxes(0, 1)`, and copy that."),
        Misconception(
            "axes left exchanged", _by_row,
            symptom="Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            concept="That is the order in which the GEMMs write. NHWC wants the image first.",
            line="The last step is missing: `swapaxes(0, 1)`, copied into memory of its own."),
        Misconception(
            "axes exchanged, memory not",
            lambda x, w, problem: _by_row(x, w, problem).swapaxes(0, 1),
            symptom="The values are right, but only the strides were exchanged: in memory the "
                    "rows lie as the GEMMs wrote them.",
            concept="The fix-up is a copy, the price of Solution A. A view leaves it to whoever "
                    "uses your result next.",
            line="Write the exchanged view into memory that lies in order: "
                 "`y[...] = spare.reshape(o_h, i_n, o_w, k_c).swapaxes(0, 1)`."),
        Misconception(
            "width read before image",
            lambda x, w, problem: _by_row(x, w, problem).reshape(
                problem.o_h, problem.o_w, problem.i_n, problem.k_c).transpose(2, 0, 1, 3).copy(),
            symptom="One image is right; in a batch the pixels of a row are dealt out to the "
                    "wrong images.",
            concept="A GEMM's result has `i_n * o_w` rows: all columns of image 0, then all "
                    "columns of image 1, because `L` has `i_n` before `o_w`.",
            line="Read the memory as `(o_h, i_n, o_w, k_c)`, not as `(o_h, o_w, i_n, k_c)`."),
        Misconception(
            "spare memory never filled", _spare_never_filled,
            symptom="These are numbers from `L`, pixels of the image, not results.",
            concept="`L`'s memory is only a place to put the result down while its rows change "
                    "places. It must be written before it is read.",
            line="`spare[...] = y.reshape(-1)` comes before the rows are put in order."),
        Misconception(
            "a second result beside L", _second_buffer,
            symptom="The values are right. At the peak, `L`, the disordered result and the "
                    "ordered one were all in memory.",
            concept="Once the GEMMs are done, `L` is dead weight. Put the disordered result "
                    "there, or let go of `L` before you copy. (`y[...] = y.swapaxes(...)` does "
                    "not help: NumPy sees the overlap and makes a copy of its own.)",
            line="`spare = L.reshape(-1)[: y.size]`, then `spare[...] = y.reshape(-1)`; or "
                 "`del L` and every view of it."),
    ],
)


# --- your own ---------------------------------------------------------------------------------

TALL = ConvProblem(1, 23, 7, 2, 4, 3, 3, padding=(1, 0))
TALL_STRIDED = ConvProblem(2, 41, 9, 3, 3, 2, 4, stride=(2, 3), padding=(0, 1))


def my_mec(x, w, problem):
    return mec.mec_rows(x, w, problem) if problem.pixels < 1000 else _banded(x, w, problem)


def _banded(x, w, p, shared=True, rows_done=None, step=None):
    """MEC over bands of BAND output rows, and the ways in which it goes wrong."""
    padded = pad(x, p)
    y = np.zeros(p.output_shape, np.float32)
    step = p.s_h if step is None else step
    for first in range(0, p.o_h if rows_done is None else rows_done, BAND):
        count = min(BAND, p.o_h - first)
        top = step * first
        band = padded[:, top : top + p.s_h * (count - 1) + p.k_h]
        if not shared:
            band = band.copy()
            band[:, p.s_h * count :] = 0
        part = ConvProblem.from_arrays(band, w, stride=p.stride)
        y[:, first : first + count] = mec.mec_rows(band, w, part)
    return y


def _last_band_missing(x, w, problem):
    return _banded(x, w, problem, rows_done=problem.o_h // BAND * BAND)


Exercise(
    name="my_mec", lab=3, reference=my_mec, calls_allowed=PROBLEM,
    task="A MEC of your own, in half the bytes of L or less.", contiguous=True,
    workspace=lambda x, w, problem: problem.mec_bytes() // 2,
    cases=_image_and_kernel(TOY, TALL, TALL_STRIDED, PHOTO),
    misconceptions=[
        Misconception(
            "the whole L", lambda x, w, problem: mec.mec_rows(x, w, problem),
            symptom="The values are right. You lower the whole image before the first product.",
            concept="Output row `h` needs `k_h` rows of the image. A few output rows need only a "
                    "band of it, and the memory of one band serves the next.",
            line="Loop over `first = 0, 8, 16, ...`; lower image rows from `s_h * first` on, only "
                 "as many as 8 output rows need, and multiply them before you go on."),
        Misconception(
            "bands without the rows they share",
            lambda x, w, problem: _banded(x, w, problem, shared=False),
            symptom="The last rows of each band are wrong.",
            concept="Windows at the end of a band reach into the next: 8 output rows need "
                    "`s_h * 7 + k_h` image rows, not `s_h * 8`.",
            line="Make the band `s_h * (count - 1) + k_h` rows high."),
        Misconception(
            "last band missing", _last_band_missing,
            symptom="The last output rows are zero, where `o_h` is no multiple of the band.",
            concept="The last band is shorter than the others, but it is there.",
            line="`range(0, o_h, band)` reaches it; `o_h // band` bands do not. Take "
                 "`min(band, o_h - first)` rows."),
        Misconception(
            "bands begin at the output row",
            lambda x, w, problem: _banded(x, w, problem, step=1),
            symptom="With a vertical stride of 1 all is right; with a larger one only the first "
                    "band is.",
            concept="Output row `first` looks at image rows from `s_h * first` on.",
            line="The band begins at `problem.s_h * first`."),
    ],
)
