"""Depthwise convolution: each channel by a filter of its own, so no sum over channels.

The register tile of the microkernel does it, its lanes being channels. There, one input value goes
to all channels of a tile; here each channel has its own. So a step loads a vector for each
multiply-add, and loads set the pace. Gaps cost nothing: the next step of a sum lies further on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from . import costs, microkernel
from .isa import host_isa
from .microkernel import NOTHING, Epilogue, aligned_output
from .simd.blocking import tile_for
from .threads import threads_now, worth


def prepare(w: np.ndarray) -> np.ndarray:
    """Return weights `w[k_h,k_w,i_c]`, float32, in the order of use."""
    k_h, k_w, i_c = w.shape
    # How weights are packed depends on the kernel alone: any image will do.
    return microkernel.prepare(w[:, :, np.newaxis], ConvProblem(1, k_h, k_w, 1, k_h, k_w, i_c))


PIXELS = 8  # of a tile at most: the address of each has a register, too


@lru_cache(maxsize=256)
def _layer(channel: ConvProblem, i_c: int) -> ConvProblem:
    """All channels as the microkernel sees them: sums over one channel, for `i_c` outputs."""
    return replace(channel, k_c=i_c)


def call(
    x: np.ndarray,
    packed: np.ndarray,
    channel: ConvProblem,
    threads: int,
    out: np.ndarray,
    after: Epilogue = NOTHING,
) -> Callable[[], None]:
    """Do as `microkernel.call`, of what `prepare` made; `channel` as for `depthwise_conv2d`."""
    layer = _layer(channel, x.shape[3])
    size = tile_for(layer, host_isa())
    size = size._replace(pixels=min(size.pixels, PIXELS))
    return microkernel.call(x, packed, layer, size, threads, out, after, channels=x.shape[3])


def depthwise_conv2d(
    x: np.ndarray, w: np.ndarray, channel: ConvProblem, out: np.ndarray | None = None
) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,i_c]` from `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c]`, all float32.

    `channel` is the problem that each channel poses alone (`i_c = k_c = 1`); the whole layer does
    `i_c` of them. It is written to `out` if there is one. On as many threads as Numba may use;
    compiled at the first call. Raises `ValueError` for arrays that do not fit it.
    """
    if (channel.i_c, channel.k_c) != (1, 1):
        raise ValueError(
            f"channel={channel} has i_c={channel.i_c} and k_c={channel.k_c}; describe one channel "
            "alone: both 1"
        )
    fits = x.shape[:3] == channel.input_shape[:3] and w.shape[:2] == channel.kernel_shape[:2]
    if not fits or x.ndim != 4 or w.shape[2:] != x.shape[3:]:
        raise ValueError(
            f"x of shape {x.shape} and w of shape {w.shape} do not fit {channel}; they need "
            f"{(*channel.input_shape[:3], 'i_c')} and {(*channel.kernel_shape[:2], 'i_c')}"
        )
    y = aligned_output((*channel.output_shape[:3], x.shape[3])) if out is None else out
    call(np.ascontiguousarray(x, np.float32), prepare(w), channel, threads_now(), y)()
    return y


def alone(problem: ConvProblem) -> ConvProblem:
    """Return the problem that each channel of a depthwise one poses alone, with one filter."""
    return replace(problem, i_c=1, k_c=1, groups=1)


def repeated(x: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `x` with each channel as often as it has filters, side by side; `x` itself if one."""
    times = problem.k_c // problem.i_c
    return x if times == 1 else np.repeat(x, times, axis=3)


def _repeated_bytes(problem: ConvProblem) -> int:
    if problem.k_c == problem.i_c:
        return 0
    return 4 * problem.i_n * problem.i_h * problem.i_w * problem.k_c


def _unsupported(problem: ConvProblem) -> str | None:
    if problem.depthwise:
        return None
    return (
        f"it has i_c={problem.i_c} in groups={problem.groups}, and this method takes 2 "
        "channels or more, each a group of its own (groups=i_c); use microkernel"
    )


def _cost(problem: ConvProblem) -> float:
    """Twice the multiply-adds: each needs a load of its own."""
    p, lanes = problem, host_isa().lanes
    return 2 * costs.products(p.pixels, p.window, p.k_c, lanes) / threads_now()


@method(
    name="depthwise",
    chapter=17,
    rung=1,
    workspace_bytes=_repeated_bytes,
    unsupported=_unsupported,
    prepare=lambda w, problem: prepare(w[:, :, 0]),
    skips_padding=True,
    cost=_cost,
    dilation_and_groups="itself",
)
def depthwise(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `x` and prepared weights, on the threads Numba may use.

    Where each channel has its own filter there is no sum over channels to make a GEMM of: lanes are
    channels, and a tile of pixels shares each load of weights.
    """
    y = aligned_output(problem.output_shape)
    threads = worth(problem.macs, threads_now())
    call(repeated(x, problem), w, alone(problem), threads, y)()
    return y
