"""LeNet-5 as five convolutions, for all that is done to its layers here.

A fully connected layer is a convolution whose kernel is as large as its image: 4×4×16 to 120, then
1×1. So there is one kind of layer, one way to run it, and one to count it. Sizes follow from the
arrays, so that pruned channels, factors and small students are networks too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...core.progress import report_progress
from .. import lenet
from ..lenet.network import SIDE

BATCH = 500  # images: the largest lowered matrix takes 29 MB


@dataclass(frozen=True, eq=False)
class Layer:
    """`w[k_h,k_w,i_c,k_c]` and `bias[k_c]`; then ReLU, then the largest of each 2×2 pixels."""

    name: str
    w: np.ndarray
    bias: np.ndarray
    relu: bool = True
    pool: bool = False


Network = Sequence[Layer]
LABELS = ("conv1", "conv2", "fc1", "fc2", "fc3")


def network(weights: lenet.Weights | None = None) -> tuple[Layer, ...]:
    """Return the five layers of `weights` (default: those that ship)."""
    w = lenet.weights() if weights is None else weights
    return layers(
        [
            w.conv1,
            w.conv1_bias,
            w.conv2,
            w.conv2_bias,
            w.fc1.T.reshape(4, 4, 16, 120),
            w.fc1_bias,
            w.fc2.T.reshape(1, 1, 120, 84),
            w.fc2_bias,
            w.fc3.T.reshape(1, 1, 84, 10),
            w.fc3_bias,
        ]
    )


def layers(arrays: Sequence[np.ndarray]) -> tuple[Layer, ...]:
    """Make layers of ten arrays, weights, bias in turn; channels must meet, else `ValueError`."""
    made = tuple(
        Layer(name, np.ascontiguousarray(w), bias, relu=name != "fc3", pool=name.startswith("conv"))
        for name, w, bias in zip(LABELS, arrays[::2], arrays[1::2], strict=True)
    )
    for before, after in pairwise(made):
        if before.w.shape[3] != after.w.shape[2]:
            raise ValueError(
                f"{before.name} makes {before.w.shape[3]} channels, {after.name} "
                f"takes {after.w.shape[2]}; the arrays are of different networks"
            )
    return made


def pixels(images: np.ndarray) -> np.ndarray:
    """Return float32 `[count,28,28,1]` from 0 to 1 of byte images; others raise, as in `lenet`."""
    lenet.check_images(images)
    return images[..., np.newaxis] * np.float32(1 / 255)


def run(
    layers: Network, x: np.ndarray, see: Callable[[str, np.ndarray], None] = lambda name, x: None
) -> np.ndarray:
    """Compute logits `[count,10]` of `x[count,28,28,1]`; `see(name, input)` gets each input."""
    for layer in layers:
        see(layer.name, x)
        x = output(layer, x)
    return x.reshape(len(x), -1)


def inputs(layers: Network, x: np.ndarray) -> dict[str, np.ndarray]:
    """Return `{layer name: its input}` for `x[count,28,28,1]`."""
    found: dict[str, np.ndarray] = {}
    run(layers, x, lambda name, given: found.setdefault(name, given))
    return found


def output(layer: Layer, x: np.ndarray) -> np.ndarray:
    """Compute what one layer makes of its input: convolution, bias, ReLU, pool."""
    y = convolve(x, layer.w) + layer.bias
    if layer.relu:
        y = np.maximum(y, 0)
    return max_pool(y) if layer.pool else y


def convolve(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by im2col and one product, stride 1, no padding.

    The lowered matrix has the pixels innermost: few channels would make for short copies.
    """
    k_h, k_w, i_c, k_c = w.shape
    i_n, i_h, i_w, _ = x.shape
    o_h, o_w = i_h - k_h + 1, i_w - k_w + 1
    L = np.empty((k_h, k_w, i_c, i_n, o_h, o_w), x.dtype)
    for u in range(k_h):
        for v in range(k_w):
            L[u, v] = x[:, u : u + o_h, v : v + o_w].transpose(3, 0, 1, 2)
    y = L.reshape(k_h * k_w * i_c, -1).T @ w.reshape(-1, k_c)
    return y.reshape(i_n, o_h, o_w, k_c)


def max_pool(x: np.ndarray) -> np.ndarray:
    """Return the largest of each 2×2 pixels, any dtype: of two rows first, as they lie together."""
    rows = np.maximum(x[:, ::2], x[:, 1::2])
    return np.maximum(rows[:, :, ::2], rows[:, :, 1::2])


def accuracy(
    logits: Callable[[np.ndarray], np.ndarray], count: int | None = None, begin: int = 0
) -> float:
    """Return the share of test images that `logits` gets right: of all 10,000, or of those from
    number `begin`, where earlier ones were used for something, up to number `count`."""
    images, labels = lenet.images()[begin:count], lenet.labels()[begin:count]
    parts = range(0, len(images), BATCH)
    found = []
    for at in parts:
        report_progress(f"labels of image {at:,} of {len(images):,}")
        found.append(logits(images[at : at + BATCH]).argmax(axis=1))
    return float((np.concatenate(found) == labels).mean())


def float_accuracy(layers: Network, count: int | None = None) -> float:
    """Return the `accuracy` of the layers in float32."""
    return accuracy(lambda images: run(layers, pixels(images)), count)


def macs(layers: Network) -> int:
    """Count the multiply-adds of one image, all of them: what dense code does."""
    return sum(layer_macs(layers))


def layer_macs(layers: Network) -> list[int]:
    """Return the `macs` of each layer."""
    side, counts = SIDE, []
    for layer in layers:
        side -= layer.w.shape[0] - 1
        counts.append(side * side * layer.w.size)
        side //= 2 if layer.pool else 1
    return counts


def params(layers: Network) -> int:
    """Count weights and biases."""
    return sum(layer.w.size + layer.bias.size for layer in layers)


def with_weights(layers: Network, change: Callable[[Layer], np.ndarray]) -> tuple[Layer, ...]:
    """Return the layers with `change(layer)` for weights, of the same shape."""
    return tuple(replace(layer, w=np.ascontiguousarray(change(layer))) for layer in layers)
