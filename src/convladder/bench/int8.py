"""Convolutions of bytes beside those of float32, in paired rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..core.problem import PAPER, REPORT, ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import random_arrays
from ..core.registry import get_method
from ..measure import Comparison, compare, timed
from ..measure import threads as pinned
from ..networks import lenet
from ..networks.compress import network as nets
from ..networks.compress.executor import BATCH, FloatNetwork, Int8Network
from ..networks.compress.grids import grid, weight_grid
from ..networks.compress.int8 import convolve, pack
from ..networks.compress.scores import build
from .conv_cpu import ConvComparison, time_in_rounds
from .libraries import Library
from .rounds import ROUNDS, judge_then_time

INT8, FLOAT32 = "int8", "microkernel"


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
    peers: Callable[[Int8Layer, int], Iterable[Library]] | None = None,
    progress: Progress = report_progress,
) -> ConvComparison:
    """Time int8 beside our float32 microkernel, and beside what `peers(layer, threads)` gives.

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
    ways = {way.name: way for way in (peers(layer, threads) if peers else ())}
    calls |= {name: way.run for name, way in ways.items()}
    libraries = {name: way.package for name, way in ways.items()}
    expected, floats = requantised(layer), calls[FLOAT32]()

    def judge(name: str, call: Callable) -> bool:
        answer = ways[name].answer() if name in ways else call()
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
    executor: Any = Int8Network if made.in_integers else FloatNetwork
    logits = executor(made.network, BATCH).logits
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
