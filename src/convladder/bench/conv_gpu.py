"""Convolutions on a GPU: judged, weighed and timed beside cuDNN, recorded, and read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import POINTWISE, UNIT_ROUNDOFF, random_arrays
from ..core.registry import Method, methods
from ..measure.cuda.timing import event_seconds
from ..measure.timing import Comparison, timing_of
from .libraries import Replayable, cudnn, of_method
from .metadata import gpu_metadata
from .result import Measured, over_layers
from .rounds import geometric_mean, judge_then_time, paired_rounds

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


def as_record(runs: Mapping[int, Mapping[str, Mapping[str, Measured]]]) -> dict[str, Any]:
    """Return `{batch: {layer: results}}` with day, card and versions, ready for JSON."""
    return {
        **gpu_metadata(),
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


def oracle(x, w, problem: ConvProblem):
    """Return `reference.conv2d_float64` of CuPy arrays: a sum over positions of shifted images."""
    import cupy

    p = problem
    padded = cupy.pad(x.astype(np.float64), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = cupy.zeros((p.pixels, p.k_c))
    for u in range(p.k_h):
        for v in range(p.k_w):
            shifted = padded[:, u : u + p.s_h * p.o_h : p.s_h, v : v + p.s_w * p.o_w : p.s_w][
                :, : p.o_h, : p.o_w
            ].reshape(p.pixels, p.i_c)
            y += shifted @ w[u, v].astype(np.float64)
    return y.reshape(p.output_shape)


def tile_scale(x, w, problem: ConvProblem, tile: tuple[int, int]):
    """Return what `reference.compare` takes tile-wise errors over, CuPy arrays; stride 1."""
    import cupy

    p, (rows, cols) = (
        problem,
        (-(-o // m) for o, m in zip((problem.o_h, problem.o_w), tile, strict=True)),
    )
    ends = [
        (pad, max(0, m * count + k - 1 - pad - i))
        for pad, m, count, k, i in zip(
            p.padding, tile, (rows, cols), (p.k_h, p.k_w), (p.i_h, p.i_w), strict=True
        )
    ]
    padded = cupy.pad(abs(x), ((0, 0), *ends, (0, 0)))
    largest = cupy.zeros((p.i_n, rows, cols, p.i_c), np.float32)
    for u in range(tile[0] + p.k_h - 1):
        for v in range(tile[1] + p.k_w - 1):
            read = padded[:, u :: tile[0], v :: tile[1]][:, :rows, :cols]
            largest = cupy.maximum(largest, read)
    scale = largest.astype(np.float64) @ abs(w.astype(np.float64)).sum(axis=(0, 1))
    return scale.repeat(tile[0], axis=1).repeat(tile[1], axis=2)[:, : p.o_h, : p.o_w]


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
) -> dict[str, Measured]:
    """Compare all that take the problem, by name; of cuDNN's ways all, or what `peers` gives.

    Raises `RuntimeError` naming whoever gave a wrong result.
    """
    import cupy

    x, w = random_arrays(problem)
    facts, models = {}, {method.name: method.error_model for method in methods}
    with cupy.cuda.Stream(non_blocking=True):
        device_x, device_w = cupy.asarray(x), cupy.asarray(w)
        ways = [
            of_method(method, device_x, device_w, problem)
            for method in methods
            if method.unsupported(problem) is None
        ]
        if with_cudnn:
            ways += (peers or cudnn.peers)(x, w, problem)
        right = oracle(device_x, device_w, problem)
        scale = oracle(abs(device_x), abs(device_w), problem)

        def judge(name: str, way: Replayable) -> bool:
            model = models[name](problem) if name in models else POINTWISE
            own = (
                scale if model.tile is None else tile_scale(device_x, device_w, problem, model.tile)
            )
            with way.scope():
                facts[name] = _facts(way, right, own, problem, model.growth)
            return True

        times, _ = judge_then_time(
            {way.name: way for way in ways},
            judge,
            lambda ways: _in_rounds(ways, rounds, progress),
            progress=progress,
        )
    return {
        way.name: Measured(
            way.name, problem, times.timings[way.name, "graph"],
            times.rounds[way.name, "graph"], library=way.library,
            plain=times.rounds[way.name, "plain"],
            **facts[way.name])
        for way in ways
    }  # fmt: skip


def _facts(way: Replayable, right, scale, problem: ConvProblem, growth: float) -> dict[str, float]:
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
    """Each way in each round, by (name, "graph" or "plain")."""
    clocks = {}
    for name, way in ways.items():
        calls = calls_of_sample(way.capture, SAMPLE_SECONDS, way.scope)
        clocks[name, "graph"] = partial(_replayed, way, way.capture(calls), calls)
        clocks[name, "plain"] = partial(_called, way, calls)
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
