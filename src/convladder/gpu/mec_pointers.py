"""MEC with a list of addresses in place of a stride: what overlaps cannot be seen from the call.

cuBLAS keeps its fast float32 kernels from strided batches whose matrices overlap. It takes a batch
as addresses too, which lie on the device, where no rule can look. Library: NVIDIA cuBLAS, section
"cublas<t>gemmBatched". All images go into one call: their rows need no common stride.
"""

from __future__ import annotations

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from .gemm import Batch
from .launch import Launch, value_launch
from .lowering import lower_mec
from .mec import batches, reorder_launch, solution, too_large, workspace

ADDRESS = 8  # bytes


def count(problem: ConvProblem) -> int:
    """Return the number of GEMMs of all calls."""
    return sum(batch.count for batch in batches(problem, problem.i_c, solution(problem)))


def pointers_launch(found: list[Batch], a: int, b: int, c: int) -> Launch:
    """Fill `where[3, count]`, uint64: addresses of A, B and C of every GEMM of `mec.batches`.

    `a`, `b`, `c`: the addresses of L, weights and results.
    """
    first = found[0]
    image = found[1].begin if len(found) > 1 else 0
    bytes_apart = [4 * step for step in (first.stride, image, first.step_c)]
    total = sum(batch.count for batch in found)
    return value_launch(
        "pointers.cu", "pointers", total, (a, b, c, *bytes_apart, first.count, total)
    )


def multiply(found: list[Batch], L, w, made) -> None:
    """Compute all GEMMs of `found`, which are `mec.batches`, in one call; device arrays."""
    from .. import cuda

    total = sum(batch.count for batch in found)
    where = cuda.empty((3, total), np.uint64)
    on_gpu = cuda.backend() == "gpu"
    addresses = [array.data.ptr for array in (L, w, made)] if on_gpu else [0, 0, 0]
    pointers_launch(found, *addresses)(where)
    if on_gpu:
        from .cublas import sgemm_batched

        one, (a, b, c) = found[0], (each.data.ptr for each in where)
        # Column-major: Cᵀ = Bᵀ·Aᵀ, as in `gemm.Batch`.
        sgemm_batched(
            one.columns, one.rows, one.inner, b, one.columns, a, one.lda, c, one.columns, total
        )
    else:
        for batch in found:
            batch(L, w, made)


@method(
    name="gpu_mec_pointers",
    device="gpu",
    chapter=9,
    rung=6,
    workspace_bytes=lambda p: workspace(p, p.i_c) + 3 * ADDRESS * count(p),
    unsupported=too_large,
)
def gpu_mec_pointers(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    The same GEMMs on the same overlapping partitions, handed over as a list of addresses: the
    library's fast kernels take these, in one call for all images.
    """
    from .. import cuda

    L, which = lower_mec(x, problem), solution(problem)
    made = cuda.empty(problem.output_shape)
    multiply(batches(problem, problem.i_c, which), L, w, made)
    if which == "B":
        return made
    y = cuda.empty(problem.output_shape)
    reorder_launch(problem)(made, y)
    return y
