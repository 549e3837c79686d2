"""Layers as the stages of a pipeline: which worker has which, and when each of them is done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def stages(costs: Sequence[float], workers: int) -> list[range]:
    """Cut layers in runs, one per worker, whose most costly one costs as little as can be.

    With fewer layers than workers there are fewer runs. Every way to cut is tried: a network has
    few layers. Raises `ValueError` for no layers or workers.
    """
    if not costs or workers < 1:
        raise ValueError(
            f"cannot cut {len(costs)} layers for {workers} workers; both are 1 or more"
        )
    count = len(costs)
    best = min(
        combinations(range(1, count), min(workers, count) - 1),
        key=lambda cuts: max(sum(costs[a:b]) for a, b in zip((0, *cuts), (*cuts, count))),
    )
    return [range(a, b) for a, b in zip((0, *best), (*best, count))]


def schedule(
    stage_seconds: Sequence[float], batches: int, move: float = 0.0
) -> list[list[tuple[float, float]]]:
    """Return `[stage][batch]`: when each begins and ends, in seconds from the start.

    A stage takes its batches in order, each when the stage before has done it and `move` seconds
    have brought it over. Raises `ValueError` for no stages or batches.
    """
    if not stage_seconds or batches < 1:
        raise ValueError(
            f"{len(stage_seconds)} stages and {batches} batches: both must be 1 or more"
        )
    spans: list[list[tuple[float, float]]] = []
    for number, seconds in enumerate(stage_seconds):
        free, spans_here = 0.0, []
        for batch in range(batches):
            ready = spans[-1][batch][1] + move if number else 0.0
            begin = max(free, ready)
            free = begin + seconds
            spans_here.append((begin, free))
        spans.append(spans_here)
    return spans


def makespan(stage_seconds: Sequence[float], batches: int, move: float = 0.0) -> float:
    """Return when the last batch leaves the last stage."""
    return schedule(stage_seconds, batches, move)[-1][-1][1]
