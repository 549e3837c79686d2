"""Lab 08, exercise 6: a convolution by a library's GEMMs alone, with as little memory as can be."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.cublas import ColumnMajorBlas
from .layers import LIBRARY, STRIDED, TOY

UNEVEN = ConvProblem(2, 8, 11, 2, 3, 4, 3, stride=(1, 3))
SHORT = ConvProblem(1, 8, 9, 2, 3, 4, 3, stride=(3, 1))  # fewer rows than sets of columns
WIDE = ConvProblem(1, 6, 9, 2, 2, 5, 3, stride=(3, 2))  # windows overlap in the width alone
LARGE = ConvProblem(2, 32, 36, 8, 5, 5, 16)


def my_gemms(blas, x, w, problem):
    return _without_lowering(blas, x, w, problem)


def _without_lowering(
    blas,
    x,
    w,
    p,
    *,
    apart=None,
    beta=None,
    gap=None,
    kernel_row=True,
    tail=True,
    images=None,
    step=None,
    weights_move=True,
    s_w=None,
    sets=None,
    image_of_x=True,
    shifted=True,
    zeros=False,
    row_step=False,
):
    """Run GEMMs over every `apart`-th output column: windows do not overlap; wrong as told."""
    y = (np.zeros if zeros else np.empty)(p.output_shape, np.float32)
    apart = -(-p.k_w // p.s_w) if apart is None else apart
    image, pixels, weights = p.i_h * p.i_w * p.i_c, x.reshape(-1), w.reshape(-1)
    inner, results = p.k_w * p.i_c, y.reshape(-1)
    for n in range(p.i_n if images is None else images):
        for a in range(p.k_h):
            for first in range(min(sets or apart, p.o_w)):
                columns = -(-(p.o_w - first) // apart) if tail else p.o_w // apart
                row = a * (p.s_h if row_step else 1) if kernel_row else 0
                begin = n * image * image_of_x + (row * p.i_w + first * (s_w or p.s_w)) * p.i_c
                filters = weights[a * inner * p.k_c * weights_move :]
                blas.sgemm_strided_batched(
                    "N",
                    "N",
                    p.k_c,
                    columns,
                    inner,
                    filters,
                    p.k_c,
                    0,
                    pixels[begin:],
                    apart * p.s_w * p.i_c,
                    (p.s_h if step is None else step) * p.i_w * p.i_c,
                    results[n * p.o_h * p.o_w * p.k_c + first * p.k_c * shifted :],
                    (apart if gap is None else gap) * p.k_c,
                    p.o_w * p.k_c,
                    p.o_h,
                    beta=float(a > 0) if beta is None else beta,
                )
    return y


def _places(blas, x, w, p, new=lambda a, b: a + b == 0, column=1):
    """Run a GEMM for each place of the window: a pointwise convolution; wrong as told."""
    y = np.empty(p.output_shape, np.float32)
    for n, a, b in np.ndindex(p.i_n, p.k_h, p.k_w):
        blas.sgemm_strided_batched(
            "N",
            "N",
            p.k_c,
            p.o_w,
            p.i_c,
            w[a, b].reshape(-1),
            p.k_c,
            0,
            x[n].reshape(-1)[(a * p.i_w + b * column) * p.i_c :],
            p.s_w * p.i_c,
            p.s_h * p.i_w * p.i_c,
            y[n].reshape(-1),
            p.k_c,
            p.o_w * p.k_c,
            p.o_h,
            beta=float(not new(a, b)),
        )
    return y


def _im2col(blas, x, w, p):
    matrix = np.empty((p.pixels, p.window), np.float32)
    for row, (n, h, v) in enumerate(np.ndindex(p.i_n, p.o_h, p.o_w)):
        top, left = p.s_h * h, p.s_w * v
        matrix[row] = x[n, top : top + p.k_h, left : left + p.k_w].reshape(-1)
    y = np.empty(p.output_shape, np.float32)
    blas.sgemm_strided_batched(
        "N",
        "N",
        p.k_c,
        p.pixels,
        p.window,
        w.reshape(-1),
        p.k_c,
        0,
        matrix.reshape(-1),
        p.window,
        0,
        y.reshape(-1),
        p.k_c,
        0,
        1,
    )
    return y


def _transposed(blas, x, w, p):
    """Return what the library sees: the filter outermost."""
    return np.ascontiguousarray(np.moveaxis(_without_lowering(blas, x, w, p), -1, 1))


def _by_numpy(blas, x, w, p):
    y = np.zeros(p.output_shape, np.float32)
    for a, b in np.ndindex(p.k_h, p.k_w):
        y += (
            x[:, a : a + p.s_h * (p.o_h - 1) + 1 : p.s_h, b : b + p.s_w * (p.o_w - 1) + 1 : p.s_w]
            @ w[a, b]
        )
    return y


def _cases(rng):
    cases = []
    for p in (TOY, STRIDED, UNEVEN, SHORT, WIDE, LARGE):
        x, w = (
            rng.standard_normal(shape, dtype=np.float32)
            for shape in (p.input_shape, p.kernel_shape)
        )
        if p is TOY:
            x = np.arange(1, 13, dtype=np.float32).reshape(p.input_shape)
            w = np.array([1, -2, 3, 5], np.float32).reshape(p.kernel_shape)
        cases.append((ColumnMajorBlas(least_macs=p.macs), x, w, p))
    return cases


def _told(**wrong):
    return lambda blas, x, w, problem, **free: _without_lowering(
        blas, x, w, problem, **wrong, **free
    )


EXERCISE = Exercise(
    name="my_gemms",
    lab=8,
    reference=my_gemms,
    calls_allowed=LIBRARY,
    contiguous=True,
    task="A convolution by the library's GEMMs, in the bytes of L or fewer.",
    workspace=lambda blas, x, w, problem: problem.mec_bytes(),
    cases=_cases,
    misconceptions=[
        Misconception(
            "im2col",
            _im2col,
            symptom="The values are right, in im2col's bytes.",
            concept="MEC lowers along the width only, and lets the library step down by a stride.",
            line="Lower strips into one `L[o_w, i_h, k_w, i_c]`, the same memory for each image, "
            "and use exercise 3.",
        ),
        Misconception(
            "rows that overlap",
            _told(apart=1),
            symptom="Your matrices lie in the image itself, and their rows overlap: the library "
            "forbids it.",
            concept="Neighbouring windows share pixels. Windows `k_w` or more pixels apart do not.",
            line="`g = -(-k_w // s_w)` calls, each for every `g`-th output column: "
            "`ldb = g * s_w * i_c`, `ldc = g * k_c`.",
        ),
        Misconception(
            "kernel rows not added up",
            _told(beta=0.0),
            symptom="Your result has the last kernel row's products only.",
            concept="`beta = 0` replaces what C held; `beta = 1` adds to it.",
            line="`beta=0` for the first product that a value of `y` gets, `beta=1` for those that "
            "are added to it.",
        ),
        Misconception(
            "added to what was there",
            _told(beta=1.0),
            symptom="Your result is NaN, what `np.empty` holds here: the products were added to "
            "it, or never written.",
            concept="`np.empty` holds anything. The first product must replace it, in `y` itself "
            "and not in a copy, as `flatten` makes one.",
            line="`y` made once, before all loops; `beta=0` for the first product that a value of "
            "it gets; and `c` a part of `y.reshape(-1)`, a view.",
        ),
        Misconception(
            "columns side by side",
            _told(gap=1),
            symptom="The columns that you left out in the image are not left out in the result.",
            concept="If a GEMM's rows are every `g`-th pixel of the image, its results are every "
            "`g`-th pixel of the output.",
            line="`ldc = g * k_c`.",
        ),
        Misconception(
            "first kernel row for all",
            _told(kernel_row=False),
            symptom="All kernel rows meet the same rows of the image.",
            concept="Kernel row `a` lies over image row `s_h * h + a`.",
            line="The image begins `a * i_w * i_c` values later for kernel row `a`.",
        ),
        Misconception(
            "first kernel row's weights for all",
            _told(weights_move=False),
            symptom="All kernel rows of the image meet the same weights.",
            concept="`w[a]` is a matrix of its own, `k_w * i_c` by `k_c`.",
            line="The weights begin `a * k_w * i_c * k_c` values later for kernel row `a`.",
        ),
        Misconception(
            "columns without s_w",
            _told(s_w=1),
            symptom="Where the horizontal stride is not 1, your sets of columns begin at the wrong "
            "place of the image.",
            concept="Output column `v` begins at image column `s_w * v`.",
            line="The image begins `first * s_w * i_c` values later for the first column `first`.",
        ),
        Misconception(
            "last columns missing",
            _told(tail=False),
            symptom="Where `o_w` is no multiple of your step, columns stay empty.",
            concept="The first of your interleaved sets can have a column more than the last.",
            line="`-(-(o_w - first) // g)` columns, rounded up.",
            choices={"zeros": (True,)},
        ),
        Misconception(
            "only the first image",
            _told(images=1),
            symptom="One image is right; of a batch the others stay empty.",
            concept="A batch of GEMMs has one stride, and that leads from row to row: each image "
            "has calls of its own.",
            line="Loop over the images, each `i_h * i_w * i_c` values further.",
            choices={"zeros": (True,)},
        ),
        Misconception(
            "stride without s_h",
            _told(step=1),
            symptom="With a vertical stride of 1 all is right.",
            concept="Output row `h` begins at image row `s_h * h`.",
            line="Where row `h` has calls of its own, its windows begin at image row `s_h * h`; "
            "where one call makes all rows, `stride_b` is `s_h` rows of what `b` holds: "
            "`s_h * i_w * i_c` in the image, `s_h * k_w * i_c` in `L`.",
        ),
        Misconception(
            "multiplied by NumPy",
            _by_numpy,
            symptom="You left the library out.",
            concept="What a GPU's library can be told is the point of this exercise: addresses, "
            "distances, a number of matrices.",
            line="`blas.sgemm_strided_batched(...)` makes the products; NumPy only the memory.",
        ),
        Misconception(
            "filters outermost",
            _transposed,
            symptom="Your result has the filters before the pixels.",
            concept="The library writes columns: those of `Cᵀ` are the pixels, `k_c` values "
            "each, and that is NHWC as it lies.",
            line="`m = k_c`, `ldc` from one pixel to the next, and no axis moved afterwards.",
        ),
        Misconception(
            "every column by itself, one too few",
            _told(apart=2),
            symptom="Right where the kernel is no wider than two steps; else rows of your "
            "matrices overlap.",
            concept="Windows are clear of each other once they are `k_w` pixels apart, which is "
            "`k_w / s_w` output columns, rounded up.",
            line="`g = -(-k_w // s_w)`",
        ),
        Misconception(
            "only the first set",
            _told(sets=1),
            symptom="Only output columns 0, g, 2·g … are computed.",
            concept="Windows that overlap cannot be in one GEMM. The columns in between need sets "
            "of their own.",
            line="`for first in range(g)` around the calls: `b` begins `first * s_w * i_c` "
            "values later, `c` `first * k_c`.",
            choices={"zeros": (True,)},
        ),
        Misconception(
            "first image read for all",
            _told(image_of_x=False),
            symptom="One image is right; in a batch all results are those of image 0.",
            concept="Image `n` begins `i_h * i_w * i_c` values further on for each image before.",
            line="Read `x[n]`: in `x.reshape(-1)` it begins at `n * i_h * i_w * i_c`.",
        ),
        Misconception(
            "all sets in one place",
            _told(shifted=False),
            symptom="All sets write to columns 0, g, 2·g … of the output.",
            concept="Set `first` makes output columns `first`, `first + g`, …",
            line="`c` begins `first * k_c` values later.",
        ),
        Misconception(
            "sets rounded down",
            lambda blas, x, w, problem: _without_lowering(
                blas, x, w, problem, apart=max(1, problem.k_w // problem.s_w)
            ),
            symptom="Where `k_w` is more than `s_w`, and no multiple of it, your sets are too few: "
            "their windows overlap.",
            concept="Windows of 4 pixels at steps of 3 are clear of each other two steps on, not "
            "one.",
            line="Round up: `g = -(-k_w // s_w)`.",
        ),
        Misconception(
            "places of the window not added up",
            lambda blas, x, w, problem, new=(lambda a, b: a == 0): _places(
                blas, x, w, problem, new
            ),
            symptom="Products of some places of the window are replaced by later ones.",
            concept="A value of `y` gets a product for each place of the window. One of them may "
            "replace what `y` held, the first.",
            line="`beta=float(a > 0 or b > 0)`, where kernel row `a` and column `b` have calls of "
            "their own.",
            choices={"new": (lambda a, b: True,)},
        ),
        Misconception(
            "first kernel column for all",
            lambda blas, x, w, problem: _places(blas, x, w, problem, column=0),
            symptom="The places of a kernel row all meet the same columns of the image.",
            concept="Place (a, b) of the window lies over image column `s_w * v + b`.",
            line="The image begins `(a * i_w + b) * i_c` values later for place (a, b).",
        ),
        Misconception(
            "kernel rows a stride apart",
            _told(row_step=True),
            symptom="With a vertical stride of 1 all is right; else your kernel rows meet image "
            "rows that lie a stride apart.",
            concept="The stride moves the window. Inside it rows are neighbours: kernel row `a` "
            "lies `a` rows below the window's first.",
            line="The image begins `a * i_w * i_c` values later, with no `s_h`.",
        ),
    ],
)
