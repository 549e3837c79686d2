"""Records of chapter 12's ladders of a matrix product, read: each rung beside cuBLAS."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from . import newest

CUBE = "4096×4096×4096"
LIBRARY = "cuBLAS"


def gemm_record() -> Mapping:
    """Return the newest record of the ladders (`python -m studies gemm`)."""
    return newest("gemm")


def seconds(timings: Mapping[str, list[float]]) -> dict[str, float]:
    """Return the median of each rung, and of cuBLAS's faster layout."""
    found = {name: median(rounds) for name, rounds in timings.items()}
    other = found.pop(f"{LIBRARY}, other layout")
    return {**found, LIBRARY: min(found[LIBRARY], other)}


def rates(kind: str = "float16", shape: str = CUBE) -> dict[str, float]:
    """Return the TFLOP/s of each rung and of cuBLAS, in the record's order.

    kind: "float16" or "float32"; shape: `m×n×k`. Raises KeyError for a shape that has no record.
    """
    m, n, k = map(int, shape.split("×"))
    found = seconds(gemm_record()[kind][shape])
    return {name: 2 * m * n * k / each / 1e12 for name, each in found.items()}
