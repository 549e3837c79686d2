"""The quantised network on the int8 kernel: every layer between bytes, no float32 in sight."""

from __future__ import annotations

import numpy as np

from .. import lenet
from ..lenet.network import SIDE
from ..problem import ConvProblem
from . import network as nets
from .int8 import Packed, convolve, pack
from .quantised import QuantisedLayer, QuantisedNetwork


class Machine:
    """`quantised`, packed for images in batches of `batch`; weights need a symmetric grid."""

    def __init__(self, quantised: QuantisedNetwork, batch: int = 50):
        self.batch, self.layers = batch, quantised
        self.packed: list[tuple[ConvProblem, Packed]] = []
        side = SIDE
        for layer in quantised:
            problem = ConvProblem(batch, side, side, layer.q.shape[2], *_kernel(layer))
            requantise = {} if layer.y is None else {
                "multiplier": layer.multiplier, "y_zero": int(layer.y.zero), "relu": layer.relu,
            }  # fmt: skip
            packed = pack(layer.q, problem, x_zero=int(layer.x.zero), bias=layer.bias, **requantise)
            if layer.y is not None and layer.y.high != 255:
                raise ValueError(f"{layer.name} puts out {layer.y.bits} bits; this kernel's grids "
                                 "have 8")
            self.packed.append((problem, packed))
            side = problem.o_h // (2 if layer.pool else 1)

    def logits(self, images: np.ndarray) -> np.ndarray:
        """float32 `[count,10]` of byte images; `count` is a multiple of the batch."""
        lenet.check_images(images)
        if len(images) % self.batch:
            raise ValueError(f"{len(images)} images are no multiple of the batch, {self.batch}")
        parts = range(0, len(images), self.batch)
        return np.concatenate([self._logits(images[at : at + self.batch]) for at in parts])

    def _logits(self, images: np.ndarray) -> np.ndarray:
        x = images[..., np.newaxis]
        for layer, (problem, packed) in zip(self.layers, self.packed, strict=True):
            x = convolve(x, packed, problem)
            if layer.pool:
                x = nets.max_pool(x)
        return (x * self.layers[-1].multiplier).reshape(len(images), -1)


def _kernel(layer: QuantisedLayer) -> tuple[int, int, int]:
    k_h, k_w, _, k_c = layer.q.shape
    return k_h, k_w, k_c
