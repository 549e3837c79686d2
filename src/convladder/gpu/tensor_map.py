"""How images and weights lie in memory, told to Hopper's copy engine (TMA) by tensor maps.

The driver encodes them (CUDA Driver API, "Tensor Map Object Management").
"""

from __future__ import annotations

import numpy as np

from ..core.problem import ConvProblem

BYTES = 128  # of a map


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
    return _encoded(driver.cuTensorMapEncodeIm2col(
        _half(), 4, address, _u64(i_c, i_w, i_h, i_n), _strides(i_c, i_w, i_h), list(near),
        list(far), channels, pixels, _u32(1, *steps, 1), *_how(swizzle)))  # fmt: skip


def weights(address: int, p: ConvProblem, depth: int, channels: int) -> np.ndarray:
    """Return the map of `w[k_c,k_h,k_w,i_c]`, read `channels` × `depth` of a kernel position."""
    from cuda.bindings import driver

    row, column = 2 * p.k_w * p.i_c, 2 * p.i_c
    return _encoded(driver.cuTensorMapEncodeTiled(
        _half(), 4, address, _u64(p.i_c, p.k_c, p.k_w, p.k_h), _u64(p.k_h * row, column, row),
        _u32(depth, channels, 1, 1), _u32(1, 1, 1, 1),
        *_how("CU_TENSOR_MAP_SWIZZLE_128B")))  # fmt: skip


def _encoded(answer) -> np.ndarray:
    """The map's bytes. Raises `RuntimeError` with the driver's word where it refuses."""
    status, encoded = answer
    if int(status):
        raise RuntimeError(f"the driver refuses a tensor map: {status.name}")
    return np.array([int(word) for word in encoded.opaque], np.uint64).view(np.uint8)


def _half():
    from cuda.bindings import driver

    return driver.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT16


def _how(swizzle: str) -> tuple:
    """Interleave, swizzle, promotion to L2, and zeros for what lies outside."""
    from cuda.bindings import driver

    return (
        driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
        getattr(driver.CUtensorMapSwizzle, swizzle),
        driver.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    )


def _strides(i_c: int, i_w: int, i_h: int) -> list:
    return _u64(2 * i_c, 2 * i_c * i_w, 2 * i_c * i_w * i_h)


def _u64(*numbers: int) -> list:
    from cuda.bindings import driver

    return [driver.cuuint64_t(number) for number in numbers]


def _u32(*numbers: int) -> list:
    from cuda.bindings import driver

    return [driver.cuuint32_t(number) for number in numbers]
