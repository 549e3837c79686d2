"""Winograd on a GPU whose products are made on tensor cores: each value as two of TF32's."""

from __future__ import annotations

from functools import cache

from ..problem import ConvProblem
from ..registry import method
from . import winograd
from .chip import no_gpu
from .launch import KERNELS

LEAST_CAPABILITY = 80  # cp.async, and mma.m16n8k8 on TF32
# Rows and columns of a block, depth and number of its slices, blocks of a multiprocessor.
LARGE, SMALL = (128, 64, 16, 3, 2), (64, 64, 16, 4, 4)


@cache
def _compiled(tile: tuple[int, ...]):
    from .. import cuda

    return cuda.Kernel(KERNELS / "tf32x3_gemm.cu", f"tf32x3_gemm<{', '.join(map(str, tile))}>")


def multiply(A, B, C, tile: tuple[int, ...] | None = None) -> None:
    """`batched_gemm.multiply` in 3xTF32, CuPy arrays; inner and columns divide by 4."""
    (count, rows, inner), columns = A.shape, B.shape[2]
    tile = tile or (LARGE if rows > 128 else SMALL)
    high, wide, depth, stages, _ = tile
    shared = 4 * stages * (high * (depth + 4) + depth * (wide + 8))
    grid = (-(-rows // high) * -(-columns // wide), count)
    _compiled(tile)[grid, high // 32 * wide, shared](A, B, C, rows, columns, inner)


def unsupported(problem: ConvProblem) -> str | None:
    """Why a problem is refused, or None."""
    if reason := no_gpu("tensor-core code") or winograd.unsupported(problem):
        return reason
    import cupy

    capability = int(cupy.cuda.Device().compute_capability)
    if capability < LEAST_CAPABILITY:
        return f"it needs compute capability 8.0, and this GPU has {capability / 10}"
    if problem.i_c % 4 or problem.k_c % 4:
        return (f"it has {problem.i_c} channels in and {problem.k_c} out; its products are read "
                "by fours. Use gpu_winograd")
    return None


@method(
    name="gpu_winograd_3xtf32",
    title="Winograd, products on tensor cores in 3xTF32",
    device="gpu",
    chapter=16,
    rung=5,
    idea="Each value split into two of TF32's, and three products of those instead of one: nearly "
    "float32's accuracy at the rate of tensor cores.",
    workspace_bytes=winograd.workspace_bytes,
    unsupported=unsupported,
    prepare=winograd.prepare,
    error_model=winograd.error_model,
)
def gpu_winograd_3xtf32(x, w, problem: ConvProblem):
    """`y[i_n,o_h,o_w,k_c]`, CuPy arrays; `w` as `prepare` leaves it."""
    return winograd.convolve(x, w, problem, winograd.chosen(problem), multiply)
