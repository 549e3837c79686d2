"""What passes save on a GPU: the compiled networks after each, by the device's own clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from convladder.bench.libraries import missing
from convladder.bench.metadata import gpu_metadata
from convladder.core.progress import Progress, report_progress
from convladder.cuda import streams
from convladder.measure.cuda.gpu_info import require_gpu
from convladder.measure.cuda.timing import event_seconds
from convladder.networks.compile.cuda_program import DeviceProgram
from convladder.networks.compile.graph import Graph
from convladder.networks.compile.networks import NETWORKS
from convladder.networks.compile.passes import stages

from ..cpu.compiled import distance, expected, limit, sample
from ..cpu.graph_peers import module

FOLDER = "compile"  # beside the records of processors
CASES = {"lenet": 10_000, "skip": 512, "depthwise": 512}  # images, all at once
JUDGED = 64  # of them, where the float64 oracle is slow
READINGS = 15


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return a record of this GPU. Raises `RuntimeError` for a wrong value, or without a GPU."""
    require_gpu("only one has times to record")
    networks = {name: _network(name, count, progress) for name, count in CASES.items()}
    return {**gpu_metadata(), "networks": networks}


def _network(name: str, count: int, progress: Progress) -> dict[str, object]:
    graph = NETWORKS[name](count)
    (given,), (output,) = graph.inputs, graph.outputs
    x = sample(graph, count)
    right = expected(graph, x[: None if name == "lenet" else JUDGED])
    seconds, kernels = {}, {}
    for stage, after in stages(graph).items():
        progress(f"{name}: {stage}")
        program = DeviceProgram(after)
        wrong = distance(program(**{given: x})[output][: len(right)], right)
        if wrong > limit(graph):
            raise RuntimeError(f"{name}, {stage}: values are {wrong:.2g} apart from float64's")
        seconds[stage] = _median(lambda: streams.device_seconds(program.compute))
        kernels[stage] = len(program.kernels)
    return {
        "images": count,
        "seconds": seconds,
        "kernels": kernels,
        "torch": _torch(graph, x, right, progress),
    }


def _torch(graph: Graph, x: np.ndarray, right: np.ndarray, progress: Progress) -> dict[str, dict]:
    """PyTorch's times, eager and compiled, in float32 proper; empty where it is not installed."""
    if "torch" in missing():
        return {}
    import torch

    torch.backends.cudnn.allow_tf32 = False  # else its values are not float32's
    network, on_device = module(graph).cuda(), torch.from_numpy(x.copy()).cuda()
    times = {}
    for name, run in {"eager": network, "compiled": torch.compile(network)}.items():
        progress(f"{graph.name}: torch, {name}")
        with torch.no_grad():
            answer = run(on_device).cpu().numpy()[: len(right)]
            times[name] = {
                "seconds": _median(lambda: event_seconds(lambda: run(on_device), ahead=1)),
                "error": distance(answer, right),
            }
    return times


def _median(clock: Callable[[], float]) -> float:
    clock()
    return float(np.median([clock() for _ in range(READINGS)]))


def lines(record: Mapping) -> Iterator[str]:
    """Yield for each network the time after each pass, and PyTorch's."""
    for network, result in record["networks"].items():
        yield from ("", f"{network}, {result['images']:,} images")
        for stage, seconds in result["seconds"].items():
            kernels = result["kernels"][stage]
            yield f"{stage:<20}{kernels:>4} kernels{1e3 * seconds:>9.3f} ms"
        for name, of in result["torch"].items():
            yield (f"torch, {name:<13}{1e3 * of['seconds']:>20.3f} ms, {of['error']:.1e} apart")
