"""Weights of which most are zero, stored row by row: only what is left is kept and multiplied."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...cpu.isa import host_isa
from ...cpu.microkernel import aligned
from ...cpu.threads import threads_now

PANEL_BYTES = 2**15  # of all channels of a block of pixels, in the nearest cache


@dataclass(frozen=True)
class Sparse:
    """Compressed rows (CSR) of `w[i_c,k_c]`, one for each output channel.

    `values` float32 and their input `channels` int32, those of output `k` from `begins[k]` up to
    `begins[k + 1]`.
    """

    values: np.ndarray
    channels: np.ndarray
    begins: np.ndarray
    i_c: int

    def __post_init__(self) -> None:
        if self.i_c < 1 or self.k_c < 1:
            raise ValueError(f"w[i_c,k_c] has the shape ({self.i_c}, {self.k_c}); it is empty")

    @classmethod
    def of(cls, w: np.ndarray) -> Sparse:
        """Return the nonzero weights of `w[i_c,k_c]`. Raises `ValueError` for other ranks."""
        if w.ndim != 2:
            raise ValueError(
                f"w has shape {w.shape}; sparse weights are of a 1×1 kernel or a fully connected "
                "layer: w[i_c,k_c]"
            )
        k, channels = np.nonzero(w.T)
        begins = np.searchsorted(k, np.arange(w.shape[1] + 1)).astype(np.int64)
        values = np.ascontiguousarray(w.T[k, channels], np.float32)
        return cls(values, channels.astype(np.int32), begins, w.shape[0])

    @property
    def k_c(self) -> int:
        """Return the output channels."""
        return len(self.begins) - 1

    @property
    def density(self) -> float:
        """Return the share of the weights that are not zero."""
        return len(self.values) / (self.i_c * self.k_c)

    @property
    def nbytes(self) -> int:
        """Return the bytes of all three arrays: 8 a weight left, against 4 of each when dense."""
        return self.values.nbytes + self.channels.nbytes + self.begins.nbytes


def product(x: np.ndarray, w: Sparse) -> np.ndarray:
    """Return `y[k_c,pixels]` from `x[i_c,pixels]`, float32: a row of pixels for each channel.

    So a sparse network keeps its images, channel by channel (NCHW), from layer to layer. On as many
    threads as Numba may use. Raises `ValueError` for an array that does not fit, `TypeError` for
    one that is not float32.
    """
    from ...cpu.simd import work_stealing as spread
    from .csr import WORK, compiled

    if x.dtype != np.float32:
        raise TypeError(f"x has dtype {x.dtype}; it needs float32: x.astype(np.float32)")
    if x.ndim != 2 or len(x) != w.i_c or not x.size or not x.flags.c_contiguous:
        raise ValueError(
            f"x of shape {x.shape} and strides {x.strides} does not fit {w.i_c} channels; it needs "
            "x[i_c,pixels], C-contiguous"
        )
    pixels = x.shape[1]
    y = np.empty((w.k_c, pixels), np.float32)
    threads, lanes, vectors = threads_now(), host_isa().lanes, panel_vectors(w.i_c)
    blocks = -(-pixels // (vectors * lanes))
    parts = min(w.k_c, -(-4 * threads // blocks)) if threads > 1 else 1  # some for each thread
    panels = aligned(threads * w.i_c * vectors * lanes)
    taken = spread.counters(threads)
    arrays = (each.ctypes.data for each in (x, y, w.values, w.channels, w.begins))
    per_thread = panels.ctypes.data, 4 * w.i_c * vectors * lanes, taken.ctypes.data, threads
    work = np.array([(*arrays, w.i_c, w.k_c, pixels, parts, *per_thread)], WORK)
    numbers = np.zeros(spread.ARGUMENTS, np.int64)
    numbers[0] = work.ctypes.data
    spread.run(compiled(vectors, lanes).address, spread.counters(threads), numbers)
    return y


def panel_vectors(i_c: int) -> int:
    """Return the vectors of pixels of one block: as many as the nearest cache holds, 2 to 8.

    The more, the more multiply-adds share a weight and its channel's number.
    """
    vectors = 8
    while vectors > 2 and 4 * i_c * vectors * host_isa().lanes > PANEL_BYTES:
        vectors //= 2
    return vectors
