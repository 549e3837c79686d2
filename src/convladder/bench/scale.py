"""Inference cut over workers on this machine: predicted, then timed in paired rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from time import perf_counter

import numpy as np

from ..core.progress import Progress, report_progress
from ..measure import threads
from ..measure.quick import smaller
from ..networks.scale import cost, link_rates, strategies
from ..networks.scale.cluster import Team
from ..networks.scale.network import Network
from .rounds import judge_then_time, paired_rounds

ROUNDS = 5

# Each way's prediction and run, by the name that tables use.
CUTS: dict[str, tuple[Callable, Callable]] = {
    "images": (cost.by_images, strategies.by_images),
    "rows": (cost.by_rows, strategies.by_rows),
    "rows, halos exchanged": (
        partial(cost.by_rows, exchange=True),
        partial(strategies.by_rows, exchange=True),
    ),
    "channels": (cost.by_channels, strategies.by_channels),
    "alternating channels": (cost.alternating, strategies.alternating),
    "layers": (cost.by_layers, strategies.by_layers),
}


def compare_cuts(
    mates: Team,
    network: Network,
    x: np.ndarray,
    names: Sequence[str] = (),
    rates: cost.Rates | None = None,
    rounds: int = ROUNDS,
    progress: Progress = report_progress,
) -> dict:
    """Time ways by `names` (all by default) on a team, and this process alone on one thread.

    Predictions are made from `rates`, measured first if not given; then all take turns. Every
    result is compared with `network.forward` first. Where measurements are to be short, it is with
    a quarter of the images. Raises `RuntimeError` naming a way that was wrong.
    """
    x = x[: smaller(len(x))]
    chosen = {name: CUTS[name] for name in names or CUTS}
    progress("rates")
    rates = rates or link_rates.rates(mates, network)
    right = network.forward(x)  # loads what is to be held to one thread
    runs = {
        "alone": partial(network.forward, x),
        **{name: partial(run, mates, network, x) for name, (_, run) in chosen.items()},
    }

    def judge(name: str, run: Callable) -> bool:
        if not np.allclose(run(), right, rtol=1e-4, atol=1e-4 * np.abs(right).mean()):
            raise RuntimeError(f"cut by {name} the result is another; nothing was timed")
        return True

    with threads(1):
        times, _ = judge_then_time(
            runs,
            judge,
            lambda runs: paired_rounds(runs, rounds, clock=_seconds, progress=progress),
            progress=progress,
        )
    return {
        "workers": mates.count, "start_seconds": mates.seconds, "rates": asdict(rates),
        "alone": list(times.rounds["alone"]),
        "runs": {name: {
            "predicted": asdict(predict(network.problems, len(x), rates, mates.count)),
            "seconds": list(times.rounds[name]),
        } for name, (predict, _) in chosen.items()},
    }  # fmt: skip


def _seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def rows(record: Mapping) -> list[tuple[str, int, float, list[float], float]]:
    """Return rows: what, on how many workers, seconds predicted, seconds of each run, speed-up."""
    return [
        (
            name,
            result["workers"],
            sum(run["predicted"].values()),
            run["seconds"],
            speedup(result, name),
        )
        for result in record["teams"]
        for name, run in result["runs"].items()
    ]


def speedup(result: dict, name: str) -> float:
    """Return the speed-up over this process alone: the median over rounds of the quotient."""
    return float(np.median(np.divide(result["alone"], result["runs"][name]["seconds"])))
