"""The implicit GEMM with one idea taken away at a time, and with every tile: timed on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median

import numpy as np

from ..gpu import implicit_gemm
from ..gpu.chip import chip
from ..gpu.epilogue import bias_relu_launch
from ..gpu.launch import KERNELS
from ..gpu.tile_choice import choose, plans, predicted_cycles
from ..measure.cuda.machine import nvrtc_version, require_gpu
from ..measure.cuda.timing import captured, event_seconds
from ..problem import PAPER, REPORT, ConvProblem
from ..records.store import digests, records
from ..reference import random_arrays
from .compare_gpu import calls_of_sample, limit, oracle
from .rounds import judge_then_time, paired_rounds
from .stamp import gpu_stamp

NAME = "ablation"
HELP = (
    "chapter 09's implicit GEMM with one idea taken away at a time, and with every tile, timed "
    "on this GPU"
)
recorded = partial(records, NAME)
FILES = ("implicit_gemm.cu", "multiply_slice.cuh", "bias_relu.cu")
BATCHES = (1, 32)
LAYERS = {**PAPER, "report": REPORT}
SWEPT = (("cv5", 32), ("cv8", 32), ("cv9", 1), ("cv10", 32))  # with every tile, window whole
SHIPPED, ARGUMENTS, WHOLE = "as shipped", "sizes as arguments", "window not split"
FUSED, ONE_PASS, TWO_PASSES = "bias and ReLU fused", "in one more pass", "in two more passes"
ROUNDS = 9
SAMPLE_SECONDS = 400e-6  # of calls in one replayed graph, at least


def kernels() -> dict[str, str]:
    """Return a digest of each file of the kernels that are timed."""
    return digests(KERNELS, FILES)


def measure() -> dict[str, object]:
    """Measure every layer of the course with both batches, each result judged; ready for JSON.

    Needs a GPU with CuPy; two to three minutes. Raises `RuntimeError` if a result is wrong.
    """
    require_gpu("only one has times to record")
    runs = []
    for batch in BATCHES:
        layers = {name: _layer(problem.with_batch(batch)) for name, problem in LAYERS.items()}
        runs.append({"batch": batch, "layers": layers})
    tiles = [
        {"layer": name, "batch": batch, **_tiles(LAYERS[name].with_batch(batch))}
        for name, batch in SWEPT
    ]
    return {**gpu_stamp(nvrtc=nvrtc_version()), "kernels": kernels(), "runs": runs, "tiles": tiles}


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each layer: what ships, and times without an idea over it."""
    for name, batch, layer in rows(record):
        shipped = layer["seconds"][SHIPPED]
        yield f"{name:<5} batch {batch:>2}  {shipped * 1e6:>8.1f} µs  " + "  ".join(
            f"{what}: {seconds / shipped:.2f}"
            for what, seconds in layer["seconds"].items()
            if what != SHIPPED
        )


def rows(record: Mapping) -> Iterator[tuple[str, int, Mapping]]:
    """Yield layer, batch and what was measured of it."""
    for run in record["runs"]:
        for name, data in run["layers"].items():
            yield name, run["batch"], data


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
    problem: ConvProblem, ways: Mapping[str, Callable], biases: Mapping[str, object]
) -> dict[str, float]:
    """Median seconds of each, replayed as CUDA graphs in paired rounds."""
    import cupy

    x, w = map(cupy.asarray, random_arrays(problem))
    right, scale = oracle(x, w, problem), oracle(abs(x), abs(w), problem)
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
    return {name: float(f"{median(each):.4g}") for name, each in times.items()}


def _replay(call: Callable[[], object]) -> Callable[[], float]:
    """What replays `call`, so many times that it takes long enough to time: seconds of one."""
    calls = calls_of_sample(partial(captured, call), SAMPLE_SECONDS)
    graph = captured(call, calls)
    return lambda: event_seconds(graph, ahead=1) / calls
