"""Number formats of tensor cores, made in NumPy by rounding the fractions of float32 values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...cpu.im2col import lower
from ...problem import ConvProblem


@dataclass(frozen=True)
class Format:
    """Bits of exponent and fraction beside the sign; `stored`: those that a value takes."""

    name: str
    exponent: int
    fraction: int
    stored: int

    @property
    def roundoff(self) -> float:
        """Return the largest relative error of rounding to the nearest."""
        return 2.0 ** -(self.fraction + 1)

    @property
    def largest(self) -> float:
        """Return the largest finite value."""
        return (2 - 2.0**-self.fraction) * 2.0 ** (2 ** (self.exponent - 1) - 1)


FLOAT32 = Format("float32", 8, 23, 32)
TF32 = Format("TF32", 8, 10, 32)
FLOAT16 = Format("float16", 5, 10, 16)
BFLOAT16 = Format("bfloat16", 8, 7, 16)
FORMATS = (FLOAT32, TF32, FLOAT16, BFLOAT16)


def rounded(x: np.ndarray, fraction: int) -> np.ndarray:
    """Return float32 `x` with `fraction` bits behind the point, the nearest, ties to even.

    The exponent keeps its 8 bits. Raises ValueError for a `fraction` that is not 1 to 23.
    """
    if not 1 <= fraction <= 23:
        raise ValueError(f"fraction={fraction}; a float32 has 1 to 23 bits to keep")
    drop = 23 - fraction
    if not drop:
        return x.astype(np.float32)
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    odd = bits >> np.uint32(drop) & np.uint32(1)
    bits = bits + odd + np.uint32(2 ** (drop - 1) - 1) & np.uint32(2**32 - 2**drop)
    return bits.view(np.float32)


def halves(x: np.ndarray, fraction: int = TF32.fraction) -> tuple[np.ndarray, np.ndarray]:
    """Return `x` as a large and a small part, each rounded: their sum keeps twice as many bits."""
    large = rounded(x, fraction)
    return large, rounded(x - large, fraction)


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
