"""A local cluster's record: rates measured first, each way's time predicted, then measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from time import perf_counter

import numpy as np

from ..measure import available_cores, machine, threads
from ..measure.quick import fewer
from ..scale import cost, ways
from ..scale.cluster import Team, team
from ..scale.network import Network, photo_network
from ..scale.probe import rates

RECORDS = Path(__file__).parents[1] / "records" / "scale"
IMAGES = 64  # about a second of work for one core of 2026
ROUNDS = 5

# Each way's prediction and run, by the name that tables use.
CONTESTANTS: dict[str, tuple[Callable, Callable]] = {
    "images": (cost.by_images, ways.by_images),
    "rows": (cost.by_rows, ways.by_rows),
    "rows, halos exchanged": (partial(cost.by_rows, exchange=True),
                              partial(ways.by_rows, exchange=True)),
    "channels": (cost.by_channels, ways.by_channels),
    "layers": (cost.by_layers, ways.by_layers),
}


def contest(mates: Team, network: Network, x: np.ndarray, names: Sequence[str] = (),
            found: cost.Rates | None = None, rounds: int = ROUNDS,
            progress: Callable[[str], object] = lambda what: None) -> dict:
    """Ways by `names` (all by default) on a team, beside this process alone on one thread.

    Predictions are made from rates, `found` or measured first; then all take turns. Every result is
    compared with `network.forward` first. Raises `RuntimeError` naming a way that was wrong.
    """
    chosen = {name: CONTESTANTS[name] for name in names or CONTESTANTS}
    progress("rates")
    found = found or rates(mates, network)
    right = network.forward(x)  # loads what is to be held to one thread
    with threads(1):
        runs = {"alone": partial(network.forward, x)}
        for name, (_, run) in chosen.items():
            progress(name)
            runs[name] = partial(run, mates, network, x)
            if not np.allclose(runs[name](), right, rtol=1e-4, atol=1e-4 * np.abs(right).mean()):
                raise RuntimeError(f"cut by {name} the result is another; nothing was timed")
        times = {name: [] for name in runs}
        for number in range(fewer(rounds)):
            progress(f"round {number + 1} of {rounds}")
            for name in list(runs)[:: -1 if number % 2 else 1]:
                start = perf_counter()
                runs[name]()
                times[name].append(perf_counter() - start)
    return {
        "workers": mates.count, "start_seconds": mates.seconds, "rates": asdict(found),
        "alone": times["alone"],
        "runs": {name: {
            "predicted": asdict(predict(network.problems, len(x), found, mates.count)),
            "seconds": times[name],
        } for name, (predict, _) in chosen.items()},
    }  # fmt: skip


def measured(counts: Sequence[int] | None = None, images: int = IMAGES,
             progress: Callable[[str], object] = lambda what: None) -> dict[str, object]:
    """The record of local workers, as many as `counts` (default: 1, and one for each core)."""
    network = photo_network()
    x = np.random.default_rng(0).standard_normal(
        (images, *network.problems[0].input_shape[1:]), dtype=np.float32)
    teams = []
    for count in dict.fromkeys(counts or (1, available_cores())):
        with team(count) as mates:
            teams.append(contest(mates, network, x,
                                 progress=lambda what: progress(f"{mates.count} workers: {what}")))
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine().as_dict(),
        "versions": {name: metadata.version(name) for name in ("distributed", "numpy", "numba")},
        "network": [str(p) for p in network.problems],
        "images": images,
        "teams": teams,
    }


def rows(record: Mapping) -> list[tuple[str, int, float, list[float], float]]:
    """What, on how many workers, seconds predicted, seconds of each run, speed-up."""
    return [(name, found["workers"], sum(run["predicted"].values()), run["seconds"],
             speedup(found, name))
            for found in record["teams"] for name, run in found["runs"].items()]


def speedup(found: dict, name: str) -> float:
    """How many times as fast as this process alone: the median over rounds of their quotient."""
    return float(np.median(np.divide(found["alone"], found["runs"][name]["seconds"])))
