"""Layers that slide over maps, one after the other, run on any part of their input.

Arrays are NHWC float32 and of one image; `x` is the part of a map that is there, and `before` the
rows and columns of zeros above it and to its left. How many lie below follows from `out`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...core.problem import ConvProblem
from ...cpu import depthwise as channels
from ...cpu import microkernel
from ...cpu.epilogue import relu, scale_shift
from ...cpu.isa import host_isa
from ...cpu.pool import max_pool
from ...cpu.simd.blocking import tile_for
from ...cpu.threads import threads_now
from .halo import Slide

Pair = tuple[int, int]


@dataclass(frozen=True)
class TileProblem(ConvProblem):
    """A convolution of `rows` by `cols` outputs; `padding` is that above and to the left alone."""

    dilation: Pair = (1, 1)
    rows: int = 1
    cols: int = 1

    def __post_init__(self) -> None:
        """Nothing is checked: a piece may have fewer rows than the kernel, the rest being zeros."""

    @property
    def o_h(self) -> int:
        return self.rows

    @property
    def o_w(self) -> int:
        return self.cols


@dataclass(frozen=True, eq=False)
class Conv:
    """A convolution by `w[k_h,k_w,i_c,k_c]`, or of each channel alone by `w[k_h,k_w,i_c]`; then
    `bias`, if there is one, and the cut at zero. Padding is less than the kernel."""

    w: np.ndarray
    bias: np.ndarray | None = None
    stride: Pair = (1, 1)
    padding: Pair = (0, 0)
    relu: bool = True
    packed: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.w.ndim not in (3, 4) or self.w.dtype != np.float32:
            raise ValueError(
                f"w is {self.w.dtype} of shape {self.w.shape}; it needs float32 with "
                "3 axes (depthwise) or 4"
            )
        if any(p >= k for p, k in zip(self.padding, self.kernel)):
            raise ValueError(
                f"padding={self.padding} with a kernel of {self.kernel}: some windows "
                "would hold nothing but zeros; use less than the kernel"
            )
        w = np.ascontiguousarray(self.w)
        if self.w.ndim == 4:
            # How weights are packed depends on the kernel alone: any image will do.
            w = microkernel.prepare(w, ConvProblem(1, *w.shape[:3], *w.shape[:2], w.shape[3]))
        else:
            w = channels.prepare(w)
        object.__setattr__(self, "packed", w)

    @property
    def kernel(self) -> Pair:
        return self.w.shape[:2]

    def channels(self, i_c: int) -> int:
        """Return the channels out of `i_c` in. Raises `ValueError` for weights of another `i_c`."""
        if self.w.shape[2] != i_c:
            raise ValueError(
                f"w of shape {self.w.shape} takes {self.w.shape[2]} channels; it is given {i_c}"
            )
        return self.w.shape[-1]

    def macs(self, rows: int, cols: int) -> int:
        """Count multiply-accumulates of so many outputs, those on padding included."""
        return rows * cols * self.w.size

    def scratch_bytes(self, i_w: int, i_c: int) -> int:
        """Return the bytes that a run takes besides its maps: none."""
        return 0

    def run(self, x: np.ndarray, before: Pair, out: np.ndarray) -> None:
        """Fill `out[1,rows,cols,k_c]` from `x[1,h,w,i_c]`."""
        sizes = (*self.kernel, self.w.shape[3]) if self.w.ndim == 4 else (*self.kernel, 1)
        i_c = x.shape[3] if self.w.ndim == 4 else 1
        piece = TileProblem(
            *x.shape[:3], i_c, *sizes, self.stride, before, rows=out.shape[1], cols=out.shape[2]
        )
        if self.w.ndim == 4:
            size = tile_for(piece, host_isa())
            microkernel.convolve(x, self.packed, piece, size, threads_now(), out)
        else:
            channels.call(x, self.packed, piece, threads_now(), out)()
        rows = out.reshape(-1, out.shape[3])
        if self.bias is not None:
            scale_shift(rows, np.ones_like(self.bias), self.bias, rows)
        if self.relu:
            relu(rows, rows)


@dataclass(frozen=True)
class MaxPool:
    """The largest value of each window of `kernel` pixels; nothing is padded."""

    kernel: Pair = (2, 2)
    stride: Pair = (2, 2)
    padding: Pair = field(default=(0, 0), init=False)

    def channels(self, i_c: int) -> int:
        """Return as many channels out as in."""
        return i_c

    def macs(self, rows: int, cols: int) -> int:
        """Return 0: there is nothing to multiply."""
        return 0

    def scratch_bytes(self, i_w: int, i_c: int) -> int:
        """Return the bytes that a run takes besides its maps: one row of its input."""
        return 4 * i_w * i_c

    def run(self, x: np.ndarray, before: Pair, out: np.ndarray) -> None:
        """Fill `out[1,rows,cols,c]` from `x[1,h,w,c]`."""
        max_pool(x, self.kernel, self.stride, out)


Layer = Conv | MaxPool


def slides(layers: list[Layer], axis: int) -> list[Slide]:
    """Return how the layers slide along the height (`axis=0`) or the width (1)."""
    return [Slide(layer.kernel[axis], layer.stride[axis], layer.padding[axis]) for layer in layers]
