"""Winograd's convolution as vector code: fewer multiplications, done by the microkernel's tile.

A block of tiles is transformed, multiplied and transformed back while it lies in the cache. Non-
fused implementations write all of V and M to memory, as much as im2col does; compare Gelashvili,
Shavit & Zlateski, "L3 fusion: fast transformed convolutions on CPUs" (arXiv 1912.02165).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..isa import host_isa
from ..problem import ConvProblem
from ..reference import ErrorModel
from ..registry import method
from ..winograd import Tiles, growth, transform_weights, unsupported
from . import microkernel
from .threads import threads_now
from .vector.blocking import Tile, channel_blocks, plan, tile_for

LINE = 16  # float32 values of a cache line
APART = 16  # values between planes: a stride of 4 KiB would put them all into one set of the cache
IN_CACHE = 2**20  # bytes of V and M that stay near a core


class Cut(NamedTuple):
    """How the work is cut: F(m×m), and blocks of tiles; `together`, all threads on the only one."""

    m: int
    blocks: int
    together: bool


@lru_cache(maxsize=256)
def cut(problem: ConvProblem, threads: int, m: int | None = None) -> Cut:
    m = m or 4
    t = Tiles.of(problem, m)
    return Cut(m, -(-t.count // 24), False)


def product(problem: ConvProblem, tiles: int) -> tuple[ConvProblem, Tile]:
    """Return the problem that one plane of a block poses, and the register tile for it."""
    one = ConvProblem(1, 1, tiles, problem.i_c, 1, 1, problem.k_c)
    return one, tile_for(one, host_isa())


def _planes(problem: ConvProblem, size: Tile) -> int:
    vectors, _ = channel_blocks(problem.k_c, size)
    return -(-vectors * size.lanes * problem.i_c // LINE) * LINE


def pack(w: np.ndarray, problem: ConvProblem, m: int) -> np.ndarray:
    """Return `U` in the order of use, a plane after the other, each packed as the microkernel's."""
    one, size = product(problem, 1)
    U = transform_weights(w, m).reshape(-1, problem.i_c, problem.k_c).astype(np.float32)
    plane = _planes(problem, size)
    packed = aligned(len(U) * plane)
    for place, weights in enumerate(U):
        values = microkernel.pack(weights, one, size)
        packed[place * plane :][: len(values)] = values
    return packed


def aligned(count: int) -> np.ndarray:
    """Return `count` float32 values from the begin of a cache line on."""
    spare = np.empty(count + LINE, np.float32)
    return spare[-spare.ctypes.data % 64 // 4 :][:count]


def convolve(x: np.ndarray, U: np.ndarray, problem: ConvProblem, way: Cut, threads: int) -> np.ndarray:
    from .vector import share, spread, winograd

    p, (m, blocks, together) = problem, way
    t, lanes = Tiles.of(p, m), host_isa().lanes
    largest = -(-t.count // blocks)
    one, size = product(p, largest)
    lesser, _ = product(p, t.count // blocks)
    y = np.empty(p.output_shape, np.float32)
    V_plane, M_plane = (-(-largest * c // LINE) * LINE + APART for c in (p.i_c, p.k_c))
    rooms = 1 if together else threads
    planes = aligned(rooms * t.a**2 * (V_plane + M_plane))
    own_values = -(-winograd.own_values(t.a, p.i_c, p.k_c, lanes) // LINE) * LINE
    own = aligned(threads * own_values)
    own.fill(0)
    parts = threads * spread.PIECES if together else 1
    parts = 1
    more, less = (plan(each, size, 1) for each in (one, lesser))
    taken, counters = spread.counters(threads), spread.counters(threads)
    work = np.zeros(1, winograd.WORK)
    values = dict(
        tiles=t.count, blocks=blocks, x=x.ctypes.data, U=U.ctypes.data, y=y.ctypes.data,
        V=planes.ctypes.data, M=planes.ctypes.data + 4 * t.a**2 * V_plane,
        next=0 if together else 4 * t.a**2 * (V_plane + M_plane),
        own=own.ctypes.data, own_next=4 * own_values, taken=taken.ctypes.data, threads=threads,
        V_plane=V_plane, U_plane=_planes(p, size), M_plane=M_plane,
        i_h=p.i_h, i_w=p.i_w, i_c=p.i_c, o_h=p.o_h, o_w=p.o_w, k_c=p.k_c, p_h=p.p_h, p_w=p.p_w,
        rows=t.rows, cols=t.cols, product=share.compiled(size).address,
        layout=less[0].ctypes.data, boxes=less[1].ctypes.data, more_layout=more[0].ctypes.data, more_boxes=more[1].ctypes.data,
        parts=parts,
    )
    for k, v in values.items(): work[k] = v
    code = winograd.compiled(m, p.k_h, lanes)
    numbers = np.zeros(spread.ARGUMENTS, np.int64)
    numbers[0] = work.ctypes.data
    for step in ((winograd.INPUTS, winograd.PRODUCTS, winograd.OUTPUTS) if together else (winograd.ALL,)):
        work["step"] = step
        spread.run(code.address, counters, numbers)
    return y
