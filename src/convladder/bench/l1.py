"""Clocks that a request to L1 takes, by how far apart its lanes stand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from ..measure.cuda.machine import card, versions

RECORDS = Path(__file__).parents[1] / "records" / "l1"
FLOATS = (0, 1, 2, 4, 8, 16, 32, 33, 64, 84, 120, 128, 256)  # from one lane to the next
WARPS, LOADS = 32, 2048  # so many loads a warp, each of which waits for the one before
ROOM = 1 << 20  # floats; a warp touches the same 32 of them again and again, so they stay in L1
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


def l1_clocks(floats: Sequence[int] = FLOATS) -> dict[str, object]:
    """With day, card and versions: "clocks" for each distance of `floats`, from full warps of a
    block. Raises `RuntimeError` without a GPU.
    """
    from .. import cuda

    if not cuda.gpu():
        raise RuntimeError("there is no GPU here that CuPy sees, and L1 is to be timed on one")
    import numpy as np

    chase = cuda.Kernel(SOURCE, "chase")
    threads = 32 * WARPS
    zeros = cuda.to_device(np.zeros(ROOM, np.int32))
    out, clocks = cuda.empty(threads, np.int32), cuda.empty(1, np.int64)
    found = {}
    for stride in floats:
        for _ in range(3):  # the last finds everything in L1
            chase[1, threads](zeros, out, clocks, stride, LOADS)
        cuda.synchronize()
        found[str(stride)] = round(int(clocks.get()[0]) / LOADS / WARPS, 2)
    return {"date": datetime.now(UTC).date().isoformat(), "card": card(), "versions": versions(),
            "clocks": found}


def l1_records(folder: Path = RECORDS) -> list[dict]:
    """Records of `l1_clocks`, those that come with the course by default, the newest first."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda record: record["date"], reverse=True)
