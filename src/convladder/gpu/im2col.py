"""im2col on a GPU: a lowering kernel, then one GEMM of a library."""

from __future__ import annotations

from ..core.problem import ConvProblem
from ..core.registry import method
from .gemm import Batch
from .launch import MOST_VALUES
from .lowering import lower_im2col


def too_large(problem: ConvProblem) -> str | None:
    """Return why a problem is refused, or None."""
    values = problem.pixels * problem.window
    if values <= MOST_VALUES:
        return None
    return (
        f"its matrix has {values:,} values and the kernel numbers {MOST_VALUES:,}; split the batch"
    )


@method(
    name="gpu_im2col",
    device="gpu",
    chapter=9,
    rung=1,
    workspace_bytes=ConvProblem.im2col_bytes,
    unsupported=too_large,
)
def gpu_im2col(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    Lower in one kernel, multiply in one call to the vendor's library: its GEMM runs near the peak,
    but the matrix that it reads is written and read in global memory.
    """
    from .. import cuda

    p = problem
    matrix = lower_im2col(x, p)
    y = cuda.empty(p.output_shape)
    Batch(p.pixels, p.window, p.k_c, lda=p.window, stride=0, count=1)(matrix, w, y)
    return y
