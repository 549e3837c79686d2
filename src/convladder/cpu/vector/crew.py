"""Threads that take one share each: one parallel loop, whatever the share does."""

from __future__ import annotations

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


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


# The function comes as an address: were it called by name, Numba would compile it four times over,
# once for each layer of a parallel loop.
@numba.njit(
    types.void(types.int64, types.int64, types.UniTuple(types.int64, 5)),
    parallel=True, cache=True, nogil=True,
)  # fmt: skip
def run(address, threads, pointers):
    """Run `share(thread, threads, *pointers)`, the C function at `address`, in each thread."""
    for thread in numba.prange(threads):
        _call(address, thread, threads, pointers)
