"""Convolutions of bytes beside those of float32, ours and ONNX Runtime's, in paired rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..core.problem import PAPER, REPORT, ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import random_arrays
from ..core.registry import get_method
from ..core.text import install_text
from ..measure import Comparison, available_cores, compare, timed
from ..measure import threads as pinned
from ..networks import lenet
from ..networks.compress import network as nets
from ..networks.compress import quantised
from ..networks.compress.executor import BATCH, FloatMachine, Int8Network
from ..networks.compress.grids import grid, weight_grid
from ..networks.compress.int8 import convolve, pack
from ..networks.compress.scores import build
from ..networks.lenet.rungs import get_rung
from .benchmark import Options, register
from .conv_analysis import runs_as_dict, runs_of
from .conv_cpu import ConvComparison, time_in_rounds
from .libraries import int8 as peers
from .libraries import lenet as float_networks
from .libraries import missing
from .libraries.conv import peers as float_peers
from .rounds import ROUNDS, geometric_mean, judge_then_time, paired_rounds

INT8, FLOAT32 = "int8", "microkernel"
CALIBRATION = 2000


def lenet_layers(batch: int = BATCH) -> dict[str, ConvProblem]:
    """Return LeNet-5's five layers as convolutions, "lenet conv1" first."""
    side, found = 28, {}
    for layer in nets.network():
        k_h, k_w, i_c, k_c = layer.w.shape
        problem = ConvProblem(batch, side, side, i_c, k_h, k_w, k_c)
        found[f"lenet {layer.name}"] = problem
        side = problem.o_h // (2 if layer.pool else 1)
    return found


LAYERS = {**PAPER, "report": REPORT, **lenet_layers()}


@dataclass(frozen=True)
class Int8Layer:
    """One layer in integers: random values on grids that hold them, as PTQ would choose them."""

    problem: ConvProblem
    x: np.ndarray
    w: np.ndarray
    byte_x: np.ndarray
    q: np.ndarray
    how: dict

    @classmethod
    def random(cls, problem: ConvProblem) -> Int8Layer:
        """Draw a ReLU's output for an input, as inner layers have; ReLU at the end."""
        x, w = random_arrays(problem)
        x = np.maximum(x, 0)
        x_grid, w_grid = grid(0, float(x.max())), weight_grid(w)
        # How far a sum of so many products of that size spreads; three times that fills the grid.
        spread = np.sqrt(problem.window) * float(np.sqrt((x**2).mean() * (w**2).mean()))
        y_grid = grid(0, 3 * spread)
        how = {
            "x_zero": int(x_grid.zero), "y_zero": int(y_grid.zero),
            "bias": np.zeros(problem.k_c, np.int32),
            "multiplier": (x_grid.scale * w_grid.scale / y_grid.scale).astype(np.float32),
        }  # fmt: skip
        return cls(problem, x, w, x_grid.quantise(x), w_grid.quantise(w), how)


def compare_int8(
    problem: ConvProblem,
    threads: int,
    *,
    rounds: int = ROUNDS,
    with_peers: bool = True,
    progress: Progress = report_progress,
) -> ConvComparison:
    """Time int8 beside our float32 microkernel, and beside ONNX Runtime's int8 and float32.

    Weights are packed beforehand by all. Raises `RuntimeError` naming whoever gave other bytes
    than the definition, or another float32 than ours: then nothing is timed.
    """
    layer, method = Int8Layer.random(problem), get_method(FLOAT32)
    ready = method.prepare(layer.w, problem)
    packing = partial(pack, layer.q, problem, relu=True, **layer.how)
    preparing, packed = timed(packing, budget=0.05, threads=threads).median, packing()
    calls = {
        INT8: lambda: convolve(layer.byte_x, packed, problem, threads),
        FLOAT32: lambda: method.run(layer.x, ready, problem),
    }
    libraries, answers = {}, {}
    if with_peers and "onnxruntime" not in missing():
        ways = {
            way.name: way
            for way in peers.convolutions(
                layer.byte_x, layer.q, problem, threads=threads, **layer.how
            )
        }
        ways |= {
            "onnxruntime float32": way  # noqa: B035 - at most one
            for way in float_peers(layer.x, layer.w, problem, threads)
            if way.package == "onnxruntime"
        }
        calls |= {name: way.run for name, way in ways.items()}
        answers = {name: way.answer for name, way in ways.items()}
        libraries = {name: name if "float32" in name else way.package for name, way in ways.items()}
    expected, floats = requantised(layer), calls[FLOAT32]()

    def judge(name: str, call: Callable) -> bool:
        answer = answers.get(name, call)()
        if "float32" not in name and name != FLOAT32:
            _require_bytes(name, answer, expected, problem)
        elif not np.allclose(answer, floats, atol=1e-3 * np.abs(floats).max()):
            raise RuntimeError(f"{name} differs from ours on {problem}; nothing was timed")
        return True

    with pinned(threads):
        return judge_then_time(
            calls,
            judge,
            lambda right: time_in_rounds(
                problem, right, libraries, {INT8: preparing}, threads, rounds, progress
            ),
        )[0]


def requantised(layer: Int8Layer) -> np.ndarray:
    """Return the bytes that the definition gives, from exact sums."""
    problem, how = layer.problem, layer.how
    sums = convolve(layer.byte_x, pack(layer.q, problem, x_zero=how["x_zero"]), problem, 1)
    steps = np.rint(sums.astype(np.float32) * how["multiplier"])
    return np.clip(steps + how["y_zero"], how["y_zero"], 255).astype(np.uint8)


def compare_networks(
    threads: int, rounds: int = ROUNDS, with_peers: bool = True
) -> dict[str, list[float]]:
    """Return the seconds of each round on all images: LeNet-5 in int8 and float32, ours and ORT's.

    Raises `RuntimeError` where labels differ from the definition's: then nothing is timed.
    """
    images, layers = lenet.images(), nets.network()
    ranges = quantised.ranges(layers, images[:CALIBRATION], "percentile")
    integers = quantised.quantise(layers, ranges)
    machine, lanes = Int8Network(integers, BATCH), get_rung("lanes").session(images)
    calls = {"int8, a layer at a time": lambda: machine.logits(images).argmax(1),
             "float32, fused, an image a lane": lanes.run}  # fmt: skip
    whole = quantised.logits(integers, images).argmax(1)
    exact = nets.run(layers, nets.pixels(images)).argmax(1)

    def judge(name: str, call: Callable) -> bool:
        off = (call() != (whole if "int8" in name else exact)).sum()
        if off > 3:  # two logits may be equal but for float32's rounding
            raise RuntimeError(f"{name} labels {off} images differently; nothing was timed")
        return True

    with pinned(threads):
        if with_peers and "onnxruntime" not in missing():
            logits = peers.lenet(integers, BATCH, threads)
            calls["onnxruntime int8"] = lambda: logits(images).argmax(1)
            calls |= {
                "onnxruntime float32": way.run  # noqa: B035 - at most one
                for way in float_networks.peers(images, lenet.weights(), "cpu", threads)
                if way.name == f"onnxruntime, {BATCH} at a time"
            }
        times, _ = judge_then_time(calls, judge, lambda right: paired_rounds(right, rounds))
    return {name: list(each) for name, each in times.rounds.items()}


def measure(options: Options = Options()) -> dict[str, object]:
    """Return comparisons on `LAYERS`, and the whole LeNet-5, for each number of threads.

    `threads` default to 1 and all cores. Raises `RuntimeError` without ONNX Runtime, the
    other side of this race.
    """
    if "onnxruntime" in missing():
        raise RuntimeError(
            "this is a race with ONNX Runtime; not installed: onnxruntime. Add "
            f"with: {install_text('peers')}"
        )
    return record_of(LAYERS, options.threads or (1, available_cores()), progress=options.progress)


def record_of(
    layers: Mapping[str, ConvProblem],
    threads: Sequence[int],
    rounds: int = ROUNDS,
    progress: Progress = report_progress,
) -> dict[str, object]:
    """Return the record of some layers, with whoever is installed; ready for JSON."""
    counts = tuple(dict.fromkeys(threads))
    runs = [
        {name: compare_int8(problem, count, rounds=rounds,
                            progress=lambda what, name=name: progress(f"{name}: {what}"))
         for name, problem in layers.items()}
        for count in counts
    ]  # fmt: skip
    return runs_as_dict(runs) | {
        "dot": _dot(),
        "networks": {str(count): compare_networks(count, rounds) for count in counts},
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield for each number of threads the gain of bytes, and how long ONNX Runtime takes."""
    yield f"{record['machine']['cpu']}, {record['dot']}"
    for run in runs_of(record):
        wide = [
            each
            for name, each in run.items()
            if each.problem.i_c >= 64 and not name.startswith("lenet")
        ]
        gain = geometric_mean(each.ratio(FLOAT32, INT8) for each in wide)
        rival = geometric_mean(each.ratio(peers.PACKAGE, INT8) for each in wide)
        yield (
            f"threads: {wide[0].threads}. Of 64 channels and more, int8 is {gain:.2f} "
            f"times as fast as float32; onnxruntime's takes {rival:.2f} times as long"
        )


def _dot() -> str:
    from ..networks.compress.int8.dots import host_dot

    dot = host_dot()
    return f"{dot.how}, {dot.vector_bits} bits"


def _require_bytes(name: str, got: np.ndarray, expected: np.ndarray, problem: ConvProblem) -> None:
    off = int(np.abs(got.astype(np.int32) - expected).max())
    if off > 1 or (got != expected).mean() > 1e-4:  # a half may go either way in another order
        raise RuntimeError(f"{name} is off by up to {off} steps on {problem}; nothing was timed")


def labeller(name: str, count: int = 1000) -> Callable[[], object] | None:
    """Return a function that labels the first `count` test images, 50 at a time, by a technique.

    None where no kernel here is made for it: grids of fewer bits than 8 are bytes to this machine.
    """
    made = build(name)
    if made.in_integers and made.arithmetic != "int8":
        return None
    machine: Any = Int8Network if made.in_integers else FloatMachine
    logits = machine(made.network, BATCH).logits
    images = lenet.images()[:count]
    return lambda: logits(images)


def compare_techniques(
    names: Sequence[str], count: int = 1000, threads: int = 1, budget: float = 0.1
) -> Comparison:
    """Time those of `names` that can run, taking turns; float32 is always among them."""
    runners = {name: labeller(name, count) for name in dict.fromkeys(["float32", *names])}
    return compare(
        {name: run for name, run in runners.items() if run is not None},
        budget=budget,
        threads=threads,
    )


register(
    "int8",
    "convolutions of bytes beside float32 and ONNX Runtime, on chapter 16's layers and the "
    "whole LeNet-5",
    measure,
    lines,
)
