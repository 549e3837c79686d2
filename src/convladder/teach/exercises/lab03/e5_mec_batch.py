"""Lab 03, exercise 5: Solution A, one GEMM for a row of the whole batch."""

from __future__ import annotations

import numpy as np

from ....cpu import mec
from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from .e4_mec_conv import by_row, kernel_matrix, one_lowering
from .layers import MANY_FILTERS, PADDED, PROBLEM, STRIDED, TOY, images_and_kernels

BATCH = ConvProblem(4, 40, 36, 8, 5, 5, 32, padding=1)  # its output fits into L, not beside it


def mec_batch(x, w, problem):
    return mec.mec_batch(x, w, problem)


def _second_buffer(x, w, problem):
    p, L = problem, mec.lower(x, problem)
    out = np.empty((p.o_h, p.i_n, p.o_w, p.k_c), np.float32)
    for h in range(p.o_h):
        rows = mec.partition(L, h, p).reshape(p.i_n * p.o_w, p.window)
        np.matmul(rows, kernel_matrix(w, p), out=out[h].reshape(p.i_n * p.o_w, p.k_c))
    return out.swapaxes(0, 1).copy()


def _spare_never_filled(x, w, problem):
    p, L = problem, mec.lower(x, problem)
    spare = np.resize(L.reshape(-1), p.i_n * p.o_h * p.o_w * p.k_c)
    return spare.reshape(p.o_h, p.i_n, p.o_w, p.k_c).swapaxes(0, 1).copy()


def _image_named_first(x, w, problem, back=True):
    """Read the GEMMs' rows as if the image were the slowest, and exchange the axes then."""
    y, p = by_row(x, w, problem), problem
    other = np.ascontiguousarray(y.reshape(p.output_shape).swapaxes(0, 1))
    return other.reshape(p.output_shape) if back else other


def _always_fits(x, w, problem, by="reshape"):
    """Put the rows into `L`'s memory, which is too small with many filters."""
    p, y = problem, by_row(x, w, problem)
    spare = mec.lower(x, p).reshape(-1)[: y.size]
    if by == "reshape":
        spare.reshape(y.shape)
    else:
        spare[:] = y.reshape(-1)
    return mec.mec_batch(x, w, p)


def _into_row_0(x, w, problem, left=0.0):
    """Let every GEMM write into row 0: the last one stays there."""
    y = mec.mec_rows(x, w, problem)
    y[:, 0] = y[:, -1]
    y[:, 1:] = left
    return y


def _images_backwards(x, w, problem):
    return np.ascontiguousarray(mec.mec_batch(x, w, problem)[::-1])


def _first_image(x, w, problem, left=float("nan")):
    y = mec.mec_batch(x, w, problem)
    y[1:] = left
    return y


def _overwritten(x, w, problem, rows_first=False):
    """Write row h of image n where another lies that is still to be read."""
    p, y = problem, by_row(x, w, problem)
    places = y.reshape(p.output_shape)
    for at in np.ndindex(*((p.o_h, p.i_n) if rows_first else (p.i_n, p.o_h))):
        n, h = at[::-1] if rows_first else at
        places[n, h] = y[h, n]
    return places


def _swapped_in_pairs(x, w, problem):
    """Exchange row h of image n with row n of image h, in a result of rows."""
    p = problem
    rows = by_row(x, w, p).reshape(p.o_h * p.i_n, p.o_w, p.k_c)
    for h, n in np.ndindex(p.o_h, p.i_n):
        one, other = h * p.i_n + n, n * p.o_h + h
        if one < other:
            rows[[one, other]] = rows[[other, one]]
    return rows.reshape(p.output_shape)


EXERCISE = Exercise(
    name="mec_batch",
    lab=3,
    reference=mec_batch,
    calls_allowed=PROBLEM,
    task="Solution A: one GEMM for row h of the whole batch, then put the rows in order.",
    contiguous=True,
    workspace=one_lowering,
    cases=images_and_kernels(TOY, STRIDED, PADDED, MANY_FILTERS, BATCH),
    misconceptions=[
        Misconception(
            "fix-up left out",
            lambda x, w, problem: by_row(x, w, problem).reshape(problem.output_shape),
            symptom="One image is right; in a batch every value is there, but rows lie in the "
            "wrong places.",
            concept="The GEMMs wrote row 0 of all images, then row 1 of all images. `reshape` "
            "gives these rows other names; it moves none of them.",
            line="`spare = L.reshape(-1)[: y.size]`, or a place of its own if `y` is larger than "
            "`L`; `spare[...] = y.reshape(-1)`; then `y[...] = spare.reshape(o_h, i_n, o_w, "
            "k_c).swapaxes(0, 1)`.",
        ),
        Misconception(
            "axes left exchanged",
            by_row,
            symptom="Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            concept="That is the order in which the GEMMs write. NHWC wants the image first.",
            line="Put `y` into `spare`, `L`'s memory if it fits; then `y = "
            "y.reshape(problem.output_shape)` and `y[...] = spare.reshape(o_h, i_n, o_w, "
            "k_c).swapaxes(0, 1)`.",
        ),
        Misconception(
            "axes exchanged, memory not",
            lambda x, w, problem: by_row(x, w, problem).swapaxes(0, 1),
            symptom="The values are right, but only the strides were exchanged: in memory the "
            "rows lie as the GEMMs wrote them.",
            concept="The fix-up is a copy, the price of Solution A. A view leaves it to whoever "
            "uses your result next.",
            line="`spare[...] = y.reshape(-1)`, in `L`'s memory if it fits. Then `y = "
            "y.reshape(problem.output_shape)`, and `y[...] = spare.reshape(o_h, i_n, o_w, "
            "k_c).swapaxes(0, 1)`.",
        ),
        Misconception(
            "width read before image",
            lambda x, w, problem: (
                by_row(x, w, problem)
                .reshape(problem.o_h, problem.o_w, problem.i_n, problem.k_c)
                .transpose(2, 0, 1, 3)
                .copy()
            ),
            symptom="One image is right; in a batch the pixels of a row are dealt out to the "
            "wrong images.",
            concept="A GEMM's result has `i_n * o_w` rows: all columns of image 0, then all "
            "columns of image 1, because `L` has `i_n` before `o_w`.",
            line="Read the memory as `(o_h, i_n, o_w, k_c)`, not as `(o_h, o_w, i_n, k_c)`.",
        ),
        Misconception(
            "image named before the row",
            _image_named_first,
            symptom="One image is right; in a batch the rows are there, dealt out anew, and not to "
            "their images.",
            concept="The GEMMs wrote all images of row 0 first, so `o_h` is the slowest axis. "
            "Whoever reads the memory as `[i_n, o_h, ...]` and exchanges these two takes "
            "rows from the wrong places.",
            line="Row `h` of image `n` lies at `[h, n]`: reshape to `(o_h, i_n, o_w, k_c)`, then "
            "`swapaxes(0, 1)`.",
        ),
        Misconception(
            "image named before the row, and axes exchanged",
            lambda x, w, problem: _image_named_first(x, w, problem, back=False),
            symptom="Your result has the row before the image. In a batch, its rows are not what "
            "these axes say either.",
            concept="The GEMMs wrote all images of row 0 first, so the memory is `[o_h, i_n, o_w, "
            "k_c]`. An exchange of axes that were named otherwise moves the wrong rows.",
            line="Reshape to `(o_h, i_n, o_w, k_c)` first; `swapaxes(0, 1)` then brings the "
            "image to the front.",
        ),
        Misconception(
            "rows overwritten before they are read",
            _overwritten,
            choices={"rows_first": (True,)},
            symptom="One image is right; in a batch, some rows were written over others that were "
            "still to be read.",
            concept="Both orders share one piece of memory with you. What a row is written over is "
            "lost, unless it lies somewhere else as well.",
            line="First `spare[...] = y.reshape(-1)`, in `L`'s memory if it fits; then `y[n, h] = "
            "spare.reshape(o_h, i_n, o_w, k_c)[h, n]`.",
        ),
        Misconception(
            "rows swapped in pairs",
            _swapped_in_pairs,
            symptom="One image is right; in a batch some rows are where they belong, and others "
            "not.",
            concept="To exchange two axes is more than a swap of pairs, unless both are equally "
            "long: a row goes where another lay, and that one has to go somewhere else again.",
            line="First `spare[...] = y.reshape(-1)`, in `L`'s memory if it fits; then `y[...] = "
            "spare.reshape(o_h, i_n, o_w, k_c).swapaxes(0, 1)`.",
        ),
        Misconception(
            "output larger than L",
            _always_fits,
            symptom="You are right where the result fits into `L`. Where it does not, `L` is too "
            "small a place for it, as the message says.",
            concept="`L` grows with the kernel, the result with the number of filters. With many "
            "filters the result is the larger one.",
            line="If `y.size > L.size`, take a place of its own: `np.empty(y.size, np.float32)`.",
            choices={"by": ("assignment",)},
        ),
        Misconception(
            "spare memory never filled",
            _spare_never_filled,
            symptom="These are numbers from `L`, pixels of the image, not results.",
            concept="`L`'s memory is only a place to put the result down while its rows change "
            "places. It must be written before it is read.",
            line="`spare[...] = y.reshape(-1)` comes before the rows are put in order.",
        ),
        Misconception(
            "a second result beside L",
            _second_buffer,
            symptom="The values are right. At the peak there are the bytes of `L` and of two "
            "results.",
            concept="Once the GEMMs are done, `L` is dead weight. Put the disordered result "
            "there, or let go of `L` before you copy. (`y[...] = y.swapaxes(...)` does "
            "not help: NumPy sees the overlap and makes a copy of its own.)",
            line="`spare = L.reshape(-1)[: y.size]`, then `spare[...] = y.reshape(-1)`; or "
            "`del L` and every view of it.",
        ),
        Misconception(
            "flipped kernel",
            lambda x, w, problem: mec.mec_batch(x, np.ascontiguousarray(w[::-1, ::-1]), problem),
            symptom="Your result is that of a kernel turned round.",
            concept="The first weight meets the window's first pixel.",
            line="`w.reshape(k_h * k_w * i_c, k_c)`, and partitions as they lie in `L`.",
        ),
        Misconception(
            "only the first image's rows",
            _first_image,
            choices={"left": (0.0,)},
            symptom="One image is right; of a batch, nothing was written into the others.",
            concept="GEMM `h` has the strips of all images: `i_n * o_w` rows.",
            line="Reshape the partition to `[i_n * o_w, K]`, all of it.",
        ),
        Misconception(
            "every GEMM into row 0",
            _into_row_0,
            symptom="Your first output row holds what belongs into the last one, and nothing was "
            "written into the others.",
            concept="GEMM `h` makes row `h` of all images, and each overwrites the one before if "
            "they all write to the same place.",
            line="`out=y.reshape(o_h, i_n * o_w, k_c)[h]`, with the loop's `h`.",
            choices={"left": (float("nan"),)},
        ),
        Misconception(
            "images backwards",
            _images_backwards,
            symptom="One image is right; in a batch they come from the last to the first.",
            concept="Image `n` of the result is image `n` of `x`. To bring the images to the front "
            "leaves their order as it is.",
            line="`swapaxes(0, 1)` once, and nothing turned round.",
        ),
        Misconception(
            "padding left out",
            lambda x, w, problem: mec.mec_batch(
                x, w, ConvProblem.from_arrays(x, w, stride=problem.stride)
            ),
            symptom="Layers without padding are right, the others' results are too small.",
            concept="`o_h` and `o_w` count windows of the padded image.",
            line="Lower with `problem`, as in exercise 2.",
        ),
        Misconception(
            "result in float64",
            lambda x, w, problem: mec.mec_batch(x, w, problem).astype(np.float64),
            symptom="Your result is float64.",
            concept="Without a dtype, `np.empty` and `np.zeros` make float64, and a product with "
            "float64 is float64.",
            line="`np.empty(problem.output_shape, np.float32)`, and `np.float32` for all else "
            "that you make or convert.",
        ),
    ],
)
