"""A matrix product of one's own: the microkernel's tile in the five loops of BLIS.

`@` hands two matrices to BLAS, which is called "tuned" and left at that. This is the whole of it:
the tile of chapter 05, and three block sizes that follow from the sizes of the caches.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from .isa import Isa, host_isa
from .microkernel import aligned
from .simd.blocking import Tile

USUAL_CACHES = {"L1d": 32 * 2**10, "L2": 512 * 2**10, "L3": 4 * 2**20}
FOR_C = 1 / 8  # of the first cache, one way of eight: for the sums that come and go
LINE = 16  # float32 values of a cache line
CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)  # lets go of the interpreter's lock


class Blocks(NamedTuple):
    """Sizes of the blocks that stay in a cache.

    BLIS calls them m_c, k_c and n_c. `k_c` is the output channels in this course, so here they are
    `rows` of A and C, `steps` of the sum, `columns` of B and C.
    """

    rows: int
    steps: int
    columns: int


def gemm_tile(isa: Isa | None = None) -> Tile:
    """Return the tile of the package's GEMM: 6 by 4 vectors of 32 registers, 6 by 2 of 16."""
    isa = host_isa() if isa is None else isa
    return Tile(6, 4 if isa.registers >= 32 else 2, isa.lanes)


def predicted_blocks(tile: Tile, caches: Mapping[str, int], sliver: str = "L1d") -> Blocks:
    """Return the block sizes that follow from a tile and from bytes of "L1d", "L2" and "L3".

    A cache that is not named gets a usual size. `sliver` says which cache holds a sliver of B, the
    tile's columns by all steps. In the first, there are two slivers of A beside it (the one in use,
    and the next, which comes meanwhile) and a part for C. In the second it takes a quarter. The
    second holds a block of A in one half, since B and C pass through the other; so the last one
    with a panel of B. After T. M. Low, F. D. Igual, T. M. Smith and E. S. Quintana-Ortí,
    "Analytical modeling is enough for high-performance BLIS" (ACM TOMS 43(2), 2016), who count in
    ways of the caches and keep the sliver in the first. Raises `ValueError` for another `sliver`.
    """
    if sliver not in ("L1d", "L2"):
        raise ValueError(f"sliver={sliver!r}: a sliver of B is kept in 'L1d' or in 'L2'")
    first, second = (caches.get(name, USUAL_CACHES[name]) for name in ("L1d", "L2"))
    wide = tile.vectors * tile.lanes
    fits = (1 - FOR_C) * first / (wide + 2 * tile.pixels) if sliver == "L1d" else second / 4 / wide
    return blocks_with(tile, caches, max(LINE, int(fits / 4) // LINE * LINE))


def blocks_with(tile: Tile, caches: Mapping[str, int], steps: int) -> Blocks:
    """Return blocks of so many steps, whose rows and columns fill half of a cache each.

    A block of A half of the second, and a panel of B half of the last; `caches` as above.
    """
    wide = tile.vectors * tile.lanes
    second, last = (caches.get(name, USUAL_CACHES[name]) for name in ("L2", "L3"))
    rows, columns = (size // 2 // (4 * steps) for size in (second, max(second, last)))
    return Blocks(max(1, rows // tile.pixels) * tile.pixels, steps, max(1, columns // wide) * wide)


def moved(tile: Tile, blocks: Blocks) -> dict[str, float]:
    """Return bytes that GEMM moves for each multiply-add, by what they belong to.

    "C": each sum is read and written once a pass of `steps`. "A packed": a block is read and
    written once a panel. "A", "B": what a tile loads of a sliver serves the other side of it.
    "B again": a panel is fetched anew for each block of rows.
    """
    return {
        "C": 8 / blocks.steps,
        "A packed": 8 / blocks.columns,
        "B again": 4 / blocks.rows,
        "A": 4 / (tile.vectors * tile.lanes),
        "B": 4 / tile.pixels,
    }


def gemm(a: np.ndarray, b: np.ndarray, blocks: Blocks, tile: Tile | None = None) -> np.ndarray:
    """Return `a[m,k] @ b[k,n]` in float32, on one core.

    `blocks` larger than the matrices are cut to them. `tile`: the largest register tile,
    `gemm_tile()` if None. Raises `ValueError` for
    arrays that are not two float32 matrices, C-contiguous, of a common `k`, and for blocks below 1.
    """
    from .simd import gemm as simd  # Numba, and compilation: only for those who run this

    for name, matrix in (("a", a), ("b", b)):
        if matrix.ndim != 2 or matrix.dtype != np.float32 or not matrix.flags.c_contiguous:
            raise ValueError(
                f"{name} is {matrix.dtype}{list(matrix.shape)}: give a float32 "
                "matrix, C-contiguous (np.ascontiguousarray)"
            )
    (m, k), n = a.shape, b.shape[1]
    if b.shape[0] != k:
        raise ValueError(f"a has {k} columns and b {b.shape[0]} rows: they must be equal")
    tile = gemm_tile() if tile is None else tile
    if min(blocks) < 1:
        raise ValueError(f"{blocks}: a block has at least 1 of each")
    c = np.empty((m, n), np.float32)
    if 0 in (m, k, n):
        c[:] = 0
        return c
    rows, steps, columns = (min(part, whole) for part, whole in zip(blocks, (m, k, n)))
    pitch = -(-steps // LINE) * LINE + LINE  # rows a power of two apart would share few lines
    numbers = np.array([m, k, n, rows, steps, columns, pitch], np.int64)
    packed = aligned(rows * pitch), aligned(steps * (columns + tile.lanes))
    arrays = a, b, c, *packed, numbers
    CALL(simd.five_loops(tile).address)(*(array.ctypes.data for array in arrays))
    return c
