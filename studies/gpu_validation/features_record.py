"""A GPU's values, bit by bit, of every CUDA feature that the emulator has.

`features` has the kernels. Their values, bit by bit, are what the tests hold the emulator
to; the conversions of the 16-bit types are compared on the GPU itself, for every float there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from convladder import cuda
from convladder.bench.rounds import Progress, silent
from convladder.measure.cuda.gpu_info import require_gpu
from convladder.records.store import newest, today

from . import features
from .counts import compiler_versions, device

FOLDER = "features"
ROUNDINGS = tuple(
    f"{kind}, {how}"
    for kind in ("half", "bfloat16")
    for how in ("to nearest", "to zero", "down", "up")
)


@cache
def recorded() -> dict:
    """Return the newest record: `values` by case and parameter, `differing` by rounding.

    `rounding` is the SHA-256 of the source whose conversions were compared.
    """
    return newest(FOLDER)


def measure(progress: Progress = silent) -> dict[str, object]:
    """Launch every case on this GPU. Raises `RuntimeError` if there is none."""
    require_gpu("only one has bits to record")
    return {
        "date": today(),
        "device": device(),
        "versions": compiler_versions(),
        "values": {case.name: features.values(case, "gpu") for case in features.cases()},
        "rounding": features.told(np.frombuffer(features.rounding().encode(), np.uint8)),
        "floats": 2**32,
        "differing": differing(),
    }


def differing() -> dict[str, int]:
    """Count the floats that the emulator rounds otherwise than this GPU, of all, by rounding."""
    count = cuda.to_device(np.zeros(len(ROUNDINGS), np.uint64))
    cuda.Kernel(features.rounding(), "differing", backend="gpu")[4096, 256](count)
    return dict(zip(ROUNDINGS, map(int, count.get()), strict=True))


def lines(record: Mapping) -> Iterator[str]:
    """Say what was compared."""
    yield (
        f"{record['device']['name']}: values of {len(record['values'])} launches; "
        f"{sum(record['differing'].values())} of {record['floats']:,} floats are rounded "
        "otherwise by the emulator"
    )
