"""cuBLAS's strided batch of GEMMs with NumPy in its place: column-major, its contract checked.

What the library leaves undefined, or answers with a number, is told here in words.
Library: NVIDIA cuBLAS, section "cublas<t>gemmStridedBatched()".
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

PART = 1024  # bytes of a product on its way to C: few enough that no check counts them


class ColumnMajorBlas:
    """Counts what it is asked for: `calls`, `macs`, and the values that were `moved`.

    `moved` adds up the values of A, B and C of each GEMM; C counts twice where it is added to.

    most_calls: as many as a check accepts, None for any number.
    least_macs: multiply-adds that a check wants from the library.
    """

    def __init__(self, most_calls: int | None = None, least_macs: int = 0) -> None:
        self.most_calls, self.least_macs = most_calls, least_macs
        self.calls = self.moved = self.macs = 0

    def sgemm_strided_batched(
        self, transa: str, transb: str, m: int, n: int, k: int,
        a: np.ndarray, lda: int, stride_a: int, b: np.ndarray, ldb: int, stride_b: int,
        c: np.ndarray, ldc: int, stride_c: int, count: int, beta: float = 0.0,
    ) -> None:  # fmt: skip
        """Compute `C_i = op(A_i)·op(B_i) + beta·C_i`, i below `count`, in the library's order.

        `a`, `b`, `c` are float32 arrays of one axis, of which a slice (`c[5:]`) begins later.
        Matrices are column-major: value (r, q) of the stored A_i is `a[i·stride_a + r + q·lda]`.
        op(A)[m,k] is what is stored with "N", its transpose with "T"; so are op(B)[k,n] and C[m,n].
        Raises ValueError for what the contract forbids, TypeError for other arrays.
        """
        for name, array in (("a", a), ("b", b), ("c", c)):
            if not isinstance(array, np.ndarray) or array.dtype != np.float32 or array.ndim != 1:
                raise TypeError(
                    f"{name} must be a float32 array of one axis, and is {_kind(array)}"
                )
        if transa not in ("N", "T") or transb not in ("N", "T"):
            raise ValueError(f'transa={transa!r}, transb={transb!r}: write "N" or "T"')
        if min(m, n, k, count) < 1:
            raise ValueError(f"m={m}, n={n}, k={k}, count={count}: each must be 1 or more")
        left = _matrices("a", a, (m, k), lda, stride_a, count, transa == "T")
        right = _matrices("b", b, (k, n), ldb, stride_b, count, transb == "T")
        made = _matrices("c", c, (m, n), ldc, stride_c, count, False)
        apart = stride_c >= ldc * (n - 1) + m
        interleaved = m <= stride_c and stride_c * (count - 1) + m <= ldc
        if count > 1 and not apart and not interleaved:
            raise ValueError(
                f"stride_c={stride_c} is less than the {ldc * (n - 1) + m} values over which one "
                "C extends: results would overlap, and what they hold is undefined"
            )
        step = n if beta == 0 else max(1, PART // (4 * m))
        for one, two, result in zip(left.mT, right.mT, made.mT):  # row-major for NumPy
            for begin in range(0, n, step):  # as the library: no memory besides C
                part, rows = result[begin : begin + step], two[begin : begin + step]
                if beta:
                    part *= np.float32(beta)
                    part += rows @ one
                else:
                    np.matmul(rows, one, out=part)
        self.calls += 1
        self.macs += count * m * n * k
        self.moved += count * (m * k + k * n + (2 if beta else 1) * m * n)

    def objection(self) -> str | None:
        """Return the check's objection to an answer with no call, too many, or for too little."""
        if not self.calls:
            return "did not call `blas.sgemm_strided_batched` at all."
        if self.most_calls is not None and self.calls > self.most_calls:
            return (
                f"called `blas.sgemm_strided_batched` {self.calls} times, where "
                f"{self.most_calls} would do."
            )
        if self.macs < self.least_macs:
            return (
                f"had the library make {self.macs:,} of {self.least_macs:,} multiply-adds. Is a "
                "size or the count too small, or does NumPy make the others?"
            )
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColumnMajorBlas)

    def __repr__(self) -> str:
        return "a column-major BLAS"


def _kind(given: object) -> str:
    """Return a description of an argument that isn't a proper array, and how to make it one."""
    if not isinstance(given, np.ndarray):
        return f"a {type(given).__name__}"
    if given.dtype != np.float32:
        return f"{given.dtype}: `np.empty(..., np.float32)` makes such an array"
    return f"one of shape {list(given.shape)}: `array.reshape(-1)` hands it over with one axis"


def _matrices(
    name: str,
    array: np.ndarray,
    shape: tuple[int, int],
    leading: int,
    stride: int,
    count: int,
    transposed: bool,
) -> np.ndarray:
    """Return `op` of all matrices, `[count, *shape]`, as a view. Raises ValueError."""
    rows, columns = shape[::-1] if transposed else shape
    if leading < rows:
        raise ValueError(
            f"ld{name}={leading} is less than the {rows} values of a stored column of {name}: "
            "columns would overlap, which BLAS forbids"
        )
    ends = [i * stride + (columns - 1) * leading + rows for i in (0, count - 1)]
    if max(ends) > array.size or stride * (count - 1) < 0:
        raise ValueError(
            f"{name} has {array.size} values, and matrix {count - 1} would reach as far as "
            f"value {max(ends) - 1}: ld{name}={leading}, stride_{name}={stride}"
        )
    steps = (stride, leading, 1) if transposed else (stride, 1, leading)
    return as_strided(array, (count, *shape), [array.itemsize * step for step in steps])
