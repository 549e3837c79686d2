"""Lab 08, exercise 3: all of MEC's GEMMs by one call, on the view as it lies."""

from __future__ import annotations

import math

import numpy as np

from ....cpu import mec
from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.cublas import ColumnMajorBlas
from .layers import LIBRARY, TOY

STRIDED = ConvProblem(1, 9, 10, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(1, 6, 5, 2, 3, 4, 3, stride=(1, 2), padding=(2, 1))
LARGE = ConvProblem(1, 60, 62, 3, 7, 7, 16, padding=1)


def mec_gemms(blas, L, w, problem):
    return _gemms(blas, L, w, problem)


def _gemms(blas, L, w, p, **changed):
    """Make the right call, with some of its numbers `changed`."""
    row = p.k_w * p.i_c
    y = np.empty((p.o_h, p.o_w, p.k_c), np.float32)
    numbers = {
        "transa": "N",
        "transb": "N",
        "m": p.k_c,
        "n": p.o_w,
        "k": p.window,
        "a": w.reshape(-1),
        "lda": p.k_c,
        "stride_a": 0,
        "b": L.reshape(-1),
        "ldb": p.padded_h * row,
        "stride_b": p.s_h * row,
        "c": y.reshape(-1),
        "ldc": p.k_c,
        "stride_c": p.o_w * p.k_c,
        "count": p.o_h,
    }
    blas.sgemm_strided_batched(**(numbers | changed))
    return y


def _changed(**change):
    """Make a mistake: `name=function of the problem` for each number that is wrong."""
    return lambda blas, L, w, problem: _gemms(
        blas, L, w, problem, **{name: of(problem) for name, of in change.items()}
    )


def _copied(blas, L, w, p):
    whole = L.reshape(1, p.o_w, *L.shape[1:])
    copies = np.stack([mec.partition(whole, h, p)[0] for h in range(p.o_h)])
    return _gemms(blas, L, w, p, b=copies.reshape(-1), ldb=p.window, stride_b=p.o_w * p.window)


def _by_row(blas, L, w, p):
    y, row = np.empty((p.o_h, p.o_w, p.k_c), np.float32), p.k_w * p.i_c
    for h in range(p.o_h):
        blas.sgemm_strided_batched(
            "N",
            "N",
            p.k_c,
            p.o_w,
            p.window,
            w.reshape(-1),
            p.k_c,
            0,
            L.reshape(-1)[p.s_h * h * row :],
            p.padded_h * row,
            0,
            y[h].reshape(-1),
            p.k_c,
            0,
            1,
        )
    return y


def _in_columns(blas, L, w, p):
    """Ask for L's rows by the weights, both turned: C then lies in columns."""
    row = p.k_w * p.i_c
    return _gemms(
        blas,
        L,
        w,
        p,
        transa="T",
        transb="T",
        m=p.o_w,
        n=p.k_c,
        a=L.reshape(-1),
        lda=p.padded_h * row,
        stride_a=p.s_h * row,
        b=w.reshape(-1),
        ldb=p.k_c,
        stride_b=0,
        ldc=p.o_w,
    )


def _cases(rng):
    cases = []
    for p in (TOY, STRIDED, PADDED, LARGE):
        x, w = (
            rng.standard_normal(shape, dtype=np.float32)
            for shape in (p.input_shape, p.kernel_shape)
        )
        if p is TOY:
            x = np.arange(1, 13, dtype=np.float32).reshape(p.input_shape)
            w = np.array([1, -2, 3, 5], np.float32).reshape(p.kernel_shape)
        cases.append((ColumnMajorBlas(most_calls=1, least_macs=p.macs), mec.lower(x, p)[0], w, p))
    return cases


EXERCISE = Exercise(
    name="mec_gemms",
    lab=8,
    reference=mec_gemms,
    calls_allowed=LIBRARY,
    contiguous=True,
    task="All GEMMs of one image by one call of the library, on L as it lies.",
    workspace=lambda blas, L, w, problem: 0,
    cases=_cases,
    misconceptions=[
        Misconception(
            "partitions copied",
            _copied,
            symptom="The values are right, in the bytes of im2col's matrix.",
            concept="That is what comes of a copy of each partition. The library takes a distance "
            "between matrices, and has nothing against one that lets them overlap.",
            line="Hand over `L.reshape(-1)` itself, with `ldb = padded_h * k_w * i_c` and "
            "`stride_b = s_h * k_w * i_c`.",
        ),
        Misconception(
            "a call for each row",
            _by_row,
            symptom="The values are right; you made a call for each output row.",
            concept="On a GPU each call is a launch, of work for a few multiprocessors. One call "
            "of `o_h` matrices fills them all.",
            line="In place of your loop `count = o_h`, `stride_b = s_h * k_w * i_c` and "
            "`stride_c = o_w * k_c`.",
        ),
        Misconception(
            "weights move on",
            _changed(stride_a=lambda p: p.window * p.k_c),
            symptom="Your second GEMM looks for its weights behind the weights.",
            concept="All GEMMs of the batch have the same weights. A stride of 0 says so.",
            line="`stride_a = 0`.",
        ),
        Misconception(
            "leading dimension of the window",
            _changed(ldb=lambda p: p.window),
            symptom="Your partitions' rows lie in one piece, and in `L` they do not.",
            concept="From one row of a partition to the next it is a whole strip.",
            line="`ldb = padded_h * k_w * i_c`.",
        ),
        Misconception(
            "k of a kernel row",
            _changed(k=lambda p: p.k_w * p.i_c),
            symptom="You sum over one kernel row.",
            concept="A row of a partition is a whole window, as long as a column of the weights.",
            line="`k = k_h * k_w * i_c`.",
        ),
        Misconception(
            "a GEMM for each column",
            _changed(count=lambda p: p.o_w),
            symptom="Right where the output is square.",
            concept="A GEMM makes one output row, with `o_w` pixels: there are `o_h` of them.",
            line="`count = o_h`.",
        ),
        Misconception(
            "strips without padding",
            _changed(ldb=lambda p: p.i_h * p.k_w * p.i_c),
            symptom="Right without vertical padding, wrong with it.",
            concept="Strips are as high as the padded image.",
            line="`ldb` has `padded_h`, not `i_h`.",
        ),
        Misconception(
            "padding on one side",
            _changed(ldb=lambda p: (p.i_h + p.p_h) * p.k_w * p.i_c),
            symptom="Right without vertical padding; with it your strips have the zeros of one "
            "side only.",
            concept="A strip goes from the zeros above the image to those below it.",
            line="`i_h + 2 * p_h` in `ldb`, which is `padded_h`.",
        ),
        Misconception(
            "stride without s_h",
            _changed(stride_b=lambda p: p.k_w * p.i_c),
            symptom="With a vertical stride of 1 all is right.",
            concept="Output row `h` begins at image row `s_h * h`.",
            line="`stride_b = s_h * k_w * i_c`.",
        ),
        Misconception(
            "partitions side by side",
            _changed(stride_b=lambda p: p.window),
            symptom="Your partitions do not overlap, and run out of `L`.",
            concept="The next partition begins `s_h` image rows further, not `k_h`.",
            line="`stride_b = s_h * k_w * i_c`: no `k_h` in it.",
        ),
        Misconception(
            "results on one another",
            _changed(stride_c=lambda p: 0),
            symptom="All GEMMs of your batch write to the same place.",
            concept="Operands may be shared; results may not: the GEMMs run at the same time.",
            line="Row `h` of the output is `o_w * k_c` values further: `stride_c = o_w * k_c`.",
        ),
        Misconception(
            "results without channels",
            _changed(stride_c=lambda p: p.o_w),
            symptom="With one filter all is right; with more your results overlap.",
            concept="An output row is `o_w` pixels of `k_c` values each.",
            line="`stride_c = o_w * k_c`.",
        ),
        Misconception(
            "operands in row-major order",
            lambda blas, L, w, problem: _gemms(
                blas,
                L,
                w,
                problem,
                m=problem.o_w,
                n=problem.k_c,
                a=L.reshape(-1),
                lda=problem.padded_h * problem.k_w * problem.i_c,
                stride_a=problem.s_h * problem.k_w * problem.i_c,
                b=w.reshape(-1),
                ldb=problem.k_c,
                stride_b=0,
            ),
            symptom="You gave `L` first and `w` second, as one writes the product.",
            concept="The library is column-major: it must compute the transpose, in which the "
            "weights come first (exercise 2).",
            line="`m = k_c`, `n = o_w`; `a` is `w`, `b` is `L`, each with its own leading "
            "dimension and stride.",
        ),
        Misconception(
            "results in columns",
            _in_columns,
            symptom="Your values are right, but each output row is written column by column: a "
            "filter's values lie together.",
            concept="The library writes C in columns, and there is no flag for that. So ask it "
            "for the transpose: its columns are then your pixels, of `k_c` values each. "
            "Nothing is turned round afterwards.",
            line='"N" twice, `m = k_c`, `n = o_w`; first `w` with `lda = k_c`, then `L` with '
            "`ldb = padded_h * k_w * i_c`, each with its stride; `ldc = k_c`.",
        ),
        Misconception(
            "the output by strips",
            _changed(ldc=lambda p: p.o_h * p.k_c, stride_c=lambda p: p.k_c),
            symptom="You let the results lie as the strips of `L` do: column by column of the "
            "output.",
            concept="`y` is `[o_h, o_w, k_c]`: the pixels of an output row lie side by side, and "
            "a GEMM makes such a row.",
            line="`ldc = k_c`, `stride_c = o_w * k_c`.",
        ),
        Misconception(
            "stride of the width",
            _changed(stride_b=lambda p: p.s_w * p.k_w * p.i_c),
            symptom="Right where both strides are equal, wrong where they differ.",
            concept="`s_w` was used up when the strips were lowered; the partitions move down.",
            line="`stride_b` has `s_h`, not `s_w`.",
        ),
        Misconception(
            "a GEMM for each row of the image",
            _changed(count=lambda p: p.padded_h),
            symptom="You ask for more GEMMs than there are output rows.",
            concept="There is a partition for each row of the *output*: `o_h` of them.",
            line="`count = o_h`, which is less than the rows of the padded image.",
        ),
        Misconception(
            "output without channels",
            _changed(ldc=lambda p: p.o_w),
            symptom="Your results are `o_w` values apart, where one pixel is `k_c` values.",
            concept="The library's columns are your pixels: from one to the next it is `k_c`.",
            line="`ldc = k_c`.",
        ),
        Misconception(
            "added to what was there",
            _changed(beta=lambda p: 1.0),
            symptom="Your result is NaN, what `np.empty` holds here: it was added to, or never "
            "written.",
            concept="`beta=1` adds to what C holds, and `np.empty` holds anything. And what the "
            "library writes to a copy, as `flatten` makes one, is not in `y`.",
            line="`c` is `y.reshape(-1)`, a view, and `beta` is left out: it is 0.",
        ),
        Misconception(
            "k without a size",
            lambda blas, L, w, problem, k=("k_h", "k_w"): _gemms(
                blas, L, w, problem, k=math.prod(getattr(problem, size) for size in k)
            ),
            symptom="You sum over less than a window: a size is missing from your `k`.",
            concept="A window has `k_h` rows of `k_w` pixels, each of `i_c` values.",
            line="`k = k_h * k_w * i_c`, with all three.",
            choices={"k": (("k_h", "i_c"),)},
        ),
        Misconception(
            "weights' leading dimension of the window",
            _changed(lda=lambda p: p.window),
            symptom="Your `lda` is how many values a window has.",
            concept="What lies together in `w` is the `k_c` filters of one place of the window: "
            "these are the library's columns.",
            line="`lda = k_c`.",
        ),
        Misconception(
            "leading dimension of a row of the strip",
            _changed(ldb=lambda p: p.k_w * p.i_c),
            symptom="Your `ldb` goes from one image row of a strip to the next.",
            concept="A row of a partition is the window of an output pixel. That of the next pixel "
            "lies in the next strip, at the same height.",
            line="A strip: `ldb = padded_h * k_w * i_c`.",
        ),
        Misconception(
            "as many pixels as rows",
            _changed(n=lambda p: p.o_h),
            symptom="Each GEMM of yours makes `o_h` pixels.",
            concept="A GEMM makes one output row, and a row has `o_w` pixels.",
            line="`n = o_w`, and `count = o_h`.",
        ),
        Misconception(
            "results a column apart",
            _changed(stride_c=lambda p: p.o_h * p.k_c),
            symptom="From one GEMM's results to the next you go on by `o_h` pixels.",
            concept="GEMM `h` makes output row `h`, and a row is `o_w` pixels long.",
            line="`stride_c` is `o_w * k_c`, not `o_h * k_c`.",
        ),
        Misconception(
            "L copied",
            lambda blas, L, w, problem: _gemms(blas, L, w, problem, b=L.copy().reshape(-1)),
            symptom="The values are right, in as many bytes as a copy of `L` takes.",
            concept="`copy`, `flatten` and `astype` always make a new array. A view of one axis "
            "names the values anew and moves none.",
            line="`L.reshape(-1)` as `b`, and nothing done to `L` before.",
        ),
    ],
)
