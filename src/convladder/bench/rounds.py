"""The one way to compare: judge every contender first, then time the right ones in paired rounds.

All comparisons of this folder are made by `judge_then_time`, and all but those that measure until
a budget is used up (`measure.compare`) by `paired_rounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..core.problem import ConvProblem
from ..core.progress import Progress, report_progress
from ..core.reference import POINTWISE, ErrorModel, Oracle
from ..core.registry import Method
from ..measure.machine_lock import machine_lock
from ..measure.quick import fewer, quick
from ..measure.timing import (
    Comparison,
    Sample,
    interleave,
    lock_name,
    reported,
    timed,
    timed_block,
)

ROUNDS = 7

Contender = TypeVar("Contender")
Times = TypeVar("Times")


def judge_then_time(
    contenders: Mapping[str, Contender],
    judge: Callable[[str, Contender], bool],
    time: Callable[[dict[str, Contender]], Times],
    *,
    optional: Container[str] = (),
    progress: Progress = report_progress,
) -> tuple[Times, dict[str, str]]:
    """Return the times of the contenders that `judge` finds right, and the absent ones.

    `judge(name, contender)` computes once and says whether the result is right; it raises
    `RuntimeError` where nobody may be timed beside a wrong one. Of `optional` names an error means
    that this way cannot run here: they map to its first line. Other errors pass through.
    """
    right, absent = {}, {}
    for name, contender in contenders.items():
        progress(name)
        try:
            if judge(name, contender):
                right[name] = contender
        except Exception as error:  # a compiler that is not there, memory: not our comparison's
            if name not in optional:
                raise
            absent[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return time(right), absent


def paired_rounds(
    calls: Mapping[str, Callable[[], object]],
    rounds: int = ROUNDS,
    *,
    threads: int | None = None,
    clock: Callable[[Any], Sample | float] | None = None,
    progress: Progress = report_progress,
    after_round: Callable[[], object] = lambda: None,
) -> Comparison:
    """Return the readings of `clock(call)` for each call in each round; every other runs backwards.

    Equal indices are one round, so that a quotient of two meets the same moment of the machine. A
    round that others disturbed is taken again, but no more than `rounds` are. `clock` is by
    default a `timed_block` of as many `threads` as the calls are held to (None: several).
    """
    taken: list[dict[str, Sample]] = []
    rounds = fewer(rounds)
    with machine_lock(lock_name(threads or 2)) as late:
        clock = clock or partial(timed_block, threads=threads)
        interleaved = interleave(calls, clock)
        while not _enough(taken, rounds):
            again = ", once more" if len(taken) >= rounds else ""
            progress(f"round {min(len(taken) + 1, rounds)} of {rounds}{again}")
            each = next(interleaved, {})
            taken.append({name: _sample(each[name], late) for name in calls})
            after_round()
    # The undisturbed ones, and as many of the others as there must be, in the order of time.
    spare = rounds - sum(not _disturbed(samples) for samples in taken)
    kept = []
    for samples in taken:
        if not _disturbed(samples) or spare > 0:
            kept.append(samples)
            spare -= _disturbed(samples)
    result = Comparison.of({name: [each[name] for each in kept] for name in calls}, threads or 1)
    return reported(result)


def _sample(value: Sample | float, late: bool) -> Sample:
    sample = value if isinstance(value, Sample) else Sample(value)
    return sample._replace(disturbed=True) if late else sample


def _disturbed(samples: Mapping[str, Sample]) -> bool:
    return any(each.disturbed for each in samples.values())


def _enough(taken: list[dict[str, Sample]], rounds: int) -> bool:
    if len(taken) < rounds:
        return False
    good = sum(not _disturbed(each) for each in taken)
    return good >= rounds or quick() or len(taken) >= 2 * rounds


def prepared_calls(
    methods: Iterable[Method], x: np.ndarray, w: np.ndarray, problem: ConvProblem,
    threads: int, budget: float,
) -> tuple[dict[str, Callable[[], np.ndarray]], dict[str, float]]:  # fmt: skip
    """Return each method's call, its weights prepared, and the median seconds of preparing them,
    `budget` seconds each, of methods that do; by name."""
    calls: dict[str, Callable[[], np.ndarray]] = {}
    seconds: dict[str, float] = {}
    for method in methods:
        weights = w
        if method.prepare is not None:
            weights = method.prepare(w, problem)
            again = partial(method.prepare, w, problem)
            seconds[method.name] = timed(again, budget=budget, threads=threads).median
        calls[method.name] = partial(method.run, x, weights, problem)
    return calls, seconds


def error_of(
    name: str, y: np.ndarray, x: np.ndarray, w: np.ndarray, problem: ConvProblem,
    model: ErrorModel = POINTWISE,
) -> float:  # fmt: skip
    """Return `reference.Agreement.error` of a result. Raises `RuntimeError` if it is not right."""
    return error_by(Oracle(x, w, problem, model), name, y, problem)


def error_by(oracle: Oracle, name: str, y: np.ndarray, problem: ConvProblem) -> float:
    """Return the same, for one of several results that are judged by one oracle."""
    agreement = oracle.compare(y)
    if not agreement.ok:
        raise RuntimeError(f"{name} is wrong on {problem}: {agreement.reason}; nothing was timed")
    return agreement.error


def geometric_mean(ratios) -> float:
    """Return the mean for ratios: of twice and half as fast, it is 1."""
    return float(np.exp(np.mean(np.log(list(ratios)))))
