"""Layers that do the work of a 3×3 convolution for less: counted, and run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.problem import Accesses, ConvProblem
from .stack import Conv
from .tiles import Tiled

SIDE, CHANNELS = 56, 128


@dataclass(frozen=True)
class Light:
    """One way: `parts` are the convolutions that it does, and how many times each.

    `stacks` runs it: stacks of layers side by side, each on its share of the channels.
    """

    name: str
    parts: tuple[tuple[int, ConvProblem], ...]
    stacks: tuple[Tiled, ...]

    @property
    def macs(self) -> int:
        return sum(times * p.macs for times, p in self.parts)

    @property
    def params(self) -> int:
        return sum(times * p.params for times, p in self.parts)

    @property
    def accesses(self) -> int:
        """Count by chapter 02's naive model."""
        return sum((times * p.accesses() for times, p in self.parts), Accesses(0, 0, 0)).total

    @property
    def between(self) -> int:
        """Return the bytes of the maps between its layers, input and result not counted."""
        return sum(stack.plan.bytes for stack in self.stacks)

    def call(self) -> Callable[[], list[np.ndarray]]:
        """Return a function that runs it on a map of random values."""
        rng = np.random.default_rng(0)
        inputs = [rng.standard_normal(stack.input_shape, np.float32) for stack in self.stacks]
        return lambda: [stack(x) for stack, x in zip(self.stacks, inputs, strict=True)]


def light_layers(side: int = SIDE, channels: int = CHANNELS) -> list[Light]:
    """Return a 3×3 convolution of `channels` to `channels` on `side`² pixels,
    and its light relatives.
    """
    c, narrow, group = channels, channels // 4, channels // 4

    def problem(k: int, i_c: int, k_c: int) -> ConvProblem:
        return ConvProblem(1, side, side, i_c, k, k, k_c, padding=k // 2)

    def light(name: str, *parts: tuple[int, ConvProblem], groups: int = 1) -> Light:
        layers: list = [_layer(p, c if times > groups else 0) for times, p in parts]
        shape = side, side, c // groups
        return Light(name, parts, tuple(Tiled(layers, shape) for _ in range(groups)))

    return [
        light("3×3", (1, problem(3, c, c))),
        light("3×3 in 4 groups", (4, problem(3, group, group)), groups=4),
        light("bottleneck: 1×1, 3×3, 1×1", (1, problem(1, c, narrow)),
              (1, problem(3, narrow, narrow)), (1, problem(1, narrow, c))),
        light("depthwise 3×3, then 1×1", (c, problem(3, 1, 1)), (1, problem(1, c, c))),
        light("1×1 alone", (1, problem(1, c, c))),
    ]  # fmt: skip


def _layer(p: ConvProblem, depthwise: int) -> Conv:
    rng = np.random.default_rng(1)
    shape = (p.k_h, p.k_w, depthwise) if depthwise else p.kernel_shape
    w = rng.standard_normal(shape, np.float32) * np.float32(p.window**-0.5)
    return Conv(w, padding=p.padding)
