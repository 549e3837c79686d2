"""A layer as two thin ones: its matrix is nearly a product of two matrices of a lower rank.

By the singular value decomposition, `w[inputs, outputs] ≈ a[inputs, r] · b[r, outputs]`, the
nearest there is of rank r (Eckart & Young 1936). For a convolution, the first is one with r
channels, the second 1×1. It pays where r · (inputs + outputs) < inputs · outputs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .network import Layer, Network


def factorise(layer: Layer, rank: int) -> tuple[Layer, Layer]:
    """Make two layers of one. Raises `ValueError` for a rank that the matrix cannot have."""
    k_h, k_w, i_c, k_c = layer.w.shape
    matrix = layer.w.reshape(-1, k_c)
    most = min(matrix.shape)
    if not 1 <= rank <= most:
        raise ValueError(
            f"rank={rank}: {layer.name} is a matrix of {matrix.shape[0]}×{k_c}, whose "
            f"rank is 1 to {most}"
        )
    u, sizes, v = np.linalg.svd(matrix.astype(np.float64), full_matrices=False)
    half = np.sqrt(sizes[:rank])
    thin = (u[:, :rank] * half).reshape(k_h, k_w, i_c, rank).astype(np.float32)
    wide = (half[:, np.newaxis] * v[:rank]).reshape(1, 1, rank, k_c).astype(np.float32)
    first = Layer(f"{layer.name}.a", thin, np.zeros(rank, np.float32), relu=False)
    return first, replace(layer, name=f"{layer.name}.b", w=wide)


def rank_for(layer: Layer, energy: float) -> int:
    """Return the least rank that keeps `energy` of the sum of squared singular values, 0 to 1."""
    if not 0 < energy <= 1:
        raise ValueError(f"energy={energy}: the part to keep lies between 0 and 1")
    sizes = np.linalg.svd(layer.w.reshape(-1, layer.w.shape[3]), compute_uv=False) ** 2
    kept = np.cumsum(sizes) / sizes.sum()
    return int(min(np.searchsorted(kept, energy) + 1, len(sizes)))


def low_rank(layers: Network, energy: float) -> tuple[Layer, ...]:
    """Return each layer that gets smaller by it as two, of the rank that keeps `energy`."""
    result = []
    for layer in layers:
        rank, outputs = rank_for(layer, energy), layer.w.shape[3]
        inputs = layer.w.size // outputs
        pays = rank * (inputs + outputs) < inputs * outputs
        result += factorise(layer, rank) if pays else (layer,)
    return tuple(result)
