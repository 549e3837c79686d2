"""Products as tensor cores make them, of rounded factors, in NumPy; and how far they err."""

from __future__ import annotations

import numpy as np

from ..core.number_formats import BFLOAT16, halves, rounded
from ..core.problem import ConvProblem
from ..cpu.im2col import lower


def format_products(x: np.ndarray, w: np.ndarray) -> dict[str, np.ndarray]:
    """Return `x @ w` as each way of multiplying has it, sums in float32: [m,k] by [k,n], both
    float32.

    "float16 stored" also rounds the result to float16.
    """
    (x_large, x_small), (w_large, w_small) = halves(x), halves(w)
    half = [each.astype(np.float16).astype(np.float32) for each in (x, w)]
    return {
        "float32": x @ w,
        "TF32": x_large @ w_large,
        "3xTF32": x_small @ w_large + x_large @ w_small + x_large @ w_large,
        "float16": half[0] @ half[1],
        "float16 stored": (half[0] @ half[1]).astype(np.float16).astype(np.float32),
        "bfloat16": rounded(x, BFLOAT16.fraction) @ rounded(w, BFLOAT16.fraction),
    }


def format_errors(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> dict[str, float]:
    """Return, of one convolution by each of `format_products`: the worst error, over the sum of
    |x·w|.

    That is how the GPU's record states errors.
    """
    matrix, weights = lower(x, problem), w.reshape(problem.window, problem.k_c)
    right = matrix.astype(np.float64) @ weights
    magnitude = abs(matrix).astype(np.float64) @ abs(weights)
    return {
        name: float((abs(y - right) / magnitude).max())
        for name, y in format_products(matrix, weights).items()
    }
