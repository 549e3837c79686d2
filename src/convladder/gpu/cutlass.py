"""CUTLASS's convolution kernels, compiled at run time from the headers of the nvidia-cutlass wheel.

NVRTC compiles the kernel; no host compiler and no system toolkit is needed. What was built is kept
on disk. Source of the kernels: NVIDIA CUTLASS 4.2 (BSD-3-Clause).
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from ..cuda.headers import cuda_headers
from .chip import chip, no_gpu
from .cutlass_tiles import HALF, SIMT, TF32, TF32X3, Precision, choose, source
from .implicit_gemm import too_large
from .launch import dimensions
from .nvrtc import allow_shared, built, module

MISSING = (
    "CUTLASS's headers, or CUDA's, are not installed; the former are all that is wanted of the "
    "wheel that pip install --no-deps nvidia-cutlass==4.2.0.0 brings"
)


@cache
def include_folders() -> tuple[str, ...] | None:
    """Return CUTLASS's headers, then CCCL's and CUDA's; None if any is missing."""
    library = find_spec("cutlass_library")
    homes = [
        Path(place) / "source" / "include"
        for place in (library.submodule_search_locations if library else ())
    ]
    found = (
        next((str(home) for home in homes if (home / "cutlass/cutlass.h").is_file()), None),
        cuda_headers("cuda/std/type_traits", "cccl"),
        cuda_headers("crt/mma.h"),
    )
    return None if None in found else found


@cache
def _module(precision: Precision, tile: tuple):
    """The kernel's functions on the current device."""
    import cupy

    folders = (f"-I{folder}" for folder in include_folders())
    options = ("-default-device", "-DCUTLASS_ENABLE_TENSOR_CORE_MMA=1", *folders)
    arch = f"sm_{cupy.cuda.Device().compute_capability}"
    return module(built(source(precision, tile), arch, options)[0])


STAND_INS = (0x5A5A_0001_0000, 0x5A5A_0002_0000, 0x5A5A_0003_0000)  # addresses of x, w and y


class Convolution:
    """A problem's kernel with its parameters, which one thread on the GPU has built once.

    They were built for stand-in addresses; a call puts those of its arrays in their places.
    """

    def __init__(self, problem: ConvProblem, precision: Precision, tile: tuple):
        import cupy

        functions = _module(precision, tile)
        build, self._kernel = map(functions.get_function, ("build", "convolve"))
        addresses = tuple(np.uint64(address) for address in STAND_INS)
        sizes = tuple(np.int32(n) for n in dimensions(problem))
        numbers = cupy.zeros(6, np.int32)
        build((1,), (1,), (np.uint64(0), numbers, *addresses, *sizes))
        size, self._shared, self._threads = map(int, numbers.get()[:3])
        params = cupy.zeros(size, np.uint8)
        build((1,), (1,), (params, numbers, *addresses, *sizes))
        self._grid = tuple(map(int, numbers.get()[3:]))
        self._params = params.get()
        words = self._params.view(np.uint64)
        self._places = [np.flatnonzero(words == address) for address in addresses]
        allow_shared(self._kernel, self._shared)

    def __call__(self, x, w, y) -> None:
        """Launch on CuPy arrays, on the current stream."""
        params = self._params.copy()
        words = params.view(np.uint64)
        for places, array in zip(self._places, (x, w, y), strict=True):
            words[places] = array.data.ptr
        by_value = params.view(f"V{params.size}")
        self._kernel(self._grid, (self._threads,), (by_value,), shared_mem=self._shared)


@cache
def convolution(problem: ConvProblem, precision: Precision, tile: tuple) -> Convolution:
    """Return the kernel as `Convolution` makes it, kept."""
    return Convolution(problem, precision, tile)


def order(w, precision: Precision):
    """Return `w[k_c,k_h,k_w,i_c]` in the precision's dtype, as CUTLASS reads it; device arrays."""
    from .. import cuda

    host = np.ascontiguousarray(w.get().transpose(3, 0, 1, 2))
    return cuda.to_device(host.astype(precision.dtype))


def run(x, w, problem: ConvProblem, precision: Precision, tile: tuple | None = None):
    """Compute `y[i_n,o_h,o_w,k_c]` from CuPy arrays, `w` as `order` leaves it.

    Float32 `x` is rounded where the precision's dtype is float16, and the result is then widened.
    """
    from .. import cuda

    tile = tile or choose(problem, precision, chip().multiprocessors)
    taken = x.astype(precision.dtype, copy=False)
    y = cuda.empty(problem.output_shape, np.dtype(precision.dtype))
    convolution(problem, precision, tile)(taken, w, y)
    return y.astype(x.dtype, copy=False)


def _unsupported(precision: Precision):
    def reason(problem: ConvProblem) -> str | None:
        if missing := no_gpu("CUTLASS"):
            return missing
        if include_folders() is None:
            return MISSING
        channels = {"i_c": problem.i_c, "k_c": problem.k_c}
        for name, value in channels.items():
            if value % precision.align:
                return (
                    f"{name}={value} is not a multiple of {precision.align}, the values of the 16 "
                    "bytes that this kernel loads and stores"
                )
        return too_large(problem)

    return reason


def _workspace(precision: Precision):
    def bytes_of(problem: ConvProblem) -> int:
        if precision.dtype == "float32":
            return 0
        return 2 * (int(np.prod(problem.input_shape)) + problem.pixels * problem.k_c)

    return bytes_of


def _enter(name: str, rung: int, precision: Precision) -> None:
    @method(
        name=name,
        device="gpu",
        chapter=11,
        rung=rung,
        workspace_bytes=_workspace(precision),
        unsupported=_unsupported(precision),
        prepare=lambda w, problem: order(w, precision),
    )
    def convolve(x, w, problem: ConvProblem):
        return run(x, w, problem, precision)


# The same tiles from a library of templates: what one chooses is the sizes, at every level.
_enter("gpu_cutlass", 4, SIMT)
# Tensor cores on float32 data, of which they read 10 bits of fraction: fast, three digits.
_enter("gpu_cutlass_tf32", 5, TF32)
# A float32 as the sum of two TF32 values: three products recover nearly all of its digits.
_enter("gpu_cutlass_3xtf32", 6, TF32X3)
# Half the bytes to move and twice TF32's rate, for inputs of the same precision.
_enter("gpu_cutlass_half", 7, HALF)
