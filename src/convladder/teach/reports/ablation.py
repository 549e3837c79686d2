"""Chapter 09's implicit GEMM without one idea at a time, as a GPU recorded it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ...gpu.launch import KERNELS
from ...records.store import digests, records

recorded = partial(records, "ablation")
SHIPPED, ARGUMENTS, WHOLE = "as shipped", "sizes as arguments", "window not split"
FUSED, ONE_PASS, TWO_PASSES = "bias and ReLU fused", "in one more pass", "in two more passes"


def rows(record: Mapping) -> Iterator[tuple[str, int, Mapping]]:
    """Yield layer, batch and the measurements of it."""
    for run in record["runs"]:
        for name, data in run["layers"].items():
            yield name, run["batch"], data


def kernels_changed(record: Mapping) -> bool:
    """Return whether a kernel that was timed has another text by now."""
    return record["kernels"] != digests(KERNELS, record["kernels"])
