"""The copy engine's (TMA's) description of a matrix: its place, and the box that a copy brings.

The driver encodes it for a GPU (CUDA Driver API, "Tensor Map Object Management").
"""

from __future__ import annotations

from typing import Any

import numpy as np

BYTES = 128  # of a map
SWIZZLED = 64  # columns of a box whose chunks of 16 bytes trade places


class TensorMap:
    """A kernel's `const __grid_constant__ TensorMap` for a float16 matrix on the device.

    `box`: rows and columns that a copy brings. Rows of a box lie one after the other in shared
    memory; those of 64 columns, 128 bytes, are swizzled: chunk `c` of row `r` lies in place
    `c ^ r % 8`. Raises `ValueError` for what the copy engine cannot take.
    """

    def __init__(self, array: Any, box: tuple[int, int]):
        rows, columns = box
        if len(array.shape) != 2 or array.dtype != np.float16:
            raise ValueError(
                f"a tensor map is for a float16 matrix; this array is {array.dtype} with shape "
                f"{tuple(array.shape)}"
            )
        if array.shape[1] % 8:
            raise ValueError(
                f"rows of {array.shape[1]} values: the copy engine wants multiples of 16 bytes, 8"
            )
        if not (1 <= rows <= 256 and columns in (8, 16, 32, SWIZZLED)):
            raise ValueError(
                f"box={box}: 1 to 256 rows and 8, 16, 32 or 64 columns are possible here"
            )
        self.array, self.box = array, (rows, columns)

    nbytes = BYTES

    def words(self, address: int) -> np.ndarray:
        """Return the map as the emulator reads it, of an array at `address`."""
        words = np.zeros(BYTES // 8, np.uint64)
        words[:5] = address, *self.array.shape, *self.box
        return words

    def encoded(self) -> np.ndarray:
        """Return the map as a GPU reads it, 128 bytes as one value."""
        from cuda.bindings import driver

        swizzle = "128B" if self.box[1] == SWIZZLED else "NONE"
        address, (rows, columns) = self.array.data.ptr, self.array.shape
        return encoded(driver.cuTensorMapEncodeTiled(
            half(), 2, address, u64(columns, rows), u64(2 * columns), u32(*self.box[::-1]),
            u32(1, 1), *how(f"CU_TENSOR_MAP_SWIZZLE_{swizzle}"))).view(f"V{BYTES}")  # fmt: skip


def encoded(answer) -> np.ndarray:
    """Return a map's bytes. Raises `RuntimeError` with the driver's word where it refuses."""
    status, made = answer
    if int(status):
        raise RuntimeError(f"the driver refuses a tensor map: {status.name}")
    return np.array([int(word) for word in made.opaque], np.uint64).view(np.uint8)


def half():
    """Return the driver's name of float16."""
    from cuda.bindings import driver

    return driver.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_FLOAT16


def how(swizzle: str) -> tuple:
    """Return interleave, swizzle, promotion to L2, and zeros for what lies outside."""
    from cuda.bindings import driver

    return (
        driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
        getattr(driver.CUtensorMapSwizzle, swizzle),
        driver.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    )


def u64(*numbers: int) -> list:
    """Return the driver's 64-bit numbers."""
    from cuda.bindings import driver

    return [driver.cuuint64_t(number) for number in numbers]


def u32(*numbers: int) -> list:
    """Return the driver's 32-bit numbers."""
    from cuda.bindings import driver

    return [driver.cuuint32_t(number) for number in numbers]
