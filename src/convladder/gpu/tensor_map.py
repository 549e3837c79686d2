"""How images and weights lie in memory, told to Hopper's copy engine (TMA) by tensor maps."""

from __future__ import annotations

import numpy as np

from ..core.problem import ConvProblem
from ..cuda.tensor_map import BYTES, encoded, half, how, u32, u64

__all__ = ["BYTES", "unmapped", "weights", "windows"]


def unmapped(problem: ConvProblem) -> str | None:
    """Return why no map in im2col's order can describe a problem's windows, or None."""
    if max(problem.stride) > 8:
        return f"stride={problem.stride} is above 8, the longest step of a tensor map"
    if max(problem.k_h, problem.k_w, *problem.padding) > 127:
        return f"{problem} reaches further than the 127 pixels that a tensor map can"
    return None


def windows(address: int, shape, near, far, channels: int, pixels: int, steps) -> np.ndarray:
    """Return the map of float16 images NHWC, read in im2col's order: `pixels` × `channels`.

    near, far, steps: along (width, height); where a window's first pixel may lie at the least, and
    at the most as seen from the image's end.
    """
    from cuda.bindings import driver

    i_n, i_h, i_w, i_c = shape
    swizzle = f"CU_TENSOR_MAP_SWIZZLE_{2 * channels}B"
    return encoded(driver.cuTensorMapEncodeIm2col(
        half(), 4, address, u64(i_c, i_w, i_h, i_n), _strides(i_c, i_w, i_h), list(near),
        list(far), channels, pixels, u32(1, *steps, 1), *how(swizzle)))  # fmt: skip


def weights(address: int, p: ConvProblem, depth: int, channels: int) -> np.ndarray:
    """Return the map of `w[k_c,k_h,k_w,i_c]`, read `channels` × `depth` of a kernel position."""
    from cuda.bindings import driver

    row, column = 2 * p.k_w * p.i_c, 2 * p.i_c
    return encoded(driver.cuTensorMapEncodeTiled(
        half(), 4, address, u64(p.i_c, p.k_c, p.k_w, p.k_h), u64(p.k_h * row, column, row),
        u32(depth, channels, 1, 1), u32(1, 1, 1, 1),
        *how("CU_TENSOR_MAP_SWIZZLE_128B")))  # fmt: skip


def _strides(i_c: int, i_w: int, i_h: int) -> list:
    return u64(2 * i_c, 2 * i_c * i_w, 2 * i_c * i_w * i_h)
