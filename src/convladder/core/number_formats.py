"""Number formats of tensor cores, made in NumPy by rounding the fractions of float32 values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


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
