"""One small implicit GEMM in Python, for numba.cuda and for Triton: lab 09's kernel once more.

Both make y[pixels, channels] of x, flat, and w[window, channels]; one image, no padding. Neither
language is imported before its kernel is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ...problem import ConvProblem
from .python_kernels import load_numba_cuda

SIDE = 8  # of a tile and of a slice
cuda: Any = None  # numba.cuda, once loaded: its simulator looks for it among a kernel's globals


def numba_implicit() -> Callable:
    """Return the kernel for `numba.cuda`: a thread for each value of `y`, blocks of 8 × 8."""
    global cuda
    cuda = load_numba_cuda()

    @cuda.jit
    def conv(x, w, y, i_w, i_c, k_w, o_w, s_h, s_w):
        A = cuda.shared.array((8, 8), np.float32)
        B = cuda.shared.array((8, 8), np.float32)
        n, m = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = np.float32(0)
        for k0 in range(0, w.shape[0], 8):
            k = k0 + tx
            A[ty, tx] = 0
            if m < y.shape[0] and k < w.shape[0]:
                row, column = m // o_w * s_h + k // (k_w * i_c), m % o_w * s_w + k // i_c % k_w
                A[ty, tx] = x[(row * i_w + column) * i_c + k % i_c]
            B[ty, tx] = 0
            if k0 + ty < w.shape[0] and n < w.shape[1]:
                B[ty, tx] = w[k0 + ty, n]
            cuda.syncthreads()
            for j in range(8):
                total += A[ty, j] * B[j, tx]
            cuda.syncthreads()
        if m < y.shape[0] and n < y.shape[1]:
            y[m, n] = total

    return conv


def triton_implicit(triton: ModuleType, tl: ModuleType) -> Callable:
    """Return the kernel for Triton: a program for each tile of BM × BN values of `y`.

    tl: `triton.language`.
    """

    @triton.jit
    def conv(x, w, y, M, N, K, i_w, i_c, k_w, o_w, s_h, s_w,
             BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
        m = tl.program_id(0) * BM + tl.arange(0, BM)
        n = tl.program_id(1) * BN + tl.arange(0, BN)
        base = (m // o_w * s_h * i_w + m % o_w * s_w) * i_c
        total = tl.zeros((BM, BN), tl.float32)
        for k0 in range(0, K, BK):
            k = k0 + tl.arange(0, BK)
            step = (k // (k_w * i_c) * i_w + k // i_c % k_w) * i_c + k % i_c
            a = tl.load(x + base[:, None] + step[None, :],
                        mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            b = tl.load(w + k[:, None] * N + n[None, :],
                        mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
            total += tl.dot(a, b, input_precision="tf32x3")
        tl.store(y + m[:, None] * N + n[None, :], total,
                 mask=(m[:, None] < M) & (n[None, :] < N))

    return conv


def run_numba(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `y[1,o_h,o_w,k_c]` of `x[1,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]` by numba.cuda.

    Raises ValueError for padding, or more than one image.
    """
    p = problem
    if p.i_n > 1 or p.padding != (0, 0):
        raise ValueError(f"{p}: this kernel takes one image without padding")
    kernel = numba_implicit()
    y = cuda.to_device(np.full((p.pixels, p.k_c), np.nan, np.float32))
    grid = -(-p.k_c // SIDE), -(-p.pixels // SIDE)
    kernel[grid, (SIDE, SIDE)](
        cuda.to_device(x.ravel()), cuda.to_device(w.reshape(p.window, p.k_c)), y,
        p.i_w, p.i_c, p.k_w, p.o_w, *p.stride)
    return y.copy_to_host().reshape(p.output_shape)
