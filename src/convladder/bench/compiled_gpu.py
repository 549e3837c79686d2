"""What passes save on a GPU: the compiled networks after each, by the device's own clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import numpy as np

from ..compile.device import DeviceProgram
from ..compile.graph import Graph
from ..compile.networks import NETWORKS
from ..compile.passes import stages
from ..cuda import streams
from ..measure.cuda.machine import card, versions
from ..records.store import records
from .compiled import RECORDS, apart, expected, limit, sample
from .libraries.graph import module

CASES = {"lenet": 10_000, "skip": 512, "depthwise": 512}  # images, all at once
JUDGED = 64  # of them, where the float64 oracle is slow
READINGS = 15


def measured(progress: Callable[[str], None] = lambda what: None) -> dict[str, object]:
    """A record of this GPU. Raises `RuntimeError` for a wrong value, `NoBackend` without a GPU."""
    found = {}
    for name, count in CASES.items():
        graph = NETWORKS[name](count)
        (given,), (output,) = graph.inputs, graph.outputs
        x = sample(graph, count)
        right = expected(graph, x[:None if name == "lenet" else JUDGED])
        seconds, kernels = {}, {}
        for stage, after in stages(graph).items():
            progress(f"{name}: {stage}")
            program = DeviceProgram(after)
            wrong = apart(program(**{given: x})[output][:len(right)], right)
            if wrong > limit(graph):
                raise RuntimeError(f"{name}, {stage}: values are {wrong:.2g} apart from float64's")
            seconds[stage] = _median(lambda: streams.device_seconds(program.compute))
            kernels[stage] = len(program.kernels)
        found[name] = {"images": count, "seconds": seconds, "kernels": kernels,
                       "torch": _torch(graph, x, right, progress)}
    return {"date": datetime.now(UTC).date().isoformat(), "card": card(),
            "versions": versions(), "networks": found}


def _torch(graph: Graph, x: np.ndarray, right: np.ndarray, progress: Callable) -> dict[str, object]:
    """PyTorch's times, eager and compiled, in float32 proper; empty where it is not installed."""
    try:
        import torch
    except ImportError:
        return {}
    torch.backends.cudnn.allow_tf32 = False  # else its values are not float32's
    network, on_device = module(graph).cuda(), torch.from_numpy(x.copy()).cuda()
    found = {}
    for name, run in {"eager": network, "compiled": torch.compile(network)}.items():
        progress(f"{graph.name}: torch, {name}")
        with torch.no_grad():
            answer = run(on_device).cpu().numpy()[: len(right)]
            found[name] = {"seconds": _median(lambda: _torch_seconds(torch, run, on_device)),
                           "apart": apart(answer, right)}
    return found


def _torch_seconds(torch, run: Callable, x) -> float:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    run(x)
    begin.record()
    run(x)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def _median(clock: Callable[[], float]) -> float:
    clock()
    return float(np.median([clock() for _ in range(READINGS)]))


def recorded() -> list[Mapping]:
    """The records of GPUs that come with the course, the newest first."""
    return [record for record in records(RECORDS) if "networks" in record]
