"""Clocks that a request to L1 takes, by how far apart its lanes stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..measure.cuda.gpu_info import require_gpu
from .benchmark import Options, register
from .metadata import gpu_metadata

FLOATS = (0, 1, 2, 4, 8, 16, 32, 33, 64, 84, 120, 128, 256)  # from one lane to the next
WARPS, LOADS = 32, 2048  # so many loads a warp, each of which waits for the one before
VALUES = 1 << 20  # floats; a warp touches the same 32 of them again and again, so they stay in L1
SOURCE = """extern "C" __global__ void chase(const int* a, int* out, long long* clocks, int stride,
                                 int loads) {
    const int* at = a + threadIdx.x % 32 * stride;
    int first = *at;
    __syncthreads();
    long long begin = clock64();
    for (int i = 0; i < loads; i++) at += *at;  // zeros
    out[threadIdx.x] = first + (int)(at - a);
    __syncthreads();
    if (threadIdx.x == 0) clocks[0] = clock64() - begin;
}
"""


def measure(options: Options = Options()) -> dict[str, object]:
    """Return "clocks" for each distance of `FLOATS`, from full warps of a block.

    Raises `RuntimeError` without a GPU.
    """
    require_gpu("its first cache is what is timed")
    import numpy as np

    from .. import cuda

    chase = cuda.Kernel(SOURCE, "chase")
    threads = 32 * WARPS
    zeros = cuda.to_device(np.zeros(VALUES, np.int32))
    out, clocks = cuda.empty(threads, np.int32), cuda.empty(1, np.int64)
    by_distance = {}
    for stride in FLOATS:
        for _ in range(3):  # the last finds everything in L1
            chase[1, threads](zeros, out, clocks, stride, LOADS)
        cuda.synchronize()
        by_distance[str(stride)] = round(int(clocks.get()[0]) / LOADS / WARPS, 2)
    return {**gpu_metadata(), "clocks": by_distance}


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each distance."""
    for floats, clocks in record["clocks"].items():
        yield f"lanes {floats:>3} floats apart: {clocks:>6.2f} clocks a request"


register(
    "l1",
    "clocks of a request to this GPU's first cache, by how far apart its lanes stand, for "
    "chapter 14",
    measure,
    lines,
)
