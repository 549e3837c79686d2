"""Threads that share one piece of work, whatever it is: own parts first, then those left over."""

from __future__ import annotations

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

PIECES = 8  # of each thread's part: what a slow core leaves behind, the others take
NUMBERS = types.Array(types.int64, 1, "C")
LAYOUTS = types.Array(types.int64, 1, "C", readonly=True)
IMAGES = types.Array(types.float32, 4, "C", readonly=True)
WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)
RESULT = types.Array(types.float32, 4, "C")


@intrinsic
def _call(typing_context, address, piece, pieces, pointers):
    """Call the C function at `address` with `(piece, pieces, *pointers)`."""

    def emit(context, b, signature, arguments):
        address, piece, pieces, pointers = arguments
        number = ir.IntType(64)
        count = len(signature.args[3])
        kind = ir.FunctionType(ir.VoidType(), [number] * (2 + count))
        values = [b.extract_value(pointers, i) for i in range(count)]
        b.call(b.inttoptr(address, kind.as_pointer()), [piece, pieces, *values])
        return context.get_dummy_value()

    return types.void(address, piece, pieces, pointers), emit


@intrinsic
def _take(typing_context, address):
    """Add one to the int64 at `address` while no other thread does; its value before."""

    def emit(context, b, signature, arguments):
        number = ir.IntType(64)
        place = b.inttoptr(arguments[0], number.as_pointer())
        return b.atomic_rmw("add", place, number(1), "monotonic")

    return types.int64(address), emit


@numba.njit(nogil=True, inline="always")
def _part(address, thread, threads, counts, pointers):
    """A thread's own pieces first, then what the others have left."""
    most = PIECES if threads > 1 else 1
    for turn in range(threads):
        owner = (thread + turn) % threads
        piece = _take(counts + 8 * owner)
        while piece < most:
            _call(address, owner * most + piece, threads * most, pointers)
            piece = _take(counts + 8 * owner)


# The share comes as an address: were it called by name, Numba would compile it four times over,
# once for each layer of a parallel loop. Arrays are taken apart here, which costs Python 1 µs each.
@numba.njit(
    types.void(types.int64, NUMBERS, LAYOUTS, LAYOUTS, IMAGES, WEIGHTS, RESULT),
    parallel=True, cache=True, nogil=True,
)  # fmt: skip
def run(address, taken, layout, boxes, x, w, y):
    """Run `share(piece, pieces, layout, boxes, x, w, y)`, C at `address`, for each piece.

    `taken`, int64 zeros, one for each thread, counts the pieces of its part that were begun.
    """
    threads = len(taken)
    layout_at, boxes_at, counts = layout.ctypes.data, boxes.ctypes.data, taken.ctypes.data
    x_at, w_at, y_at = x.ctypes.data, w.ctypes.data, y.ctypes.data
    for thread in numba.prange(threads):
        _part(address, thread, threads, counts, (layout_at, boxes_at, x_at, w_at, y_at))


@numba.njit(types.void(types.int64, NUMBERS, NUMBERS), parallel=True, cache=True, nogil=True)
def run_numbers(address, taken, a):
    """The same for a share of bytes, whose seven addresses and three numbers are in `a`."""
    threads, counts = len(taken), taken.ctypes.data
    for thread in numba.prange(threads):
        _part(
            address, thread, threads, counts,
            (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]),
        )  # fmt: skip
