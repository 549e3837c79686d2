"""Data parallel training: each worker has gradients of its share, and all need the sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...functional import conv2d_input_grad, conv2d_weight_grad
from . import worker_tasks
from .cluster import Team
from .network import Network
from .partition import shares


def gradients(network: Network, x: np.ndarray) -> np.ndarray:
    """Return the gradients of all weights, one after the other in one flat array.

    The loss is half the sum of the squares of what the network makes of images `x`: its gradient
    with respect to the last map is that map.
    """
    maps = [x]
    for layer in range(len(network)):
        maps.append(network.part(range(layer, layer + 1)).forward(maps[-1]))
    found, dy = [], maps[-1]
    for layer in reversed(range(len(network))):
        p, w, before = network.problems[layer], network.weights[layer], maps[layer]
        dy = np.where(maps[layer + 1] > 0, dy, np.float32(0))  # ReLU cut the others off
        found.insert(
            0,
            conv2d_weight_grad(before, dy, kernel=w.shape[:2], stride=p.stride, padding=p.padding),
        )
        if layer:
            dy = conv2d_input_grad(
                dy, w, size=before.shape[1:3], stride=p.stride, padding=p.padding
            )
    return np.concatenate([each.ravel() for each in found])


def all_reduce(
    team: Team, arrays: Sequence[Any], join: Callable[..., np.ndarray] = worker_tasks.joined
) -> list:
    """Return a future of the sum on each worker, of one array's future on each.

    Worker i adds up the i-th piece of all arrays, then all give their pieces to all: each worker
    receives `sharding.all_reduce_bytes`.
    """
    count = len(arrays)
    pieces = [
        [team.call(worker_tasks.piece, array, at, count, worker=worker) for at in range(count)]
        for worker, array in enumerate(arrays)
    ]
    sums = [
        team.call(worker_tasks.added, *(own[at] for own in pieces), worker=at)
        for at in range(count)
    ]
    return [team.call(join, *sums, worker=worker) for worker in range(count)]


def data_parallel(team: Team, network: Network, x: np.ndarray) -> np.ndarray:
    """Return `gradients(network, x)`, computed from a share of images each; all have the sum."""

    def begin() -> Any:
        parts = [
            team.call(
                gradients,
                team.share(network, worker),
                team.put(x[share.start : share.stop], worker),
                worker=worker,
            )
            for worker, share in enumerate(shares(len(x), team.count))
        ]
        return all_reduce(team, parts)

    return team.collect([begin])[0][0]


def received_bytes(team: Team) -> list[int]:
    """Return how many bytes of values each worker has received from other workers so far."""
    found = team.client.run(worker_tasks.received)
    return [found[address] for address in team.workers]
