"""Chapter 05's register tile of one size, to be called from generated loops."""

from __future__ import annotations

from numba.core import cgutils, types
from numba.extending import intrinsic

from ....cpu.simd.emit import literals
from ....cpu.simd.tile import ARGUMENTS, INT, build_tile


@intrinsic(prefer_literal=True)
def tile(typing_context, pixels, vectors, lanes, arrays, at, numbers):
    """Compute sums of `pixels` by `vectors` vectors of `lanes` channels, all three literal.

    `arrays` are pointers (x, w, y) to float32, `at` where to begin in each, `numbers` the other
    ARGUMENTS of `cpu.simd.tile` up to `valid`.
    """
    sizes = literals(pixels, vectors, lanes)

    def emit(context, b, signature, arguments):
        function = build_tile(b.module, *sizes)
        arrays, at, numbers = (cgutils.unpack_tuple(b, values) for values in arguments[3:])
        places = [b.gep(array, [offset]) for array, offset in zip(arrays, at, strict=True)]
        nothing_follows = [INT(0)] * (len(ARGUMENTS) - len(places) - len(numbers))
        b.call(function, [*places, *numbers, *nothing_follows])
        return context.get_dummy_value()

    return types.void(pixels, vectors, lanes, arrays, at, numbers), emit
