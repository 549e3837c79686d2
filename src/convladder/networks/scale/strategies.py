"""Ways to cut the inference of a network, on a team: by images, rows, channels, layers.

Each returns what `network.forward(x)` does, for `x[i_n,i_h,i_w,i_c]` float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import cost, worker_tasks
from .cluster import Team
from .network import Network
from .partition import bands, check_pairs, needed, shares
from .pipeline import stages
from .training import all_reduce


def by_images(team: Team, network: Network, x: np.ndarray) -> np.ndarray:
    """Run data parallel: a share of the batch to each worker, and the whole network."""

    def recipe(worker: int, share: range) -> Callable:
        part = x[share.start : share.stop]
        return lambda: team.call(
            worker_tasks.forward, team.share(network, worker), team.put(part, worker), worker=worker
        )

    return np.concatenate(
        team.collect([recipe(*each) for each in enumerate(shares(len(x), team.count))])
    )


def by_rows(team: Team, network: Network, x: np.ndarray, exchange: bool = False) -> np.ndarray:
    """Shard spatially: a band of rows to each worker, with its halo.

    `exchange`: neighbours give one another their edge rows before each layer. Without it a worker
    gets all the rows that its outputs come from, and computes some that its neighbour computes too.
    """
    rows = shares(network.problems[-1].o_h, team.count)
    if exchange:
        parts = team.collect([lambda: _exchanging(team, network, x)])[0]
        return np.concatenate(parts, axis=1)

    def recipe(worker: int, share: range) -> Callable:
        pieces = needed(network.problems, share.start, share.stop)
        part = worker_tasks.rows_of(x, pieces[0].first, pieces[0].last)
        return lambda: team.call(
            worker_tasks.down,
            team.share(network, worker),
            pieces,
            team.put(part, worker),
            worker=worker,
        )

    return np.concatenate(team.collect([recipe(*each) for each in enumerate(rows)]), axis=1)


def _exchanging(team: Team, network: Network, x: np.ndarray) -> list:
    """Futures of the last layer's bands, each layer's made from those of the layer before."""
    owned = None
    for layer, problem in enumerate(network.problems):
        cut = bands(problem, team.count)
        made = []
        for worker, piece in enumerate(cut):
            if owned is None:
                part = worker_tasks.rows_of(x, piece.first, piece.last)
                rows = [team.put(part, worker)]
            else:
                rows = [
                    _edge(team, y, owner, number, piece.first, piece.last)
                    for number, (y, owner) in enumerate(owned)
                    if owner.begin < piece.last and piece.first < owner.stop
                ]
            made.append(
                team.call(
                    worker_tasks.band,
                    team.share(network, worker),
                    layer,
                    piece,
                    *rows,
                    worker=worker,
                )
            )
        owned = list(zip(made, cut))
    return [y for y, _ in owned]


def _edge(team: Team, y: Any, owner: Any, worker: int, first: int, last: int) -> Any:
    """Rows `[first, last)` as far as `owner` has them; all that it has need no cutting."""
    begin, stop = max(first, owner.begin), min(last, owner.stop)
    if (begin, stop) == (owner.begin, owner.stop):
        return y
    return team.call(
        worker_tasks.rows_of, y, begin - owner.begin, stop - owner.begin, worker=worker
    )


def by_channels(team: Team, network: Network, x: np.ndarray) -> np.ndarray:
    """Split the model within layers: some filters of each layer to each worker.

    Each filter reads all channels, so that between two layers everyone gets everyone's part.
    """
    cut = [
        [network.channels(layer, share) for share in shares(p.k_c, team.count)]
        for layer, p in enumerate(network.problems)
    ]

    def recipe() -> list:
        parts = [[team.put(x, worker)] for worker in range(team.count)]
        for layers in cut:
            made = [
                team.call(
                    worker_tasks.filters, team.share(layer, worker), *parts[worker], worker=worker
                )
                for worker, layer in enumerate(layers)
            ]
            parts = [made] * team.count
        return made

    return np.concatenate(team.collect([recipe])[0], axis=3)


def alternating(team: Team, network: Network, x: np.ndarray) -> np.ndarray:
    """Cut pairs of layers: the first one's filters, the second one's channels.

    What a worker makes of the first is what it reads in the second, so nothing travels between
    them. An all-reduce adds up the second's partial sums. Raises `ValueError` for an odd number of
    layers.
    """
    check_pairs(len(network))

    def recipe() -> list:
        parts = [team.put(x, worker) for worker in range(team.count)]
        for layer in range(0, len(network), 2):
            cut = shares(network.problems[layer].k_c, team.count)
            made = [
                team.call(
                    worker_tasks.partial_sums,
                    team.share(network.pair(layer, share), worker),
                    parts[worker],
                    worker=worker,
                )
                for worker, share in enumerate(cut)
            ]
            if layer + 2 < len(network):
                parts = all_reduce(team, made, worker_tasks.rectified)
        return made

    return np.maximum(worker_tasks.added(*team.collect([recipe])[0]), 0)


def by_layers(
    team: Team, network: Network, x: np.ndarray, batches: int = 8, costs: list[float] | None = None
) -> np.ndarray:
    """Pipeline a run of layers to each worker, the images in `batches` that follow each other.

    `costs` are the layers' seconds, which the runs balance; their multiply-adds by default.
    """
    runs = stages(costs or [p.macs for p in network.problems], team.count)
    parts = [network.part(run) for run in runs]

    def recipe(share: range) -> Callable:
        def begin() -> object:
            y = team.put(x[share.start : share.stop], 0)
            for worker, part in enumerate(parts):
                y = team.call(worker_tasks.forward, team.share(part, worker), y, worker=worker)
            return y

        return begin

    return np.concatenate(team.collect([recipe(share) for share in shares(len(x), batches)]))


class NetworkCut(NamedTuple):
    """A cut: `run(team, network, x)`, and `predict(problems, images, rates, workers)`."""

    run: Callable[..., np.ndarray]
    predict: Callable[..., cost.Prediction]


CUTS = {
    "images": NetworkCut(by_images, cost.by_images),
    "rows": NetworkCut(by_rows, cost.by_rows),
    "channels": NetworkCut(by_channels, cost.by_channels),
    "alternating channels": NetworkCut(alternating, cost.alternating),
    "layers": NetworkCut(by_layers, cost.by_layers),
}
