"""Records of chapter 10's ideas, read: the implicit GEMM with one taken away at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

SHIPPED, ARGUMENTS, WHOLE = "as shipped", "sizes as arguments", "window not split"
FUSED, ONE_PASS, TWO_PASSES = "bias and ReLU fused", "in one more pass", "in two more passes"


def ablation_rows(record: Mapping) -> Iterator[tuple[str, int, Mapping]]:
    """Yield layer, batch and the measurements of it."""
    for run in record["runs"]:
        for name, data in run["layers"].items():
            yield name, run["batch"], data
