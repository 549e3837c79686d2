"""Where the error of rounding goes: signal over noise, weight by weight and layer by layer.

SQNR, the signal-to-quantisation-noise ratio, is the power of a signal over that of what rounding
adds to it, in decibels: 20 dB more are ten times finer. Each bit of a grid is worth 6.02 dB.
"""

from __future__ import annotations

import numpy as np

from . import network as nets
from .network import Network
from .quantised import QuantisedNetwork


def sqnr(signal: np.ndarray, rounded: np.ndarray) -> float:
    """Return the SQNR of `rounded` beside the `signal` that it stands for, of one shape, in dB.

    Infinite where they are equal. Raises `ValueError` for two shapes, or for no signal at all.
    """
    if np.shape(signal) != np.shape(rounded):
        raise ValueError(
            f"the signal has shape {np.shape(signal)}, what it was rounded to has "
            f"{np.shape(rounded)}; compare the same values"
        )
    power = float(np.square(signal, dtype=np.float64).sum())
    if power == 0:
        raise ValueError(
            "the signal is zero everywhere (or empty): noise has nothing to be compared with"
        )
    noise = float(np.square(np.subtract(signal, rounded, dtype=np.float64)).sum())
    return np.inf if noise == 0 else float(10 * np.log10(power / noise))


def weight_sqnr(layers: Network, quantised: QuantisedNetwork) -> dict[str, float]:
    """Return the SQNR of each layer's weights, in dB."""
    return {
        layer.name: sqnr(layer.w, each.w.dequantise(each.q))
        for layer, each in zip(layers, quantised, strict=True)
    }


def layer_sqnr(
    layers: Network, quantised: QuantisedNetwork, images: np.ndarray
) -> dict[str, tuple[float, float]]:
    """Return the SQNR of each layer's output on byte images, `(alone, so far)` in dB.

    Alone, the layer is given the float32 network's input on its grid: the noise is of this layer's
    grids. So far, it is given what the integers before it made: theirs is in it as well.
    """
    found, exact = {}, nets.pixels(images)
    x = images[..., np.newaxis]
    for layer, each in zip(layers, quantised, strict=True):
        alone = _output(each, each.x.quantise(exact))
        x = _output(each, x)
        exact = nets.output(layer, exact)
        found[layer.name] = sqnr(exact, _values(each, alone)), sqnr(exact, _values(each, x))
    return found


def _output(layer, x: np.ndarray) -> np.ndarray:
    sums = layer.sums(x)
    y = sums if layer.y is None else layer.requantise(sums)
    return nets.max_pool(y) if layer.pool else y


def _values(layer, y: np.ndarray) -> np.ndarray:
    return y * layer.multiplier if layer.y is None else layer.y.dequantise(y)
