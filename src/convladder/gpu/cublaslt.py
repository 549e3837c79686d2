"""cuBLASLt by its C interface: the same GEMM, its algorithms and the workspace each wants in view.

Library: NVIDIA cuBLAS, chapter "Using the cuBLASLt API"; numbers of attributes from cublasLt.h.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache

from .cublas import check, library
from .gemm import Batch

COMPUTE_32F, R_32F = 68, 0
BATCH_COUNT, STRIDE = 5, 6  # of a matrix layout
MAX_WORKSPACE, MIN_ALIGNMENT = 1, (5, 6, 7, 8)  # of a preference; the latter of A, B, C, D
ASKED = 16  # algorithms


class _Result(ctypes.Structure):
    _fields_ = [
        ("algorithm", ctypes.c_uint64 * 8),
        ("workspace", ctypes.c_size_t),
        ("status", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    ]


@cache
def get_handle() -> ctypes.c_void_p:
    handle = ctypes.c_void_p()
    check(library("cublasLt").cublasLtCreate(ctypes.byref(handle)), "cublasLtCreate")
    return handle


def _made(function: str, *arguments) -> ctypes.c_void_p:
    made = ctypes.c_void_p()
    check(getattr(library("cublasLt"), function)(ctypes.byref(made), *arguments), function)
    return made


def _set(function: str, of: ctypes.c_void_p, attribute: int, value) -> None:
    call = getattr(library("cublasLt"), function)
    check(call(of, attribute, ctypes.byref(value), ctypes.sizeof(value)), function)


@dataclass(frozen=True)
class Algorithm:
    """One that cuBLASLt proposes, best first: the bytes of workspace that it uses, its waves."""

    workspace: int
    waves: float
    result: _Result


class Multiplication:
    """A `gemm.Batch` in float32 without TF32, with `limit` bytes of workspace at most.

    `algorithms`: cuBLASLt's proposals, the one it expects to be fastest first. Raises
    `RuntimeError` if it has none.
    """

    def __init__(self, batch: Batch, limit: int):
        self.batch = batch
        b, u64, i64 = batch, ctypes.c_uint64, ctypes.c_int64
        self._description = _made("cublasLtMatmulDescCreate", COMPUTE_32F, R_32F)
        self._layouts = []
        # Column-major, so of the transposes: Bᵀ[columns, inner], Aᵀ[inner, rows], Cᵀ.
        for rows, columns, leading, stride in (
            (b.columns, b.inner, b.columns, 0),
            (b.inner, b.rows, b.lda, b.stride),
            (b.columns, b.rows, b.columns, b.step_c),
        ):
            layout = _made(
                "cublasLtMatrixLayoutCreate", R_32F, u64(rows), u64(columns), i64(leading)
            )
            attribute = "cublasLtMatrixLayoutSetAttribute"
            _set(attribute, layout, BATCH_COUNT, ctypes.c_int32(b.count))
            _set(attribute, layout, STRIDE, i64(stride))
            self._layouts.append(layout)
        self.algorithms = self._propose(limit)
        self.limit = limit

    def _propose(self, limit: int) -> list[Algorithm]:
        attribute = "cublasLtMatmulPreferenceSetAttribute"
        preference = _made("cublasLtMatmulPreferenceCreate")
        _set(attribute, preference, MAX_WORKSPACE, ctypes.c_uint64(limit))
        aligned = all(n % 4 == 0 for n in (self.batch.lda, self.batch.stride, self.batch.begin))
        for matrix in MIN_ALIGNMENT:
            _set(attribute, preference, matrix, ctypes.c_uint32(16 if aligned else 4))
        results, found = (_Result * ASKED)(), ctypes.c_int()
        a, b, c = self._layouts
        library("cublasLt").cublasLtMatmulAlgoGetHeuristic(
            get_handle(), self._description, a, b, c, c, preference, ASKED, results,
            ctypes.byref(found),
        )  # fmt: skip
        good = [r for r in results[: found.value] if r.status == 0]
        if not good:
            raise RuntimeError(f"cuBLASLt has no algorithm for {self.batch} in {limit} bytes")
        return [Algorithm(r.workspace, r.waves, r) for r in good]

    def __call__(self, a, b, c, workspace=None, algorithm: int = 0) -> None:
        """Multiply CuPy arrays on the current stream; `workspace`: an array of `limit` bytes."""
        import cupy

        chosen = self.algorithms[algorithm]
        one, zero, p = ctypes.c_float(1), ctypes.c_float(0), ctypes.c_void_p
        first, second, third = self._layouts
        out = p(c.data.ptr + 4 * self.batch.begin_c)
        spare = p(workspace.data.ptr if workspace is not None else 0)
        status = library("cublasLt").cublasLtMatmul(
            get_handle(), self._description, ctypes.byref(one), p(b.data.ptr), first,
            p(a.data.ptr + 4 * self.batch.begin), second, ctypes.byref(zero), out, third,
            out, third, ctypes.byref(chosen.result.algorithm), spare,
            ctypes.c_size_t(chosen.workspace), p(cupy.cuda.get_current_stream().ptr),
        )  # fmt: skip
        check(status, "cublasLtMatmul")
