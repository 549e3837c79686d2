"""Implicit GEMM on tensor cores, written by hand: float16 values, float32 sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from .chip import chip, no_gpu
from .implicit_gemm import too_large
from .launch import instance, size_defines, source_with

LEAST_CAPABILITY = 80  # cp.async, and mma.m16n8k16 on float16
TILES_EACH = 1.25  # that a multiprocessor should get before a larger tile is taken


@dataclass(frozen=True)
class TensorTile:
    """`pixels` × `channels` of a block, `warp` of one warp; `stages` slices of `depth`."""

    pixels: int
    channels: int
    depth: int
    warp: tuple[int, int]
    stages: int
    blocks: int

    @property
    def threads(self) -> int:
        return 32 * self.pixels // self.warp[0] * (self.channels // self.warp[1])

    @property
    def shared_bytes(self) -> int:
        """Return the bytes of the stages, or of the result, which leaves through them."""
        stages = self.stages * (self.pixels + self.channels) * self.depth
        return 2 * max(stages, self.pixels * (self.channels + 8))

    def count(self, problem: ConvProblem) -> int:
        """Return the blocks that cover the output."""
        return -(-problem.pixels // self.pixels) * -(-problem.k_c // self.channels)


# Large tiles first: the fastest of 25 tried on an NVIDIA H200, per layer and batch.
TILES = (
    TensorTile(128, 128, 32, (64, 64), 4, 2),
    TensorTile(128, 64, 32, (64, 32), 4, 2),
    TensorTile(64, 64, 64, (32, 32), 4, 3),
    TensorTile(32, 64, 64, (16, 32), 4, 4),
)


@cache
def choose(problem: ConvProblem, multiprocessors: int) -> TensorTile:
    """Return the largest tile that keeps the chip busy, no wider than the channels need."""
    wide = [t for t in TILES if t.channels <= 64 or problem.k_c > 64]
    enough = TILES_EACH * multiprocessors
    return next((t for t in wide if t.count(problem) >= enough), wide[-1])


def prepare(w, problem: ConvProblem):
    """Return `w[k_c, window]` in float16, rows zero-padded to a multiple of 8; device arrays."""
    from .. import cuda

    flat = w.get().reshape(problem.window, problem.k_c).T.astype(np.float16)
    return cuda.to_device(np.pad(flat, ((0, 0), (0, -problem.window % 8))))


def source(problem: ConvProblem) -> str:
    """Return the kernel's text with the problem's sizes as constants (all but the batch)."""
    return source_with("tensor_core.cu", size_defines(problem))


def kernel_name(tile: TensorTile, problem: ConvProblem, out: str) -> str:
    """Return the name of the template's instance; `out` is "__half" or "float"."""
    vector = 8 if problem.i_c % 8 == 0 else 1
    numbers = (tile.pixels, tile.channels, tile.depth, *tile.warp, tile.stages, vector, tile.blocks)
    return instance("tensor_core", *numbers, out)


@cache
def _compiled(problem: ConvProblem, tile: TensorTile, out: str):
    from .. import cuda

    return cuda.Kernel(source(problem), kernel_name(tile, problem, out))


@cache
def _launcher(problem: ConvProblem, tile: TensorTile, out: str):
    kernel = _compiled(problem.with_batch(1), tile, out)
    return kernel[tile.count(problem), tile.threads, tile.shared_bytes]


def run(x, w, problem: ConvProblem, tile: TensorTile | None = None):
    """Compute `y[i_n,o_h,o_w,k_c]` from CuPy arrays, `w` as `prepare` leaves it.

    A float16 `x` is taken as it is and gives a float16 result; a float32 one is rounded to float16
    first and gives the float32 sums.
    """
    from .. import cuda

    tile = tile or choose(problem, chip().multiprocessors)
    half = x.dtype == np.float16
    y = cuda.empty(problem.output_shape, np.float16 if half else np.float32)
    launch = _launcher(problem, tile, "__half" if half else "float")
    launch(x.astype(np.float16, copy=False), w, y, np.int32(problem.i_n))
    return y


def unsupported(problem: ConvProblem) -> str | None:
    """Return why a problem is refused, or None."""
    if reason := no_gpu("tensor-core code"):
        return reason
    import cupy

    capability = int(cupy.cuda.Device().compute_capability)
    if capability < LEAST_CAPABILITY:
        return f"it needs compute capability 8.0, and this GPU has {capability / 10}"
    return too_large(problem)


@method(
    name="gpu_tensor_core",
    device="gpu",
    chapter=11,
    rung=2,
    workspace_bytes=lambda problem: 2 * int(np.prod(problem.input_shape)),
    unsupported=unsupported,
    prepare=prepare,
)
def gpu_tensor_core(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, CuPy arrays; `w` as `prepare` leaves it.

    One instruction of a warp multiplies 16×16 by 16×8 values, where a CUDA core does one multiply-
    add: many times the rate, for inputs rounded to 11 bits.
    """
    return run(x, w, problem)
