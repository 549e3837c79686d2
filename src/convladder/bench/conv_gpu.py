"""A GPU's results on every layer: how they are recorded, and what is read from them."""

from __future__ import annotations

from typing import Any

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median

from ..measure.timing import timing_of
from ..problem import ConvProblem
from ..records.store import records
from ..registry import methods
from .compare_gpu import ROUNDS, compare_on_gpu
from .result import Measured, over_layers
from .rounds import Progress, geometric_mean, silent
from .stamp import gpu_stamp

FOLDER = "gpu"  # of its records
BATCHES = (1, 32)
SLOW = 7  # methods of chapters up to this one are left out of large batches
HALF = "gpu_wgmma"
recorded = partial(records, FOLDER)


def record(
    problems: Mapping[str, ConvProblem],
    batches: Sequence[int] = BATCHES,
    rounds: int = ROUNDS,
    progress: Progress = silent,
) -> dict[str, object]:
    """Measure all methods and cuDNN on `problems`, each batch; needs a GPU and PyTorch."""
    runs = {}
    for batch in batches:
        takers = [m for m in methods("gpu") if batch == 1 or m.chapter > SLOW]
        runs[batch] = over_layers(
            {name: problem.with_batch(batch) for name, problem in problems.items()},
            takers,
            partial(compare_on_gpu, rounds=rounds),
            lambda what, batch=batch: progress(f"batch {batch}, {what}"),
        )
    return as_record(runs)


def as_record(runs: Mapping[int, Mapping[str, Mapping[str, Measured]]]) -> dict[str, Any]:
    """Return `{batch: {layer: results}}` with day, card and versions, ready for JSON."""
    return {
        **gpu_stamp(),
        "runs": [
            {"batch": batch, "layers": {name: _layer(each) for name, each in layers.items()}}
            for batch, layers in runs.items()
        ],
    }


def _layer(results: Mapping[str, Measured]) -> dict[str, object]:
    problem = next(iter(results.values())).problem
    return {
        "problem": str(problem),
        "flops": problem.flops,
        "entries": {name: _entry(each) for name, each in results.items()},
    }


def _entry(each: Measured) -> dict[str, object]:
    """With four digits of each time, which is finer than the times spread."""
    return {
        "graph": [float(f"{time:.4g}") for time in each.rounds],
        "plain": [float(f"{time:.4g}") for time in each.plain],
        "peak": each.peak, "growth": each.growth, "error": float(f"{each.error:.3g}"),
    }  # fmt: skip


def measured_of(layer: Mapping, name: str) -> Measured:
    """Return one entry of a record's layer as it was."""
    entry = dict(layer["entries"][name])
    graph, plain = tuple(entry.pop("graph")), tuple(entry.pop("plain"))
    return Measured(
        name,
        ConvProblem.parse(layer["problem"]),
        timing_of(list(graph), 1),
        graph,
        library="cudnn" if name.startswith("cudnn") else None,
        plain=plain,
        **entry,
    )


def seconds(layer: Mapping, name: str, how: str = "graph") -> float | None:
    """Return the median of a layer's entry; None if it was not there."""
    entry = layer["entries"].get(name)
    return median(entry[how]) if entry else None


def rival(layer: Mapping, precision: str = "float32", how: str = "graph") -> str:
    """Return the faster one of cuDNN's layouts."""
    names = [name for name in layer["entries"] if name.startswith(f"cudnn {precision}")]
    return min(names, key=lambda name: seconds(layer, name, how))


def rival_seconds(layer: Mapping, precision: str = "float32", how: str = "graph") -> float:
    """Return the seconds of cuDNN in the faster of its layouts."""
    return seconds(layer, rival(layer, precision, how), how)


def ratios(
    run: Mapping, name: str, precision: str = "float32", how: str = "graph"
) -> dict[str, float]:
    """Return how many times longer cuDNN takes than `name`, by layer, where `name` took part."""
    return {
        layer: rival_seconds(data, precision, how) / own
        for layer, data in run["layers"].items()
        if (own := seconds(data, name, how)) is not None
    }


def mean_ratio(run: Mapping, name: str, precision: str = "float32", how: str = "graph") -> float:
    """Return the geometric mean of `ratios`."""
    return geometric_mean(ratios(run, name, precision, how).values())
