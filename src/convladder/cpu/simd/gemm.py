"""A matrix product: BLIS's five loops round the register tile, compiled once for each tile size.

Each loop cuts off a part that stays in one cache while the loops inside of it use it again: a panel
of B in the last-level cache, a block of A in the second, a sliver of B in the first, the sums in
registers (Goto and van de Geijn 2008, Van Zee and van de Geijn 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...core.jit import compiled_once, numba
from .blocking import Tile
from .emit import INT, literals, pointer
from .macrokernel import FLOATS
from .pack import clear, copy
from .tile import build_tile


@intrinsic
def _floats(typing_context, address):
    """Take an address as a pointer to float32."""

    def emit(context, b, signature, arguments):
        return pointer(b, arguments[0])

    return FLOATS(address), emit


def _call_of_size(
    b: ir.IRBuilder, size: tuple[ir.Value, ir.Value], most: tuple[int, int],
    build: Callable[[int, int], ir.Function], tuples: Sequence[ir.Value],
) -> None:  # fmt: skip
    """Call the tile of `size`, pixels and vectors, which `build(pixels, vectors)` has emitted.

    One function a size is emitted, up to `most` of both, and a jump to the one asked for. Its
    arguments come as three tuples: arrays, where to begin in each, numbers.
    """
    arrays, at, numbers = (cgutils.unpack_tuple(b, values) for values in tuples)
    begin = [b.gep(array, [offset]) for array, offset in zip(arrays, at, strict=True)]
    (pixels, vectors), (p_most, v_most) = size, most
    rest = b.append_basic_block("tile.rest")
    choice = b.switch(b.add(b.mul(vectors, INT(p_most + 1)), pixels), rest)
    for v in range(1, v_most + 1):
        for p in range(1, p_most + 1):
            function = build(p, v)
            block = b.append_basic_block(f"tile.{p}x{v}")
            choice.add_case(INT(v * (p_most + 1) + p), block)
            with b.goto_block(block):
                b.call(function, [*begin, *numbers])
                b.branch(rest)
    b.position_at_end(rest)


@intrinsic
def tile(
    typing_context, most_pixels, most_vectors, lanes, depthwise,
    pixels, vectors, arrays, at, numbers,
):  # fmt: skip
    """Compute `pixels` by `vectors` of a tile of `lanes` lanes, of any size up to the literal most.

    `arrays` are the pointers (x, w, y) to float32, `at` where to begin in each, `numbers` the
    other ARGUMENTS. One function a size is emitted: see `_call_of_size`.
    """
    limits = (most_pixels, most_vectors, lanes, depthwise)
    p_most, v_most, lanes_most, each_own = literals(*limits)

    def code(context, b, signature, arguments):
        pixels, vectors, *tuples = arguments[len(limits) :]
        _call_of_size(
            b,
            (pixels, vectors),
            (p_most, v_most),
            lambda p, v: build_tile(b.module, p, v, lanes_most, bool(each_own)),
            tuples,
        )
        return context.get_dummy_value()

    return types.void(*limits, pixels, vectors, arrays, at, numbers), code


@numba.njit(inline="always")
def _pack_rows(source, apart, target, pitch, rows, steps):
    """Copy a block of A, `rows` by `steps`, so that its rows lie `pitch` values apart."""
    for row in range(rows):
        copy(target + 4 * row * pitch, source + 4 * row * apart, steps)


@numba.njit(inline="always")
def _pack_columns(source, apart, target, steps, columns, wide, lanes):
    """Copy a panel of B, `steps` by `columns`, as slivers of `wide` columns, each step by step.

    The last sliver has whole vectors too, with zeros in the columns that are not.
    """
    for first in range(0, columns, wide):
        there = min(wide, columns - first)
        width = -(-there // lanes) * lanes
        at, row = target + 4 * first * steps, source + 4 * first
        for _ in range(steps):
            copy(at, row, there)
            if there < width:
                clear(at + 4 * there, width - there)
            at += 4 * width
            row += 4 * apart


@compiled_once
def five_loops(size: Tile):
    """Return `product(a, b, c, block, panel, numbers)`, in C, for tiles of `size`.

    Addresses of float32 values: `a[m,k]`, `b[k,n]`, `c[m,n]`, and room for the packed block of A
    and panel of B. `numbers` are m, k, n, the rows, steps and columns of a block, and how many
    values apart the rows of the packed block are. Kept on disk by Numba.
    """
    pixels_most, vectors_most, lanes = size
    wide = vectors_most * lanes

    @numba.cfunc(types.void(*[types.int64] * 5, types.CPointer(types.int64)), cache=True)
    def product(a, b, c, block, panel, numbers):
        m, k, n, m_block, k_block, n_block, pitch = numba.carray(numbers, 7)
        for j in range(0, n, n_block):
            columns = min(n_block, n - j)
            for p in range(0, k, k_block):
                steps = min(k_block, k - p)
                _pack_columns(b + 4 * (p * n + j), n, panel, steps, columns, wide, lanes)
                for i in range(0, m, m_block):
                    rows = min(m_block, m - i)
                    _pack_rows(a + 4 * (i * k + p), k, block, pitch, rows, steps)
                    for jr in range(0, columns, wide):
                        there = min(wide, columns - jr)
                        vectors = -(-there // lanes)
                        valid = there - (vectors - 1) * lanes
                        for ir in range(0, rows, pixels_most):  # noqa: F402 - named as in BLIS
                            pixels = min(pixels_most, rows - ir)
                            at = (i + ir) * n + j + jr
                            added = c + 4 * at if p > 0 else 0  # the sums so far
                            tile(
                                pixels_most, vectors_most, lanes, 0, pixels, vectors,
                                (_floats(block), _floats(panel), _floats(c)),
                                (ir * pitch, jr * steps, at),
                                (1, 1, steps, 0, 0, 0, 1, pixels, 0, 0, 1, pitch, 0, 0, n, 0, 0,
                                 1, steps, valid, 0, added, 0),
                            )  # fmt: skip

    return product
