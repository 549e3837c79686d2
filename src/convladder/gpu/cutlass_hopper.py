"""CUTLASS 3's convolution for Hopper: TMA gathers, wgmma multiplies; built by NVRTC alone.

The headers come from the nvidia-cutlass wheel (CUTLASS 4.2, BSD-3-Clause). What the kernel cannot
do by itself is done here through the driver: the three tensor maps, which tell TMA how x, w and y
lie in memory (CUDA Driver API, "Tensor Map Object Management").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from . import cutlass, wgmma
from .launch import dimensions, source_with
from .nvrtc import allow_shared, built, module
from .tensor_map import BYTES, unmapped, weights, windows

DEPTH = 64  # columns of a slice: 128 bytes, the longest row that TMA swizzles
ALIGN = 8  # values of 16 bytes, the finest stride of a tensor map
LONG = 2048  # columns of the window from which one large block a multiprocessor is quicker


@dataclass(frozen=True)
class HopperTile:
    """`pixels` × `channels` values per block; `cluster` blocks share the weights they load."""

    pixels: int
    channels: int
    stages: int
    blocks: int
    cluster: int = 1


NARROW = HopperTile(128, 64, 4, 2)
SHORT = HopperTile(64, 128, 4, 2)  # two blocks: one stores its tile while the other multiplies
DEEP = HopperTile(128, 128, 6, 1, cluster=2)


def choose(problem: ConvProblem) -> HopperTile:
    """Choose by channels and columns alone, as timed on an H200 (chapter 11)."""
    if problem.k_c <= NARROW.channels:
        return NARROW
    return DEEP if problem.window >= LONG else SHORT


def source(tile: HopperTile) -> str:
    """Return the kernel's text for a tile."""
    defines = {
        "TILE_M": tile.pixels,
        "TILE_N": tile.channels,
        "CLUSTER": tile.cluster,
        "STAGES": tile.stages,
        "BLOCKS": tile.blocks,
    }
    return source_with("cutlass_hopper.cuh", defines)


@cache
def _module(tile: HopperTile):
    include = cutlass.include_folders()
    tools = include[0].removesuffix("include") + "tools/util/include"
    folders = (f"-I{folder}" for folder in (*include, tools))
    options = ("-default-device", "-DNDEBUG", "-DCUTLASS_ENABLE_TENSOR_CORE_MMA=1", *folders)
    return module(built(source(tile), "sm_90a", options)[0])


class HopperConvolution:
    """A problem's kernel with its parameters, which one thread on the GPU has built once."""

    def __init__(self, problem: ConvProblem, tile: HopperTile):
        import cupy

        functions = _module(tile)
        build, self._kernel = map(functions.get_function, ("build", "convolve"))
        given = (*3 * (np.uint64(0),), *(np.int32(n) for n in dimensions(problem)))
        numbers = cupy.zeros(11, np.int32)
        build((1,), (1,), (np.uint64(0), numbers, *given))
        size, self._shared, self._threads = map(int, numbers.get()[:3])
        params = cupy.zeros(size, np.uint8)
        build((1,), (1,), (params, numbers, *given))
        found = [int(number) for number in numbers.get()]
        self._grid, self._places, self._store = tuple(found[3:6]), found[6:9], found[9:]
        self._params, self._problem, self._tile = params.get(), problem, tile
        allow_shared(self._kernel, self._shared)
        self._filled = lru_cache(64)(self._with_maps)  # a driver's call a map: kept by address

    def _with_maps(self, x: int, w: int, y: int) -> np.ndarray:
        p, tile, (pixels, channels) = self._problem, self._tile, self._store
        (s_h, s_w), (p_h, p_w) = p.stride, p.padding
        far = (p_w - p.k_w + 1, p_h - p.k_h + 1)
        maps = (
            windows(x, p.input_shape, (-p_w, -p_h), far, DEPTH, tile.pixels, (s_w, s_h)),
            weights(w, p, DEPTH, tile.channels // tile.cluster),
            windows(y, p.output_shape, (0, 0), (0, 0), channels, pixels, (1, 1)),
        )
        params = self._params.copy()
        for place, encoded in zip(self._places, maps, strict=True):
            params[place : place + BYTES] = encoded
        return params.view(f"V{params.size}")

    def __call__(self, x, w, y) -> None:
        """Launch on CuPy arrays of float16, on the current stream."""
        params = self._filled(x.data.ptr, w.data.ptr, y.data.ptr)
        self._kernel(self._grid, (self._threads,), (params,), shared_mem=self._shared)


@cache
def convolution(problem: ConvProblem, tile: HopperTile) -> HopperConvolution:
    """Return the kernel as `HopperConvolution` makes it, kept."""
    return HopperConvolution(problem, tile)


def unsupported(problem: ConvProblem) -> str | None:
    """Return why a problem is refused, or None."""
    if reason := wgmma.unsupported(problem):
        return reason
    if cutlass.include_folders() is None:
        return cutlass.MISSING
    for name in ("i_c", "k_c"):
        if (value := getattr(problem, name)) % ALIGN:
            return f"{name}={value} is not a multiple of {ALIGN}: a tensor map steps by 16 bytes"
    return unmapped(problem)


@method(
    name="gpu_cutlass_hopper",
    device="gpu",
    chapter=11,
    rung=8,
    workspace_bytes=lambda p: 2 * (int(np.prod(p.input_shape)) + p.pixels * p.k_c),
    unsupported=unsupported,
    prepare=lambda w, problem: cutlass.order(w, cutlass.HALF),
)
def gpu_cutlass_hopper(x, w, problem: ConvProblem):
    """Return `y[i_n,o_h,o_w,k_c]`, CuPy arrays, `w` as `prepare` leaves it.

    The tensor memory accelerator gathers im2col's rows by itself, from a map of the image: no
    thread computes an address, and all others may multiply.

    A float32 `x` is rounded to float16 first, and the result then widened.
    """
    from .. import cuda

    taken = x.astype(np.float16, copy=False)
    y = cuda.empty(problem.output_shape, np.dtype(np.float16))
    convolution(problem, choose(problem))(taken, w, y)
    return y.astype(x.dtype, copy=False)
