"""The rates of a team's workers and links, measured before anything is predicted."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from ...core.progress import report_progress
from ...measure.quick import fewer
from . import worker_tasks
from .cluster import Team
from .cost import Link, Rates
from .network import Network

LARGE = 32 << 20  # bytes: so many that latency is a small part
READINGS = 7


def link(send: Callable[[np.ndarray], object], large: int = LARGE) -> Link:
    """Measure whatever `send(array)` does, from a tiny array and one of `large` bytes.

    The least of a few readings each: what the link can do when nobody else is at it.
    """
    tiny, big = np.ones(1, np.uint8), np.ones(large, np.uint8)
    latency = _least(lambda: send(tiny))
    return Link(latency, large / max(_least(lambda: send(big)) - latency, 1e-9))


def _least(call: Callable[[], object]) -> float:
    times = []
    for _ in range(fewer(READINGS)):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times)


def rates(team: Team, network: Network, images: int = 2) -> Rates:
    """Measure the rates: layers on all workers at once, which on one machine share its memory.

    A worker's first run compiles, and does not count.
    """
    x = np.random.default_rng(0).standard_normal(
        (images, *network.problems[0].input_shape[1:]), dtype=np.float32
    )
    report_progress("layers, on all workers at once")
    found = team.collect(
        [
            lambda worker=worker: team.call(
                worker_tasks.layer_seconds,
                team.share(network, worker),
                team.put(x, worker),
                worker=worker,
            )
            for worker in range(team.count)
        ]
    )
    layers = np.mean(found, axis=0) / images
    other = min(1, team.count - 1)

    def fetch_seconds(size: int) -> float:
        times = []
        for _ in range(fewer(READINGS)):
            future = team.put(np.ones(size, np.uint8), 0)
            start = perf_counter()
            team.collect([lambda: future])
            times.append(perf_counter() - start)
        return min(times)

    def move_seconds(size: int) -> float:
        """A task on another worker that wants what one has, from its submission to its answer."""
        times = []
        for _ in range(fewer(READINGS)):
            future = team.put(np.ones(size, np.uint8), 0)
            start = perf_counter()
            team.collect([lambda: team.call(worker_tasks.nothing, future, worker=other)])
            times.append(perf_counter() - start)
        return min(times)

    report_progress("messages between workers")
    latency, waiting = fetch_seconds(1), move_seconds(1)
    task = _least(lambda: team.collect([lambda: team.call(worker_tasks.nothing, worker=0)]))
    return Rates(
        layers=tuple(float(seconds) for seconds in layers),
        put=link(lambda array: team.put(array, 0)),
        fetch=Link(latency, LARGE / max(fetch_seconds(LARGE) - latency, 1e-9)),
        peer=Link(max(waiting - task, 0.0), LARGE / max(move_seconds(LARGE) - waiting, 1e-9)),
        task=max(task - latency, 0.0),
    )
