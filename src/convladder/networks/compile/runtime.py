"""Functions that generated programs call: the ladder's own kernels, and loops around them.

All write into `out`, float32 and C-contiguous, and allocate nothing of its size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...core.problem import ConvProblem
from ...cpu import depthwise as channels
from ...cpu import epilogue, microkernel, pool, threads
from ...cpu.epilogue import compiled
from ...cpu.isa import host_isa
from ...cpu.microkernel import Epilogue
from ...cpu.simd.blocking import tile_for
from ...cpu.threads import worth


@dataclass(eq=False)
class PackedWeights:
    """Packed weights of one layer, and its last call made ready: a program's arrays stay the same.

    `problem` is the layer's or, of a depthwise one, what each of its `channels` poses alone.
    """

    packed: np.ndarray
    problem: ConvProblem
    channels: int | None = None
    threads: int = 1
    _last: tuple = field(default=(None,) * 6, init=False, repr=False)

    @property
    def nbytes(self) -> int:
        """Return the bytes of the packed weights."""
        return self.packed.nbytes

    def share_among(self, threads: int) -> None:
        """Do it on so many threads from now on, or on fewer if they would have too little to do."""
        macs = self.problem.macs * (self.channels or 1)
        self.threads, self._last = worth(macs, threads), (None,) * 6

    def ready(
        self, x: np.ndarray, out: np.ndarray, bias: np.ndarray | None, added: np.ndarray | None,
        relu: bool,
    ) -> Callable[[], None]:  # fmt: skip
        """Return a function that does the layer."""
        last_x, last_out, last_bias, last_added, last_relu, run = self._last
        if not (
            x is last_x
            and out is last_out
            and bias is last_bias
            and added is last_added
            and relu is last_relu
        ):
            run = self._ready(x, out, Epilogue(bias, added, relu))
            self._last = x, out, bias, added, relu, run
        return run

    def _ready(self, x: np.ndarray, out: np.ndarray, after: Epilogue) -> Callable[[], None]:
        if self.channels:
            return channels.call(x, self.packed, self.problem, self.threads, out, after)
        size = tile_for(self.problem, host_isa())
        return microkernel.call(x, self.packed, self.problem, size, self.threads, out, after)


def convolve(
    x: np.ndarray, weights: PackedWeights, *, out: np.ndarray, bias: np.ndarray | None = None,
    added: np.ndarray | None = None, relu: bool = False,
) -> None:  # fmt: skip
    """Do chapter 05's microkernel; bias, another map, ReLU while sums are in registers."""
    weights.ready(x, out, bias, added, relu)()


# Each channel by its own filter; and a product, which is a 1×1 convolution, `x[n,i]` to `out[n,o]`.
depthwise = multiply = convolve


def scale_shift(x: np.ndarray, scale: np.ndarray, shift: np.ndarray, out: np.ndarray) -> None:
    """Compute `out = x·scale + shift`, a channel at a time: batch norm that was not folded."""
    k_c = x.shape[-1]
    epilogue.scale_shift(x.reshape(-1, k_c), scale, shift, out.reshape(-1, k_c))


def max_pool(
    x: np.ndarray, kernel: tuple[int, int], stride: tuple[int, int], out: np.ndarray
) -> None:
    """Call `cpu.simd.pool.max_pool`, or `cpu.pool`'s in a fork, which has no other threads."""
    if threads.forked_late:
        pool.max_pool(x, kernel, stride, out)
    else:
        from ...cpu.simd import pool as threaded  # Numba: only for those who run this

        threaded.max_pool(x, kernel, stride, out)


def cast(x: np.ndarray, out: np.ndarray) -> None:
    """Copy `x` of any type that NumPy knows to `out`."""
    np.copyto(out, x, casting="unsafe")


def pad(x: np.ndarray, at: tuple[int, int], value: float, out: np.ndarray) -> None:
    """Put maps `x[n,h,w,c]` into the larger `out`, from the pixel `at`; `value` around them."""
    (top, left), (_, h, w, _) = at, x.shape
    out[:, :top], out[:, top + h :] = value, value
    out[:, top : top + h, :left], out[:, top : top + h, left + w :] = value, value
    out[:, top : top + h, left : left + w] = x


@compiled
def softmax(x, out):
    """Put in `out[n,c]` the softmax of each row of `x[n,c]`."""
    for n in range(x.shape[0]):
        most, total = x[n, 0], np.float32(0)
        for c in range(1, x.shape[1]):
            most = max(most, x[n, c])
        for c in range(x.shape[1]):
            out[n, c] = np.exp(x[n, c] - most)
            total += out[n, c]
        for c in range(x.shape[1]):  # whole rows take Numba three seconds to compile
            out[n, c] /= total


@compiled
def mean(x, out):
    """Put in `out[n,1,1,c]` the mean of each map of `x[n,h,w,c]`."""
    for n in range(x.shape[0]):
        totals = np.zeros(x.shape[3])  # float64: float32 is 1 % off after a million values
        for h in range(x.shape[1]):
            for w in range(x.shape[2]):
                for c in range(x.shape[3]):  # neighbours: vectors of them
                    totals[c] += x[n, h, w, c]
        for c in range(x.shape[3]):  # a whole row at once takes Numba three seconds to compile
            out[n, 0, 0, c] = totals[c] / (x.shape[1] * x.shape[2])


@compiled
def channels_last(x, out):
    """Put `x[n,c,h,w]` into `out[n,h,w,c]`."""
    for n in range(out.shape[0]):
        for h in range(out.shape[1]):
            for c in range(out.shape[3]):
                for w in range(out.shape[2]):
                    out[n, h, w, c] = x[n, c, h, w]
