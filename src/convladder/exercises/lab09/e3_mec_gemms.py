"""Lab 09, exercise 3: all of MEC's GEMMs by one call, on the view as it lies."""

import numpy as np

from ...core.problem import ConvProblem
from ...cpu import mec
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from ..mocks.cublas import ColumnMajorBlas
from .e1_mec_numbers import TOY

STRIDED = ConvProblem(1, 9, 10, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(1, 6, 5, 2, 3, 4, 3, stride=(1, 2), padding=(2, 1))
SPARSE = ConvProblem(1, 5, 7, 2, 1, 2, 3, stride=(2, 3))  # skips pixels
LARGE = ConvProblem(1, 60, 62, 3, 7, 7, 16, padding=1)


def mec_gemms(blas, L, w, problem):
    p, row = problem, problem.k_w * problem.i_c
    y = np.empty((p.o_h, p.o_w, p.k_c), np.float32)
    blas.sgemm_strided_batched(
        transa="N",
        transb="N",
        m=p.k_c,
        n=p.o_w,
        k=p.k_h * row,
        a=w.reshape(-1),
        lda=p.k_c,
        stride_a=0,
        b=L.reshape(-1),
        ldb=p.padded_h * row,
        stride_b=p.s_h * row,
        c=y.reshape(-1),
        ldc=p.k_c,
        stride_c=p.o_w * p.k_c,
        count=p.o_h,
    )
    return y


def lowered(fill, problem):
    L = mec.lower(fill(*problem.input_shape), problem)[0]
    blas = ColumnMajorBlas(most_calls=1, least_macs=problem.macs)
    return blas, L, -fill(*problem.kernel_shape)[::-1].copy(), problem


EXERCISE = Exercise(
    name="mec_gemms",
    lab=9,
    task="All GEMMs of one image by one call to the library, on L as it lies.",
    solution=mec_gemms,
    cases=lambda rng: [(TOY,), (STRIDED,), (PADDED,), (SPARSE,), (layer(rng, 12, 1),), (LARGE,)],
    inputs=lowered,
    valid=lambda problem: problem.i_n == 1,
    allowed=("convladder.core.problem",),
    budget=lambda blas, L, w, problem: {"workspace": 0},
    contiguous=True,
    mend="`w.reshape(-1)` with `lda = k_c` and stride 0; `L.reshape(-1)` with "
    "`ldb = padded_h * k_w * i_c` and `stride_b = s_h * k_w * i_c`; `stride_c = o_w * k_c`",
    misconceptions=[
        Misconception(
            "the window as the leading dimension",
            edit("ldb=p.padded_h * row", "ldb=p.k_h * row"),
            "The rows of your partitions would be contiguous, and in `L` they aren't.",
            "The next row of a partition lies a whole strip of `L` further on.",
        ),
        Misconception(
            "partitions that do not overlap",
            edit("p.s_h * row", "p.k_h * row"),
            "Your partitions don't overlap, and the last ones run out of `L`.",
            "A partition is `k_h` rows high, but the next one begins only `s_h` rows further.",
        ),
        Misconception(
            "one place for all results",
            [
                edit("stride_c=p.o_w * p.k_c", "stride_c=0"),
                edit("stride_c=p.o_w * p.k_c", "stride_c=p.o_w"),
            ],
            "The GEMMs of your batch overwrite each other's results.",
            "An output row is `o_w` pixels of `k_c` values each.",
        ),
        Misconception(
            "operands in row-major order",
            edit(
                "m=p.k_c",
                "m=p.o_w",
                "n=p.o_w",
                "n=p.k_c",
                "a=w.reshape(-1)",
                "a=L.reshape(-1)",
                "lda=p.k_c",
                "lda=p.padded_h * row",
                "stride_a=0",
                "stride_a=p.s_h * row",
                "b=L.reshape(-1)",
                "b=w.reshape(-1)",
                "ldb=p.padded_h * row",
                "ldb=p.k_c",
                "stride_b=p.s_h * row",
                "stride_b=0",
            ),
            "You passed `L` first and `w` second, as one writes the product.",
            "The library sees transposes: it computes `Cᵀ = Wᵀ·Lᵀ`, so the weights come first.",
        ),
        Misconception(
            "a copy of L",
            edit("b=L.reshape(-1)", "b=L.copy().reshape(-1)"),
            "The values are right, with the bytes of a second `L`.",
            "A leading dimension and a stride describe overlapping partitions as they lie.",
        ),
    ],
)
