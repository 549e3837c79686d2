"""Which of the usual mistakes an answer makes: the one that behaves alike on every case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from . import verdict as stages
from .answer import Answer
from .answer_type import answer_to
from .compare import same
from .exercise import Exercise, Misconception
from .faults import FaultyKernel
from .judge import judge_case
from .run import Attempt, explain
from .verdict import Finding

KEPT = 2**14  # bytes of a result that is kept; a larger one is computed again when it is asked for
_GONE = object()  # in place of a result that is not kept


def recognise(answer: Answer, finding: Finding, cases: list[tuple]) -> Misconception | None:
    """Return the usual mistake that behaves like `finding` on every case, if there is one.

    Where only the cost is wrong: the mistake whose own is nearest, if it is alike.
    """
    if finding.stage in (stages.PASSED, stages.NOT_ATTEMPTED, stages.NOT_YOURS,
                         stages.DOES_NOT_COMPILE):
        return None
    mistakes = mistakes_of(answer.exercise)
    outcomes = [Outcome.of(attempt) for attempt in finding.attempts]
    nearest: list[tuple[int, int]] = []
    for i, mistake in enumerate(mistakes):
        if finding.cost or finding.flaw:
            distance = _distance_in_cost(answer, finding, mistake.cost(cases))
        else:
            distance = _distance(finding.stage, outcomes, mistake, cases)
        if distance == 0:
            return mistake.misconception
        if distance is not None:
            nearest.append((distance, i))
    return mistakes[min(nearest)[1]].misconception if nearest else None


def _distance(stage: str, outcomes: list[Outcome], mistake: Mistake,
              cases: list[tuple]) -> int | None:
    """Return how far a mistake's outcomes are from an answer's; None if they are not alike."""
    distance = 0
    for i, outcome in enumerate(outcomes):
        other = mistake.outcome(i, cases)
        if not outcome.like(other) or (stage == stages.WRONG_ORDER
                                       and outcome.strides != other.strides):
            return None
        if outcome.fault:
            distance += outcome.fault.distance(other.fault)
    return distance if mistake.stage == stage else None


def _distance_in_cost(answer: Answer, finding: Finding, other: Finding | None) -> int | None:
    """Return how far a mistake's cost is from an answer's; None if they are not alike."""
    if other is None or other.stage != finding.stage:
        return None
    if finding.flaw:
        return 0 if finding.flaw.name == other.flaw.name else None
    pairs = list(zip(finding.cost, other.cost, strict=True))
    alike = all(abs(mine - its) <= max(answer.cost_least, answer.cost_share * its)
                for mine, its in pairs)
    return sum(abs(mine - its) for mine, its in pairs) if alike else None


@lru_cache(maxsize=16)  # more than a lab has
def mistakes_of(exercise: Exercise) -> list[Mistake]:
    """Return the exercise's mistakes, which remember what they did."""
    return [Mistake(exercise, misconception) for misconception in exercise.misconceptions]


class Mistake:
    """A misconception at work: run on a case when this is first asked for, once a process."""

    def __init__(self, exercise: Exercise, misconception: Misconception) -> None:
        wrong = misconception.wrong
        self.misconception = misconception
        self.answer = answer_to(exercise, wrong if exercise.cases else wrong(), watch=False)
        self.stage: str | None = None  # of the first case that is wrong, among those that were run
        self._outcomes: list[Outcome] = []
        self._report: Any = None  # of the last launch
        self._cost: Finding | None = None

    def outcome(self, i: int, cases: list[tuple]) -> Outcome:
        """Return what it does on case `i`, from 0."""
        while len(self._outcomes) <= i:
            self._run_next(cases)
        outcome = self._outcomes[i]
        return Outcome.of(self.answer.run(cases[i])) if outcome.value is _GONE else outcome

    def cost(self, cases: list[tuple]) -> Finding | None:
        """Return what is found of its cost; None if its values are wrong."""
        while self.stage is None and len(self._outcomes) < len(cases):
            self._run_next(cases)
        if self.stage is None and self._cost is None:
            self._cost = self.answer.judge_cost(cases, self._report)
        return self._cost

    def _run_next(self, cases: list[tuple]) -> None:
        args = cases[len(self._outcomes)]
        attempt = self.answer.run(args)
        if self.stage is None:
            wrong = judge_case(self.answer, args, attempt)
            self.stage = wrong and wrong[0]
        outcome = Outcome.of(attempt)
        kept = _bytes_alive(outcome.value) <= KEPT
        self._outcomes.append(outcome if kept else replace(outcome, value=_GONE))
        self._report = attempt.report


@dataclass(frozen=True)
class Outcome:
    """What is compared of an attempt. Of an exception, only its text: it may hold on to arrays."""

    value: Any
    strides: tuple[int, ...]  # of an array; that of one item says nothing, and is left out
    changed: tuple[int, ...]
    views: tuple[int, ...]
    objection: str | None
    error: str | None
    fault: FaultyKernel | None

    @classmethod
    def of(cls, attempt: Attempt) -> Outcome:
        """Return the outcome of `attempt`."""
        value, error = attempt.value, attempt.error
        strides = tuple(stride for size, stride in zip(value.shape, value.strides) if size > 1
                        ) if isinstance(value, np.ndarray) else ()
        return cls(value, strides, attempt.changed, attempt.views, attempt.objection,
                   None if error is None else explain(error),
                   error if isinstance(error, FaultyKernel) else None)

    def like(self, other: Outcome) -> bool:
        """Return whether two attempts came to the same, but for rounding."""
        if self.fault or other.fault:
            return bool(self.fault and other.fault and self.fault.like(other.fault))
        return ((self.changed, self.views, self.objection, self.error)
                == (other.changed, other.views, other.objection, other.error)
                and same(self.value, other.value))


def _bytes_alive(value: Any) -> float:
    """Return the bytes that `value` keeps alive; infinity for what cannot be known."""
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
        return inf if value.dtype.hasobject or value.base is not None else value.nbytes
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return sum(map(_bytes_alive, value))
    return 32 if value is None or isinstance(value, (bool, int, float, str, np.generic)) else inf
