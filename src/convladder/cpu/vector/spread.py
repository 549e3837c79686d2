"""Threads that take one share each: one parallel loop, whatever the share does."""

from __future__ import annotations

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

NUMBERS = types.Array(types.int64, 1, "C", readonly=True)
IMAGES = types.Array(types.float32, 4, "C", readonly=True)
WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)
RESULT = types.Array(types.float32, 4, "C")


@intrinsic
def _call(typing_context, address, thread, threads, pointers):
    """Call the C function at `address` with `(thread, threads, *pointers)`."""

    def emit(context, b, signature, arguments):
        address, thread, threads, pointers = arguments
        number = ir.IntType(64)
        count = len(signature.args[3])
        kind = ir.FunctionType(ir.VoidType(), [number] * (2 + count))
        values = [b.extract_value(pointers, i) for i in range(count)]
        b.call(b.inttoptr(address, kind.as_pointer()), [thread, threads, *values])
        return context.get_dummy_value()

    return types.void(address, thread, threads, pointers), emit


# The share comes as an address: were it called by name, Numba would compile it four times over,
# once for each layer of a parallel loop. Arrays are taken apart here, which costs Python 1 µs each.
@numba.njit(
    types.void(types.int64, types.int64, NUMBERS, NUMBERS, IMAGES, WEIGHTS, RESULT),
    parallel=True, cache=True, nogil=True,
)  # fmt: skip
def run(address, threads, layout, boxes, x, w, y):
    """Run `share(thread, threads, layout, boxes, x, w, y)`, C at `address`, in each thread."""
    layout_at, boxes_at = layout.ctypes.data, boxes.ctypes.data
    x_at, w_at, y_at = x.ctypes.data, w.ctypes.data, y.ctypes.data
    for thread in numba.prange(threads):
        _call(address, thread, threads, (layout_at, boxes_at, x_at, w_at, y_at))
