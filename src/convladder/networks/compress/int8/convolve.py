"""Pack int8 weights once, then convolve bytes with them: no lowered matrix, no workspace."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ....core.problem import ConvProblem
from ....cpu.microkernel import aligned
from ....cpu.simd.blocking import BOX, LAYOUT, Tile, channel_blocks, plan, tile_sizes
from ....cpu.threads import threads_now

if TYPE_CHECKING:  # it needs Numba
    from .dots import Dot

MOST = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Packed:
    """Weights in the order of use, and what is done with the sums.

    `quads`: int32, each four int8 weights of neighbouring channels of the input; `first`: int32
    `[boxes, channels]`, what the sums of each box of output pixels begin with; `scale`: float32
    `[channels]`; `zero`, `least`: of the output's grid. Without requantisation `raw` is true.
    """

    quads: np.ndarray
    first: np.ndarray
    scale: np.ndarray
    zero: int
    least: int
    raw: bool
    size: Tile
    dot: Dot
    kernel_shape: tuple[int, int, int, int]

    @property
    def nbytes(self) -> int:
        return self.quads.nbytes + self.first.nbytes + self.scale.nbytes


def pack(
    q: np.ndarray,
    problem: ConvProblem,
    *,
    x_zero: int = 0,
    bias: np.ndarray | None = None,
    multiplier: np.ndarray | None = None,
    y_zero: int = 0,
    relu: bool = False,
    dot: Dot | None = None,
    size: Tile | None = None,
) -> Packed:
    """Pack weights `q[k_h,k_w,i_c,k_c]`, int8, for bytes whose `x_zero` stands for 0.

    With `bias` (int32 `[k_c]`) the sums begin. With `multiplier` (float32 `[k_c]`) they become
    bytes: clip(round(sum · multiplier)) + `y_zero`, from `y_zero` on with `relu`; without, int32.
    `dot` and `size` are this machine's unless given.

    Raises `TypeError` or `ValueError` for other types and shapes, for a zero point that is no byte,
    and where a sum could exceed int32.
    """
    from .dots import host_dot, tile_for  # Numba: only for those who run this

    p = problem
    _check(q, p, x_zero, y_zero, bias, multiplier)
    dot = host_dot() if dot is None else dot
    size = tile_for(p, dot) if size is None else size
    vectors, blocks = channel_blocks(p.k_c, size)
    channels = vectors * size.lanes
    run = run_of(p)
    padded = np.zeros((p.window // run, -(-run // 4) * 4, channels), np.int8)
    padded[:, :run, : p.k_c] = q.reshape(-1, run, p.k_c)
    steps = padded[..., 0].size // 4
    # [steps, channels] of quads: the four weights of a quad side by side, the first one lowest.
    matrix = np.ascontiguousarray(padded.reshape(steps, 4, channels).transpose(0, 2, 1))
    matrix = matrix.view("<i4")[..., 0]
    quads = aligned(steps * channels).view(np.int32)
    narrow, wider = divmod(vectors, blocks)
    begin = 0
    for number in range(blocks):
        wide = (narrow + (number < wider)) * size.lanes
        block = quads[begin * steps :][: wide * steps].reshape(steps, wide)
        block[:] = matrix[:, begin : begin + wide]
        begin += wide
    first = np.zeros((len(_inside(p)), channels), np.int32)
    first[:, : p.k_c] = _beginnings(q, p, x_zero - (128 if dot.signed else 0), bias)
    scale = np.zeros(channels, np.float32)
    scale[: p.k_c] = 0 if multiplier is None else multiplier
    least = y_zero if relu else 0
    return Packed(quads, first, scale, y_zero, least, multiplier is None, size, dot, q.shape)


def convolve(
    x: np.ndarray, packed: Packed, problem: ConvProblem, threads: int | None = None
) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` of bytes `x[i_n,i_h,i_w,i_c]`; uint8, or int32 if `packed.raw`.

    On as many threads as Numba may use, or on `threads`. Raises `TypeError` or `ValueError` for an
    `x` that is not of the problem, and for weights packed for another kernel.
    """
    from ....cpu.simd import work_stealing as spread

    p = problem
    if not isinstance(x, np.ndarray) or x.dtype != np.uint8:
        raise TypeError(
            f"x is {getattr(x, 'dtype', type(x).__name__)}; an int8 convolution takes "
            "uint8: quantise it with an affine grid"
        )
    if x.shape != p.input_shape or not x.flags.c_contiguous:
        raise ValueError(
            f"x has shape {x.shape}, strides {x.strides}; the problem {p} takes "
            f"{p.input_shape}, C-contiguous"
        )
    threads = threads or threads_now()
    layout, boxes, address = _ready(p, packed.size, packed.dot.how, packed.raw, threads)
    if packed.kernel_shape != p.kernel_shape or len(packed.first) != len(boxes.view(BOX)):
        raise ValueError(f"the weights were packed for another problem than {p}; pack them anew")
    y = np.empty(p.output_shape, np.int32 if packed.raw else np.uint8)
    arrays = (layout, boxes, x, packed.quads, packed.first, packed.scale, y)
    places = [array.ctypes.data for array in arrays]
    numbers = np.array([*places, run_of(p), packed.zero, packed.least])
    spread.run(address, spread.counters(threads), numbers)
    return y


@lru_cache(maxsize=256)
def _ready(
    problem: ConvProblem, size: Tile, how: str, raw: bool, threads: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return layout and boxes of `cut`, and the address of the share; its tiles are compiled."""
    from .partition import compiled, tiles

    layout, boxes = cut(problem, size, threads)
    layout = layout.copy()
    sizes = tile_sizes(layout, boxes)
    layout.view(LAYOUT)["tiles"] = tiles(size.lanes, how, raw).address(sizes)
    return layout, boxes, compiled(raw).address


def run_of(problem: ConvProblem) -> int:
    """Return the bytes of the window that lie side by side, cut into fours: a kernel's row.

    Where padding cuts rows short it is a pixel, and with three channels every fourth product idle.
    """
    return problem.i_c * (problem.k_w if problem.p_w == 0 else 1)


@lru_cache(maxsize=256)
def cut(problem: ConvProblem, size: Tile, threads: int) -> tuple[np.ndarray, np.ndarray]:
    """Plan as `cpu.simd.blocking.plan`, with steps of four bytes: `(layout, boxes)`.

    `run` counts runs (see `run_of`) in a row of the kernel here.
    """
    p, run = problem, run_of(problem)
    layout, boxes = (array.copy() for array in plan(p, size, threads))
    quads = -(-run // 4)
    each, all_of_it = boxes.view(BOX), layout.view(LAYOUT)
    each["run"] //= run
    each["w_at"] = each["w_at"] // run * quads
    all_of_it["steps"], all_of_it["w_next"] = p.window // run * quads, p.k_w * p.i_c // run * quads
    return layout, boxes


@lru_cache(maxsize=256)
def _inside(problem: ConvProblem) -> tuple[tuple[slice, slice], ...]:
    """Of each box of output pixels, the part of the kernel that lies inside the image."""
    _, boxes = plan(problem, Tile(1, 1, 4), 1)
    parts = []
    for box in boxes.view(BOX):
        row, col = divmod(int(box["w_at"]) // problem.i_c, problem.k_w)
        wide = int(box["run"]) // problem.i_c
        parts.append((slice(row, row + int(box["k_rows"])), slice(col, col + wide)))
    return tuple(parts)


def _beginnings(
    q: np.ndarray, problem: ConvProblem, zero: int, bias: np.ndarray | None
) -> np.ndarray:
    """int32 `[boxes, k_c]`: the bias less `zero` times the weights inside the image.

    Padding is a real zero and is never multiplied, so each box has another sum of weights.
    """
    whole = q.astype(np.int64)
    first = np.array([-zero * whole[part].sum(axis=(0, 1, 2)) for part in _inside(problem)])
    first += 0 if bias is None else bias
    largest = int(np.abs(first).max() + 255 * np.abs(whole).sum(axis=(0, 1, 2)).max())
    if largest > MOST:
        raise ValueError(
            f"a sum of {problem} may reach {largest}, beyond int32 ({MOST}); use "
            "fewer bits, a smaller bias, or split the channels of the input"
        )
    return first.astype(np.int32)


def _check(q, problem, x_zero, y_zero, bias, multiplier) -> None:
    if not isinstance(q, np.ndarray) or q.dtype != np.int8:
        raise TypeError(
            f"weights are {getattr(q, 'dtype', type(q).__name__)}; this kernel takes "
            "int8, of a symmetric grid"
        )
    if q.shape != problem.kernel_shape:
        raise ValueError(f"weights have shape {q.shape}; {problem} takes {problem.kernel_shape}")
    for name, zero in (("x_zero", x_zero), ("y_zero", y_zero)):
        if not 0 <= zero <= 255:
            raise ValueError(f"{name}={zero} is not a byte; use 0 to 255")
    for name, array, kind in (("bias", bias, np.int32), ("multiplier", multiplier, np.float32)):
        if array is not None and (array.dtype != kind or array.shape != (problem.k_c,)):
            raise ValueError(
                f"{name} is {array.dtype} of shape {array.shape}; it is "
                f"{np.dtype(kind)} of shape ({problem.k_c},)"
            )
    if multiplier is not None and not (np.isfinite(multiplier) & (multiplier >= 0)).all():
        raise ValueError(
            "multiplier holds negative numbers, NaN or infinity; it is a quotient of "
            "scales, which are positive"
        )
