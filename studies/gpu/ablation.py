"""The implicit GEMM with one idea taken away at a time, and with every tile: timed on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from convladder.bench.conv_gpu import calls_of_sample, limit
from convladder.bench.metadata import gpu_metadata
from convladder.bench.records import digests
from convladder.bench.records.ablation import (
    ARGUMENTS,
    FUSED,
    ONE_PASS,
    SHIPPED,
    TWO_PASSES,
    WHOLE,
    ablation_rows,
)
from convladder.bench.rounds import judge_then_time, paired_rounds
from convladder.core.problem import PAPER, REPORT, ConvProblem
from convladder.core.progress import Progress, report_progress
from convladder.core.reference import POINTWISE, conv2d_float64, error_scale, random_arrays
from convladder.gpu import implicit_gemm
from convladder.gpu.chip import chip
from convladder.gpu.epilogue import bias_relu_launch
from convladder.gpu.launch import KERNELS
from convladder.gpu.tile_choice import choose, plans, predicted_cycles
from convladder.measure.cuda.gpu_info import nvrtc_version, require_gpu
from convladder.measure.cuda.timing import captured, event_seconds

FOLDER = "ablation"
FILES = ("implicit_gemm.cu", "multiply_slice.cuh", "bias_relu.cu")
BATCHES = (1, 32)
LAYERS = {**PAPER, "report": REPORT}
SWEPT = (("cv5", 32), ("cv8", 32), ("cv9", 1), ("cv10", 32))  # with every tile, window whole
ROUNDS = 9
SAMPLE_SECONDS = 400e-6  # of calls in one replayed graph, at least


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Measure every layer of the course with both batches, each result judged; ready for JSON.

    Needs a GPU with CuPy; two to three minutes. Raises `RuntimeError` if a result is wrong.
    """
    require_gpu("only one has times to record")
    runs = []
    for batch in BATCHES:
        layers = {}
        for name, problem in LAYERS.items():
            progress(f"{name}, batch {batch}")
            layers[name] = _layer(problem.with_batch(batch))
        runs.append({"batch": batch, "layers": layers})
    tiles = [
        {"layer": name, "batch": batch, **_tiles(LAYERS[name].with_batch(batch))}
        for name, batch in SWEPT
    ]
    return {
        **gpu_metadata(nvrtc=nvrtc_version()),
        "kernels": digests(KERNELS, FILES),
        "runs": runs,
        "tiles": tiles,
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each layer: what ships, and times without an idea over it."""
    for name, batch, layer in ablation_rows(record):
        shipped = layer["seconds"][SHIPPED]
        yield f"{name:<5} batch {batch:>2}  {shipped * 1e6:>8.1f} µs  " + "  ".join(
            f"{what}: {seconds / shipped:.2f}"
            for what, seconds in layer["seconds"].items()
            if what != SHIPPED
        )


def _layer(problem: ConvProblem) -> dict[str, object]:
    import cupy

    plan = choose(problem, chip())
    whole = [p for p in plans(problem, chip()) if p.split == 1]
    unsplit = min(whole, key=lambda p: predicted_cycles(problem, p, chip()))
    bias = cupy.linspace(-1, 1, problem.k_c, dtype=np.float32)
    bias_relu = bias_relu_launch(problem)

    def one_pass(x, w):
        y = implicit_gemm.run(x, w, problem, plan)
        bias_relu(y, bias)
        return y

    def two_passes(x, w):
        y = implicit_gemm.run(x, w, problem, plan)
        cupy.add(y, bias, out=y)
        return cupy.maximum(y, 0, out=y)

    ways = {
        SHIPPED: lambda x, w: implicit_gemm.run(x, w, problem, plan),
        ARGUMENTS: lambda x, w: implicit_gemm.run(x, w, problem, plan, constants=False),
        FUSED: lambda x, w: implicit_gemm.run(x, w, problem, plan, bias),
        ONE_PASS: one_pass,
        TWO_PASSES: two_passes,
    }
    if plan.split > 1:
        ways[WHOLE] = lambda x, w: implicit_gemm.run(x, w, problem, unsplit)
    with_bias = dict.fromkeys((FUSED, ONE_PASS, TWO_PASSES), bias)
    return {
        "problem": str(problem),
        "plan": plan.tile.name,
        "split": plan.split,
        "seconds": _timed(problem, ways, with_bias),
    }


def _tiles(problem: ConvProblem) -> dict[str, object]:
    ways = {
        plan.tile.name: lambda x, w, plan=plan: implicit_gemm.run(x, w, problem, plan)
        for plan in plans(problem, chip())
        if plan.split == 1
    }
    return {"problem": str(problem), "seconds": _timed(problem, ways, {})}


def _timed(
    problem: ConvProblem, ways: Mapping[str, Callable], biases: Mapping[str, Any]
) -> dict[str, float]:
    """Median seconds of each, replayed as CUDA graphs in paired rounds."""
    import cupy

    x, w = map(cupy.asarray, random_arrays(problem))
    right = conv2d_float64(x, w, problem, cupy)
    scale = error_scale(x, w, problem, POINTWISE, cupy)
    weights = implicit_gemm.pad_columns(w, problem)

    def judge(name: str, run: Callable) -> bool:
        bias = biases.get(name)
        expected = right if bias is None else cupy.maximum(right + bias, 0)
        size = scale if bias is None else scale + abs(bias)
        wrong = float((abs(run(x, weights) - expected) / size).max())
        if not wrong <= limit(problem, 0.0):
            raise RuntimeError(
                f"{name} is wrong on {problem}: error {wrong:.1e}; this is a "
                "defect of the package, so nothing was timed"
            )
        return True

    with cupy.cuda.Stream(non_blocking=True):
        cupy.cuda.Device().synchronize()  # what other streams have made is there
        times, _ = judge_then_time(
            ways,
            judge,
            lambda ways: paired_rounds(
                {name: _replay(partial(run, x, weights)) for name, run in ways.items()},
                ROUNDS,
                clock=lambda seconds: seconds(),
            ),
        )
    return {name: float(f"{median(each):.4g}") for name, each in times.rounds.items()}


def _replay(call: Callable[[], object]) -> Callable[[], float]:
    """What replays `call`, so many times that it takes long enough to time: seconds of one."""
    calls = calls_of_sample(partial(captured, call), SAMPLE_SECONDS)
    graph = captured(call, calls)
    return lambda: event_seconds(graph, ahead=1) / calls
