"""Threads that share one piece of work, whatever it is: own parts first, then those left over."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...core.jit import numba, one_at_a_time

PIECES = 8  # of each thread's part: what a slow core leaves behind, the others take
# Of a share, besides its piece and the number of pieces. One that takes fewer leaves others alone:
# in C's conventions on all processors here, the caller clears away what it passed.
ARGUMENTS = 10
LINE = 64  # bytes of a cache line, which two threads should not write to
NUMBERS = types.Array(types.int64, 1, "C")
LAYOUTS = types.Array(types.int64, 1, "C", readonly=True)
WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)


@intrinsic
def call(typing_context, address, piece, pieces, numbers):
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


@intrinsic
def _exchange(typing_context, address, value):
    """Put an int64 at `address` and return what was there, as one step for all threads."""

    def emit(context, b, signature, arguments):
        place = b.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        return b.atomic_rmw("xchg", place, arguments[1], "acq_rel")

    return types.int64(address, value), emit


@numba.njit(inline="always")
def take_slot(taken, threads):
    """Return the number of a slot for this thread alone, of as many as there are threads.

    `taken` is the address of what `counters` made, for slots, not for `run`.
    """
    slot = 0
    while _exchange(taken + LINE * slot, 1):
        slot = (slot + 1) % threads
    return slot


@numba.njit(inline="always")
def leave_slot(taken, slot):
    """Let another thread have it."""
    _exchange(taken + LINE * slot, 0)


@numba.njit(nogil=True, inline="always")
def _part(address, thread, threads, counts, numbers):
    """A thread's own pieces first, then what the others have left."""
    for turn in range(threads):
        owner = (thread + turn) % threads
        piece = _take(counts + LINE * owner)
        while piece < PIECES:
            call(address, owner * PIECES + piece, threads * PIECES, numbers)
            piece = _take(counts + LINE * owner)


# The share comes as an address: were it called by name, Numba would compile it four times over,
# once for each layer of a parallel loop.
@one_at_a_time
@numba.njit(types.void(types.int64, NUMBERS, NUMBERS), parallel=True, cache=True, nogil=True)
def run(address, taken, a):
    """Run `share(piece, pieces, *a)`, C at `address`, for each piece.

    `a` holds the `ARGUMENTS` addresses and numbers that a share takes; `taken` is what `counters`
    made. Both are the caller's, who keeps them until the end: Numba would free an array of its own
    once its address is taken.
    """
    threads = len(taken) * 8 // LINE
    numbers = (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9])
    if threads == 1:  # no need to wake anyone
        call(address, 0, 1, numbers)
    else:
        taken[:] = 0
        counts = taken.ctypes.data
        for thread in numba.prange(threads):
            _part(address, thread, threads, counts, numbers)


@numba.njit(
    types.void(
        types.int64,
        LAYOUTS,
        LAYOUTS,
        types.Array(types.float32, 4, "C", readonly=True),
        WEIGHTS,
        types.Array(types.float32, 4, "C"),
    ),
    cache=True,
    nogil=True,
)
def alone(address, layout, boxes, x, w, y):
    """Do `place` and `run` in one call, for one thread, with nothing after the sums."""
    begin = x.ctypes.data, w.ctypes.data, y.ctypes.data
    call(address, 0, 1, (layout.ctypes.data, boxes.ctypes.data, *begin, 0, 0, 0, 0, 0))


def counters(threads: int) -> np.ndarray:
    """Make room to count the begun pieces of each thread's part: a cache line for each."""
    return np.zeros(threads * LINE // 8, np.int64)


# To ask NumPy where an array lies takes a microsecond for each of them; Numba takes them apart
# faster. Maps have four axes, products two.
@numba.njit(
    [
        types.void(
            NUMBERS,
            LAYOUTS,
            LAYOUTS,
            types.Array(types.float32, axes, "C", readonly=True),
            WEIGHTS,
            types.Array(types.float32, axes, "C"),
        )
        for axes in (4, 2)
    ],
    cache=True,
)
def place(a, layout, boxes, x, w, y):
    """Write the addresses of five arrays to the beginning of `a`."""
    a[0], a[1], a[2] = layout.ctypes.data, boxes.ctypes.data, x.ctypes.data
    a[3], a[4] = w.ctypes.data, y.ctypes.data
