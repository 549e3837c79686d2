"""Winograd's convolution as vector code: fewer multiplications, done by the microkernel's tile.

A block of tiles is transformed, multiplied and transformed back while it lies in a cache near the
core. To transform all of them first, as im2col lowers all windows, writes V and M to memory;
compare Gelashvili, Shavit & Zlateski, "L3 fusion: fast transformed convolutions on CPUs" (arXiv
1912.02165).
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from ..core.winograd_transforms import (
    Tiles,
    error_model,
    operations,
    sides,
    sizes,
    transform_weights,
    unsupported,
)
from . import costs, microkernel
from .isa import host_isa
from .simd.blocking import Tile, channel_blocks, tile_for
from .simd.scratch import own_values
from .threads import threads_now

LINE = 16  # float32 values of a cache line
APART = 16  # values between planes: a stride of 4 KiB would put them all into one set of a cache
BLOCKS = (12, 24, 48, 96)  # tiles of a block, to choose from, besides all of them
TRANSFORM = 8  # multiply-adds in the time that a vector of V or M takes, besides its arithmetic


class Cut(NamedTuple):
    """How tiles are shared out: in `blocks` of nearly equal size, each one thread's from begin to
    end; or, `together`, all in one block, every thread doing a part of each step."""

    blocks: int
    together: bool


def cost(problem: ConvProblem, m: int, way: Cut, threads: int) -> float:
    """Return the time expected of F(m×m), in multiply-adds of whole vectors: see `costs`."""
    return sum(parts(problem, m, way, threads).values())


def parts(problem: ConvProblem, m: int, way: Cut, threads: int) -> dict[str, float]:
    """Return the parts of `cost`: products, transforms, and the traffic beyond the cache. U is
    read once for each block; V and M are written and read, maybe by another thread.
    """
    p, t, lanes = problem, Tiles.of(problem, m), host_isa().lanes
    inputs, outputs = (-(-channels // lanes) for channels in (p.i_c, p.k_c))  # vectors of them
    sums, sums_back = operations(*sides(p.k_h, p.k_w, m))
    moved = TRANSFORM * t.places * (inputs + outputs)
    tiles = -(-t.count // way.blocks)  # of a block
    times = 1 / threads if way.together else -(-way.blocks // threads)
    V_and_M = 4 * t.places * tiles * (p.i_c + p.k_c)
    others = costs.fetched(V_and_M) * (1 - 1 / threads) if way.together else 0.0
    return {
        "products": times * t.places * costs.products(tiles, p.i_c, p.k_c, lanes),
        "transforms": times * tiles * (moved + sums * inputs + sums_back * outputs),
        "V and M": times * (2 * costs.streamed(V_and_M) + others),
        "U": times * costs.streamed(4 * t.places * p.i_c * p.k_c),
    }


@lru_cache(maxsize=256)
def cut(problem: ConvProblem, m: int, threads: int) -> Cut:
    """Return the best one for F(m×m) by `cost`."""
    count = Tiles.of(problem, m).count
    numbers = {-(-count // tiles) for tiles in (*BLOCKS, count)}
    numbers = {min(count, -(-number // threads) * threads) for number in numbers}
    ways = [Cut(number, False) for number in sorted(numbers)] + [Cut(1, True)]
    return min(ways, key=lambda way: cost(problem, m, way, threads))


def expected(problem: ConvProblem, m: int, threads: int) -> float:
    """Return the `cost` of F(m×m) cut as well as can be."""
    return cost(problem, m, cut(problem, m, threads), threads)


@lru_cache(maxsize=256)
def choose(problem: ConvProblem) -> int:
    """Return the `m` that should be fastest, on one thread: weights are prepared for any number."""
    return min(sizes(problem), key=lambda m: expected(problem, m, 1))


def product(problem: ConvProblem, m: int, tiles: int) -> tuple[ConvProblem, Tile]:
    """Return the problem that one plane of a block poses, and the register tile for it."""
    one = ConvProblem(1, 1, tiles, problem.i_c, 1, 1, problem.k_c)
    return one, tile_for(one, host_isa(), Tiles.of(problem, m).places)


def _plane(problem: ConvProblem, m: int) -> int:
    """Return the values of a plane of U, packed."""
    _, size = product(problem, m, 1)
    vectors, _ = channel_blocks(problem.k_c, size)
    return _lines(vectors * size.lanes * problem.i_c)


def _lines(values: int) -> int:
    return -(-values // LINE) * LINE


def pack(w: np.ndarray, problem: ConvProblem, m: int) -> np.ndarray:
    """Return `U` in the order of use: plane after plane, each packed as the microkernel's weights.

    Transformed in float64, rounded once.
    """
    one, size = product(problem, m, 1)
    planes = transform_weights(w, m).reshape(-1, problem.i_c, problem.k_c)
    plane = _plane(problem, m)
    U = microkernel.aligned(len(planes) * plane)
    for number, values in enumerate(planes):
        microkernel.pack(values, one, size, U[number * plane :])
    return U


def prepare(w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `pack` for the `m` that is chosen."""
    return pack(w, problem, choose(problem))


class Workspace(NamedTuple):
    """Float32 values: of a plane of V and of M, `copies` of all planes; of a thread's `own`."""

    V: int
    M: int
    copies: int
    own: int

    @classmethod
    def of(cls, problem: ConvProblem, m: int, way: Cut, threads: int) -> Workspace:
        """Return the workspace for `convolve`."""
        t, lanes = Tiles.of(problem, m), host_isa().lanes
        tiles = -(-t.count // way.blocks)
        V, M = (_lines(tiles * channels) + APART for channels in (problem.i_c, problem.k_c))
        own = _lines(own_values(t.places, problem.i_c, problem.k_c, lanes))
        return cls(V, M, 1 if way.together else threads, own)

    def values(self, places: int, threads: int) -> int:
        """Return all of them, for tiles of `places` products."""
        return self.copies * places * (self.V + self.M) + threads * self.own


def workspace_bytes(problem: ConvProblem) -> int:
    """Return the bytes of V, M and each thread's own, for as many threads as now."""
    m, threads = choose(problem), threads_now()
    memory = Workspace.of(problem, m, cut(problem, m, threads), threads)
    return 4 * memory.values(Tiles.of(problem, m).places, threads)


class Arranged(NamedTuple):
    """What `convolve` needs besides its arrays: a WORK, seen as int64, without what is of a call;
    the plans that it points to; the code of a part."""

    work: np.ndarray
    plans: list[np.ndarray]
    memory: Workspace
    address: int


@lru_cache(maxsize=256)
def arranged(problem: ConvProblem, m: int, way: Cut, threads: int) -> Arranged:
    """Return it, once for each problem: to work it out takes as long as a small convolution."""
    from .simd import macrokernel, winograd  # Numba: only for those who run this

    p, t, memory = problem, Tiles.of(problem, m), Workspace.of(problem, m, way, threads)
    smaller, larger = (
        product(p, m, tiles) for tiles in (t.count // way.blocks, -(-t.count // way.blocks))
    )
    ready = [macrokernel.planned(one, size, 1) for one, size in (smaller, larger)]
    plans = [array for layout, boxes, _ in ready for array in (layout, boxes)]
    names = ("layout", "boxes", "more_layout", "more_boxes")
    values = {name: array.ctypes.data for name, array in zip(names, plans, strict=True)} | dict(
        tiles=t.count, blocks=way.blocks, threads=threads, own_next=4 * memory.own,
        next=0 if way.together else 4 * t.places * (memory.V + memory.M),
        V_plane=memory.V, U_plane=_plane(p, m), M_plane=memory.M, rows=t.rows, cols=t.cols,
        i_h=p.i_h, i_w=p.i_w, i_c=p.i_c, o_h=p.o_h, o_w=p.o_w, k_c=p.k_c, p_h=p.p_h, p_w=p.p_w,
        product=ready[1][2], parts=-(-threads // 4) if way.together else 1,
    )  # fmt: skip
    work = np.array([tuple(values.get(name, 0) for name in winograd.WORK.names)], winograd.WORK)
    code = winograd.compiled(*sides(p.k_h, p.k_w, m), host_isa().lanes)
    return Arranged(work.view(np.int64), plans, memory, code.address)


def convolve(
    x: np.ndarray, U: np.ndarray, problem: ConvProblem, m: int, way: Cut, threads: int
) -> np.ndarray:
    """Return `y[i_n,o_h,o_w,k_c]` from what `pack` made for the same `m`, on `threads` threads."""
    from .simd import winograd
    from .simd import work_stealing as spread

    ready, places = arranged(problem, m, way, threads), Tiles.of(problem, m).places
    memory = ready.memory
    # Whole vectors are stored: two lines for each, were y not aligned.
    y = microkernel.aligned(prod(problem.output_shape)).reshape(problem.output_shape)
    space = microkernel.aligned(memory.values(places, threads))
    planes = memory.copies * places * (memory.V + memory.M)
    space[planes:] = 0  # a thread's own
    taken, counters = spread.counters(threads), spread.counters(threads)
    at, work, numbers = space.ctypes.data, ready.work.copy(), np.zeros(spread.ARGUMENTS, np.int64)
    work[: len(winograd.OF_A_CALL)] = (
        winograd.ALL, x.ctypes.data, U.ctypes.data, y.ctypes.data, at, at + 4 * places * memory.V,
        at + 4 * planes, taken.ctypes.data,
    )  # fmt: skip
    numbers[0] = work.ctypes.data
    for step in winograd.STEPS if way.together else (winograd.ALL,):
        work[0] = step
        spread.run(ready.address, counters, numbers)
    return y


@method(
    name="winograd",
    chapter=6,
    rung=2,
    workspace_bytes=workspace_bytes,
    unsupported=unsupported,
    prepare=prepare,
    error_model=lambda p: error_model(p, choose(p)),
    cost=lambda p: expected(p, choose(p), threads_now()),
)
def winograd(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `x` and prepared weights, on the threads Numba may use.

    The transforms as vector code, and a block of tiles stays in the cache from the first transform
    to the last; tiles of 2, 4 or 6 by a model of layer and machine.
    """
    m, threads = choose(problem), threads_now()
    return convolve(x, w, problem, m, cut(problem, m, threads), threads)
