"""Convolutions of bytes beside those of float32, ours and ONNX Runtime's, in paired rounds.

Every layer of the MEC paper, the MEC report's, and LeNet-5's own, 50 images at a time; then LeNet-5
as a whole, on all 10,000 images. `convladder record --int8` does it on one thread, and on all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from .. import lenet
from ..bench.compare import contests_as_dict
from ..compress import network as nets
from ..compress import quantised
from ..compress.grids import grid, weight_grid
from ..compress.int8 import convolve, pack
from ..compress.machine import BATCH, Machine
from ..lenet.rungs import get_rung
from ..measure import available_cores, timed
from ..measure import threads as pinned
from ..measure.quick import fewer
from ..measure.timer import turn
from ..problem import PAPER, REPORT, ConvProblem
from ..records.store import RECORDS as ALL_RECORDS
from ..records.store import records
from ..reference import random_arrays
from ..registry import get_method
from .compare import ROUNDS, Contest, paired
from .libraries import int8 as peers
from .libraries import lenet as float_networks
from .libraries.conv import peers as float_peers

RECORDS = ALL_RECORDS / "int8"
INT8, FLOAT32 = "int8", "microkernel"
NEEDED = ("onnxruntime", "onnx")
CALIBRATION = 2000


def lenet_layers(batch: int = BATCH) -> dict[str, ConvProblem]:
    """LeNet-5's five layers as convolutions, "lenet conv1" first."""
    side, found = 28, {}
    for layer in nets.network():
        k_h, k_w, i_c, k_c = layer.w.shape
        problem = ConvProblem(batch, side, side, i_c, k_h, k_w, k_c)
        found[f"lenet {layer.name}"] = problem
        side = problem.o_h // (2 if layer.pool else 1)
    return found


LAYERS = {**PAPER, "report": REPORT, **lenet_layers()}


@dataclass(frozen=True)
class Task:
    """One layer in integers: random values on grids that hold them, as PTQ would choose them."""

    problem: ConvProblem
    x: np.ndarray
    w: np.ndarray
    byte_x: np.ndarray
    q: np.ndarray
    how: dict

    @classmethod
    def of(cls, problem: ConvProblem) -> Task:
        """A ReLU's output for an input, as inner layers have; ReLU at the end."""
        x, w = random_arrays(problem)
        x = np.maximum(x, 0)
        x_grid, w_grid = grid(0, float(x.max())), weight_grid(w)
        # A sum of so many products of that size spreads by this; three times of it fill the grid.
        spread = np.sqrt(problem.window) * float(np.sqrt((x**2).mean() * (w**2).mean()))
        y_grid = grid(0, 3 * spread)
        how = {
            "x_zero": int(x_grid.zero), "y_zero": int(y_grid.zero),
            "bias": np.zeros(problem.k_c, np.int32),
            "multiplier": (x_grid.scale * w_grid.scale / y_grid.scale).astype(np.float32),
        }  # fmt: skip
        return cls(problem, x, w, x_grid.quantise(x), w_grid.quantise(w), how)


def contest(
    problem: ConvProblem,
    threads: int,
    *,
    rounds: int = ROUNDS,
    with_peers: bool = True,
    progress: Callable[[str], object] | None = None,
) -> Contest:
    """int8 beside our float32 microkernel, and beside ONNX Runtime's int8 and float32.

    Weights are packed beforehand by all. Raises `RuntimeError` naming whoever gave other bytes
    than the definition, or another float32 than ours: then nothing is timed.
    """
    task, method = Task.of(problem), get_method(FLOAT32)
    ready = method.prepare(task.w, problem)
    preparing = timed(lambda: pack(task.q, problem, relu=True, **task.how), budget=0.05,
                      threads=threads).median  # fmt: skip
    packed = pack(task.q, problem, relu=True, **task.how)
    calls = {
        INT8: lambda: convolve(task.byte_x, packed, problem, threads),
        FLOAT32: lambda: method.run(task.x, ready, problem),
    }
    libraries, expected = {}, requantised(task)
    with pinned(threads):
        _must_be(INT8, calls[INT8](), expected, problem)
        floats = calls[FLOAT32]()
        if with_peers and not missing():
            for peer in peers.convolutions(task.byte_x, task.q, problem, threads=threads,
                                           **task.how):
                _must_be(peer.name, peer.result(), expected, problem)
                calls[peer.name], libraries[peer.name] = peer.run, "onnxruntime int8"
            for peer in float_peers(task.x, task.w, problem, threads):
                if peer.library == "onnxruntime":
                    if not np.allclose(peer.result(), floats, atol=1e-3 * np.abs(floats).max()):
                        raise RuntimeError(f"{peer.name} differs from ours on {problem}")
                    name = "onnxruntime float32"
                    calls[name], libraries[name] = peer.run, name
        return paired(problem, calls, libraries, {INT8: preparing}, threads, rounds, progress)


def requantised(task: Task) -> np.ndarray:
    """The bytes that the definition gives, from exact sums."""
    problem, how = task.problem, task.how
    sums = convolve(task.byte_x, pack(task.q, problem, x_zero=how["x_zero"]), problem, 1)
    steps = np.rint(sums.astype(np.float32) * how["multiplier"])
    return np.clip(steps + how["y_zero"], how["y_zero"], 255).astype(np.uint8)


def networks(threads: int, rounds: int = ROUNDS, with_peers: bool = True) -> dict[str, list[float]]:
    """Seconds of each round, on all images: LeNet-5 in bytes and in float32, ours and ORT's.

    Raises `RuntimeError` where labels differ from the definition's: then nothing is timed.
    """
    images, layers = lenet.images(), nets.network()
    found = quantised.ranges(layers, images[:CALIBRATION], "percentile")
    integers = quantised.quantise(layers, found)
    machine, lanes = Machine(integers, BATCH), get_rung("lanes").session(images)
    calls = {"int8, a layer at a time": lambda: machine.logits(images).argmax(1),
             "float32, fused, an image a lane": lanes.run}  # fmt: skip
    with pinned(threads):
        if with_peers and not missing():
            logits = peers.lenet(integers, BATCH, threads)
            calls["onnxruntime int8"] = lambda: logits(images).argmax(1)
            for peer in float_networks.peers(images, lenet.weights(), "cpu", threads):
                if peer.name == f"onnxruntime, {BATCH} at a time":
                    calls["onnxruntime float32"] = peer.run
        whole = quantised.logits(integers, images).argmax(1)
        exact = nets.run(layers, nets.pixels(images)).argmax(1)
        for name, call in calls.items():
            off = (call() != (whole if "int8" in name else exact)).sum()
            if off > 3:  # two logits may be equal but for float32's rounding
                raise RuntimeError(f"{name} labels {off} images otherwise; nothing was timed")
        times = {name: [] for name in calls}
        for lap in range(fewer(rounds)):
            for name in list(calls)[:: -1 if lap % 2 else 1]:
                times[name].append(turn(calls[name]))
    return times


def missing() -> list[str]:
    """Names of what is not installed of ONNX Runtime."""
    return [package for package in NEEDED if find_spec(package) is None]


def recorded(folder: Path = RECORDS) -> list[dict]:
    """All records, the newest first; `measure.record.contests_of` takes one's layers."""
    return records(folder)


def record(
    layers: Mapping[str, ConvProblem] = LAYERS,
    threads: tuple[int, ...] | None = None,
    rounds: int = ROUNDS,
    progress: Callable[[str], object] = lambda what: None,
) -> dict[str, object]:
    """Contests on `layers`, and the whole LeNet-5, for each number of threads; ready for JSON."""
    counts = tuple(dict.fromkeys(threads or (1, available_cores())))
    runs = [
        {name: contest(problem, count, rounds=rounds,
                       progress=lambda what, name=name: progress(f"{name}: {what}"))
         for name, problem in layers.items()}
        for count in counts
    ]  # fmt: skip
    return contests_as_dict(runs) | {
        "dot": _dot(),
        "networks": {str(count): networks(count, rounds) for count in counts},
    }


def _dot() -> str:
    from ..compress.int8.dots import host_dot

    dot = host_dot()
    return f"{dot.how}, {dot.vector_bits} bits"


def _must_be(name: str, got: np.ndarray, expected: np.ndarray, problem: ConvProblem) -> None:
    off = int(np.abs(got.astype(np.int32) - expected).max())
    if off > 1 or (got != expected).mean() > 1e-4:  # a half may go either way in another order
        raise RuntimeError(f"{name} is off by up to {off} steps on {problem}; nothing was timed")
