"""All rungs of a ladder on one problem: right first, then how many bytes, then how fast."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import POINTWISE, random_arrays
from ..core.registry import Ladder, Method
from ..measure import machine
from ..measure.limits import roofline
from ..measure.machine_lock import machine_lock
from ..measure.memory import Memory, traced
from ..measure.peak import peak_again
from ..measure.pinning import thread_count
from ..measure.pinning import threads as pinned
from ..measure.timing import (
    SLACK,
    Rounds,
    Sample,
    check_budget,
    clock_for,
    interleave,
    lock_name,
    reported,
    timing_of,
)
from .records import today
from .result import Result
from .rounds import error_of, judge_then_time, prepared_calls


def climb(
    ladder: Ladder,
    *,
    threads: int | None = None,
    budget: float = 0.3,
    seed: int = 0,
    progress: Progress = report_progress,
) -> list[Result]:
    """Judge, weigh and time every rung, on random arrays of `seed` and `threads` threads.

    Each method gets about `budget` seconds of timed calls, in rounds in which each is called
    once: at least three, or a single one if that outlasts the budget. Before them come its first
    call, which is judged, and one in which its memory is measured. `progress(name)` is called as
    each method's turn begins.

    Raises `ValueError` for an invalid budget or number of threads, and `RuntimeError`
    naming the method if a result is wrong: that is a defect of the package.
    """
    check_budget(budget)
    number, problem = thread_count(threads), ladder.problem
    x, w = random_arrays(problem, seed)
    calls, preparing = prepared_calls(ladder.rungs, x, w, problem, number, budget)
    errors: dict[str, float] = {}
    memory: dict[str, Memory] = {}
    predicted: dict[str, int] = {}
    rungs = {method.name: method for method in ladder.rungs}

    def judge(name: str, call: Callable) -> bool:
        model = rungs[name].error_model(problem)
        with pinned(number):  # tiles are compiled for the parts that so many threads have
            # Given back at once, for `call` to find NaN in the memory that it takes: entries it
            # forgets to write must not hold what the method before it left there.
            np.full(problem.output_shape, np.nan, np.float32)
            errors[name] = error_of(f"method {name!r}", call(), x, w, problem, model)
        with pinned(number):  # anew, for a library that this call has loaded
            memory[name] = traced(call)
            predicted[name] = rungs[name].workspace_bytes(problem)  # of so many threads
        return True

    times, _ = judge_then_time(
        calls, judge, lambda right: _interleaved(right, number, budget), progress=progress
    )

    def measured(name: str) -> Result:
        samples, roof = times[name], roofline(number)
        timing, limit = timing_of(samples, number), roof.limit(problem)
        return Result(
            name, problem, timing, tuple(each.seconds for each in samples), limit,
            error=errors[name], prepare_seconds=preparing.get(name),
            workspace=memory[name].workspace,
            predicted_workspace=predicted[name],
            beyond=_beyond(rungs[name], problem, timing.median, limit, roof.flops_per_s),
        )  # fmt: skip

    if any(measured(name).disturbed for name in rungs):
        peak_again(number)
    if too_fast := [
        name for name in rungs if measured(name).share > SLACK and not measured(name).beyond
    ]:
        times |= _interleaved({name: calls[name] for name in too_fast}, number, budget)
    return [reported(measured(name)) for name in rungs]


def _beyond(method: Method, problem: ConvProblem, seconds: float, limit: float, peak: float) -> str:
    """Return the reason why a method can pass the roofline's limit."""
    if method.error_model(problem) != POINTWISE:
        return "fewer multiplications"
    # Traffic is the limit of arrays in memory, and theirs may still be in a cache.
    within_peak = problem.flops / seconds <= SLACK * peak
    if not within_peak and machine().matrix_unit:
        return "a matrix unit"
    return "in a cache" if limit < peak and within_peak else ""


def _interleaved(
    calls: dict[str, Callable], threads: int, budget: float
) -> dict[str, list[Sample]]:
    """Time each call until its own budget is used up."""
    left = dict(calls)
    with pinned(threads), machine_lock(lock_name(threads)) as late:
        rounds = {name: Rounds(threads=threads, late=late) for name in calls}
        for each in interleave(left, clock_for(threads)):
            for name, sample in each.items():
                rounds[name].add(sample)
                if rounds[name].enough(budget):
                    del left[name]
    return {name: each.chosen()["fn"] for name, each in rounds.items()}


def results_as_dict(results: list[Result]) -> dict[str, object]:
    """Return the results of `climb`, with this machine, its limits and the day, ready for JSON.

    Raises `ValueError` if there are no results, since they say what problem was solved.
    """
    if not results:
        raise ValueError("results=[] is empty: no method was measured, so there is no record")
    limits = roofline(results[0].threads)
    return {
        "date": today(),
        "machine": machine().as_dict(),
        "threads": limits.threads,
        "limits": {"flops_per_s": limits.flops_per_s, "bytes_per_s": limits.bytes_per_s},
        "problem": str(results[0].problem),
        "flops": results[0].problem.flops,
        "results": [result.as_dict() for result in results],
    }
