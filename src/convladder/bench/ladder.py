"""All rungs of a ladder on one problem: right first, then how many bytes, then how fast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ..measure.hardware import machine
from ..measure.limits import roofline
from ..measure.memory import Memory, mib, traced
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timer import Runs, Timing, check_budget, laps, seconds, timed, timing_of
from ..problem import ConvProblem
from ..reference import compare as judge
from ..reference import random_arrays
from ..registry import Ladder, Method


@dataclass(frozen=True)
class Result:
    """What one method did on one problem.

    `flops_per_s` is the problem's FLOP over the median time; `share` is that over
    `Roofline.limit` of as many threads. `workspace` (measured) and `predicted_workspace` are in
    bytes. `error` is `reference.Agreement.error`, which was in its limit. `prepare_seconds` is
    left out of `timing`, and None for a method that prepares no weights.
    """

    method: Method
    problem: ConvProblem
    timing: Timing
    flops_per_s: float
    share: float
    workspace: int
    predicted_workspace: int
    error: float
    prepare_seconds: float | None
    threads: int

    @property
    def name(self) -> str:
        return self.method.name

    def as_dict(self) -> dict[str, object]:
        """All but the problem and the threads, ready for JSON; times in seconds."""
        return {
            "method": self.name,
            "seconds": self.timing.median,
            "seconds_low": self.timing.low,
            "seconds_high": self.timing.high,
            "runs": self.timing.runs,
            "flops_per_s": self.flops_per_s,
            "share": self.share,
            "workspace": self.workspace,
            "predicted_workspace": self.predicted_workspace,
            "error": self.error,
            "prepare_seconds": self.prepare_seconds,
        }

    def __str__(self) -> str:
        packing = self.prepare_seconds
        prepared = "" if packing is None else f", weights prepared in {seconds(packing)} before"
        return (
            f"{self.name}: {self.timing}, {self.flops_per_s / 1e9:.3g} GFLOP/s "
            f"({self.share:.1%} of the limit), {mib(self.workspace)}, error {self.error:.1e}"
            f"{prepared}"
        )


def climb(
    ladder: Ladder,
    *,
    threads: int | None = None,
    budget: float = 0.3,
    seed: int = 0,
    progress: Callable[[str], object] | None = None,
) -> list[Result]:
    """Judge, weigh and time every rung, on random arrays of `seed` and `threads` threads.

    Each method gets about `budget` seconds of timed calls, in rounds in which each is called
    once: at least three, or a single one if that outlasts the budget. Before them come its first
    call, which is judged, and one in which its memory is measured. `progress(name)` is called as
    each method's turn begins.

    Raises `ValueError` for a budget or a number of threads that cannot be, and `RuntimeError`
    naming the method if a result is wrong: that is a defect of the package.
    """
    check_budget(budget)
    number = thread_count(threads)
    problem = ladder.problem
    x, w = random_arrays(problem, seed)
    calls, judged, memory, preparing = {}, {}, {}, {}
    for method in ladder.rungs:
        if progress is not None:
            progress(method.name)
        weights = w
        if method.prepare is not None:
            weights = method.prepare(w, problem)
            again = _bound(method.prepare, w, problem)
            preparing[method.name] = timed(again, budget=budget, threads=number).median
        call = _bound(method.run, x, weights, problem)
        judged[method.name] = _judge(method, call, x, w, problem)
        with pinned(number):
            memory[method.name] = traced(call)
        calls[method.name] = call
    times = _take_turns(calls, number, budget)
    limit = roofline(number).limit(problem) if calls else 0.0
    return [
        _result(
            method,
            problem,
            timing_of(times[method.name], number),
            limit,
            memory[method.name],
            judged[method.name],
            preparing.get(method.name),
        )
        for method in ladder.rungs
    ]


def _bound(fn: Callable, *args) -> Callable[[], object]:
    return lambda: fn(*args)


def _judge(
    method: Method, call: Callable, x: np.ndarray, w: np.ndarray, problem: ConvProblem
) -> float:
    # Given back at once, for `call` to find NaN in the memory that it takes: entries it forgets
    # to write must not hold what the method before it left there.
    np.full(problem.output_shape, np.nan, np.float32)
    agreement = judge(call(), x, w, problem)
    if not agreement.ok:
        raise RuntimeError(
            f"method {method.name!r} is wrong on {problem}: {agreement.reason}; "
            "this is a defect of the package, so nothing was timed"
        )
    return agreement.error


def _take_turns(
    calls: dict[str, Callable], threads: int, budget: float
) -> dict[str, list[float]]:
    runs = {name: Runs(threads) for name in calls}
    running = dict(calls)
    with pinned(threads):
        for lap in laps(running, threads):
            for name, duration in lap.items():
                runs[name].add(duration)
                if runs[name].enough(budget):
                    del running[name]
    return {name: each.times for name, each in runs.items()}


def _result(
    method: Method,
    problem: ConvProblem,
    timing: Timing,
    limit: float,
    memory: Memory,
    error: float,
    prepare_seconds: float | None,
) -> Result:
    rate = problem.flops / timing.median
    return Result(
        method=method,
        problem=problem,
        timing=timing,
        flops_per_s=rate,
        share=rate / limit,
        workspace=memory.workspace,
        predicted_workspace=method.workspace_bytes(problem),
        error=error,
        prepare_seconds=prepare_seconds,
        threads=timing.threads,
    )


def results_as_dict(results: list[Result]) -> dict[str, object]:
    """What `climb` returned, with this machine, its limits and the day, ready for JSON.

    Raises `ValueError` if there are no results, since they say what problem was solved.
    """
    if not results:
        raise ValueError("results=[] is empty: no method was measured, so there is no record")
    limits = roofline(results[0].threads)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine().as_dict(),
        "threads": limits.threads,
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        "problem": str(results[0].problem),
        "flops": results[0].problem.flops,
        "results": [result.as_dict() for result in results],
    }
