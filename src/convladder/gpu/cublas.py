"""cuBLAS by its C interface: strided batches of GEMMs, with a workspace that the caller owns.

CuPy has bindings too, but none for the workspace, and it refuses cuBLAS inside a graph's capture.
Library: NVIDIA cuBLAS, section "cublas<t>gemmStridedBatched".
"""

from __future__ import annotations

import ctypes
from functools import cache

PLAIN_FLOAT32 = 0  # CUBLAS_DEFAULT_MATH: without TF32


@cache
def library(name: str) -> ctypes.CDLL:
    """Load the library "cublas" or "cublasLt" that CuPy uses. Raises `OSError` without it."""
    from cuda.pathfinder import load_nvidia_dynamic_lib

    return ctypes.CDLL(load_nvidia_dynamic_lib(name).abs_path)


def check(status: int, what: str) -> None:
    """Raise `RuntimeError` unless a call returned CUBLAS_STATUS_SUCCESS."""
    if status:
        raise RuntimeError(f"{what} returned cuBLAS status {status}")


@cache
def get_handle() -> ctypes.c_void_p:
    handle = ctypes.c_void_p()
    check(library("cublas").cublasCreate_v2(ctypes.byref(handle)), "cublasCreate")
    check(library("cublas").cublasSetMathMode(handle, PLAIN_FLOAT32), "cublasSetMathMode")
    return handle


def sgemm_strided_batched(
    m: int, n: int, k: int, a: int, lda: int, stride_a: int, b: int, ldb: int, stride_b: int,
    c: int, ldc: int, stride_c: int, batch: int, workspace: tuple[int, int] | None = None,
) -> None:  # fmt: skip
    """Compute column-major `C[m,n] = A[m,k]·B[k,n]`, `batch` times, on CuPy's current stream.

    `a`, `b`, `c` are addresses, leading dimensions and strides in values. `workspace`: address and
    bytes for cuBLAS to use instead of its own.
    """
    import cupy

    blas, handle = library("cublas"), get_handle()
    one, zero, p = ctypes.c_float(1), ctypes.c_float(0), ctypes.c_void_p
    check(blas.cublasSetStream_v2(handle, p(cupy.cuda.get_current_stream().ptr)), "SetStream")
    if workspace is not None:  # after the stream, which brings back cuBLAS's own
        address, size = workspace
        check(blas.cublasSetWorkspace_v2(handle, p(address), ctypes.c_size_t(size)), "SetWorkspace")
    long = ctypes.c_longlong
    check(
        blas.cublasSgemmStridedBatched(
            handle, 0, 0, m, n, k, ctypes.byref(one), p(a), lda, long(stride_a),
            p(b), ldb, long(stride_b), ctypes.byref(zero), p(c), ldc, long(stride_c), batch,
        ),
        "cublasSgemmStridedBatched",
    )  # fmt: skip


def sgemm_batched(
    m: int, n: int, k: int, a: int, lda: int, b: int, ldb: int, c: int, ldc: int, batch: int
) -> None:
    """Compute column-major `C[m,n] = A[m,k]·B[k,n]`, `batch` times, on CuPy's current stream.

    `a`, `b`, `c` are addresses of lists of addresses, both on the device; leading dimensions are in
    values.
    """
    import cupy

    blas, handle = library("cublas"), get_handle()
    one, zero, p = ctypes.c_float(1), ctypes.c_float(0), ctypes.c_void_p
    check(blas.cublasSetStream_v2(handle, p(cupy.cuda.get_current_stream().ptr)), "SetStream")
    check(
        blas.cublasSgemmBatched(
            handle, 0, 0, m, n, k, ctypes.byref(one), p(a), lda, p(b), ldb, ctypes.byref(zero),
            p(c), ldc, batch,
        ),
        "cublasSgemmBatched",
    )  # fmt: skip
