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
from ..networks.scale import CUTS, cost, link_rates
from ..networks.scale.cluster import Team
from ..networks.scale.network import Network
from ..networks.scale.strategies import NetworkCut
from .rounds import judge_then_time, paired_rounds

ROUNDS = 5

TIMED = {
    **CUTS,
    "rows, halos exchanged": NetworkCut(*(partial(way, exchange=True) for way in CUTS["rows"])),
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
    chosen = {name: TIMED[name] for name in names or TIMED}
    progress("rates")
    rates = rates or link_rates.rates(mates, network)
    right = network.forward(x)  # loads what is to be held to one thread
    runs = {
        "alone": partial(network.forward, x),
        **{name: partial(cut.run, mates, network, x) for name, cut in chosen.items()},
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
            "predicted": asdict(cut.predict(network.problems, len(x), rates, mates.count)),
            "seconds": list(times.rounds[name]),
        } for name, cut in chosen.items()},
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
