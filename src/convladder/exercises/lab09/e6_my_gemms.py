"""Lab 09, exercise 6: a convolution of your own by the library's GEMMs."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from ..mocks.cublas import ColumnMajorBlas
from .e1_mec_numbers import TOY

STRIDED = ConvProblem(2, 9, 10, 3, 3, 2, 4, stride=(2, 3))
UNEVEN = ConvProblem(2, 8, 11, 2, 3, 4, 3, stride=(1, 3))
SHORT = ConvProblem(1, 8, 9, 2, 3, 4, 3, stride=(3, 1))  # fewer rows than sets of columns
WIDE = ConvProblem(1, 6, 9, 2, 2, 5, 3, stride=(3, 2))  # windows overlap in the width alone
NARROW = ConvProblem(1, 4, 4, 2, 2, 3, 2)  # more sets than output columns
LARGE = ConvProblem(2, 32, 36, 8, 5, 5, 16)


def my_gemms(blas, x, w, problem):
    p, inner = problem, problem.k_w * problem.i_c
    apart = -(-p.k_w // p.s_w)  # windows so many columns apart do not overlap
    row, y = p.i_w * p.i_c, np.empty(p.output_shape, np.float32)
    pixels, weights, results = (array.reshape(-1) for array in (x, w, y))
    for n in range(p.i_n):
        for a in range(p.k_h):
            for first in range(min(apart, p.o_w)):
                blas.sgemm_strided_batched(
                    "N",
                    "N",
                    m=p.k_c,
                    n=-(-(p.o_w - first) // apart),
                    k=inner,
                    a=weights[a * inner * p.k_c :],
                    lda=p.k_c,
                    stride_a=0,
                    b=pixels[(n * p.i_h + a) * row + first * p.s_w * p.i_c :],
                    ldb=apart * p.s_w * p.i_c,
                    stride_b=p.s_h * row,
                    c=results[(n * p.o_h * p.o_w + first) * p.k_c :],
                    ldc=apart * p.k_c,
                    stride_c=p.o_w * p.k_c,
                    count=p.o_h,
                    beta=float(a > 0),
                )
    return y


def operands(fill, problem):
    x, w = fill(*problem.input_shape), -fill(*problem.kernel_shape)[::-1].copy()
    return ColumnMajorBlas(least_macs=problem.macs), x, w, problem


EXERCISE = Exercise(
    name="my_gemms",
    lab=9,
    task="A convolution by the library's GEMMs, in the bytes of L or fewer.",
    solution=my_gemms,
    cases=lambda rng: [
        *((p,) for p in (TOY, STRIDED, UNEVEN, SHORT, WIDE, NARROW)),
        (layer(rng, 12, padded=False),),
        (LARGE,),
    ],
    inputs=operands,
    valid=lambda problem: not any(problem.padding),
    allowed=("convladder.core.problem",),
    budget=lambda blas, x, w, problem: {"workspace": problem.mec_bytes()},
    contiguous=True,
    mend="Per image and kernel row `a`: `g = -(-k_w // s_w)` calls, call `first` for the output "
    "columns `first`, `first + g`, …, with `ldb = g * s_w * i_c`, `ldc = g * k_c`, "
    "`beta = float(a > 0)`",
    misconceptions=[
        Misconception(
            "rows that overlap",
            [
                edit("apart = -(-p.k_w // p.s_w)", "apart = 1"),
                edit("-(-p.k_w // p.s_w)", "max(1, p.k_w // p.s_w)"),
            ],
            "The rows of your matrices overlap, which the library forbids.",
            "Neighbouring windows share pixels. Windows `k_w` or more pixels apart don't.",
        ),
        Misconception(
            "products not added up",
            edit("float(a > 0)", "0.0"),
            "Your result holds the products of the last kernel row only.",
            "`beta = 0` replaces what C held, `beta = 1` adds to it.",
        ),
        Misconception(
            "products added to unwritten memory",
            edit("float(a > 0)", "1.0"),
            "Your result is NaN, as `np.empty` holds here: products were added to it.",
            "The first product of a value replaces what the memory held.",
        ),
        Misconception(
            "one kernel row for all",
            [
                edit("(n * p.i_h + a) * row", "(n * p.i_h) * row"),
                edit("weights[a * inner * p.k_c :]", "weights"),
            ],
            "Kernel rows meet the wrong rows of the image.",
            "Kernel row `a` has weights of its own, and lies over image row `s_h * h + a`.",
            mend="`b=pixels[(n * i_h + a) * row + first * s_w * i_c :]` and `a=weights[a * inner *"
            " k_c :]`",
        ),
        Misconception(
            "results side by side",
            edit("ldc=apart * p.k_c", "ldc=p.k_c"),
            "The columns skipped in the image are not skipped in the result.",
            "If a GEMM takes every `g`-th window, its results are every `g`-th pixel.",
        ),
        Misconception(
            "the last columns left out",
            edit("-(-(p.o_w - first) // apart)", "p.o_w // apart"),
            "Where `o_w` is not a multiple of your step, columns are never written.",
            "The first of the interleaved sets can have one column more than the last.",
            mend="`n=-(-(o_w - first) // g)`",
        ),
    ],
)
