"""Winograd with every tile and cuDNN on a GPU, as recorded, beside what `auto` takes there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...bench.conv_gpu import rival_seconds, seconds
from ...bench.rounds import geometric_mean
from ...gpu import winograd, winograd_choice
from ...gpu.implicit_gemm import expected_cycles
from ...gpu.tile_choice import H200, TileChip
from ...problem import PAPER, ConvProblem
from ...records.store import records

DIRECT = "gpu_implicit_gemm"
recorded = partial(records, "winograd-gpu")


def auto(problem: ConvProblem, chip: TileChip = H200) -> str:
    """Return the entry of a record that `auto` takes on a chip: "F(m)" or `DIRECT`."""
    if winograd.unsupported(problem):
        return DIRECT
    m = winograd_choice.choose(problem, chip.multiprocessors)
    tiled = winograd_choice.predicted_cycles(problem, m, chip.multiprocessors)
    return f"F({m})" if tiled < expected_cycles(problem, chip) else DIRECT


def ratios(run: Mapping) -> dict[str, float]:
    """Return how many times longer cuDNN takes than what `auto` takes, by layer."""
    return {
        name: rival_seconds(layer) / seconds(layer, auto(ConvProblem.parse(layer["problem"])))
        for name, layer in run["layers"].items()
    }


def mean_ratio(run: Mapping, names: Mapping[str, object] = PAPER) -> float:
    """Return the geometric mean of `ratios` over layers of those names."""
    return geometric_mean(ratio for name, ratio in ratios(run).items() if name in names)
