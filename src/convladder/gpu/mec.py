"""MEC on a GPU: L by a kernel, its overlapping partitions by a library's strided batch of GEMMs.

The partitions of one image lie `s_h·k_w·i_c` values apart and overlap, which cuBLAS takes as the
stride of a batch: nothing is copied. `cupy.matmul` would copy them, and undo what MEC saves.
"""

from __future__ import annotations

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from .gemm import Batch
from .launch import MOST_VALUES, Launch, value_launch
from .lowering import lower_mec, mec_shape

THRESHOLD = 100  # the paper's T for GPUs: rows of so few pixels are taken for the batch together
ALIGNMENT = 4  # values: 16 bytes


def solution(problem: ConvProblem) -> str:
    """Return the paper's "A" (one GEMM per row of the batch) or "B" (one per row of each image)."""
    return "A" if problem.i_n > 1 and problem.o_w <= THRESHOLD else "B"


def batches(problem: ConvProblem, depth: int, which: str) -> list[Batch]:
    """Return the batches of `L[i_n, o_w, padded_h, k_w, depth]` for solution "A" or "B".

    Solution A leaves `[o_h, i_n, o_w, k_c]`, B the output's own order.
    """
    p = problem
    row = p.k_w * depth
    lda, inner, stride = p.padded_h * row, p.k_h * row, p.s_h * row
    if which == "A":
        return [Batch(p.i_n * p.o_w, inner, p.k_c, lda, stride, p.o_h)]
    return [
        Batch(
            p.o_w,
            inner,
            p.k_c,
            lda,
            stride,
            p.o_h,
            begin=n * p.o_w * lda,
            begin_c=n * p.o_h * p.o_w * p.k_c,
        )
        for n in range(p.i_n)
    ]


def reorder_launch(problem: ConvProblem) -> Launch:
    """Return solution A's last step: `[o_h, i_n, o_w·k_c]` to `[i_n, o_h, o_w·k_c]`."""
    p = problem
    values = p.pixels * p.k_c
    return value_launch("reorder.cu", "reorder", values, (p.i_n, p.o_h, p.o_w * p.k_c))


def convolve(
    x,
    w,
    problem: ConvProblem,
    depth: int | None = None,
    which: str | None = None,
    disjoint: bool = False,
):
    """Compute `y[i_n,o_h,o_w,k_c]` from device arrays, `w[k_h,k_w,depth,k_c]`.

    `which` solution, "A" or "B", defaults to `solution(problem)`. `disjoint`: in batches whose
    matrices do not overlap (`Batch.disjoint`).
    """
    from .. import cuda

    depth = depth or problem.i_c
    which = which or solution(problem)
    L = lower_mec(x, problem, depth)
    made = cuda.empty(problem.output_shape)
    for batch in batches(problem, depth, which):
        for part in batch.disjoint() if disjoint else [batch]:
            part(L, w, made)
    if which == "B" or problem.i_n == 1:
        return made
    y = cuda.empty(problem.output_shape)
    reorder_launch(problem)(made, y)
    return y


def too_large(problem: ConvProblem, depth: int | None = None) -> str | None:
    """Return why a problem is refused, or None."""
    values = int(np.prod(mec_shape(problem, depth), dtype=object))
    if values <= MOST_VALUES:
        return None
    return f"L has {values:,} values and the kernel numbers {MOST_VALUES:,}; split the batch"


def workspace(problem: ConvProblem, depth: int) -> int:
    disordered = problem.pixels * problem.k_c if solution(problem) == "A" else 0
    return problem.mec_bytes() // problem.i_c * depth + 4 * disordered


@method(
    name="gpu_mec",
    device="gpu",
    chapter=9,
    rung=2,
    workspace_bytes=lambda problem: workspace(problem, problem.i_c),
    unsupported=too_large,
)
def gpu_mec(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    A lowered matrix k_h/s_h times smaller, multiplied where it lies by one strided batch of GEMMs:
    less to write and to read, for products of one output row each.
    """
    return convolve(x, w, problem)


def padded_depth(problem: ConvProblem) -> int:
    """Round `i_c` up so that a partition begins on a multiple of 16 bytes."""
    return -(-problem.i_c // ALIGNMENT) * ALIGNMENT


def pad_depth(w, problem: ConvProblem):
    """Return `w[k_h,k_w,depth,k_c]`, zeros for the channels that padding adds; device arrays."""
    from .. import cuda

    spare = padded_depth(problem) - problem.i_c
    return cuda.to_device(np.pad(w.get(), ((0, 0), (0, 0), (0, spare), (0, 0))))


def _already(problem: ConvProblem) -> str | None:
    if problem.i_c % ALIGNMENT == 0:
        return f"i_c={problem.i_c} is a multiple of {ALIGNMENT} as it is; use gpu_mec"
    return too_large(problem, padded_depth(problem))


@method(
    name="gpu_mec_aligned",
    device="gpu",
    chapter=9,
    rung=3,
    workspace_bytes=lambda problem: workspace(problem, padded_depth(problem)),
    unsupported=_already,
    prepare=pad_depth,
)
def gpu_mec_aligned(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays; `w` as `pad_depth` leaves it.

    Three channels stored as four put every partition on a 16-byte boundary, which the library's
    fastest kernels need, for a third more values to multiply.
    """
    return convolve(x, w, problem, padded_depth(problem))


@method(
    name="gpu_mec_disjoint",
    device="gpu",
    chapter=9,
    rung=5,
    workspace_bytes=lambda problem: workspace(problem, problem.i_c),
    unsupported=too_large,
)
def gpu_mec_disjoint(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    cuBLAS has its fast kernels for batches of matrices that share nothing: every k_h/s_h-th
    partition shares nothing with the next, so a few calls get them without a copy.
    """
    return convolve(x, w, problem, disjoint=True)
