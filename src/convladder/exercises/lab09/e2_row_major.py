"""Lab 09, exercise 2: a row-major product by a column-major library, without a copy."""

import numpy as np

from ..draws import wholes
from ..exercise import Exercise, Misconception, edit
from ..mocks.cublas import ColumnMajorBlas


def row_major(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    c = np.empty((M, N), np.float32)
    # Read by columns, all three are transposes: Cᵀ[N, M] = Bᵀ[N, K]·Aᵀ[K, M].
    blas.sgemm_strided_batched(
        "N", "N", N, M, K, b.reshape(-1), N, 0, a.reshape(-1), K, 0, c.reshape(-1), N, 0, 1
    )
    return c


def operands(fill, m, k, n):
    return ColumnMajorBlas(least_macs=m * k * n), fill(m, k), -fill(k, n)[::-1].copy()


CALL = '"N", "N", N, M, K, b.reshape(-1), N, 0, a.reshape(-1), K, 0, c.reshape(-1), N, 0, 1'

EXERCISE = Exercise(
    name="row_major",
    lab=9,
    task="A product of row-major matrices by a column-major library, nothing copied.",
    solution=row_major,
    cases=lambda rng: [(2, 3, 2), (5, 7, 3), (3, 4, 6), wholes(rng, 5, 30, 3), (220, 147, 64)],
    inputs=operands,
    allowed=("convladder.core.problem",),
    budget=lambda blas, a, b: {"workspace": 0},
    contiguous=True,
    mend='`"N", "N", N, M, K`, then `b.reshape(-1)` with `N`, `a.reshape(-1)` with `K`, '
    "`c.reshape(-1)` with `N`",
    misconceptions=[
        Misconception(
            "a row-major call",
            edit(
                CALL,
                '"N", "N", M, N, K, a.reshape(-1), K, 0, b.reshape(-1), N, 0, c.reshape(-1),'
                " N, 0, 1",
            ),
            "You passed A, B and their row lengths as if the library were row-major.",
            "The library reads memory by columns, so it sees the transposes of your matrices. It "
            "can compute `Cᵀ = Bᵀ·Aᵀ`.",
        ),
        Misconception(
            "leading dimensions of column-major matrices",
            edit(
                CALL,
                '"N", "N", M, N, K, a.reshape(-1), M, 0, b.reshape(-1), K, 0, c.reshape(-1),'
                " M, 0, 1",
            ),
            "Your call describes column-major matrices, and `a` and `b` are row-major.",
            "A leading dimension is the distance between neighbouring columns as the library sees "
            "them: between your rows.",
        ),
        Misconception(
            "operands exchanged, sizes not",
            edit('"N", "N", N, M, K', '"N", "N", M, N, K'),
            "`b` comes first, as it should, but the sizes are those of `A·B`.",
            "`Cᵀ` has `N` rows and `M` columns, as the library counts them.",
        ),
        Misconception(
            "a result left transposed",
            edit(
                CALL,
                '"T", "T", M, N, K, a.reshape(-1), K, 0, b.reshape(-1), N, 0, c.reshape(-1),'
                " M, 0, 1",
            ),
            "The products are right, but they are written by columns.",
            "`T` turns the operands, never the result. With `Cᵀ = Bᵀ·Aᵀ` the result lies as you "
            "want it.",
        ),
        Misconception(
            "operands copied into columns",
            edit("    return c", "    at, bt = a.T.copy(), b.T.copy()\n    return c"),
            "The values are right, with the bytes of copies of the operands.",
            "A row-major matrix is its transpose to the library. Nothing has to be copied.",
        ),
    ],
)
