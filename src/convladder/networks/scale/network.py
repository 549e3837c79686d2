"""A chain of convolutions to be shared: each followed by ReLU, its output the next one's image."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...core.problem import ConvProblem
from ...core.registry import get_method
from .partition import Band, banded

METHOD = "microkernel"


class Network:
    """Layers one after the other. It travels to the workers as it is, and prepares weights there.

    problems: of one image each. weights: `w[k_h,k_w,i_c,k_c]` for each. Raises `ValueError` where
    a layer does not take what the one before gives.
    """

    def __init__(
        self, problems: Sequence[ConvProblem], weights: Sequence[np.ndarray], method: str = METHOD
    ):
        self.problems, self.weights, self.method = tuple(problems), tuple(weights), method
        if not self.problems or len(self.problems) != len(self.weights):
            raise ValueError(
                f"{len(self.problems)} problems and {len(self.weights)} weights; "
                "give one of each for every layer, and one layer at least"
            )
        for number, (p, w) in enumerate(zip(self.problems, self.weights)):
            if w.shape != p.kernel_shape:
                raise ValueError(f"layer {number} has weights {w.shape}, not {p.kernel_shape}")
        for number, (a, b) in enumerate(zip(self.problems, self.problems[1:]), start=1):
            if a.output_shape[1:] != b.input_shape[1:]:
                raise ValueError(
                    f"layer {number} takes {b.input_shape[1:]}, and the layer before "
                    f"gives {a.output_shape[1:]}"
                )
        self._prepared: dict[tuple, object] = {}
        self._parts: dict[object, Network] = {}

    def __getstate__(self) -> dict:
        # Each machine packs for itself, and gets the parts that it is given.
        return {**vars(self), "_prepared": {}, "_parts": {}}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Network)
            and self.problems == other.problems
            and self.method == other.method
            and all(map(np.array_equal, self.weights, other.weights))
        )

    __hash__ = object.__hash__  # by identity: nobody looks one up by its weights

    def __len__(self) -> int:
        return len(self.problems)

    def __repr__(self) -> str:
        return f"a network of {len(self)} layers, from {self.problems[0]}"

    def part(self, layers: range) -> Network:
        """Return some layers of it, as a network of their own: the same one at every call."""
        chosen = slice(layers.start, layers.stop)
        return self._kept(
            layers, lambda: Network(self.problems[chosen], self.weights[chosen], self.method)
        )

    def channels(self, layer: int, filters: range) -> Network:
        """Return one layer with some of its filters, likewise. Raises `ValueError` for groups."""
        if self.problems[layer].groups > 1:
            raise ValueError(
                f"layer {layer} has groups={self.problems[layer].groups}, whose filters do not "
                "read all channels; cut images, rows or layers"
            )

        def make() -> Network:
            w = np.ascontiguousarray(self.weights[layer][..., filters.start : filters.stop])
            return Network([replace(self.problems[layer], k_c=len(filters))], [w], self.method)

        return self._kept((layer, filters), make)

    def pair(self, layer: int, share: range) -> Network:
        """Return a layer with some of its filters, and the next one with those channels alone.

        `forward(x, sums=True)` of it gives one worker's partial sums of the next layer.
        """

        def make() -> Network:
            a, b = self.problems[layer : layer + 2]
            v, w = self.weights[layer : layer + 2]
            cut = slice(share.start, share.stop)
            problems = replace(a, k_c=len(share)), replace(b, i_c=len(share))
            return Network(problems, [v[..., cut].copy(), w[:, :, cut].copy()], self.method)

        return self._kept(("pair", layer, share), make)

    def _kept(self, key: object, make: Callable[[], Network]) -> Network:
        if key not in self._parts:
            self._parts[key] = make()
        return self._parts[key]

    def forward(self, x: np.ndarray, sums: bool = False) -> np.ndarray:
        """Compute `y[i_n,o_h,o_w,k_c]` of the last layer from images `x[i_n,i_h,i_w,i_c]`.

        `sums`: without the last ReLU, for partial sums that are still to be added up.
        """

        def through(image: int) -> np.ndarray:
            y = x[image : image + 1]
            for layer, problem in enumerate(self.problems):
                y = self._run(layer, y, problem, sums and layer == len(self) - 1)
            return y

        return image_by_image(len(x), through)

    def band(self, layer: int, piece: Band, *parts: np.ndarray) -> np.ndarray:
        """Compute a band of a layer's output from its rows `[first, last)`, in parts from above."""
        problem = banded(self.problems[layer], piece)
        room = np.zeros(problem.input_shape, np.float32)  # its zeros stay, the rest is filled anew

        def one(image: int) -> np.ndarray:
            at = piece.top
            for part in parts:
                room[0, at : at + part.shape[1]] = part[image]
                at += part.shape[1]
            return self._run(layer, room, problem)

        return image_by_image(len(parts[0]), one)

    def on_channels(self, *parts: np.ndarray) -> np.ndarray:
        """Do `forward`, of images whose channels come in parts."""
        return image_by_image(
            len(parts[0]),
            lambda image: self.forward(
                np.concatenate([part[image : image + 1] for part in parts], axis=3)
            ),
        )

    def _run(
        self, layer: int, x: np.ndarray, problem: ConvProblem, sums: bool = False
    ) -> np.ndarray:
        method, w = get_method(self.method), self.weights[layer]
        if method.prepare is not None:
            key = layer, problem
            if key not in self._prepared:
                self._prepared[key] = method.prepare(w, problem)
            w = self._prepared[key]
        y = method.run(x, w, problem)
        return y if sums else np.maximum(y, 0, out=y)

    @property
    def flops(self) -> int:
        """Return the FLOP of one image."""
        return sum(p.flops for p in self.problems)


def image_by_image(count: int, one: Callable[[int], np.ndarray]) -> np.ndarray:
    """Do `one(n)[1, ...]` for each of `count` images, together: maps between stay in the cache."""
    first = one(0)
    y = np.empty((count, *first.shape[1:]), np.float32)
    y[0] = first[0]
    for image in range(1, count):
        y[image] = one(image)[0]
    return y


def photo_network(side: int = 224, seed: int = 0) -> Network:
    """Make six layers for colour photos of `side`² pixels, random weights: 3.0 GFLOP at 224."""
    problems, i_h, i_c = [], side, 3
    for k_c, stride in ((32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (64, 2)):
        problems.append(ConvProblem(1, i_h, i_h, i_c, 3, 3, k_c, stride, 1))
        i_h, i_c = problems[-1].o_h, k_c
    rng = np.random.default_rng(seed)
    weights = [
        # So that values stay of one size from layer to layer, whatever the window (He et al. 2015).
        rng.standard_normal(p.kernel_shape, dtype=np.float32) * np.float32((2 / p.window) ** 0.5)
        for p in problems
    ]
    return Network(problems, weights)
