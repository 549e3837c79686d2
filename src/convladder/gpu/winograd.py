"""Winograd's convolution on a GPU: transform, one strided batch of GEMMs, transform back.

Every place of a tile has a matrix of its own, `V[place, tile, channel]`, and cuBLAS multiplies all
of them in one call. Tiles are taken in passes whose V and P stay in the second-level cache, where
the next kernel finds them: what Gelashvili et al. do on processors (arXiv 1912.02165).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..problem import ConvProblem
from ..reference import ErrorModel
from ..registry import method
from ..winograd import Matrix, Tiles, growth, matrices, transform_weights
from ..winograd import unsupported as no_tiles
from .chip import chip
from .gemm import Batch
from .implicit_gemm import too_large
from .launch import KERNELS
from .winograd_choice import Plan, choose, predicted_cycles

THREADS = 128  # a block of a transform


def prepare(w, problem: ConvProblem, m: int | None = None):
    """`U[a²,i_c,k_c]` of device arrays, transformed in float64 and rounded once.

    For tiles of `m` outputs a side, or of those that the model chooses.
    """
    from .. import cuda

    m = m or plan_for(problem).m
    U = transform_weights(w.get(), m).astype(np.float32)
    return cuda.to_device(U.reshape(-1, problem.i_c, problem.k_c))


def plan_for(problem: ConvProblem) -> Plan:
    """The model's choice for this chip."""
    return choose(problem, chip().multiprocessors)


def source(m: int, r: int) -> str:
    """The kernels' text for `F(m, r)`, its matrices as rows in braces."""
    AT, _, BT = matrices(m, r)
    defines = {"SIDE": m, "TAPS": r, "BT_ROWS": _rows(BT), "AT_ROWS": _rows(AT)}
    text = (KERNELS / "winograd.cu").read_text()
    return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + text


def _rows(matrix: Matrix) -> str:
    rows = (",".join(f"{float(value)!r}f" for value in row) for row in matrix)
    return "{" + ",".join(f"{{{row}}}" for row in rows) + "}"


@cache
def _compiled(m: int, r: int, name: str, vector: int):
    from .. import cuda

    return cuda.Kernel(source(m, r), f"{name}<{vector}>")


def transform(name: str, problem: ConvProblem, plan: Plan, tiles: int):
    """Launcher of "winograd_in" or "winograd_out" on so many tiles: called with the arrays, then
    the first tile."""
    p, t = problem, Tiles.of(problem, plan.m)
    if name == "winograd_in":
        channels, vector = p.i_c, plan.vector_in
        sizes = (p.i_h, p.i_w, p.i_c, t.rows, t.cols, p.p_h, p.p_w)
    else:
        channels, vector = p.k_c, plan.vector_out
        sizes = (p.o_h, p.o_w, p.k_c, t.rows, t.cols)
    grid = -(-tiles * channels // (vector * THREADS))
    kernel = _compiled(plan.m, p.k_h, name, vector)[grid, THREADS]
    return lambda source, result, first: kernel(source, result, *sizes, first, tiles)


def products(problem: ConvProblem, a: int, tiles: int) -> Batch:
    """The GEMMs of so many tiles: `P[a², tiles, k_c] = V[a², tiles, i_c] · U[a², i_c, k_c]`."""
    i_c, k_c = problem.i_c, problem.k_c
    return Batch(tiles, i_c, k_c, i_c, tiles * i_c, a * a, stride_b=i_c * k_c)


def convolve(x, U, problem: ConvProblem, plan: Plan):
    """`y[i_n,o_h,o_w,k_c]` from device arrays, `U` as `prepare` leaves it for the plan's `m`."""
    from .. import cuda

    t = Tiles.of(problem, plan.m)
    most = plan.tiles(problem)
    V, P = (cuda.empty(t.a**2 * most * channels) for channels in (problem.i_c, problem.k_c))
    y = cuda.empty(problem.output_shape)
    for first in range(0, t.count, most):
        tiles = min(most, t.count - first)
        transform("winograd_in", problem, plan, tiles)(x, V, first)
        products(problem, t.a, tiles)(V, U, P)
        transform("winograd_out", problem, plan, tiles)(P, y, first)
    return y


def unsupported(problem: ConvProblem) -> str | None:
    """Why a problem is refused, or None."""
    reason = no_tiles(problem)
    if reason:
        return reason.replace("microkernel", "gpu_implicit_gemm").replace(", or fft", "")
    return too_large(problem)


def workspace_bytes(problem: ConvProblem) -> int:
    """Of V and P, for the tiles of one pass."""
    plan = plan_for(problem)
    a = plan.m + problem.k_h - 1
    return 4 * a * a * plan.tiles(problem) * (problem.i_c + problem.k_c)


def error_model(problem: ConvProblem) -> ErrorModel:
    """Tile-wise, for the `m` that is chosen."""
    m = plan_for(problem).m
    return ErrorModel((m, m), growth(m, problem.k_h))


@method(
    name="gpu_winograd",
    title="Winograd: transforms around cuBLAS",
    device="gpu",
    chapter=16,
    rung=4,
    idea="Fewer multiplications for more bytes: two kernels that transform, one strided batch of "
    "GEMMs between them, in passes that stay in the L2 cache; tiles of 2, 4 or 6 by a model.",
    workspace_bytes=workspace_bytes,
    unsupported=unsupported,
    prepare=prepare,
    error_model=error_model,
    cost=lambda p: predicted_cycles(p, plan_for(p), chip().multiprocessors),
)
def gpu_winograd(x, w, problem: ConvProblem):
    """`y[i_n,o_h,o_w,k_c]`, device arrays; `w` as `prepare` leaves it."""
    return convolve(x, w, problem, plan_for(problem))
