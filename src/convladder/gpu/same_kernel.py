"""One small implicit GEMM in CUDA C++, numba.cuda, Triton and CuTe DSL: lab 09's kernel once more.

All make y[pixels, channels] of x, flat, and w[window, channels]; one image, no padding. No language
is imported before its kernel is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ..problem import ConvProblem
from .launch import Launch

SIDE = 8  # of a tile and of a slice, of all but Triton's
TRITON_TILE = 64, 64, 32  # BM, BN, BK
cuda: Any = None  # numba.cuda, once given: its simulator looks for it among a kernel's globals


def require_plain(problem: ConvProblem) -> None:
    """Raise ValueError for what these kernels do not take: padding, or more than one image."""
    if problem.i_n > 1 or problem.padding != (0, 0):
        raise ValueError(f"{problem}: this kernel takes one image without padding")


def same_launch(problem: ConvProblem) -> Launch:
    """Return the launch in CUDA C++. Takes x, w and y. Raises ValueError, see `require_plain`."""
    require_plain(p := problem)
    return Launch(
        "same_kernel.cu",
        "same_kernel",
        (-(-p.k_c // SIDE), -(-p.pixels // SIDE)),
        (SIDE, SIDE),
        0,
        (p.pixels, p.k_c, p.window, p.i_w, p.i_c, p.k_w, p.o_w, *p.stride),
    )


def numba_implicit(numba_cuda: ModuleType) -> Any:
    """Return the kernel for `numba.cuda`: a thread for each value of `y`, blocks of 8 × 8."""
    import numpy as np

    global cuda
    cuda = numba_cuda

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


def triton_implicit(triton: ModuleType, tl: ModuleType) -> Any:
    """Return the kernel for Triton: a program for each tile of BM × BN values of `y`.

    tl: `triton.language`.
    """

    @triton.jit
    def conv(
        x, w, y, M, N, K, i_w, i_c, k_w, o_w, s_h, s_w,
        BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    ):  # fmt: skip
        m = tl.program_id(0) * BM + tl.arange(0, BM)
        n = tl.program_id(1) * BN + tl.arange(0, BN)
        base = (m // o_w * s_h * i_w + m % o_w * s_w) * i_c
        total = tl.zeros((BM, BN), tl.float32)
        for k0 in range(0, K, BK):
            k = k0 + tl.arange(0, BK)
            step = (k // (k_w * i_c) * i_w + k // i_c % k_w) * i_c + k % i_c
            in_x, in_w = (m[:, None] < M) & (k[None, :] < K), (k[:, None] < K) & (n[None, :] < N)
            a = tl.load(x + base[:, None] + step[None, :], mask=in_x, other=0.0)
            b = tl.load(w + k[:, None] * N + n[None, :], mask=in_w, other=0.0)
            total += tl.dot(a, b, input_precision="tf32x3")
        tl.store(y + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))

    return conv


def cute_implicit(cutlass: ModuleType, cute: ModuleType, problem: ConvProblem) -> Callable:
    """Return what launches the kernel for CuTe DSL, on x, w and y as tensors of CuTe.

    The problem's numbers are constants to it. cute: `cutlass.cute`.
    """
    i_w, i_c, k_w, o_w = problem.i_w, problem.i_c, problem.k_w, problem.o_w
    (s_h, s_w), M, N, K = problem.stride, problem.pixels, problem.k_c, problem.window

    @cute.kernel
    def conv(x, w, y):
        tile = cute.make_layout((8, 8), stride=(8, 1))
        memory = cutlass.memory.SmemAllocator()
        A = memory.allocate_tensor(cutlass.Float32, tile)
        B = memory.allocate_tensor(cutlass.Float32, tile)
        (tx, ty, _), (bx, by, _) = cute.arch.thread_idx(), cute.arch.block_idx()
        n, m = 8 * bx + tx, 8 * by + ty
        total = cutlass.Float32(0)
        for k0 in range(0, K, 8):
            k = k0 + tx
            A[ty, tx] = cutlass.Float32(0)
            if m < M and k < K:
                row, column = m // o_w * s_h + k // (k_w * i_c), m % o_w * s_w + k // i_c % k_w
                A[ty, tx] = x[(row * i_w + column) * i_c + k % i_c]
            B[ty, tx] = cutlass.Float32(0)
            if k0 + ty < K and n < N:
                B[ty, tx] = w[k0 + ty, n]
            cute.arch.sync_threads()
            for j in cutlass.range_constexpr(8):
                total += A[ty, j] * B[j, tx]
            cute.arch.sync_threads()
        if m < M and n < N:
            y[m, n] = total

    @cute.jit
    def launch(x, w, y):
        conv(x, w, y).launch(grid=((N + 7) // 8, (M + 7) // 8, 1), block=(8, 8, 1))

    return launch
