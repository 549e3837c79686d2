"""Lab 08, exercise 2: a row-major product by a column-major library, without a copy."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from ....exercises.mocks.cublas import ColumnMajorBlas
from .layers import LIBRARY


def row_major(blas, a, b):
    return _product(blas, a, b)


def _call(blas, trans, sizes, first, second, leading):
    """Call one GEMM into new memory of one axis."""
    m, n, k = sizes
    c = np.empty(m * n, np.float32)
    blas.sgemm_strided_batched(
        trans,
        trans,
        m,
        n,
        k,
        first.reshape(-1),
        leading[0],
        0,
        second.reshape(-1),
        leading[1],
        0,
        c,
        leading[2],
        0,
        1,
    )
    return c


def _product(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "N", (N, M, K), b, a, (N, K, N)).reshape(M, N)


def _as_it_stands(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "N", (M, N, K), a, b, (K, N, N)).reshape(M, N)


def _heights(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "N", (M, N, K), a, b, (M, K, M)).reshape(M, N)


def _transposed(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "T", (M, N, K), a, b, (K, N, M))


def _copied(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    columns = [np.ascontiguousarray(each.T) for each in (a, b)]
    c = _call(blas, "N", (M, N, K), *columns, (M, K, M))
    return np.ascontiguousarray(c.reshape(N, M).T)


def _one_copied(blas, a, b, which="a"):
    """Bring one operand into columns, and ask for it transposed."""
    (M, K), N = a.shape, b.shape[1]
    c = np.empty((M, N), np.float32)
    first, second = (
        (("N", b, N), ("T", np.ascontiguousarray(a.T), M))
        if which == "a"
        else (("T", np.ascontiguousarray(b.T), K), ("N", a, K))
    )
    blas.sgemm_strided_batched(
        first[0],
        second[0],
        N,
        M,
        K,
        first[1].reshape(-1),
        first[2],
        0,
        second[1].reshape(-1),
        second[2],
        0,
        c.reshape(-1),
        N,
        0,
        1,
    )
    return c


def _sizes_only(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "N", (N, M, K), a, b, (N, K, N)).reshape(M, N)


def _transposed_first(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "N", (N, M, K), b.T, a.T, (N, K, N)).reshape(M, N)


def _flattened(blas, a, b, by_columns=False):
    (M, K), N = a.shape, b.shape[1]
    if by_columns:
        c = np.empty(M * N, np.float32)
        blas.sgemm_strided_batched(
            "N", "N", M, N, K, a.ravel(order="F"), M, 0, b.ravel(order="F"), K, 0, c, M, 0, 1
        )
        return np.ascontiguousarray(c.reshape(N, M).T)
    return _call(blas, "N", (N, M, K), b.flatten(), a.flatten(), (N, K, N)).reshape(M, N)


def _never_written(blas, a, b):
    _product(blas, a, b)
    return np.empty((a.shape[0], b.shape[1]), np.float32)


def _turned(blas, a, b):
    """Ask for the transposes of operands that are exchanged already."""
    (M, K), N = a.shape, b.shape[1]
    return _call(blas, "T", (N, M, K), b, a, (K, M, N)).reshape(M, N)


def _in_float64(blas, a, b):
    (M, K), N = a.shape, b.shape[1]
    c = np.empty((M, N))
    blas.sgemm_strided_batched(
        "N", "N", N, M, K, b.reshape(-1), N, 0, a.reshape(-1), K, 0, c.reshape(-1), N, 0, 1
    )
    return c


def _cases(rng):
    toy = (
        np.array([[1, 2, 3], [4, 5, 6]], np.float32),
        np.array([[1, 0], [0, -1], [2, 2]], np.float32),
    )
    pairs = [toy] + [
        tuple(rng.standard_normal(shape, dtype=np.float32) for shape in shapes)
        for shapes in (((5, 7), (7, 3)), ((3, 4), (4, 6)), ((220, 147), (147, 64)))
    ]
    return [(ColumnMajorBlas(least_macs=a.size * b.shape[1]), a, b) for a, b in pairs]


EXERCISE = Exercise(
    name="row_major",
    lab=8,
    reference=row_major,
    calls_allowed=LIBRARY,
    contiguous=True,
    task="A product of row-major matrices by a column-major library, nothing copied.",
    workspace=lambda blas, a, b: 0,
    cases=_cases,
    misconceptions=[
        Misconception(
            "as it stands",
            _as_it_stands,
            symptom="You gave the library A, B and their row lengths as if it were row-major.",
            concept="For the library the values of a stored *column* lie together. What you have "
            "as `a[M,K]` in rows it takes for a matrix with columns of `K` values.",
            line="It sees your matrices transposed. `Cᵀ = Bᵀ·Aᵀ` has the sizes `N, M, K`: `b` with "
            "`N` comes first, then `a` with `K`, then `c` with `N`.",
        ),
        Misconception(
            "leading dimensions of the heights",
            _heights,
            symptom="Your call describes column-major matrices, and `a`, `b` are none.",
            concept="With `lda = M` the library takes the first `M` values of `a` for its first "
            "column. They are the beginning of its first *row*.",
            line='`"N", "N", N, M, K`, then the operands of `Cᵀ = Bᵀ·Aᵀ` with row lengths: '
            "`b` with `N`, `a` with `K`; and `c` with `N`.",
        ),
        Misconception(
            "result left transposed",
            lambda blas, a, b: _transposed(blas, a, b).reshape(a.shape[0], -1),
            symptom="The products are right, but they are written in columns.",
            concept='"T" can put the operands right, but there is no flag for C. So make the '
            "transposed result the one that you want.",
            line='`Cᵀ = Bᵀ·Aᵀ`: `"N", "N", N, M, K`, then `b` with `N`, `a` with `K`, `c` with '
            "`N`.",
        ),
        Misconception(
            "result in columns",
            lambda blas, a, b: _transposed(blas, a, b).reshape(b.shape[1], -1).T,
            symptom="The values are right, but they lie in memory column by column.",
            concept="Whoever takes your result for rows gets the transpose. A library that "
            "writes columns writes the rows of the transpose.",
            line='`Cᵀ = Bᵀ·Aᵀ`: `"N", "N", N, M, K`, then `b` with `N`, `a` with `K`, `c` with '
            "`N`; and `c` is `[M, N]` as it lies.",
        ),
        Misconception(
            "operands copied into columns",
            _copied,
            symptom="The values are right, in as many bytes as copies of operands and result take.",
            concept="No value needs to move: a row-major matrix *is* a column-major one, the "
            "transpose.",
            line='`"N", "N", N, M, K`, then `b.reshape(-1)` with `N`, `a.reshape(-1)` with '
            "`K`, `c` with `N`; and `c` is `[M, N]` as it lies.",
        ),
        Misconception(
            "one operand copied",
            _one_copied,
            choices={"which": ("b",)},
            symptom="The values are right, in as many bytes as a copy of one operand takes.",
            concept="No value needs to move: for the library a row-major matrix *is* its "
            "transpose, and `Cᵀ = Bᵀ·Aᵀ` takes both as they are.",
            line='`"N"` twice; `b.reshape(-1)` with `N`, then `a.reshape(-1)` with `K`.',
        ),
        Misconception(
            "operands flattened",
            _flattened,
            symptom="The values are right, in as many bytes as a copy of both operands takes.",
            concept="`copy`, `flatten` and `astype` always copy, and so does `ravel` with "
            '`order="F"`, which moves the values into columns. None need move: read by '
            "columns, row-major matrices *are* their transposes, and `Cᵀ = Bᵀ·Aᵀ`.",
            line='`"N", "N", N, M, K`, then the views `b.reshape(-1)` with `N` and '
            "`a.reshape(-1)` with `K`; and `c`, with `N`, is `[M, N]` as it lies.",
            choices={"by_columns": (True,)},
        ),
        Misconception(
            "result copied",
            lambda blas, a, b: _product(blas, a, b).copy(),
            symptom="The values are right, and your result is in memory twice.",
            concept="In `Cᵀ = Bᵀ·Aᵀ` the columns that the library writes are the rows of C: there "
            "is nothing to turn round, and nothing to make a second time.",
            line="Return the array that the library has written, as `[M, N]`.",
        ),
        Misconception(
            "transposed in NumPy first",
            _transposed_first,
            symptom="You turn `b` and `a` round yourself, and the library does it once more.",
            concept="`Bᵀ` is what the library takes your `b` for, as it lies.",
            line='`b.reshape(-1)` and `a.reshape(-1)`, with no `.T` and no order "F".',
        ),
        Misconception(
            "result never written",
            _never_written,
            symptom="Your result is NaN, what `np.empty` holds here: it was added to, or never "
            "written.",
            concept="The library writes to the memory that it is given. `flatten()` gives it a "
            "copy of `c`; and with `beta=1` it adds to what is there.",
            line="Hand over `c.reshape(-1)`, a view, and leave `beta` at 0.",
        ),
        Misconception(
            "sizes exchanged, operands not",
            _sizes_only,
            symptom="Your sizes are those of `Bᵀ·Aᵀ`, but `a` still comes first.",
            concept="In `Cᵀ = Bᵀ·Aᵀ` the first operand is `b`.",
            line="`b` with `N` comes first, then `a` with `K`.",
        ),
        Misconception(
            "shape exchanged",
            lambda blas, a, b: _product(blas, a, b).reshape(b.shape[1], -1),
            symptom="The call is right, and you gave its result the shape `[N, M]`.",
            concept="That is how the *library* sees it. For NumPy, the same memory holds `M` rows "
            "of `N` values.",
            line="`c.reshape(M, N)`.",
        ),
        Misconception(
            "multiplied by NumPy",
            lambda blas, a, b: a @ b,
            symptom="You left the library out.",
            concept="NumPy hides what this exercise is about: it finds the leading dimensions "
            "from an array's strides.",
            line="`c = np.empty(M * N, np.float32)`, then `blas.sgemm_strided_batched(...)`.",
        ),
        Misconception(
            "operands exchanged, sizes not",
            lambda blas, a, b: _call(
                blas,
                "N",
                (a.shape[0], b.shape[1], a.shape[1]),
                b,
                a,
                (b.shape[1], a.shape[1], b.shape[1]),
            ).reshape(a.shape[0], -1),
            symptom="`b` comes first, as it should, and the sizes are still in the order M, N.",
            concept="The library computes `Cᵀ = Bᵀ·Aᵀ`: `Bᵀ` has N rows, `Aᵀ` M columns. Its "
            "`m` is your N, its `n` your M.",
            line='`"N", "N", N, M, K, ...`.',
        ),
        Misconception(
            "all turned",
            _turned,
            symptom="Your result is that of operands that lie in memory column by column, and `a` "
            "and `b` do not.",
            concept="A row-major `b`, read by columns of `N` values, is `Bᵀ` already, and what the "
            'library writes as `Cᵀ` is your `C`: no "T" and no `.T` is needed. (Operands '
            "that are exchanged *and* transposed are as they were.)",
            line='`"N", "N", N, M, K`, then `b` with `N`, `a` with `K`, `c` with `N`; and `c` '
            "is `[M, N]` as it lies.",
        ),
        Misconception(
            "result in float64",
            _in_float64,
            symptom="Your `c` is float64: `np.empty` makes that where it is told nothing.",
            concept="sgemm's s is for single precision: float32, 4 bytes a value. It would write "
            "pairs of them into each of your values.",
            line="`np.empty((M, N), np.float32)`.",
        ),
        Misconception(
            "heights of operands that are exchanged",
            lambda blas, a, b: _call(
                blas, "N", (b.shape[1], *a.shape), b, a, (a.shape[1], len(a), len(a))
            ).reshape(len(a), -1),
            symptom="Your `b` is the library's `a`, and its leading dimension is `K` with you: "
            "how many rows `b` has.",
            concept="A leading dimension is how far one of the library's columns begins behind "
            "the one before. Its columns are your rows, and those of `b` have `N` values.",
            line="The row lengths of `b`, `a` and `c`, in this order: `N`, `K`, `N`.",
        ),
        Misconception(
            "the result's height for its row length",
            lambda blas, a, b: _call(
                blas, "N", (b.shape[1], *a.shape), b, a, (b.shape[1], a.shape[1], len(a))
            ).reshape(len(a), -1),
            symptom="Operands and sizes are right; but `ldc` is `M` with you.",
            concept="The library's columns of C are your rows, and each has `N` values.",
            line="`ldc = N`.",
        ),
    ],
)
