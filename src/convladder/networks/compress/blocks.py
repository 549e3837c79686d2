"""Block formats: 4-bit floats, a block of which shares one scale of 8 bits.

An element is E2M1: a sign, two bits of exponent, one of mantissa. MXFP4 has a power of two for each
32 elements (OCP Microscaling Formats Specification 1.0, 2023). NVFP4 has an E4M3 number for each
16, and one float32 for the whole tensor (NVIDIA, arXiv:2509.25149). Both are encodings here: values
are rounded to what the format holds, and computed with in float32.
"""

from __future__ import annotations

import numpy as np

from .grids import in_groups

E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)  # by their codes
MXFP4_BLOCK, NVFP4_BLOCK = 32, 16
E4M3_MOST = 448


def fp4(x: np.ndarray) -> np.ndarray:
    """Return the nearest E2M1 value of each, ties to the even code; beyond 6 it is 6."""
    size = np.abs(x)
    middles = (E2M1[1:] + E2M1[:-1]) / 2
    code = np.searchsorted(middles, size)
    upper = np.minimum(code + 1, len(E2M1) - 1)
    tie = size == (E2M1[code] + E2M1[upper]) / 2
    return np.copysign(E2M1[np.where(tie & (code % 2 == 1), upper, code)], x)


def e4m3(x: np.ndarray) -> np.ndarray:
    """Return the nearest E4M3 value of each `x` ≥ 0, ties to even; beyond 448 it is 448."""
    exponent = np.maximum(np.floor(np.log2(np.maximum(x, 2.0**-10))), -6)
    step = 2.0 ** (exponent - 3)
    return np.minimum(np.rint(x / step) * step, E4M3_MOST)


def mxfp4(w: np.ndarray) -> np.ndarray:
    """Return `w[..., k_c]` as MXFP4 holds it, float32: blocks of 32 inputs of a channel."""
    blocks = in_groups(w, MXFP4_BLOCK)
    most = np.abs(blocks).max(axis=1, keepdims=True)
    exponent = np.floor(np.log2(np.where(most > 0, most, 1))) - 2  # E2M1 reaches beyond 2²
    scale = 2.0 ** np.clip(exponent, -127, 127)
    return _back(fp4(blocks / scale) * scale, w)


def nvfp4(w: np.ndarray) -> np.ndarray:
    """Return `w[..., k_c]` as NVFP4 holds it, float32: blocks of 16 inputs of a channel."""
    blocks = in_groups(w, NVFP4_BLOCK)
    most = np.abs(blocks).max(axis=1, keepdims=True)
    whole = float(most.max()) / (E2M1[-1] * E4M3_MOST) or 1.0  # the largest block's scale is 448
    scale = e4m3(most / E2M1[-1] / whole) * whole
    return _back(fp4(blocks / np.where(scale > 0, scale, 1)) * scale, w)


def _back(blocks: np.ndarray, w: np.ndarray) -> np.ndarray:
    return blocks.reshape(-1, w.shape[-1])[: w[..., 0].size].astype(np.float32).reshape(w.shape)
