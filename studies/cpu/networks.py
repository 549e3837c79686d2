"""What `auto` takes beside the libraries, on every convolution of whole networks, one image each.

The layers are those that oneDNN's own benchmark times: `networks.json` names the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from convladder.bench.conv import absent_text
from convladder.bench.conv_cpu import ConvComparison, compare_methods
from convladder.bench.libraries import missing
from convladder.bench.records.conv_cpu import runs_as_dict, runs_of
from convladder.bench.rounds import geometric_mean
from convladder.core.problem import ConvProblem
from convladder.core.progress import Progress, report_progress
from convladder.core.registry import choose
from convladder.cpu.threads import threads_now
from convladder.measure import available_cores
from convladder.measure.pinning import threads as pinned

FOLDER = "networks"

RIVAL = "torch"  # in the faster of its layouts
TUNED_ON = ("ResNeXt-101", "MobileNet")  # some layers of others were looked at on the way, too
ROUNDS = 5


def networks() -> dict[str, dict[str, int]]:
    """Return how often each network has each layer; `ConvProblem.parse` reads the layers."""
    return json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))["networks"]


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return the record of this processor, on 1 thread and all cores.

    Raises `RuntimeError` without PyTorch, or naming whoever gave a wrong result.
    """
    if RIVAL in missing():
        raise RuntimeError(absent_text([RIVAL]))
    layers = dict.fromkeys(layer for each in networks().values() for layer in each)
    numbers = dict.fromkeys([1, available_cores()])
    return runs_as_dict(
        [{layer: _compared(layer, n, progress) for layer in layers} for n in numbers]
    )


def _compared(layer: str, number: int, progress: Progress) -> ConvComparison:
    problem = ConvProblem.parse(layer)
    threads_now()  # imports Numba, which is held only if it is there
    with pinned(number):
        chosen = choose(problem)
    return compare_methods(
        problem, [chosen], threads=number, rounds=ROUNDS,
        progress=lambda what: progress(f"{layer}: {what}"),
    )  # fmt: skip


def lines(record: Mapping) -> Iterator[str]:
    """Yield how many times faster than PyTorch each network is, and its slowest layer."""
    for run in runs_of(record):
        threads = next(iter(run.values())).threads
        yield f"{threads} thread{'s' * (threads > 1)}: times faster than PyTorch"
        for network, layers in networks().items():
            found = {layer: run[layer] for layer in layers}
            ratios = {layer: each.ratio(RIVAL, _ours(each)) for layer, each in found.items()}
            ours = {
                layer: layers[layer] * each.seconds(_ours(each)) for layer, each in found.items()
            }
            whole = sum(ours[layer] * ratios[layer] for layer in ours) / sum(ours.values())
            worst = min(ratios, key=ratios.__getitem__)
            yield (
                f"{network:<13}{whole:5.2f}  mean of layers "
                f"{geometric_mean(ratios.values()):.2f}, least {ratios[worst]:.2f}: {worst}"
                + " (tuned on)"
                * (network in TUNED_ON)
            )


def _ours(each: ConvComparison) -> str:
    return next(name for name in each.measured if name not in each.libraries)
