"""Threads that share one piece of work, whatever it is: own parts first, then those left over."""

from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

PIECES = 8  # of each thread's part: what a slow core leaves behind, the others take
ARGUMENTS = 10  # of a share, besides its piece and the number of pieces
LINE = 64  # bytes of a cache line, which two threads should not write to
NUMBERS = types.Array(types.int64, 1, "C")


@intrinsic
def _call(typing_context, address, piece, pieces, numbers):
    """Call the C function at `address` with `(piece, pieces, *numbers)`."""

    def emit(context, b, signature, arguments):
        address, piece, pieces, numbers = arguments
        number = ir.IntType(64)
        count = len(signature.args[3])
        kind = ir.FunctionType(ir.VoidType(), [number] * (2 + count))
        values = [b.extract_value(numbers, i) for i in range(count)]
        b.call(b.inttoptr(address, kind.as_pointer()), [piece, pieces, *values])
        return context.get_dummy_value()

    return types.void(address, piece, pieces, numbers), emit


@intrinsic
def _take(typing_context, address):
    """Add one to the int64 at `address` while no other thread does; its value before."""

    def emit(context, b, signature, arguments):
        number = ir.IntType(64)
        place = b.inttoptr(arguments[0], number.as_pointer())
        return b.atomic_rmw("add", place, number(1), "monotonic")

    return types.int64(address), emit


@numba.njit(nogil=True, inline="always")
def _part(address, thread, threads, counts, numbers):
    """A thread's own pieces first, then what the others have left."""
    for turn in range(threads):
        owner = (thread + turn) % threads
        piece = _take(counts + LINE * owner)
        while piece < PIECES:
            _call(address, owner * PIECES + piece, threads * PIECES, numbers)
            piece = _take(counts + LINE * owner)


# The share comes as an address: were it called by name, Numba would compile it four times over,
# once for each layer of a parallel loop.
@numba.njit(
    types.void(types.int64, types.int64, NUMBERS), parallel=True, cache=True, nogil=True
)  # fmt: skip
def run(address, threads, a):
    """Run `share(piece, pieces, *a)`, C at `address`, for each piece, on `threads` threads.

    `a` holds the `ARGUMENTS` addresses and numbers that a share takes.
    """
    numbers = (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9])
    if threads == 1:  # no need to wake anyone
        _call(address, 0, 1, numbers)
    else:
        # Pieces of each thread's part that were begun, a cache line for each thread.
        taken = np.zeros(threads * LINE // 8, np.int64)
        counts = taken.ctypes.data
        for thread in numba.prange(threads):
            _part(address, thread, threads, counts, numbers)
