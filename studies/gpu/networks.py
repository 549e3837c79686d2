"""Whole networks' layers on a GPU, 32 images: `auto` in float32 and `gpu_wgmma` beside cuDNN.

Layers with groups are left out: on a GPU `auto` takes none. Needs Hopper, CuPy and PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from convladder.bench.conv_gpu import HALF, as_record, compare_on_gpu
from convladder.bench.libraries.cudnn import both_layouts
from convladder.bench.records.conv_gpu import cudnn_ratios, cudnn_seconds
from convladder.bench.result import Result
from convladder.bench.rounds import geometric_mean
from convladder.core.problem import ConvProblem
from convladder.core.progress import Progress, report_progress
from convladder.core.registry import choose, get_method
from convladder.measure.cuda.gpu_info import require_gpu

from ..cpu import networks as of_processors
from .conv_record import HALF_LAYERS

FOLDER = of_processors.FOLDER
IMAGES = 32
GOAL = 0.95  # times cuDNN's speed, of each layer
OURS = {"float32": ("gpu_implicit_gemm", "gpu_winograd"), "float16": (HALF,)}
# The tiles' models were fitted to timings of these, or the kernels were changed for them.
TUNED_ON = {str(problem) for problem in HALF_LAYERS.values()} | {
    "224x224x3,7x7x64,s2,p3", "299x299x3,3x3x32,s2,p0", "149x149x32,3x3x32,s1,p0",
    "147x147x32,3x3x64,s1,p1", "73x73x80,3x3x192,s1,p0", "35x35x48,5x5x64,s1,p2",
    "35x35x96,3x3x96,s1,p1", "35x35x192,1x1x64,s1,p0", "17x17x160,1x7x160,s1,p0x3",
    "8x8x384,1x3x384,s1,p0x1", "56x56x256,1x1x512,s2,p0", "35x35x288,3x3x384,s2,p0",
}  # fmt: skip


def networks() -> dict[str, dict[str, int]]:
    """Return how often each network has each layer without groups."""
    return {
        network: {
            layer: times for layer, times in layers.items() if ConvProblem.parse(layer).groups == 1
        }
        for network, layers in of_processors.networks().items()
    }


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return the record. Raises `RuntimeError` without a GPU, or naming who gave a wrong result."""
    require_gpu("only one has times to record")
    layers = dict.fromkeys(layer for each in networks().values() for layer in each)
    return as_record({IMAGES: {layer: _compared(layer, progress) for layer in layers}})


def _compared(layer: str, progress: Progress) -> dict[str, Result]:
    problem = ConvProblem.parse(layer).with_batch(IMAGES)
    return compare_on_gpu(
        problem,
        [choose(problem, "gpu"), get_method(HALF)],
        peers=both_layouts,
        progress=lambda what: progress(f"{layer}: {what}"),
    )


def lines(record: Mapping) -> Iterator[str]:
    """Yield how many times as fast as cuDNN each network is, and its slowest layer."""
    (run,) = record["runs"]
    for precision, names in OURS.items():
        found = {
            layer: ratio
            for name in names
            for layer, ratio in cudnn_ratios(run, name, precision).items()
        }
        yield f"{precision}, {run['batch']} images: times as fast as cuDNN's faster layout"
        for network, layers in networks().items():
            theirs = {
                layer: times * cudnn_seconds(run["layers"][layer], precision)
                for layer, times in layers.items()
            }
            whole = sum(theirs.values()) / sum(theirs[layer] / found[layer] for layer in layers)
            yield f"{network:<13}{whole:5.2f}  {_spread({each: found[each] for each in layers})}"
        unseen = {layer: ratio for layer, ratio in found.items() if layer not in TUNED_ON}
        yield f"all layers         {_spread(found)}"
        yield f"not tuned on       {_spread(unseen)}"


def _spread(found: Mapping[str, float]) -> str:
    worst = min(found, key=found.__getitem__)
    below = sum(ratio < GOAL for ratio in found.values())
    return (
        f"mean of {len(found)} layers {geometric_mean(found.values()):.2f}, {below} below {GOAL}, "
        f"least {found[worst]:.2f}: {worst}"
    )
