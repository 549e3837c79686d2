"""Depthwise convolution: a thread a channel, or a tile of outputs of one or a few channels.

How large a tile pays was read off timings on one NVIDIA H200 (CUDA 13.0, cuDNN 9.19, November
2026). What is chosen takes so much longer than the best tile that was tried:

    stride  chosen by         mean, most   on others         mean, most   cuDNN takes there
    1       16 layers, by 6   1 %, 6 %     12 layers, by 5   2 %, 9 %     1.5 times, 1.1 at least
    2       26 layers, by 9   2 %, 14 %    10 layers, by 9   3 %, 15 %    1.2 times, 0.99 at least

On the 26 cuDNN takes 1.2 times as long, and 0.90 times on 8 images of 56 × 56 × 144.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..core.problem import ConvProblem
from ..core.registry import method
from .chip import chip
from .launch import Launch, dimensions, instance, run_launch, too_many, value_launch

FILE = "depthwise.cu"
PIXELS = 4  # outputs of a thread of `conv_depthwise`, as the `#define` in the file says
CHANNELS = {3: 2, 5: 2, 7: 1}  # of a thread, by the window's side: its weights fill registers
MOST = 2**31 - 1  # values of a row of x, and of all weights


@dataclass(frozen=True)
class DepthwiseTile:
    """`rows` × `columns` outputs of a thread, for windows of one of the `sides`.

    Taken if that leaves each multiprocessor at least `warps`: with fewer it would wait for memory.
    """

    rows: int
    columns: int
    warps: int
    sides: tuple[int, ...] = tuple(CHANNELS)


TILES = {  # by stride, the largest first
    1: (
        DepthwiseTile(7, 4, warps=8),
        DepthwiseTile(7, 2, warps=4),
        DepthwiseTile(2, 2, warps=2),
        DepthwiseTile(1, 2, warps=0),
    ),
    2: (  # where fewer outputs see a value of x
        DepthwiseTile(7, 2, warps=4, sides=(5, 7)),
        DepthwiseTile(3, 2, warps=3),
        DepthwiseTile(1, 2, warps=0),
    ),
}


@cache
def depthwise_launch(problem: ConvProblem) -> Launch:
    """Return the launch that suits a problem: with a tile a thread, or of any window."""
    return tile_launch(problem) if tiled(problem) else any_launch(problem)


def any_launch(problem: ConvProblem) -> Launch:
    """Return a launch with a thread for `PIXELS` outputs of a row and channel."""
    p = problem
    threads = p.i_n * p.o_h * -(-p.o_w // PIXELS) * p.k_c
    return value_launch(FILE, "conv_depthwise", threads, _sizes(p))


def tiled(problem: ConvProblem) -> bool:
    """Return whether `conv_depthwise_tile` takes a problem: windows and strides that it knows."""
    p = problem
    return (
        p.k_h == p.k_w
        and p.k_h in CHANNELS
        and p.stride[0] == p.stride[1]
        and p.stride[0] in TILES
        and tuple(p.dilation) == (1, 1)
    )


def tile_launch(problem: ConvProblem, tile: DepthwiseTile | None = None) -> Launch:
    """Return a launch with a thread for `tile`'s outputs of a few channels.

    `tile` defaults to the first of `TILES` that suits the problem and this chip.
    """
    p = problem
    tile = tile or next(each for each in TILES[p.stride[0]] if _suits(each, p))
    numbers = _vector(p), p.k_h, p.stride[0], tile.rows, tile.columns
    name = instance("conv_depthwise_tile", *numbers)
    return value_launch(FILE, name, _threads(p, tile), _sizes(p))


def _suits(tile: DepthwiseTile, problem: ConvProblem) -> bool:
    fewest = 32 * tile.warps * chip().multiprocessors
    return problem.k_h in tile.sides and _threads(problem, tile) >= fewest


def _vector(problem: ConvProblem) -> int:
    """Return the channels of a thread: one where several do not align, or share one of x."""
    vector = CHANNELS[problem.k_h]
    return vector if problem.k_c == problem.i_c and problem.k_c % vector == 0 else 1


def _threads(problem: ConvProblem, tile: DepthwiseTile) -> int:
    p = problem
    tiles = -(-p.o_h // tile.rows) * -(-p.o_w // tile.columns)
    return p.i_n * tiles * p.k_c // _vector(p)


def _sizes(problem: ConvProblem) -> tuple[int, ...]:
    return (*dimensions(problem), *problem.dilation)


def _unsupported(problem: ConvProblem) -> str | None:
    p = problem
    if not p.depthwise:
        return (
            f"it has i_c={p.i_c} in groups={p.groups}, and this kernel takes 2 channels or "
            "more, each a group of its own (groups=i_c); use gpu_coalesced for one group"
        )
    for what, values in (("a row of x", p.i_w * p.i_c), ("w", p.k_h * p.k_w * p.k_c)):
        if values > MOST:
            return f"{what} has {values:,} values, and the kernel can number {MOST:,}"
    return too_many(p)


@method(
    name="gpu_depthwise",
    device="gpu",
    chapter=8,
    rung=4,
    workspace_bytes=lambda problem: 0,
    skips_padding=True,
    unsupported=_unsupported,
    dilation_and_groups="itself",
)
def gpu_depthwise(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, device arrays; `w[k_h,k_w,1,k_c]`.

    With no sum over channels a value has k_h·k_w multiply-adds and no more, so the bytes, each
    moved once, set the pace, if a thread uses what it has loaded for every output that sees it.
    """
    return run_launch(depthwise_launch, x, w, problem)
