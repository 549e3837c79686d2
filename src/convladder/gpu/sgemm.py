"""The ladder on float32 units with which chapter 12 begins: `c[m,n] = a[m,k]·b[k,n]`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .launch import compiled


@dataclass(frozen=True)
class FloatRung:
    """One kernel of `kernels/sgemm.cu`; `tile` is a block's part of the result."""

    name: str
    kernel: str
    tile: tuple[int, int]
    block: tuple[int, ...]

    def launch(self, a, b, c):
        """Return a function that multiplies device arrays. Raises `ValueError` for other sizes."""
        (m, k), n = a.shape, b.shape[1]
        if m % 128 or n % 128 or k % 32:
            raise ValueError(f"m and n divide by 128 and k by 32; these are {m}, {n} and {k}")
        rows, columns = self.tile
        launcher = compiled("sgemm.cu", self.kernel)[(n // columns, m // rows), self.block]
        return lambda: launcher(a, b, c, *(np.int32(size) for size in (m, n, k)))


RUNGS = (
    FloatRung("naive", "sgemm_naive", (8, 32), (32, 8)),  # a thread a sum
    FloatRung("shared tiles", "sgemm_tiled", (32, 32), (32, 32)),  # threads share two tiles
    FloatRung("register tiles", "sgemm_registers<false>", (128, 128), (256,)),  # 8×8 sums a thread
    FloatRung("four floats a load", "sgemm_registers<true>", (128, 128), (256,)),  # and a store
)
