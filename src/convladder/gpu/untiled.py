"""Direct convolution with a thread an output value: two numberings of the same threads."""

from __future__ import annotations

from ..core.problem import ConvProblem
from ..core.registry import method
from .launch import Launch, dimensions, run_launch, too_many, value_launch


def naive_launch(problem: ConvProblem) -> Launch:
    """Number threads down the image: neighbours lie a row apart in memory."""
    values = problem.pixels * problem.k_c
    return value_launch("naive.cu", "conv_naive", values, dimensions(problem))


def coalesced_launch(problem: ConvProblem) -> Launch:
    """Number threads along the output channel: neighbours lie side by side in memory."""
    values = problem.pixels * problem.k_c
    return value_launch("coalesced.cu", "conv_coalesced", values, dimensions(problem))


@method(
    name="gpu_naive",
    device="gpu",
    chapter=7,
    rung=1,
    workspace_bytes=lambda problem: 0,
    skips_padding=True,
    unsupported=too_many,
)
def gpu_naive(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    Thousands of threads at once, one for each output value; but neighbouring threads stand on
    different rows, so that each request of a warp moves 32 sectors for 32 values.
    """
    return run_launch(naive_launch, x, w, problem)


@method(
    name="gpu_coalesced",
    device="gpu",
    chapter=7,
    rung=2,
    workspace_bytes=lambda problem: 0,
    skips_padding=True,
    unsupported=too_many,
)
def gpu_coalesced(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays.

    The same threads numbered along the output channel: a warp's stores and weights are neighbours
    in memory, 4 sectors per request instead of 32.
    """
    return run_launch(coalesced_launch, x, w, problem)
