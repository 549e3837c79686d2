"""The autotuner: every candidate is judged, those that are right are timed, and all are ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .... import measure
from ....core import reference
from ....core.problem import ConvProblem
from ....measure.quick import smaller
from .candidate import Candidate
from .space import Schedule

BUDGET = 0.02  # seconds of timing for each
Clock = Callable[[Mapping[Schedule, Callable[[], object]]], Mapping[Schedule, float]]


@dataclass(frozen=True)
class Trial:
    """A schedule and the seconds that it took; `wrong` says why it was not timed."""

    schedule: Schedule
    seconds: float | None = None
    wrong: str = ""


def stopwatch(runs: Mapping[Schedule, Callable[[], object]]) -> dict[Schedule, float]:
    """Time each in turns, median seconds; BLAS and Numba are held to one thread meanwhile. Each
    has run once before."""
    timings = measure.compare(dict(runs), budget=BUDGET, threads=1, warm=False).timings
    return {schedule: timing.median for schedule, timing in timings.items()}


def tune(
    problem: ConvProblem,
    schedules: Sequence[Schedule],
    *,
    clock: Clock = stopwatch,
    make: Callable[[ConvProblem, Schedule], Candidate] = Candidate,
) -> list[Trial]:
    """Try all `schedules`: the quickest first, equals in the order given, wrong ones last.

    `clock` is given runs by schedule, and says how long each takes; with one that always says the
    same, so does this. Weights are prepared beforehand. Where measurements are to be short, every
    fourth of many schedules is tried. Raises `ValueError` for no schedules.
    """
    if not schedules:
        raise ValueError("schedules is empty; space(problem) lists those there are")
    x, w = reference.random_arrays(problem)
    oracle, runs, wrong = reference.Oracle(x, w, problem), {}, []
    for schedule in schedules[:: len(schedules) // smaller(len(schedules))]:
        candidate = make(problem, schedule)
        prepared, y = candidate.prepare(w), np.full(problem.output_shape, np.nan, np.float32)
        candidate(x, prepared, y)
        agreement = oracle.compare(y)
        if agreement.ok:
            runs[schedule] = lambda c=candidate, p=prepared, y=y: c(x, p, y)
        else:
            wrong.append(Trial(schedule, wrong=agreement.reason))
    seconds = clock(runs) if runs else {}
    return [*sorted((Trial(s, seconds[s]) for s in runs), key=lambda t: t.seconds), *wrong]
