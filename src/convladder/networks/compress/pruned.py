"""Weights left out: one by one, whole channels, or two of every four.

Which are left out is decided by size alone, no training. What zeros save depends on where they are:
scattered ones save bytes if stored sparsely, and no time in a dense kernel; whole channels make a
smaller dense network; two of four is a pattern that tensor cores skip.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .network import Layer, Network, with_weights

GROUP, KEPT = 4, 2  # NVIDIA's 2:4: two of four neighbours along the inputs, from Ampere on


def by_magnitude(layers: Network, share: float) -> tuple[Layer, ...]:
    """Zero the smallest `share` of each layer's weights. Raises `ValueError` outside [0,1)."""
    _check(share)

    def change(layer: Layer) -> np.ndarray:
        sizes = np.abs(layer.w)
        count = round(share * sizes.size)
        w = layer.w.copy()
        w.flat[np.argsort(sizes, axis=None, kind="stable")[:count]] = 0
        return w

    return with_weights(layers, change)


def by_channel(layers: Network, share: float) -> tuple[Layer, ...]:
    """Drop the `share` of each hidden layer's channels whose weights are smallest by their norm.

    The result is a smaller dense network. Raises `ValueError` for a share outside [0,1).
    """
    _check(share)
    kept, result = None, []
    for layer in layers:
        if kept is not None:  # inputs that are no more
            layer = replace(layer, w=np.ascontiguousarray(layer.w[:, :, kept]))
        if layer is not layers[-1] and layer.relu:
            norms = np.sqrt((layer.w**2).sum(axis=(0, 1, 2)))
            most = len(norms) - int(share * len(norms))
            kept = np.sort(np.argsort(-norms, kind="stable")[:most])
            w = np.ascontiguousarray(layer.w[..., kept])
            layer = replace(layer, w=w, bias=layer.bias[kept])
        else:
            kept = None
        result.append(layer)
    return tuple(result)


def two_of_four(layers: Network) -> tuple[Layer, ...]:
    """Zero the two smallest of every four weights along a channel's inputs.

    A layer whose inputs are not a multiple of four (conv1's 25, conv2's 150) stays as it is:
    hardware has no use for its zeros, and it would miss the weights.
    """
    return with_weights(layers, lambda layer: _prune(layer.w))


def _prune(w: np.ndarray) -> np.ndarray:
    if w[..., 0].size % GROUP:
        return w.copy()
    fours = w.reshape(-1, GROUP, w.shape[3]).copy()
    smallest = np.argsort(np.abs(fours), axis=1, kind="stable")[:, : GROUP - KEPT]
    np.put_along_axis(fours, smallest, 0, axis=1)
    return fours.reshape(w.shape)


@dataclass(frozen=True, eq=False)
class TwoOfFour:
    """A matrix `[inputs, outputs]` in which two of every four inputs are zero, without them.

    `values[inputs/2, outputs]`, and for each its place among its four: two bits, four of which are
    a byte of `places`. It multiplies half as many values: `x[:, chosen] · values`.
    """

    values: np.ndarray
    places: np.ndarray
    inputs: int

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.places.nbytes

    def dense(self) -> np.ndarray:
        """Return the matrix with its zeros."""
        outputs = self.values.shape[1]
        places = _unpack(self.places, self.values.size).reshape(-1, KEPT, outputs)
        fours = np.zeros((self.inputs // GROUP, GROUP, outputs), self.values.dtype)
        np.put_along_axis(fours, places, self.values.reshape(-1, KEPT, outputs), axis=1)
        return fours.reshape(self.inputs, outputs)


def compress(matrix: np.ndarray) -> TwoOfFour:
    """Compress `matrix[inputs, outputs]`.

    Raises `ValueError` if the inputs are not a multiple of four or a four has more than two values.
    """
    inputs, outputs = matrix.shape
    if inputs % GROUP:
        raise ValueError(
            f"the matrix has {inputs} inputs, not a multiple of {GROUP}: pad it with "
            "zeros, or leave this layer dense"
        )
    fours = matrix.reshape(-1, GROUP, outputs)
    there = (fours != 0).sum(axis=1)
    if (there > KEPT).any():
        four, output = np.argwhere(there > KEPT)[0]
        raise ValueError(
            f"inputs {GROUP * four} to {GROUP * four + 3} of output {output} have "
            f"{there[four, output]} values, not {KEPT} or fewer; prune them first"
        )
    # The places of values first, in order; zeros fill up where there are fewer.
    places = np.sort(np.argsort(fours == 0, axis=1, kind="stable")[:, :KEPT], axis=1)
    values = np.take_along_axis(fours, places, axis=1).reshape(-1, outputs)
    return TwoOfFour(values, _pack(places), inputs)


def sparse_bytes(layers: Network, itemsize: int = 4) -> int:
    """Return the bytes of each layer's least: dense, or values with a bit for each weight.

    Biases are dense.
    """
    total = 0
    for layer in layers:
        bitmap = itemsize * int(np.count_nonzero(layer.w)) + -(-layer.w.size // 8)
        total += min(itemsize * layer.w.size, bitmap) + itemsize * layer.bias.size
    return total


def two_of_four_bytes(layers: Network) -> int:
    """Return the bytes with each layer compressed that can be; the others, and biases, dense."""
    total = 0
    for layer in layers:
        matrix = layer.w.reshape(-1, layer.w.shape[3])
        whole = len(matrix) % GROUP == 0
        total += (compress(matrix).nbytes if whole else matrix.nbytes) + layer.bias.nbytes
    return total


def _pack(places: np.ndarray) -> np.ndarray:
    flat = np.zeros(-(-places.size // 4) * 4, np.uint8)
    flat[: places.size] = places.ravel()
    return (flat.reshape(-1, 4) << np.array([0, 2, 4, 6], np.uint8)).sum(axis=1, dtype=np.uint8)


def _unpack(packed: np.ndarray, count: int) -> np.ndarray:
    return (packed[:, np.newaxis] >> np.array([0, 2, 4, 6], np.uint8) & 3).ravel()[:count]


def _check(share: float) -> None:
    if not 0 <= share < 1:
        raise ValueError(f"share={share}: the part to leave out lies between 0 and 1, 1 excluded")
