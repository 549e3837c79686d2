"""Batches of GEMMs on device arrays: by cuBLAS on a GPU, elsewhere by NumPy's BLAS."""

from __future__ import annotations

from dataclasses import dataclass, replace

from numpy.lib.stride_tricks import as_strided


@dataclass(frozen=True)
class Batch:
    """`C[i] = A[i]·B` for `count` row-major matrices `A[rows, inner]` and one `B[inner, columns]`.

    Row r of `A[i]` begins `begin + i·stride + r·lda` values into A: rows may overlap between
    matrices, but not within one, which is BLAS's rule `lda >= inner`. `C[i]`, `[rows, columns]`
    without gaps, begins `begin_c + i·stride_c` values into C; one after the other by default.
    """

    rows: int
    inner: int
    columns: int
    lda: int
    stride: int
    count: int
    begin: int = 0
    begin_c: int = 0
    stride_c: int | None = None

    def __post_init__(self) -> None:
        if self.lda < self.inner:
            raise ValueError(
                f"lda={self.lda} is less than inner={self.inner}: rows of one matrix would "
                "overlap, which BLAS forbids; overlap whole matrices by `stride`, or copy"
            )

    @property
    def step_c(self) -> int:
        """Return the values from one C to the next."""
        return self.rows * self.columns if self.stride_c is None else self.stride_c

    @property
    def bytes(self) -> int:
        """Return the bytes of A, B and C of every GEMM, each counted whole."""
        m, k, n = self.rows, self.inner, self.columns
        return 4 * self.count * (m * k + k * n + m * n)

    def disjoint(self) -> list[Batch]:
        """Return the same GEMMs in the fewest batches in which no two neighbours share values."""
        if not 0 < self.stride < self.inner:
            return [self]
        turns = -(-self.inner // self.stride)
        return [
            replace(
                self,
                count=-(-(self.count - i) // turns),
                stride=turns * self.stride,
                begin=self.begin + i * self.stride,
                stride_c=turns * self.step_c,
                begin_c=self.begin_c + i * self.step_c,
            )
            for i in range(min(turns, self.count))
        ]

    def __call__(self, a, b, c, workspace=None) -> None:
        """Multiply device arrays; `workspace`, a device array, replaces cuBLAS's own on a GPU."""
        from .. import cuda

        if cuda.backend() == "gpu":
            self._on_gpu(a, b, c, workspace)
        else:
            self._on_host(a, b, c)

    def _on_gpu(self, a, b, c, workspace) -> None:
        from .cublas import sgemm_strided_batched

        # cuBLAS is column-major: what it sees is the transposes, Cᵀ = Bᵀ·Aᵀ.
        size = 4
        sgemm_strided_batched(
            self.columns,
            self.rows,
            self.inner,
            b.data.ptr,
            self.columns,
            0,
            a.data.ptr + size * self.begin,
            self.lda,
            self.stride,
            c.data.ptr + size * self.begin_c,
            self.columns,
            self.step_c,
            self.count,
            None if workspace is None else (workspace.data.ptr, workspace.nbytes),
        )

    def _on_host(self, a, b, c) -> None:
        values = a.get().reshape(-1)[self.begin :]
        matrices = as_strided(
            values,
            (self.count, self.rows, self.inner),
            tuple(values.itemsize * step for step in (self.stride, self.lda, 1)),
            writeable=False,
        )
        result = c.get()
        places = as_strided(
            result.reshape(-1)[self.begin_c :],
            (self.count, self.rows, self.columns),
            tuple(values.itemsize * step for step in (self.step_c, self.columns, 1)),
        )
        places[...] = matrices @ b.get().reshape(self.inner, self.columns)
        c.set(result)
