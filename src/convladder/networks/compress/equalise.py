"""The same network with other weights: where a grid's error falls, and who may move it.

ReLU and pool commute with a positive factor. So a channel's weights and bias may be multiplied by
any, and the next layer's weights for that channel divided by it: nothing that the network says
changes, but everything that a grid sees. Three choices of the factors: by the weights alone (M.
Nagel et al., arXiv:1906.04721), by the activations' largest values (SmoothQuant, G. Xiao et al.,
arXiv:2211.10438), by their mean size (AWQ, J. Lin et al., arXiv:2306.00978).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .grids import weight_grid
from .network import Layer, Network, inputs
from .rounding import second_moment

POWERS = np.arange(0, 1.05, 0.1)  # that AWQ tries


def scaled(layers: Network, factors: Sequence[np.ndarray]) -> tuple[Layer, ...]:
    """Multiply each layer's channels by `factors`, an array `[k_c]` a layer but the last.

    Raises `ValueError` for a factor that is not positive, or an array of another length.
    """
    result, before = [], None
    for layer, factor in zip(layers, [*factors, None], strict=True):
        w, bias = layer.w, layer.bias
        if before is not None:
            w = w / before[:, np.newaxis]
        if factor is not None:
            factor = np.asarray(factor, np.float32)
            if factor.shape != bias.shape or not (np.isfinite(factor) & (factor > 0)).all():
                raise ValueError(
                    f"{layer.name} has {len(bias)} channels and takes as many "
                    f"positive factors, not {factor}"
                )
            w, bias = w * factor, bias * factor
        result.append(replace(layer, w=np.ascontiguousarray(w), bias=bias))
        before = factor
    return tuple(result)


def stretched(layers: Network, octaves: float = 5.0, seed: int = 0) -> tuple[Layer, ...]:
    """Multiply the first layer's channels by random powers of two, up to `octaves` up or down."""
    rng = np.random.default_rng(seed)
    first = 2.0 ** rng.uniform(-octaves, octaves, len(layers[0].bias))
    return scaled(layers, [first, *(np.ones(len(layer.bias)) for layer in layers[1:-1])])


def equalised(layers: Network) -> tuple[Layer, ...]:
    """Find factors that give each channel's weights one range before and behind, pair by pair."""
    for number in range(len(layers) - 1):
        made = np.abs(layers[number].w).max(axis=(0, 1, 2))
        read = np.abs(layers[number + 1].w).max(axis=(0, 1, 3))
        factors = [np.ones(len(layer.bias)) for layer in layers[:-1]]
        dead = (made == 0) | (read == 0)
        factors[number] = np.where(dead, 1, np.sqrt(read / np.where(dead, 1, made)))
        layers = scaled(layers, factors)
    return tuple(layers)


def smoothed(layers: Network, x: np.ndarray, strength: float = 0.5) -> tuple[Layer, ...]:
    """Move the range of activations into weights, as SmoothQuant does, for a sample `x`.

    Channel `c` of a layer's input is divided by `most[c]**strength / weights[c]**(1 - strength)`,
    the largest sizes of both; its weights are multiplied by it.
    """
    given, factors = inputs(layers, x), []
    for layer in layers[1:]:
        most = np.abs(given[layer.name]).max(axis=(0, 1, 2))
        weights = np.abs(layer.w).max(axis=(0, 1, 3))
        dead = (most == 0) | (weights == 0)
        most, weights = np.where(dead, 1, most), np.where(dead, 1, weights)
        factors.append(weights ** (1 - strength) / most**strength)
    return scaled(layers, factors)


def activation_aware(
    layers: Network, x: np.ndarray, bits: int, group: int | None = None
) -> tuple[Layer, ...]:
    """Make the weights that matter larger before they are rounded, as AWQ does, for a sample `x`.

    A channel's weights are multiplied by its mean input to that power of `POWERS` which makes the
    error of the layer's output smallest, with weights of `bits`.
    """
    for number in range(1, len(layers)):
        layer, given = layers[number], inputs(layers, x)[layers[number].name]
        moment, size = second_moment(given, layer), np.abs(given).mean(axis=(0, 1, 2))
        if not size.any():
            continue
        size = np.maximum(size, size[size > 0].min())

        def error(power: float, w=layer.w, size=size, moment=moment) -> float:
            grown = w * (size**power)[:, np.newaxis]
            rounded = weight_grid(grown, bits, group=group).round_trip(grown)
            off = (rounded / (size**power)[:, np.newaxis] - w).reshape(-1, w.shape[3])
            return float(np.einsum("ik,ij,jk", off, moment, off, optimize=True))

        factors = [np.ones(len(each.bias)) for each in layers[:-1]]
        factors[number - 1] = size ** -min(POWERS, key=error)
        layers = scaled(layers, factors)
    return tuple(layers)
