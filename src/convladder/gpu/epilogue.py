"""Bias and ReLU as a pass of their own over the result: what fusing them saves."""

from __future__ import annotations

from ..core.problem import ConvProblem
from .launch import THREADS, Launch


def bias_relu_launch(problem: ConvProblem) -> Launch:
    """Return the launch on device arrays `y[i_n,o_h,o_w,k_c]` (changed in place), `bias[k_c]`.

    Raises `ValueError` unless `k_c` divides by 4: a thread takes four values at once.
    """
    if problem.k_c % 4:
        raise ValueError(
            f"k_c={problem.k_c} does not divide by 4, and this pass takes four channels at once"
        )
    fours = problem.pixels * problem.k_c // 4
    return Launch(
        "bias_relu.cu", "bias_relu", (-(-fours // THREADS),), (THREADS,), 0, (fours, problem.k_c)
    )
