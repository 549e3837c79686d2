"""One small implicit GEMM in CUDA C++, numba.cuda, Triton and CuTe DSL: lab 10's kernel once more.

All make y[pixels, channels] of x, flat, and w[window, channels]; one image, no padding. No language
is imported before its kernel is asked for.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ..core.problem import ConvProblem
from ..cuda import gpu
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
    """Return a function that launches the CuTe DSL kernel on x, w and y as tensors of CuTe.

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


CUDA, NUMBA, CUTE, TRITON = LANGUAGES = "CUDA C++", "numba.cuda", "CuTe DSL", "Triton"


def bound(language: str, problem: ConvProblem, x, w, y) -> Callable[[], None]:
    """Return a function that launches a language's kernel on CuPy's arrays, on the null stream.

    `x[1,i_h,i_w,i_c]`, `w[k_h,k_w,i_c,k_c]`, `y[1,o_h,o_w,k_c]`, all float32. It compiles here, or
    when called first. Raises ValueError for another language or problem, and ImportError where the
    language is not installed.
    """
    require_plain(problem)
    try:
        bind = _BOUND[language]
    except KeyError:
        raise ValueError(f"language={language!r}; there are {', '.join(LANGUAGES)}") from None
    p = problem
    return bind(p, x.reshape(-1), w.reshape(p.window, p.k_c), y.reshape(p.pixels, p.k_c))


def _cuda(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    launch = same_launch(problem)
    return lambda: launch(x, w, y)


def _numba(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    from numba import cuda

    p, kernel = problem, numba_implicit(cuda)
    launch = kernel[(-(-p.k_c // SIDE), -(-p.pixels // SIDE)), (SIDE, SIDE)]
    arrays = [cuda.as_cuda_array(each) for each in (x, w, y)]
    return lambda: launch(*arrays, p.i_w, p.i_c, p.k_w, p.o_w, *p.stride)


def _cute(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    import cutlass
    from cutlass import cute, memory  # noqa: F401 - the kernel takes it from `cutlass`
    from cutlass.cute.runtime import from_dlpack

    arrays = [from_dlpack(each) for each in (x, w, y)]
    launch = cute.compile(cute_implicit(cutlass, cute, problem), *arrays)
    return lambda: launch(*arrays)


def _triton(problem: ConvProblem, x, w, y) -> Callable[[], None]:
    import torch
    import triton
    from triton import language

    p, (bm, bn, bk) = problem, TRITON_TILE
    kernel = triton_implicit(triton, language)[-(-p.pixels // bm), -(-p.k_c // bn)]
    arrays = [torch.from_dlpack(each) for each in (x, w, y)]
    return lambda: kernel(
        *arrays,
        p.pixels,
        p.k_c,
        p.window,
        p.i_w,
        p.i_c,
        p.k_w,
        p.o_w,
        *p.stride,
        BM=bm,
        BN=bn,
        BK=bk,
    )


_BOUND = {CUDA: _cuda, NUMBA: _numba, CUTE: _cute, TRITON: _triton}


WORKS = (
    "import sys; from numba import convladder_cuda; sys.exit(not convladder_cuda.is_available())"
)


def load_numba_cuda() -> ModuleType:
    """Return `numba.cuda`: on the GPU that it finds, else its simulator, a Python thread for each
    thread.

    Numba decides between the two when `numba.cuda` is first imported, by NUMBA_ENABLE_CUDASIM; so
    call this before. A variable that is set already is left as it is.
    """
    if "numba.cuda" not in sys.modules and "NUMBA_ENABLE_CUDASIM" not in os.environ:
        simulated = not (gpu() and _works())
        os.environ["NUMBA_ENABLE_CUDASIM"] = str(int(simulated))
        import numba

        numba.config.ENABLE_CUDASIM = int(simulated)  # numba may have read its variables before
    import numba.cuda

    numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a lesson's grid is small, and on purpose
    return numba.cuda


def _works() -> bool:
    """Return whether Numba can use the GPU,
    asked of another process since a first import decides.
    """
    done = subprocess.run([sys.executable, "-c", WORKS], capture_output=True, check=False)
    return done.returncode == 0


def run_numba(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `y[1,o_h,o_w,k_c]` of `x[1,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]` by numba.cuda.

    Raises ValueError for padding, or more than one image.
    """
    require_plain(p := problem)
    cuda = load_numba_cuda()
    kernel = numba_implicit(cuda)
    y = cuda.to_device(np.full((p.pixels, p.k_c), np.nan, np.float32))
    grid = -(-p.k_c // SIDE), -(-p.pixels // SIDE)
    kernel[grid, (SIDE, SIDE)](
        cuda.to_device(x.ravel()),
        cuda.to_device(w.reshape(p.window, p.k_c)),
        y,
        p.i_w,
        p.i_c,
        p.k_w,
        p.o_w,
        *p.stride,
    )
    return y.copy_to_host().reshape(p.output_shape)
