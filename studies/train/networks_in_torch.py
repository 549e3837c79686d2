"""Layers of any sizes as a PyTorch model and back: the order of axes is all that differs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from convladder.networks.compress.network import Layer, Network, layers


def model(channels: Sequence[int]):
    """Make a fresh LeNet-5 of these channels, of all layers but the last: (6, 16, 120, 84)."""
    from torch import nn

    a, b, c, d = channels
    return nn.Sequential(
        nn.Conv2d(1, a, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(a, b, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * b, c),
        nn.ReLU(),
        nn.Linear(c, d),
        nn.ReLU(),
        nn.Linear(d, 10),
    )


def into_torch(network: Network):
    """Return a `model` that holds the weights of `network`, whatever its channels."""
    import torch

    made = model(channels_of(network))
    arrays = []
    for layer in network:
        w = layer.w.transpose(3, 2, 0, 1)  # PyTorch flattens channels, rows, columns
        arrays += [w if layer.pool else w.reshape(len(w), -1), layer.bias]
    with torch.no_grad():
        for parameter, array in zip(made.parameters(), arrays, strict=True):
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(array)))
    return made


def from_torch(made) -> tuple[Layer, ...]:
    """Do the inverse of `into_torch`."""
    arrays = [array.detach().numpy().copy() for array in made.parameters()]
    k_c = len(arrays[2])
    arrays[4] = arrays[4].reshape(-1, k_c, 4, 4)
    for full in (6, 8):
        arrays[full] = arrays[full][:, :, np.newaxis, np.newaxis]
    for weights in range(0, 10, 2):
        arrays[weights] = arrays[weights].transpose(2, 3, 1, 0)
    return layers(arrays)


def channels_of(network: Network) -> list[int]:
    """Return the channels of all layers but the last."""
    return [layer.w.shape[3] for layer in network[:-1]]
