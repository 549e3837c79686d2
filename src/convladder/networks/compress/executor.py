"""Networks on the package's own kernels, a layer at a time: bytes on `int8`, floats beside them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...core.problem import ConvProblem
from ...cpu import microkernel
from ...cpu.isa import host_isa
from ...cpu.simd.blocking import Tile, tile_for
from ...cpu.threads import threads_now
from ...measure import threads as pinned
from .. import lenet
from ..lenet.network import SIDE
from . import network as nets
from .int8 import Packed, convolve, pack
from .network import Network
from .quantised import QuantisedLayer, QuantisedNetwork

BATCH = 50  # images at a time: their maps stay in a near cache


class Int8Network:
    """`quantised`, packed for images in batches of `batch`; weights need a symmetric grid.

    Grids of fewer than 8 bits are kept in bytes too.
    """

    def __init__(self, quantised: QuantisedNetwork, batch: int = BATCH):
        self.batch, self.layers = batch, quantised
        self.packed: list[tuple[ConvProblem, Packed]] = []
        side = SIDE
        for layer in quantised:
            problem = ConvProblem(batch, side, side, layer.q.shape[2], *_kernel(layer))
            requantise = (
                {}
                if layer.y is None
                else {
                    "multiplier": layer.multiplier,
                    "y_zero": int(layer.y.zero),
                    "relu": layer.relu,
                }
            )
            packed = pack(layer.q, problem, x_zero=int(layer.x.zero), bias=layer.bias, **requantise)
            self.packed.append((problem, packed))
            side = problem.o_h // (2 if layer.pool else 1)

    def logits(self, images: np.ndarray) -> np.ndarray:
        """Return float32 `[count,10]` of byte images; `count` is a multiple of the batch."""
        return in_batches(self._logits, images, self.batch)

    def _logits(self, images: np.ndarray) -> np.ndarray:
        x = images[..., np.newaxis]
        for layer, (problem, packed) in zip(self.layers, self.packed, strict=True):
            x = convolve(x, packed, problem)
            if layer.y is not None and layer.y.high < 255:  # a grid of fewer bits ends sooner
                np.minimum(x, layer.y.high, out=x)
            if layer.pool:
                x = nets.max_pool(x)
        return (x * self.layers[-1].multiplier).reshape(len(images), -1)


class FloatNetwork:
    """`network` in float32, of any sizes, packed for images in batches of `batch`."""

    def __init__(self, network: Network, batch: int = BATCH):
        self.batch, self.layers = batch, network
        self.packed: list[tuple[ConvProblem, Tile, np.ndarray]] = []
        side = SIDE
        for layer in network:
            k_h, k_w, i_c, k_c = layer.w.shape
            problem = ConvProblem(batch, side, side, i_c, k_h, k_w, k_c)
            size = tile_for(problem, host_isa())
            self.packed.append((problem, size, microkernel.pack(layer.w, problem, size)))
            side = problem.o_h // (2 if layer.pool else 1)

    def logits(self, images: np.ndarray) -> np.ndarray:
        """Return float32 `[count,10]` of byte images; `count` is a multiple of the batch."""
        return in_batches(self._logits, images, self.batch)

    def _logits(self, images: np.ndarray) -> np.ndarray:
        x, threads = nets.pixels(images), threads_now()
        for layer, (problem, size, packed) in zip(self.layers, self.packed, strict=True):
            x = microkernel.convolve(np.ascontiguousarray(x), packed, problem, size, threads)
            if layer.pool:  # before bias and ReLU, which keep the order: a quarter of their work
                x = nets.max_pool(x)
            x += layer.bias
            if layer.relu:
                np.maximum(x, 0, out=x)
        return x.reshape(len(x), -1)


def accuracy(
    network: Network | QuantisedNetwork, count: int | None = None, begin: int = 0
) -> float:
    """Return `quantised.accuracy` or `network.float_accuracy`, faster: on these kernels.

    The share of the 10,000 test images from number `begin`, or of the first `count`. Integer
    weights need a symmetric grid; a float32 sum is rounded in another order.
    """
    kind = Int8Network if isinstance(network[0], QuantisedLayer) else FloatNetwork
    executor = kind(network, math.gcd(len(lenet.images()[begin:count]), BATCH))
    with pinned(1):  # layers so small are over before another thread wakes up
        return nets.accuracy(executor.logits, count, begin)


def in_batches(
    logits: Callable[[np.ndarray], np.ndarray], images: np.ndarray, batch: int
) -> np.ndarray:
    """Return `logits`, `batch` images at a time. Raises `ValueError` where some would be left."""
    lenet.check_images(images)
    if len(images) % batch:
        raise ValueError(f"{len(images)} images are not a multiple of the batch, {batch}")
    parts = range(0, len(images), batch)
    return np.concatenate([logits(images[at : at + batch]) for at in parts])


def _kernel(layer: QuantisedLayer) -> tuple[int, int, int]:
    k_h, k_w, _, k_c = layer.q.shape
    return k_h, k_w, k_c
