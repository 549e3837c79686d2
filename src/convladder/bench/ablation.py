"""The implicit GEMM with one idea taken away at a time, and with every tile: timed on a GPU."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from statistics import median

import numpy as np

from ..gpu import implicit_gemm
from ..gpu.chip import chip
from ..gpu.epilogue import bias_relu_launch
from ..gpu.launch import KERNELS
from ..gpu.tile_choice import choose, plans, predicted_cycles
from ..measure.cuda.machine import card, versions
from ..problem import PAPER, REPORT, ConvProblem
from ..reference import random_arrays
from .compare_gpu import limit, oracle

RECORDS = Path(__file__).parents[1] / "records" / "ablation"  # of this course
FILES = ("implicit_gemm.cu", "bias_relu.cu")
BATCHES = (1, 32)
LAYERS = {**PAPER, "report": REPORT}
SWEPT = (("cv5", 32), ("cv8", 32), ("cv9", 1), ("cv10", 32))  # with every tile, window whole
SHIPPED, ARGUMENTS, WHOLE = "as shipped", "sizes as arguments", "window not split"
FUSED, ONE_PASS, TWO_PASSES = "bias and ReLU fused", "in one more pass", "in two more passes"
ROUNDS = 9
SAMPLE_SECONDS = 400e-6  # of calls in one replayed graph, at least


def kernels() -> dict[str, str]:
    """File -> a digest of its code, without comments, of the kernels that are timed."""
    code = {file: re.sub(r"//.*", "", (KERNELS / file).read_text(encoding="utf-8")).split()
            for file in FILES}
    return {file: sha256(" ".join(words).encode()).hexdigest()[:16]
            for file, words in code.items()}


def measured() -> dict[str, object]:
    """Every layer of the course with both batches, each result judged; ready for JSON.

    Needs a GPU with CuPy; two to three minutes. Raises `RuntimeError` if a result is wrong.
    """
    runs = []
    for batch in BATCHES:
        layers = {name: _layer(problem.with_batch(batch)) for name, problem in LAYERS.items()}
        runs.append({"batch": batch, "layers": layers})
    tiles = [{"layer": name, "batch": batch, **_tiles(LAYERS[name].with_batch(batch))}
             for name, batch in SWEPT]
    return {"date": datetime.now(UTC).date().isoformat(), "card": card(),
            "versions": {**versions(), "nvrtc": _nvrtc()}, "kernels": kernels(),
            "runs": runs, "tiles": tiles}


def _layer(problem: ConvProblem) -> dict[str, object]:
    import cupy

    plan = choose(problem, chip())
    whole = [p for p in plans(problem, chip()) if p.split == 1]
    unsplit = min(whole, key=lambda p: predicted_cycles(problem, p, chip()))
    bias = cupy.linspace(-1, 1, problem.k_c, dtype=np.float32)
    apart = bias_relu_launch(problem)

    def one_pass(x, w):
        y = implicit_gemm.run(x, w, problem, plan)
        apart(y, bias)
        return y

    def two_passes(x, w):
        y = implicit_gemm.run(x, w, problem, plan)
        cupy.add(y, bias, out=y)
        return cupy.maximum(y, 0, out=y)

    contest = {
        SHIPPED: lambda x, w: implicit_gemm.run(x, w, problem, plan),
        ARGUMENTS: lambda x, w: implicit_gemm.run(x, w, problem, plan, constants=False),
        FUSED: lambda x, w: implicit_gemm.run(x, w, problem, plan, bias),
        ONE_PASS: one_pass,
        TWO_PASSES: two_passes,
    }
    if plan.split > 1:
        contest[WHOLE] = lambda x, w: implicit_gemm.run(x, w, problem, unsplit)
    with_bias = dict.fromkeys((FUSED, ONE_PASS, TWO_PASSES), bias)
    return {"problem": str(problem), "plan": plan.tile.name, "split": plan.split,
            "seconds": _timed(problem, contest, with_bias)}


def _tiles(problem: ConvProblem) -> dict[str, object]:
    contest = {plan.tile.name: lambda x, w, plan=plan: implicit_gemm.run(x, w, problem, plan)
               for plan in plans(problem, chip()) if plan.split == 1}
    return {"problem": str(problem), "seconds": _timed(problem, contest, {})}


def _timed(problem: ConvProblem, contest: Mapping[str, Callable],
           biases: Mapping[str, object]) -> dict[str, float]:
    """Median seconds of each, replayed as CUDA graphs in paired rounds."""
    import cupy

    x, w = map(cupy.asarray, random_arrays(problem))
    right, scale = oracle(x, w, problem), oracle(abs(x), abs(w), problem)
    weights = implicit_gemm.pad_columns(w, problem)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        cupy.cuda.Device().synchronize()  # what other streams have made is there
        graphs = {}
        for name, run in contest.items():
            bias = biases.get(name)
            expected = right if bias is None else cupy.maximum(right + bias, 0)
            room = scale if bias is None else scale + abs(bias)
            wrong = float((abs(run(x, weights) - expected) / room).max())
            if not wrong <= limit(problem, 0.0):
                raise RuntimeError(f"{name} is wrong on {problem}: error {wrong:.1e}; this is a "
                                   "defect of the package, so nothing was timed")
            graphs[name] = _graph(lambda run=run: run(x, weights), stream)
        del right, scale
        times: dict[str, list[float]] = {name: [] for name in graphs}
        for lap in range(ROUNDS):
            for name in list(graphs)[:: -1 if lap % 2 else 1]:
                graph, calls = graphs[name]
                graph.launch(stream)
                times[name].append(_seconds(lambda graph=graph: graph.launch(stream)) / calls)
    return {name: float(f"{median(each):.4g}") for name, each in times.items()}


def _graph(call: Callable[[], object], stream) -> tuple:
    """`call` captured so many times that a replay takes long enough to time, and that number."""
    call()
    calls = int(np.clip(SAMPLE_SECONDS / _seconds(call), 1, 50))
    stream.begin_capture()
    for _ in range(calls):
        call()
    return stream.end_capture(), calls


def _seconds(call: Callable[[], object]) -> float:
    import cupy

    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    call()
    stop.record()
    stop.synchronize()
    return cupy.cuda.get_elapsed_time(start, stop) / 1e3


def _nvrtc() -> str:
    import cupy

    return ".".join(map(str, cupy.cuda.nvrtc.getVersion()))


def recorded(folder: Path = RECORDS) -> list[dict]:
    """All records of a folder, those of the course by default, the newest first."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda record: record["date"], reverse=True)


def rows(record: Mapping) -> Iterator[tuple[str, int, Mapping]]:
    """Layer, batch and what was measured of it."""
    for run in record["runs"]:
        for name, data in run["layers"].items():
            yield name, run["batch"], data
