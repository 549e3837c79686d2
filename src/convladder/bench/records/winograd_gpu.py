"""Records of Winograd on a GPU, read: cuDNN beside the tiles that `auto` chooses."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.problem import PAPER, ConvProblem
from ...gpu import winograd, winograd_choice
from ...gpu.implicit_gemm import expected_cycles
from ...gpu.tile_choice import H200, TileChip
from ..rounds import geometric_mean
from . import newest
from .conv_gpu import cudnn_seconds, gpu_layers, seconds_of

DIRECT = "gpu_implicit_gemm"


def winograd_gpu_record() -> dict:
    """Return the newest record. Raises `LookupError` where there is none."""
    return newest("winograd-gpu")


def auto_entry(problem: ConvProblem, chip: TileChip = H200) -> str:
    """Return the entry of a record that `auto` takes on a chip: "F(m)" or `DIRECT`."""
    if winograd.unsupported(problem):
        return DIRECT
    m = winograd_choice.choose(problem, chip.multiprocessors)
    tiled = winograd_choice.predicted_cycles(problem, m, chip.multiprocessors)
    return f"F({m})" if tiled < expected_cycles(problem, chip) else DIRECT


def auto_ratios(layers: Mapping[str, Mapping]) -> dict[str, float]:
    """Return how many times longer cuDNN takes than what `auto` takes, by layer."""
    return {
        name: cudnn_seconds(layer)
        / seconds_of(layer, auto_entry(ConvProblem.parse(layer["problem"])))
        for name, layer in layers.items()
    }


def auto_mean(layers: Mapping[str, Mapping]) -> float:
    """Return the geometric mean of `auto_ratios` over cv1 to cv12."""
    return geometric_mean(ratio for name, ratio in auto_ratios(layers).items() if name in PAPER)


def auto_means(record: Mapping) -> dict[int, float]:
    """Return images -> the `auto_mean` of their run."""
    return {batch: auto_mean(gpu_layers(record, batch)) for batch in (32, 1)}


def gpu_ahead(record: Mapping, batch: int) -> dict[str, dict[str, float]]:
    """Return layer -> cuDNN's time over the direct method's, and over that of auto's choice."""
    layers = gpu_layers(record, batch)
    ratios = auto_ratios(layers)
    return {
        name: {"implicit GEMM": cudnn_seconds(layer) / seconds_of(layer, DIRECT),
               "auto's choice": ratios[name]}
        for name, layer in layers.items()
    }  # fmt: skip
