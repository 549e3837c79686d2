"""Weights put into the order of use, as fast as memory copies them."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...core.jit import numba

ROWS = 16  # of the matrix, read while they are in the nearest cache: a page or a few of each block


@intrinsic
def copy(typing_context, target, source, count):
    """Copy `count` float32 values from an address to another."""

    def emit(context, b, signature, arguments):
        byte = ir.IntType(8).as_pointer()
        to, begin = (b.inttoptr(address, byte) for address in arguments[:2])
        cgutils.raw_memcpy(b, to, begin, arguments[2], 4)
        return context.get_dummy_value()

    return types.void(target, source, count), emit


@intrinsic
def clear(typing_context, target, count):
    """Put `count` float32 zeros at an address."""

    def emit(context, b, signature, arguments):
        size = b.mul(arguments[1], ir.IntType(64)(4))
        cgutils.memset(b, b.inttoptr(arguments[0], ir.IntType(8).as_pointer()), size, 0)
        return context.get_dummy_value()

    return types.void(target, count), emit


VALUES = types.Array(types.float32, 1, "C", readonly=True)


@numba.njit(
    types.void(VALUES, types.Array(types.float32, 1, "C"), *[types.int64] * 6),
    cache=True,
    nogil=True,
)
def pack(matrix, packed, groups, steps, k_c, lanes, vectors, blocks):
    """Write `matrix[steps,groups,k_c]` to `packed`: group after group, block of channels after
    block.

    A block is `[steps, channels]`; the first ones of a group have a vector more, the last one has
    zeros for channels that are not. To take one block after the other would read each line of the
    matrix when it has left the cache; row by row would write to too many places at once.
    """
    narrow, wider = divmod(vectors, blocks)
    for group in range(groups):
        source = matrix.ctypes.data + 4 * group * k_c
        target = packed.ctypes.data + 4 * group * vectors * lanes * steps
        for first in range(0, steps, ROWS):
            rows = min(ROWS, steps - first)
            begin = 0
            for block in range(blocks):
                channels = (narrow + (block < wider)) * lanes
                valid = min(channels, k_c - begin)
                at = target + 4 * (begin * steps + first * channels)
                row = source + 4 * (first * groups * k_c + begin)
                for _ in range(rows):
                    copy(at, row, valid)
                    if valid < channels:
                        clear(at + 4 * valid, channels - valid)
                    at += 4 * channels
                    row += 4 * groups * k_c
                begin += channels
