"""float16 storage: half the bytes, arithmetic still in float32."""

from __future__ import annotations

import numpy as np

from .network import Layer, Network, with_weights

LARGEST = float(np.finfo(np.float16).max)


def through_float16(layers: Network) -> tuple[Layer, ...]:
    """Return weights that were stored as float16 and are float32 again; biases stay.

    Raises `ValueError` for a weight beyond float16's range of ±65504, which would become infinity.
    """

    def change(layer: Layer) -> np.ndarray:
        most = float(np.abs(layer.w).max())
        if most > LARGEST:
            raise ValueError(
                f"{layer.name} has a weight of size {most:g}, and float16 ends at "
                f"{LARGEST:g}; scale the layer down, or keep it in float32"
            )
        return layer.w.astype(np.float16).astype(np.float32)

    return with_weights(layers, change)


def float16_bytes(layers: Network) -> int:
    """Return the bytes of weights at two each, biases at four."""
    return sum(2 * layer.w.size + 4 * layer.bias.size for layer in layers)
