"""Post-training quantisation: a network in whole numbers, from float32 weights and some images.

Between layers there are bytes. A layer multiplies bytes by integers, adds up in int32, and its
*requantisation* takes the sum to the next layer's grid:

    y_q = clip(round(sum · s_x·s_w / s_y)) + zero_y,   from zero_y on where there is a ReLU

so ReLU costs nothing, and pooling, which keeps order, is done on bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .. import lenet
from . import network as nets
from .calibrate import calibration
from .grids import Grid, grid, weight_grid
from .network import Layer, Network

IMAGES = Grid(np.float32(1 / 255), np.int32(0), 0, 255)  # a pixel is a byte already
EXACT = 2**24  # float32 holds every whole number up to here
MOST_BIAS = np.float32(2**28)  # in steps of its sum, which is an int32


@dataclass(frozen=True, eq=False)
class QuantisedLayer:
    """Integers `q[k_h,k_w,i_c,k_c]` and `bias[k_c]` (int32), and the grids on both sides.

    `y` is None for the last layer, whose sums are dequantised.
    """

    name: str
    q: np.ndarray
    bias: np.ndarray
    x: Grid
    w: Grid
    y: Grid | None
    relu: bool
    pool: bool

    @property
    def multiplier(self) -> np.ndarray:
        """Return float32 `[k_c]`: from a sum to a step of the next grid, or to a value."""
        scale = self.x.scale * self.w.scale / (np.float32(1) if self.y is None else self.y.scale)
        return np.broadcast_to(scale, self.bias.shape).astype(np.float32)

    def sums(self, x: np.ndarray) -> np.ndarray:
        """Return int32 `[i_n,o_h,o_w,k_c]` of bytes `x`, by a float32 product, exact: see EXACT."""
        weights = (self.q.astype(np.int32) - self.w.zero).astype(np.float32)
        inputs = (x.astype(np.int32) - self.x.zero).astype(np.float32)
        return nets.convolve(inputs, weights).astype(np.int32) + self.bias

    def requantise(self, sums: np.ndarray) -> np.ndarray:
        """Return bytes of the next layer's grid, before the pool."""
        steps = np.rint(sums.astype(np.float32) * self.multiplier)
        low = self.y.zero if self.relu else self.y.low
        return np.clip(steps + self.y.zero, low, self.y.high).astype(np.uint8)

    @property
    def bytes(self) -> int:
        """Count them as stored: packed integers, a channel's int32 bias, float32 multiplier."""
        scales = self.w.scale.size
        return -(-self.q.size * self.w.bits // 8) + 4 * self.bias.size + 4 * scales


QuantisedNetwork = Sequence[QuantisedLayer]


def ranges(layers: Network, images: np.ndarray, method: str = "min-max", bits: int = 8) -> dict:
    """Return `{layer name: (least, most)}` of each layer's input over `images`, all but conv1.

    `images[count,28,28]` are bytes, or float32 already scaled as `[count,28,28,1]`. Raises
    `ValueError` for others, and for images of one value alone, which show no layer what will come.
    A layer that gives one value alone gets a range of that value (the grid adds 0).
    """
    x = nets.pixels(images) if images.dtype == np.uint8 else _checked(images)
    if (x == x.flat[0]).all():
        raise ValueError(
            f"all calibration pixels are {x.flat[0]:g}: ranges of such a sample would "
            "cut every real image off; pass images as the network will see them"
        )
    choose, seen = calibration(method), {layer.name: [] for layer in layers}
    for at in range(0, len(x), nets.BATCH):
        nets.run(layers, x[at : at + nets.BATCH], lambda name, part: seen[name].append(part))
    del seen["conv1"]  # its input is the image, whose grid is given
    return {name: choose(np.concatenate(parts), bits) for name, parts in seen.items()}


def quantise(
    layers: Network,
    found: dict[str, tuple[float, float]],
    *,
    bits: int = 8,
    activation_bits: int | None = None,
    per_channel: bool = True,
    symmetric: bool = True,
) -> tuple[QuantisedLayer, ...]:
    """Quantise the network: weights of `bits`, activations of `activation_bits` (or `bits`).

    `found` is what `ranges` made. `per_channel` and `symmetric` are about the weights; activations
    have one affine grid a tensor. Raises `ValueError` where float32 could not hold a sum.
    """
    activations = {
        name: grid(*found[name], bits if activation_bits is None else activation_bits)
        for name in found
    }
    inputs = [IMAGES, *(activations[layer.name] for layer in layers[1:])]
    outputs = [*inputs[1:], None]
    return tuple(
        quantise_layer(
            layer, x, y, weight_grid(layer.w, bits, per_channel=per_channel, symmetric=symmetric)
        )
        for layer, x, y in zip(layers, inputs, outputs, strict=True)
    )


def quantise_layer(layer: Layer, x: Grid, y: Grid | None, w: Grid) -> QuantisedLayer:
    """Quantise one layer between two grids, with the weights on a third."""
    # Where a channel's weights are next to nothing, its bias would be beyond int32 in their steps.
    w = replace(w, scale=np.maximum(w.scale, np.abs(layer.bias).max() / (x.scale * MOST_BIAS)))
    q = w.quantise(layer.w)
    bias = np.rint(layer.bias / (x.scale * w.scale)).astype(np.int32)
    largest = int(np.abs(q.astype(np.int64) - w.zero).sum(axis=(0, 1, 2)).max()) * x.high
    if largest > EXACT:
        raise ValueError(
            f"{layer.name} may add up to {largest}, and float32 is exact to {EXACT}; "
            "run it by convladder.networks.compress.int8"
        )
    return QuantisedLayer(layer.name, q, bias, x, w, y, layer.relu, layer.pool)


def logits(
    quantised: QuantisedNetwork,
    images: np.ndarray,
    sums_of: Callable[[QuantisedLayer, np.ndarray], np.ndarray] = QuantisedLayer.sums,
) -> np.ndarray:
    """Return float32 `[count,10]` of byte images `[count,28,28]`.

    `sums_of(layer, x)` gives a layer's sums and biases, before they are scaled.
    """
    lenet.check_images(images)
    x = images[..., np.newaxis]
    for layer in quantised:
        sums = sums_of(layer, x)
        if layer.y is None:
            return (sums * layer.multiplier).reshape(len(x), -1)
        x = layer.requantise(sums)
        if layer.pool:
            x = nets.max_pool(x)
    raise ValueError("the last layer has a grid for its output; it should have none")


def accuracy(quantised: QuantisedNetwork, count: int | None = None) -> float:
    """Return the share of the 10,000 test images, or of the first `count`, labelled right."""
    return nets.accuracy(lambda images: logits(quantised, images), count)


def bytes_of(quantised: QuantisedNetwork) -> int:
    """Return the bytes of the weights as stored."""
    return sum(layer.bytes for layer in quantised)


def _checked(images: np.ndarray) -> np.ndarray:
    if images.dtype != np.float32 or images.shape[1:] != (28, 28, 1) or len(images) == 0:
        raise ValueError(
            f"calibration images are {images.dtype} of shape {images.shape}; pass "
            "uint8 [count,28,28], or float32 [count,28,28,1] from 0 to 1"
        )
    return images
