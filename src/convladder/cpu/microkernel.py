"""Direct convolution in vector registers: no lowered matrix, no copy of the image, no workspace.

In NHWC one kernel row of a pixel is `k_w·i_c` values side by side, so convolution is `k_h` small
products with overlapping rows. BLAS forbids rows that overlap, which is why im2col and MEC copy;
a kernel of one's own has no such rule. Compare Zhang, Franchetti & Low, "High Performance
Zero-Memory Overhead Direct Convolutions" (ICML 2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from . import costs
from .isa import host_isa
from .simd.blocking import Tile, channel_blocks, tile_for
from .threads import threads_now, worth

LINE = 64  # bytes: a vector load that straddles two cache lines costs two
LARGE = 2**14  # values, beside whose time that of finding a line's beginning is nothing


def pack(
    w: np.ndarray, problem: ConvProblem, size: Tile, out: np.ndarray | None = None
) -> np.ndarray:
    """Return weights in the order of use: groups, channel blocks, `k_h·k_w·i_c/groups` steps, then
    channels.

    One float32 array, the beginning of `out` if there is one. The last vector of a group has zeros
    where it has no channels.
    """
    steps, k_c = problem.window, problem.group_k_c
    vectors, blocks = channel_blocks(k_c, size)
    count = vectors * size.lanes * steps
    packed = aligned(problem.groups * count) if out is None else out[: problem.groups * count]
    matrix = np.ascontiguousarray(w, np.float32).reshape(-1)
    _simd().pack(matrix, packed, problem.groups, steps, k_c, size.lanes, vectors, blocks)
    return packed


def aligned(count: int) -> np.ndarray:
    """Return `count` uninitialised float32 values from the beginning of a cache line on."""
    spare = np.empty(count + LINE // 4, np.float32)
    return spare[-spare.ctypes.data % LINE // 4 :][:count]


def aligned_output(shape: tuple[int, ...]) -> np.ndarray:
    """Return an uninitialised float32 result. A large one begins at a cache line: a depthwise layer
    that reads it next loads each of its vectors from one line, not from two.
    """
    count = math.prod(shape)
    return np.empty(shape, np.float32) if count < LARGE else aligned(count).reshape(shape)


class Epilogue(NamedTuple):
    """Steps on the sums while they are in registers: `bias[k_c]`, then a map of the output's
    shape, then the cut at zero."""

    bias: np.ndarray | None = None
    added: np.ndarray | None = None
    relu: bool = False


NOTHING = Epilogue()


def call(
    x: np.ndarray,
    packed: np.ndarray,
    problem: ConvProblem,
    size: Tile,
    threads: int,
    out: np.ndarray,
    after: Epilogue = NOTHING,
    channels: int | None = None,
) -> Callable[[], None]:
    """Return `convolve` of these very arrays, called without arguments as often as they change.

    With `channels` each has a filter of its own: see `depthwise`.
    """
    from .simd import macrokernel  # Numba, and compilation: only for those who run this
    from .simd import work_stealing as spread

    layout, boxes, address = macrokernel.planned(problem, size, threads, channels)
    arrays = layout, boxes, x, packed, out
    numbers = np.zeros(spread.ARGUMENTS, np.int64)
    spread.place(numbers, *arrays)
    if after is not NOTHING:
        follows = [0 if array is None else array.ctypes.data for array in after[:2]]
        numbers[len(arrays) :][:3] = *follows, after.relu
    taken = spread.counters(threads)

    def run() -> None:
        spread.run(address, taken, numbers)

    vars(run)["arrays"] = arrays, after  # live as long
    return run


def convolve(
    x: np.ndarray,
    packed: np.ndarray,
    problem: ConvProblem,
    size: Tile,
    threads: int,
    out: np.ndarray | None = None,
    after: Epilogue = NOTHING,
) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from what `pack` made with that `size`, on `threads` threads.

    It is written to `out` if there is one: float32 of that shape, C-contiguous, and no other array
    given here.
    """
    y = aligned_output(problem.output_shape) if out is None else out
    if threads == 1 and after is NOTHING:  # as a tiny layer, which takes less time than `call`
        layout, boxes, address = _simd().planned(problem, size, threads)
        _simd().alone(address, layout, boxes, x, packed, y)
    else:
        call(x, packed, problem, size, threads, y, after)()
    return y


@cache
def _simd() -> SimpleNamespace:
    from .simd import macrokernel, pack, work_stealing  # Numba: only for those who run this

    return SimpleNamespace(planned=macrokernel.planned, alone=work_stealing.alone, pack=pack.pack)


def prepare(w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return the weights, packed for this machine."""
    return pack(w, problem, tile_for(problem, host_isa()))


@method(
    name="microkernel",
    chapter=5,
    rung=2,
    workspace_bytes=lambda problem: 0,
    prepare=prepare,
    skips_padding=True,
    dilation_and_groups="itself",
    cost=lambda problem: costs.direct(problem, host_isa().lanes, threads_now()),
)
def microkernel(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `x` and prepared weights, on the threads Numba may use.

    Keep a tile of sums in registers for the whole window and read the image where it lies: each
    load feeds many multiply-adds, and there is nothing to lower.
    """
    return convolve(x, w, problem, *_share(problem, threads_now()))


@lru_cache(maxsize=256)
def _share(problem: ConvProblem, threads: int) -> tuple[Tile, int]:
    return tile_for(problem, host_isa()), worth(problem.macs, threads)
