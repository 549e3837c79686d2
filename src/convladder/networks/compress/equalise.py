"""The same network with other weights: what a channel's scale does to grids, and how to choose it.

ReLU and pool commute with a positive factor. So a channel's weights and bias may be multiplied by
any, and the next layer's weights for that channel divided by it: nothing that the network says
changes, but everything that a grid sees. After M. Nagel et al., "Data-free quantization through
weight equalization and bias correction" (ICCV 2019, arXiv:1906.04721).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .network import Layer, Network


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
