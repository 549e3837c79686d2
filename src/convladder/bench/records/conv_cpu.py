"""Records of convolution on processors: written, read, compared with libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ...measure.limits import roofline
from ..conv_cpu import ConvComparison
from ..metadata import cpu_metadata
from ..rounds import geometric_mean

LAYERS, MORE = "layers", "more_layers"  # of a run in a record
Run = Mapping[str, ConvComparison]  # by layer, all on as many threads


def runs_as_dict(runs: Sequence[Run], more: Sequence[Run] = ()) -> dict[str, object]:
    """Return comparisons by layer, a mapping a number of threads, with machine, day and versions.

    `more`: those of other layers, for the same numbers of threads, kept apart. Raises `ValueError`
    if there are none in `runs`, since they say with how many threads.
    """
    if not runs or not all(runs):
        raise ValueError("runs has no comparison: nothing was measured, so there is no record")
    made = [_run_as_dict(layers) for layers in runs]
    for run, others in zip(made, more):
        run[MORE] = _layers_as_dict(others)
    return {**cpu_metadata(), "runs": made}


def _run_as_dict(layers: Run) -> dict[str, object]:
    limits = roofline(next(iter(layers.values())).threads)
    return {
        "threads": limits.threads,
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        LAYERS: _layers_as_dict(layers),
    }


def _layers_as_dict(layers: Run) -> dict[str, object]:
    return {layer: each.as_dict() for layer, each in layers.items()}


def runs_of(record: Mapping, which: str = LAYERS) -> list[dict[str, ConvComparison]]:
    """Return the runs that `runs_as_dict` turned into this record; of `MORE`, empty ones
    where it had none."""
    return [
        {
            layer: ConvComparison.from_dict(data, run["threads"])
            for layer, data in run.get(which, {}).items()
        }
        for run in record["runs"]
    ]


@dataclass(frozen=True)
class LibraryComparison:
    """A rival's time over a method's, on many layers.

    `mean` is geometric, `least` the smallest, on `layer`; `unprepared` is the mean were the
    method's weights prepared in every call.
    """

    mean: float
    least: float
    layer: str
    unprepared: float


def library_comparison(
    run: Mapping[str, ConvComparison], rival: str, name: str
) -> LibraryComparison:
    """Return the standing of `rival`, a library or a method, beside the method `name` in a run.

    Raises `ValueError` if either did not take part in each of them.
    """
    ratios = {layer: each.ratio(rival, name) for layer, each in run.items()}
    worst = min(ratios, key=ratios.get)
    unprepared = [each.ratio_unprepared(rival, name) for each in run.values()]
    return LibraryComparison(
        geometric_mean(ratios.values()), ratios[worst], worst, geometric_mean(unprepared)
    )


def median_share(run: Mapping[str, ConvComparison], name: str) -> float:
    """Return the median over layers of the share of the measured multiply-add peak."""
    return median(each.share(name) for each in run.values())


def runs_by_auto(record: Mapping) -> list[dict[str, ConvComparison]]:
    """Return all layers of each run of which is known what `auto` took: none in older records."""
    return [
        {name: each for name, each in (layers | more).items() if each.chosen}
        for layers, more in zip(runs_of(record, LAYERS), runs_of(record, MORE), strict=True)
    ]


def cpu_ahead(run: Run) -> dict[str, dict[str, float]]:
    """Return layer -> PyTorch's time over the microkernel's, and over that of auto's choice."""
    return {
        name: {"microkernel": each.ratio("torch", "microkernel"),
               "auto's choice": each.ratio("torch", each.chosen)}
        for name, each in run.items() if each.best_of("torch")
    }  # fmt: skip
