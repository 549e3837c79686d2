"""MEC through cuBLASLt, which says what workspace it takes before it takes it."""

from __future__ import annotations

from functools import cache

from ..core.problem import ConvProblem
from ..core.registry import method
from .chip import no_gpu
from .cublaslt import Multiplication
from .lowering import lower_mec
from .mec import batches, reorder_launch, solution, too_large, workspace

LIMIT = 0  # bytes of workspace for each GEMM


@cache
def multiplications(problem: ConvProblem, limit: int) -> list[Multiplication]:
    """Return the products of `mec.batches`, each with `limit` bytes of workspace at most."""
    found = batches(problem, problem.i_c, solution(problem))
    return [Multiplication(batch, limit) for batch in found]


def convolve(x, w, problem: ConvProblem, limit: int = LIMIT, algorithm: int = 0):
    """Compute `y[i_n,o_h,o_w,k_c]` from CuPy arrays, with `limit` bytes of workspace besides `L`.

    `algorithm`: which of cuBLASLt's proposals, 0 for the one that it expects to be fastest.
    """
    import cupy

    from .. import cuda

    L = lower_mec(x, problem)
    spare = cupy.empty(limit, cupy.uint8) if limit else None
    made = cuda.empty(problem.output_shape)
    for multiply in multiplications(problem, limit):
        multiply(L, w, made, spare, algorithm)
    if solution(problem) == "B":
        return made
    y = cuda.empty(problem.output_shape)
    reorder_launch(problem)(made, y)
    return y


@method(
    name="gpu_mec_lt",
    device="gpu",
    chapter=9,
    rung=4,
    workspace_bytes=lambda problem: workspace(problem, problem.i_c) + LIMIT,
    unsupported=lambda problem: no_gpu("cuBLASLt") or too_large(problem),
)
def gpu_mec_lt(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, CuPy arrays.

    The same GEMMs by a library that lists its algorithms with the workspace of each, so that the
    caller owns and bounds every byte: here none is allowed.
    """
    return convolve(x, w, problem)
