"""Convolutions on a GPU: judged, weighed and timed beside cuDNN, and recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import POINTWISE, UNIT_ROUNDOFF, conv2d_float64, error_scale, random_arrays
from ..core.registry import Method, methods
from ..measure.cuda.timing import event_seconds
from ..measure.timing import Comparison
from .libraries import Replayable, cudnn, of_method
from .metadata import gpu_metadata
from .result import Result, over_layers
from .rounds import judge_then_time, paired_rounds

ROUNDS = 9
SAMPLE_SECONDS = 300e-6  # of calls in one timed sample; longer for slow ones
MOST_CALLS = 50
FEW_CALLS = 5  # replayed to see how long one takes
BATCHES = (1, 32)
SLOW = 7  # methods of chapters up to this one are left out of large batches
HALF = "gpu_wgmma"


def record(
    problems: Mapping[str, ConvProblem],
    batches: Sequence[int] = BATCHES,
    rounds: int = ROUNDS,
    progress: Progress = report_progress,
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


def as_record(runs: Mapping[int, Mapping[str, Mapping[str, Result]]]) -> dict[str, Any]:
    """Return `{batch: {layer: results}}` with day, card and versions, ready for JSON."""
    return {
        **gpu_metadata(),
        "runs": [
            {"batch": batch, "layers": {name: _layer(each) for name, each in layers.items()}}
            for batch, layers in runs.items()
        ],
    }


def _layer(results: Mapping[str, Result]) -> dict[str, object]:
    problem = next(iter(results.values())).problem
    return {
        "problem": str(problem),
        "flops": problem.flops,
        "entries": {name: _entry(each) for name, each in results.items()},
    }


def _entry(each: Result) -> dict[str, object]:
    """With four digits of each time, which is finer than the times spread."""
    return {
        "graph": [float(f"{time:.4g}") for time in each.rounds],
        "plain": [float(f"{time:.4g}") for time in each.plain],
        "peak": each.peak, "growth": each.growth, "error": float(f"{each.error:.3g}"),
    }  # fmt: skip


def limit(problem: ConvProblem, roundoff: float, growth: float = 0.0) -> float:
    """Return the limit of the error over `sum |x·w|`: two rounded inputs, then float32 sums.

    The first part is a bound; the second, and the result's own rounding, are as in `reference`.
    """
    return 3 * roundoff + (4 * np.sqrt(problem.window) + growth) * UNIT_ROUNDOFF


def compare_on_gpu(
    problem: ConvProblem,
    methods: Sequence[Method],
    with_cudnn: bool = True,
    rounds: int = ROUNDS,
    peers: Callable | None = None,
    progress: Progress = report_progress,
) -> dict[str, Result]:
    """Compare all that take the problem, by name; of cuDNN's ways all, or what `peers` gives.

    Raises `RuntimeError` naming whoever gave a wrong result.
    """
    import cupy

    x, w = random_arrays(problem)
    facts: dict[str, dict[str, Any]] = {}
    models = {method.name: method.error_model for method in methods}
    with cupy.cuda.Stream(non_blocking=True):
        device_x, device_w = cupy.asarray(x), cupy.asarray(w)
        ways = [
            of_method(method, device_x, device_w, problem)
            for method in methods
            if method.unsupported(problem) is None
        ]
        if with_cudnn:
            ways += (peers or cudnn.peers)(x, w, problem)
        right = conv2d_float64(device_x, device_w, problem, cupy)
        pointwise = error_scale(device_x, device_w, problem, POINTWISE, cupy)

        def judge(name: str, way: Replayable) -> bool:
            model = models[name](problem) if name in models else POINTWISE
            scale = pointwise
            if model.tile is not None:
                scale = error_scale(device_x, device_w, problem, model, cupy)
            with way.scope():
                facts[name] = _facts(way, right, scale, problem, model.growth)
            return True

        times, _ = judge_then_time(
            {way.name: way for way in ways},
            judge,
            lambda ways: _in_rounds(ways, rounds, progress),
            progress=progress,
        )
    return {
        way.name: Result(
            way.name, problem, times.timings[f"{way.name}, graph"],
            times.rounds[f"{way.name}, graph"], library=way.library,
            plain=times.rounds[f"{way.name}, plain"],
            **facts[way.name])
        for way in ways
    }  # fmt: skip


def _facts(way: Replayable, right, scale, problem: ConvProblem, growth: float) -> dict[str, Any]:
    """Peak bytes, growth and error of one way, in its scope."""
    before = _free()
    made = way.call()
    _wait()
    taken = before - _free(empty=False)
    del made
    y = way.result().astype(np.float64)
    # Where only zeros were added up, nothing but zero will do.
    difference = abs(y - right)
    error = float((difference / (scale + (scale == 0) * 1e-30)).max())
    most = limit(problem, way.roundoff, growth)
    if not error <= most:
        raise RuntimeError(
            f"{way.name} is wrong on {problem}: error {error:.1e} is above {most:.1e}; "
            "nothing was timed"
        )
    del y, difference
    return {"peak": way.peak(), "growth": taken, "error": error}


def _free(empty: bool = True) -> int:
    """Bytes free on the device, the pools' unused blocks given back first."""
    import cupy

    _wait()
    if empty:
        cupy.get_default_memory_pool().free_all_blocks()
        try:
            import torch

            torch.cuda.empty_cache()
        except ImportError:
            pass
    return cupy.cuda.runtime.memGetInfo()[0]


def _wait() -> None:
    import cupy

    cupy.cuda.Device().synchronize()


def _in_rounds(ways: Mapping[str, Replayable], rounds: int, progress: Progress) -> Comparison:
    """Each way in each round, by "NAME, graph" and "NAME, plain"."""
    clocks = {}
    for name, way in ways.items():
        calls = calls_of_sample(way.capture, SAMPLE_SECONDS, way.scope)
        clocks[f"{name}, graph"] = partial(_replayed, way, way.capture(calls), calls)
        clocks[f"{name}, plain"] = partial(_called, way, calls)
    return paired_rounds(clocks, rounds, clock=lambda read: read(), progress=progress)


def calls_of_sample(
    capture: Callable[[int], Callable[[], None]], seconds: float, scope: Callable = nullcontext
) -> int:
    """Return how many calls, replayed as one graph, take `seconds`; `MOST_CALLS` at most.

    A few are replayed to see it: called one after the other, small kernels wait for Python, the
    more so the more launches a call makes, and a graph of too few calls is timed with its start.
    """
    few = capture(FEW_CALLS)
    with scope():
        each = event_seconds(few, ahead=1) / FEW_CALLS
    return int(np.clip(seconds / each, 1, MOST_CALLS))


def _replayed(way: Replayable, graph, calls: int) -> float:
    with way.scope():  # the first brings its data back into the cache
        return event_seconds(graph, ahead=1) / calls


def _called(way: Replayable, calls: int) -> float:
    with way.scope():
        way.call()
        return event_seconds(way.call, repeats=calls)
