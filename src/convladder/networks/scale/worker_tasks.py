"""A worker's tasks. Kept light: a new process imports this, and NumPy, before its first task."""

from __future__ import annotations

import os
from time import perf_counter

import numpy as np

from ...measure.quick import fewer
from .network import Network, image_by_image
from .partition import Band


def forward(network: Network, x: np.ndarray) -> np.ndarray:
    """Run all layers of `network` on images `x[i_n,i_h,i_w,i_c]`."""
    return network.forward(x)


def down(network: Network, pieces: list[Band], rows: np.ndarray) -> np.ndarray:
    """Take a band through all layers, from the rows that `needed` names: nobody is asked again."""

    def one(image: int) -> np.ndarray:
        y = rows[image : image + 1]
        for layer, piece in enumerate(pieces):
            y = network.band(layer, piece, y)
        return y

    return image_by_image(len(rows), one)


def rows_of(y: np.ndarray, first: int, last: int) -> np.ndarray:
    """Copy some rows, to travel alone: a slice would take the whole array along."""
    return np.ascontiguousarray(y[:, first:last])


def band(network: Network, layer: int, piece: Band, *neighbours: np.ndarray) -> np.ndarray:
    """Compute a band of one layer from its rows, which come in pieces, upper ones first."""
    return network.band(layer, piece, *neighbours)


def filters(layer: Network, *parts: np.ndarray) -> np.ndarray:
    """Run some filters of one layer on an image whose channels come in parts."""
    return layer.on_channels(*parts)


def partial_sums(pair: Network, x: np.ndarray) -> np.ndarray:
    """Run two layers that have a share of the channels between them, without the last ReLU."""
    return pair.forward(x, sums=True)


def rectified(*arrays: np.ndarray) -> np.ndarray:
    """Put arrays one after the other, and what is negative to zero."""
    return np.maximum(joined(*arrays), 0)


def nothing(*arguments: object) -> int:
    """Return the pid, to have something to send: it times what a task costs besides its work."""
    return os.getpid()


def layer_seconds(network: Network, x: np.ndarray, runs: int = 5) -> list[float]:
    """Time each layer on images `x`: the median seconds of `runs`, after one more."""
    found = []
    for layer in range(len(network)):
        part = network.part(range(layer, layer + 1))
        times = []
        for _ in range(fewer(runs) + 1):
            start = perf_counter()
            y = part.forward(x)
            times.append(perf_counter() - start)
        found.append(float(np.median(times[1:])))
        x = y
    return found


def version() -> str:
    """Return the version of the package, where this runs."""
    from ... import __version__

    return __version__


def piece(array: np.ndarray, at: int, pieces: int) -> np.ndarray:
    """Copy one of so many pieces of an array's first axis, to travel alone."""
    return np.array_split(array, pieces)[at].copy()


def added(*arrays: np.ndarray) -> np.ndarray:
    """Add up arrays of one shape, in their order: the same sum wherever it is made."""
    total = arrays[0].copy()
    for array in arrays[1:]:
        total += array
    return total


def joined(*arrays: np.ndarray) -> np.ndarray:
    """Put arrays one after the other, along their first axis."""
    return np.concatenate(arrays)


def received(dask_worker) -> int:
    """Return the bytes of values that the worker on which this runs has fetched from others."""
    return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)
