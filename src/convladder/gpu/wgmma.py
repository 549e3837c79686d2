"""Implicit GEMM on Hopper's tensor cores (sm_90a): warpgroups multiply from shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ..cuda.source_file import read_source
from ..problem import ConvProblem
from ..registry import method
from .chip import chip, no_gpu
from .implicit_gemm import NAMES, too_large
from .launch import KERNELS, dimensions
from .nvrtc import allow_shared, built, cuda_headers, module
from .tensor_core import prepare

DEPTH = 64  # columns of a slice: 128 bytes, the width of the swizzle
TILES_EACH = 0.5  # that a multiprocessor should get before a larger tile is taken


@dataclass(frozen=True)
class GroupTile:
    """`pixels` × `channels` of a block of `groups` warpgroups; `stages` slices in flight."""

    pixels: int
    channels: int
    groups: int
    stages: int
    blocks: int

    @property
    def shared_bytes(self) -> int:
        """The stages; or the result, which leaves through the same memory."""
        stages = self.stages * (self.pixels + self.channels) * DEPTH
        return 2 * max(stages, self.pixels * (self.channels + 8))

    def count(self, problem: ConvProblem) -> int:
        """Blocks that cover the output."""
        return -(-problem.pixels // self.pixels) * -(-problem.k_c // self.channels)


# Large tiles first: the fastest of 19 tried on an NVIDIA H200, per layer and batch.
TILES = (
    GroupTile(256, 128, 4, 4, 1),
    GroupTile(128, 128, 2, 4, 1),
    GroupTile(128, 64, 2, 4, 2),
    GroupTile(64, 64, 1, 4, 3),
)


@cache
def choose(problem: ConvProblem, multiprocessors: int) -> GroupTile:
    """The largest tile that keeps half of the chip busy, and no wider than the channels need."""
    wide = [t for t in TILES if t.channels <= 64 or problem.k_c > 64]
    enough = TILES_EACH * multiprocessors
    return next((t for t in wide if t.count(problem) >= enough), wide[-1])


def source(problem: ConvProblem) -> str:
    """The kernel's text with the problem's sizes as constants (all but the batch)."""
    sizes = zip(NAMES[1:], dimensions(problem)[1:], strict=True)
    text = read_source(KERNELS / "wgmma.cu")
    return "".join(f"#define {name} {value}\n" for name, value in sizes) + text


def kernel_name(tile: GroupTile, problem: ConvProblem, out: str) -> str:
    """The template's instance; `out` is "__half" or "float"."""
    vector = 8 if problem.i_c % 8 == 0 else 1
    numbers = (tile.pixels, tile.channels, tile.groups, tile.stages, vector, tile.blocks)
    return f"wgmma_conv<{', '.join(map(str, numbers))}, {out}>"


@cache
def _function(problem: ConvProblem, tile: GroupTile, out: str):
    folders = [f"-I{cuda_headers('cuda_fp16.h')}"]
    code, name = built(source(problem), "sm_90a", folders, kernel_name(tile, problem, out))
    function = module(code).get_function(name)
    allow_shared(function, tile.shared_bytes)
    return function


@cache
def _launch(problem: ConvProblem, tile: GroupTile, out: str):
    function = _function(problem.with_batch(1), tile, out)
    grid, block, images = (tile.count(problem),), (128 * tile.groups,), np.int32(problem.i_n)

    def launch(x, w, y) -> None:
        function(grid, block, (x, w, y, images), shared_mem=tile.shared_bytes)

    return launch


def run(x, w, problem: ConvProblem, tile: GroupTile | None = None):
    """`y[i_n,o_h,o_w,k_c]` from CuPy arrays, `w` as `tensor_core.prepare` leaves it.

    A float16 `x` is taken as it is and gives a float16 result; a float32 one is rounded to float16
    first and gives the float32 sums.
    """
    from .. import cuda

    tile = tile or choose(problem, chip().multiprocessors)
    half = x.dtype == np.float16
    y = cuda.empty(problem.output_shape, np.float16 if half else np.float32)
    launch = _launch(problem, tile, "__half" if half else "float")
    launch(x.astype(np.float16, copy=False), w, y)
    return y


def unsupported(problem: ConvProblem) -> str | None:
    """Why a problem is refused, or None."""
    if reason := no_gpu("wgmma"):
        return reason
    import cupy

    capability = int(cupy.cuda.Device().compute_capability)
    if capability != 90:
        return f"it is for compute capability 9.0 (H100, H200); this GPU has {capability / 10}"
    return too_large(problem)


@method(
    name="gpu_wgmma",
    title="Implicit GEMM on Hopper's tensor cores, float16",
    device="gpu",
    chapter=9,
    rung=3,
    idea="Four warps multiply 64×128 by one instruction that reads shared memory by itself, while "
    "they fetch the next slice: no fragments to load, larger tiles, half as much time.",
    workspace_bytes=lambda problem: 2 * int(np.prod(problem.input_shape)),
    unsupported=unsupported,
    prepare=prepare,
)
def gpu_wgmma(x, w, problem: ConvProblem):
    """`y[i_n,o_h,o_w,k_c]`, CuPy arrays; `w` as `prepare` leaves it."""
    return run(x, w, problem)
