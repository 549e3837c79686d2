"""Direct convolution with tiles in shared memory, then in registers, then by four floats."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ..core.problem import ConvProblem
from ..core.registry import method
from .launch import SHARED_BYTES, Launch, dimensions, run_launch

# As the `#define`s on top of each kernel say: output rows and columns of a block, its channels,
# and its threads along x and y.
SHARED_TILE = (4, 4, 32, (32, 16))
REGISTER_TILE = (8, 8, 64, (16, 16))
VECTOR_ROWS, VECTOR_CHANNELS, VECTOR_BLOCK = 8, 64, (8, 16)
DEPTHS = (16, 8, 4, 2, 1)  # input channels staged at a time: the most that fit


def _grid(problem: ConvProblem, tile_h: int, tile_w: int, tile_k: int) -> tuple[int, int]:
    p = problem
    return p.i_n * -(-p.o_h // tile_h) * -(-p.o_w // tile_w), -(-p.k_c // tile_k)


def _halo(problem: ConvProblem, tile_h: int, tile_w: int) -> tuple[int, int]:
    """Input rows and columns under a tile of output pixels."""
    p = problem
    return (tile_h - 1) * p.s_h + p.k_h, (tile_w - 1) * p.s_w + p.k_w


def _scalar_launch(file: str, kernel: str, problem: ConvProblem, tile: tuple) -> Launch | None:
    tile_h, tile_w, tile_k, block = tile
    rows, columns = _halo(problem, tile_h, tile_w)
    for depth in (min(depth, problem.i_c) for depth in DEPTHS):
        shared = 4 * depth * (rows * columns + problem.k_w * tile_k)
        if shared <= SHARED_BYTES:
            grid = _grid(problem, tile_h, tile_w, tile_k)
            return Launch(file, kernel, grid, block, shared, (*dimensions(problem), depth))
    return None


def shared_launch(problem: ConvProblem) -> Launch | None:
    """Return a launch with the most channels that fit shared memory; None if one is too many."""
    return _scalar_launch("shared.cu", "conv_shared", problem, SHARED_TILE)


def register_tile_launch(problem: ConvProblem) -> Launch | None:
    """Return a launch with the most channels that fit shared memory; None if one is too many."""
    return _scalar_launch("register_tile.cu", "conv_register_tile", problem, REGISTER_TILE)


def vectorised_launch(problem: ConvProblem, most: int = 8) -> Launch | None:
    """Return a launch of the most pixels a thread, up to `most`, and channels that fit, or None."""
    p = problem
    # Two pixels that half a warp reads lie s_w·depth floats apart: not a multiple of 32 banks.
    depths = [depth for depth in (8, 4) if depth < p.i_c + 4 and p.s_w * depth % 32] or [4]
    for pixels, depth in product([n for n in (8, 4, 2, 1) if n <= most], depths):
        rows, columns = _halo(p, VECTOR_ROWS, 2 * pixels)
        shared = 4 * depth * (rows * columns + p.k_w * VECTOR_CHANNELS)
        if shared <= SHARED_BYTES:
            grid = _grid(p, VECTOR_ROWS, 2 * pixels, VECTOR_CHANNELS)
            sizes = (*dimensions(p), depth)
            kernel = f"conv_vectorised<{pixels}>"
            return Launch("vectorised.cu", kernel, grid, VECTOR_BLOCK, shared, sizes)
    return None


def _fits(launch: Callable[[ConvProblem], Launch | None]) -> Callable[[ConvProblem], str | None]:
    def reason(problem: ConvProblem) -> str | None:
        if launch(problem) is not None:
            return None
        return (
            f"the pixels under one tile, for a kernel of {problem.k_h}×{problem.k_w} and stride "
            f"{problem.stride}, do not fit into {SHARED_BYTES // 1024} KiB of shared memory; "
            "use gpu_coalesced"
        )

    return reason


@method(
    name="gpu_shared",
    device="gpu",
    chapter=8,
    rung=1,
    workspace_bytes=lambda problem: 0,
    unsupported=_fits(shared_launch),
)
def gpu_shared(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    A block copies the pixels under its outputs into shared memory once, where all of its windows
    and channels read them: fewer sectors from global memory for the same sums.
    """
    return run_launch(shared_launch, x, w, problem)


@method(
    name="gpu_register_tile",
    device="gpu",
    chapter=8,
    rung=2,
    workspace_bytes=lambda problem: 0,
    unsupported=_fits(register_tile_launch),
)
def gpu_register_tile(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    A thread that holds 4 pixels by 4 channels in registers reads 8 words of shared memory for 16
    multiply-adds instead of 2 for each.
    """
    return run_launch(register_tile_launch, x, w, problem)


@method(
    name="gpu_vectorised",
    device="gpu",
    chapter=8,
    rung=3,
    workspace_bytes=lambda problem: 0,
    unsupported=_fits(vectorised_launch),
)
def gpu_vectorised(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    Loads and stores of 16 bytes, 8 pixels by 8 channels a thread, laid out so that a warp never
    asks one bank for two words: 16 loads for 256 multiply-adds.
    """
    return run_launch(vectorised_launch, x, w, problem)
