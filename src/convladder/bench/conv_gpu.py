"""A GPU's results on every layer: how they are recorded, and what is read from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median

from ..measure.timings import timing_of
from ..problem import ConvProblem
from ..records.store import records
from ..registry import get_method, methods
from .compare_gpu import ROUNDS, compare_on_gpu
from .libraries.cudnn import half_peers
from .mec_gpu import mec_parts
from .result import Measured, over_layers
from .rounds import Progress, geometric_mean, silent
from .stamp import gpu_stamp
from .workspace_gpu import LAYERS, cublas_steps, cudnn_steps, limits

FOLDER = "gpu"  # of its records
BATCHES = (1, 32)
SLOW = 7  # methods of chapters up to this one are left out of large batches
HALF = "gpu_wgmma"
# ResNet-50's layers (He et al., arXiv 1512.03385) at stride 1, on which float16 is also measured.
HALF_LAYERS = {
    f"{side}×{side}, {k}×{k}, {i_c} to {k_c}":
        ConvProblem.parse(f"{side}x{side}x{i_c},{k}x{k}x{k_c},p{k // 2}")
    for side, k, i_c, k_c in (
        (56, 3, 64, 64), (28, 3, 128, 128), (14, 3, 256, 256), (7, 3, 512, 512),
        (56, 1, 64, 64), (56, 1, 64, 256), (56, 1, 256, 64), (28, 1, 512, 128), (28, 1, 128, 512),
        (14, 1, 256, 1024), (14, 1, 1024, 256), (7, 1, 2048, 512), (7, 1, 512, 2048))
}  # fmt: skip
recorded = partial(records, FOLDER)


def record(
    problems: Mapping[str, ConvProblem],
    batches: Sequence[int] = BATCHES,
    rounds: int = ROUNDS,
    progress: Progress = silent,
) -> dict[str, object]:
    """Measure all methods and cuDNN on `problems`, each batch; needs a GPU and PyTorch.

    Under "workspace": `workspace_gpu.limits` of the layers it speaks of, and what first calls take
    of cuBLAS ("steps", and "steps_without" workspace) and cuDNN. Under "mec": `mec_parts`. Under
    "half": runs of `HALF` and cuDNN, float16, on `HALF_LAYERS`.
    """
    runs = {}
    for batch in batches:
        takers = [m for m in methods("gpu") if batch == 1 or m.chapter > SLOW]
        runs[batch] = over_layers(
            {name: problem.with_batch(batch) for name, problem in problems.items()},
            takers,
            partial(compare_on_gpu, rounds=rounds),
            lambda what, batch=batch: progress(f"batch {batch}, {what}"),
        )
    subjects = {name: problems[name] for name in LAYERS if name in problems}
    return as_record(runs) | {
        "workspace": {
            "limits": limits(subjects), "steps": cublas_steps(),
            "steps_without": cublas_steps(":0:0"), "cudnn": cudnn_steps(),
        },
        "mec": mec_parts(problems),
        "half": half_runs(batches, rounds, progress),
    }  # fmt: skip


def half_runs(
    batches: Sequence[int] = BATCHES, rounds: int = ROUNDS, progress: Progress = silent
) -> list[dict]:
    """Return a record's "half": float16 on `HALF_LAYERS`; needs a GPU and PyTorch."""
    compare = partial(compare_on_gpu, rounds=rounds, peers=half_peers)
    return as_record(
        {
            batch: over_layers(
                {name: problem.with_batch(batch) for name, problem in HALF_LAYERS.items()},
                [get_method(HALF)],
                compare,
                lambda what, batch=batch: progress(f"float16, batch {batch}, {what}"),
            )
            for batch in batches
        }
    )["runs"]


def as_record(runs: Mapping[int, Mapping[str, Mapping[str, Measured]]]) -> dict[str, object]:
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
