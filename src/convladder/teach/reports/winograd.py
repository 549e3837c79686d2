"""Winograd in the records: how far ahead of the libraries, what was chosen, what was missed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...bench.conv_analysis import AHEAD, LEAST_AHEAD, SEVERAL_THREADS, TORCH, Run, goals
from ...bench.conv_gpu import rival_seconds, seconds
from ...problem import PAPER, RESNET, ConvProblem
from ...winograd import unsupported
from ..display.table import Table, table
from .winograd_gpu import DIRECT, auto, mean_ratio, ratios, recorded


class GpuGoals(NamedTuple):
    """How many times as long cuDNN was to take: cv1 to cv12 in the mean and at least; others."""

    mean: float
    least: float
    others: float


# What this course had set itself to reach, by images.
GPU_GOALS = {32: GpuGoals(1.9, 1.0, 1.7), 1: GpuGoals(2.6, 1.25, 1.25)}


def winograd_gpu_record() -> dict:
    """Return the newest that comes with the course. Raises LookupError where there is none."""
    if not (found := recorded()):
        raise LookupError("no record of Winograd on a GPU comes with this copy")
    return found[0]


def _run(record: Mapping, batch: int) -> Mapping:
    return next(run for run in record["runs"] if run["batch"] == batch)


def gpu_ahead(record: Mapping, batch: int) -> dict[str, dict[str, float]]:
    """Return layer -> cuDNN's time over the direct method's, and over that of what auto takes."""
    run = _run(record, batch)
    return {
        name: {"implicit GEMM": rival_seconds(layer) / seconds(layer, DIRECT),
               "what auto takes": ratios(run)[name]}
        for name, layer in run["layers"].items()
    }  # fmt: skip


def gpu_layer_goals(batch: int) -> dict[str, float]:
    """Return layer -> what cuDNN's time over auto's was to be at least."""
    goals = GPU_GOALS[batch]
    return {name: goals.least for name in PAPER} | {name: goals.others for name in RESNET}


def gpu_means(record: Mapping) -> dict[int, float]:
    """Return images -> the geometric mean of cuDNN's time over auto's, cv1 to cv12."""
    return {batch: mean_ratio(_run(record, batch)) for batch in GPU_GOALS}


def gpu_missed(record: Mapping) -> list[str]:
    """Return the goals that a record did not reach, in words; none if it reached them all."""
    words = []
    for batch, mean in gpu_means(record).items():
        images = f"{batch} image{'s' * (batch > 1)}"
        if mean < GPU_GOALS[batch].mean:
            words.append(f"{images}: the mean is {mean:.2f} (goal: {GPU_GOALS[batch].mean})")
        found, goals = ratios(_run(record, batch)), gpu_layer_goals(batch)
        words += [
            f"{images}: {name} is {found[name]:.2f} (goal: {goals[name]})"
            for name in found
            if found[name] < goals[name]
        ]
    return words


def gpu_choices_table(record: Mapping, batch: int) -> Table:
    """Return a row a layer that Winograd takes: what auto takes there, and what was fastest."""
    rows = []
    for name, layer in _run(record, batch)["layers"].items():
        ways = [way for way in layer["entries"] if not way.startswith("cudnn")]
        if len(ways) == 1:
            continue
        chosen = auto(ConvProblem.parse(layer["problem"]))
        fastest = min(ways, key=lambda way: seconds(layer, way))
        label = {DIRECT: "implicit GEMM"}
        rows.append(
            (
                name,
                label.get(chosen, chosen),
                label.get(fastest, fastest),
                f"{seconds(layer, chosen) / seconds(layer, fastest):.2f}",
            )
        )
    return table(rows, ("layer", "auto takes", "fastest", "times as long as the fastest"))


def cpu_ahead(run: Run) -> dict[str, dict[str, float]]:
    """Return layer -> PyTorch's time over the microkernel's, and over that of what auto takes."""
    return {
        name: {"microkernel": each.ratio(TORCH, "microkernel"),
               "what auto takes": each.ratio(TORCH, each.chosen)}
        for name, each in run.items() if each.best_of(TORCH)
    }  # fmt: skip


def cpu_layer_goals(run: Run) -> dict[str, float]:
    """Return layer -> what PyTorch's time over auto's was to be at least, of 3×3 and stride 1."""
    return {
        name: AHEAD.get(name, LEAST_AHEAD) * (SEVERAL_THREADS if each.threads > 1 else 1)
        for name, each in run.items()
        if each.problem.k_h == 3 and unsupported(each.problem) is None
    }


def cpu_auto_missed(run: Run) -> list[str]:
    """Return the goals that a run did not reach, in words; none if it reached them all."""
    return [
        f"{what}: {measured} (goal: {bound})"
        for what, bound, measured, _ in (goal.cells() for goal in goals(run) if not goal.met)
    ]
