"""Winograd's convolution on a GPU: transform, one batch of GEMMs, transform back.

Every place of a tile has a matrix of its own, `V[place, tile, channel]`; all are multiplied by one
launch. A whole batch of images goes through each step: to take it in passes small enough for V and
P to stay in the L2 cache, as processors do, took 1 to 170 % longer on an NVIDIA H200, the smaller
the worse, since each launch drains the chip. Products on tensor cores did not pay there: in 3xTF32
(mma.sync, values split in registers) a layer with 32 images took 0 to 31 % longer, and in plain
TF32 the transforms alone take as long as cuDNN's TF32 kernels.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..core.problem import ConvProblem
from ..core.reference import ErrorModel
from ..core.registry import method
from ..core.winograd_transforms import Matrix, Side, Tiles, matrices, sides, transform_weights
from ..core.winograd_transforms import error_model as tile_error
from ..core.winograd_transforms import unsupported as no_tiles
from . import batched_gemm
from .batched_gemm import multiply
from .chip import chip
from .launch import source_with
from .tile_choice import EMULATOR
from .winograd_choice import choose, predicted_cycles, vectors

if TYPE_CHECKING:
    from ..cuda import Report

THREADS = 128  # a block of a transform
MOST = 2**31 - 1  # values of a place's matrix: they are numbered by an int


def chosen(problem: ConvProblem) -> int:
    """Return the `m` that should be fastest on this chip."""
    return choose(problem, chip().multiprocessors)


def prepare(w, problem: ConvProblem, m: int | None = None):
    """Return `U[a_h·a_w,i_c,k_c]`, transformed in float64 and rounded once; device arrays.

    For tiles of `m` outputs per side, by default those that the model chooses.
    """
    from .. import cuda

    U = transform_weights(w.get(), m or chosen(problem)).astype(np.float32)
    return cuda.to_device(U.reshape(-1, problem.i_c, problem.k_c))


def source(columns: Side, rows: Side) -> str:
    """Return the kernels' text for `F(m, r)` of each side, their matrices as rows in braces."""
    defines = {}
    for suffix, (m, r) in ("H", columns), ("W", rows):
        AT, _, BT = matrices(m, r)
        defines |= {f"M_{suffix}": m, f"A_{suffix}": m + r - 1}
        defines |= {f"BT_{suffix}": _rows(BT), f"AT_{suffix}": _rows(AT)}
    return source_with("winograd.cu", defines)


def _rows(matrix: Matrix) -> str:
    rows = (",".join(f"{float(value)!r}f" for value in row) for row in matrix)
    return "{" + ",".join(f"{{{row}}}" for row in rows) + "}"


@cache
def _compiled(columns: Side, rows: Side, name: str):
    from .. import cuda

    return cuda.Kernel(source(columns, rows), name)


def transform_in(x, V, problem: ConvProblem, m: int) -> None:
    """Fill `V[a_h·a_w,tiles,i_c]` with `Bᵀ d B` of every tile `d` of `x`; device arrays."""
    kernel, blocks, sizes = _in(problem, m, chip().multiprocessors)
    kernel[blocks, THREADS](x, V, *sizes)


def transform_out(P, y, problem: ConvProblem, m: int) -> None:
    """Fill `y` with `Aᵀ P A` of every tile of `P[a_h·a_w,tiles,k_c]`; device arrays."""
    kernel, blocks, sizes = _out(problem, m, chip().multiprocessors)
    kernel[blocks, THREADS](P, y, *sizes)


def _in(problem: ConvProblem, m: int, multiprocessors: int):
    p, t = problem, Tiles.of(problem, m)
    sizes = p.i_h, p.i_w, p.i_c, t.rows, t.cols, p.p_h, p.p_w, t.count
    return *_launch("winograd_in", p, m, p.i_c, multiprocessors), sizes


def _out(problem: ConvProblem, m: int, multiprocessors: int):
    p, t = problem, Tiles.of(problem, m)
    sizes = p.o_h, p.o_w, p.k_c, t.rows, t.cols, t.count
    return *_launch("winograd_out", p, m, p.k_c, multiprocessors), sizes


def _launch(name: str, problem: ConvProblem, m: int, channels: int, multiprocessors: int):
    vector = vectors(problem, m, channels, multiprocessors)
    blocks = -(-Tiles.of(problem, m).count * channels // (vector * THREADS))
    return _compiled(*sides(problem.k_h, problem.k_w, m), f"{name}<{vector}>"), blocks


def profile(x, w, y, problem: ConvProblem, m: int) -> dict[str, Report]:
    """Return the emulator's report of each of the three launches, which together fill `y`.

    Device arrays, `w[k_h,k_w,i_c,k_c]` as it is; planned for the emulator, wherever this runs.
    """
    from .. import cuda

    t, few = Tiles.of(problem, m), EMULATOR.multiprocessors
    V, P = (cuda.empty((t.places, t.count, depth)) for depth in (problem.i_c, problem.k_c))

    def counted(launch, *arrays):
        kernel, blocks, sizes = launch(problem, m, few)
        return kernel.profile(blocks, THREADS, 0, *arrays, *sizes)

    return {
        "transform in": counted(_in, x, V),
        "products": batched_gemm.profile(V, prepare(w, problem, m), P),
        "transform out": counted(_out, P, y),
    }


def convolve(x, U, problem: ConvProblem, m: int):
    """Compute `y[i_n,o_h,o_w,k_c]` on the device, `U` as `prepare` leaves it for the same `m`."""
    from .. import cuda

    t = Tiles.of(problem, m)
    V, P = (cuda.empty((t.places, t.count, depth)) for depth in (problem.i_c, problem.k_c))
    y = cuda.empty(problem.output_shape)
    transform_in(x, V, problem, m)
    multiply(V, U, P)
    transform_out(P, y, problem, m)
    return y


def unsupported(problem: ConvProblem) -> str | None:
    """Return why a problem is refused, or None."""
    if reason := no_tiles(problem, "gpu_implicit_gemm", large=""):
        return reason
    p, tiles = problem, Tiles.of(problem, 2).count
    largest = max(tiles * max(p.i_c, p.k_c), p.i_c * p.k_c)
    if largest <= MOST:
        return None
    return f"a matrix of its products has {largest:,} values and can have {MOST:,}; split the batch"


def workspace_bytes(problem: ConvProblem) -> int:
    """Return the bytes of V and P."""
    t = Tiles.of(problem, chosen(problem))
    return 4 * t.places * t.count * (problem.i_c + problem.k_c)


def error_model(problem: ConvProblem) -> ErrorModel:
    """Return the tile-wise one, for the `m` that is chosen."""
    return tile_error(problem, chosen(problem))


@method(
    name="gpu_winograd",
    device="gpu",
    chapter=10,
    rung=2,
    workspace_bytes=workspace_bytes,
    unsupported=unsupported,
    prepare=prepare,
    error_model=error_model,
    cost=lambda p: predicted_cycles(p, chosen(p), chip().multiprocessors),
)
def gpu_winograd(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays; `w` as `prepare` leaves it.

    Fewer multiplications for more bytes: one kernel transforms, one multiplies every place of the
    tiles, one transforms back; tiles of 2, 4 or 6 by a model of layer and chip.
    """
    return convolve(x, w, problem, chosen(problem))
