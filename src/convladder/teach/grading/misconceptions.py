"""Which of the usual mistakes an answer makes: the one that behaves alike, or looks like it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import inf
from typing import Any

import numpy as np

from . import stages
from .amounts import kinds
from .answer import Answer
from .answer_type import answer_to
from .exercise import Exercise, Misconception
from .faults import UNLIKE
from .judge import judge_case
from .likeness import ERROR, PLACES, SAME, SHAPE, UNWRITTEN, likeness
from .outcome import Outcome
from .time_limit import OutOfTime
from .verdict import Finding

KEPT = 2**14  # bytes of a result that is kept; a larger one is computed again when it is asked for
CLEAR = 0.06  # share of what an answer costs within which a mistake that costs as much is it
_GONE = object()  # in place of a result that is not kept


_ALIKE = {UNWRITTEN: "Left out is what the usual mistake leaves out,",
          PLACES: "Wrong are the same places as by the usual mistake",
          SHAPE: "The shapes are those of the usual mistake",
          ERROR: "It fails as by the usual mistake"}


@dataclass(frozen=True)
class Recognised:
    """The usual mistake that an answer makes, or, if not `sure`, the one that it looks like."""

    misconception: Misconception
    sure: bool = True
    alike: int = SAME  # in what, where it is not sure

    @property
    def hints(self) -> tuple[str, ...]:
        """Return its hints, the first of them hedged where it is not sure."""
        symptom, *more = self.misconception.hints
        if self.sure:
            return symptom, *more
        name = f"\u201c{self.misconception.name}\u201d"
        if self.alike == SAME:
            return f"This looks like {name}: {_lowered(symptom)}", *more
        # What else shows of that mistake may be otherwise here.
        return f"{_ALIKE[self.alike]} {name}.", *more


def recognise(answer: Answer, finding: Finding, cases: list[tuple],
              right: Callable[[], list[bool]]) -> Recognised | None:
    """Return the usual mistake that behaves like `finding` on every case, if there is one.

    Else the one that it looks like most, by its first wrong case. Where only the cost is wrong: the
    mistake whose own is nearest, or is about the same things. right: tells whether each attempt is.
    """
    if finding.stage in (stages.PASSED, stages.NOT_ATTEMPTED, stages.NOT_YOURS, stages.TOO_LONG,
                         stages.NOT_WAITED, stages.DOES_NOT_COMPILE):
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
            return Recognised(mistake.misconception)
        if distance is not None:
            nearest.append((distance, i))
    if nearest:
        distance, i = min(nearest)
        sure = (distance <= CLEAR * sum(finding.cost) if finding.cost or finding.flaw
                else distance < UNLIKE)
        return Recognised(mistakes[i].misconception, sure)
    if finding.flaw:
        return None
    found = (_about_the_same(finding, mistakes, cases) if finding.cost
             else _most_alike(answer, outcomes, right(), mistakes, cases))
    return found


def _about_the_same(finding: Finding, mistakes: list[Mistake], cases: list[tuple]
                    ) -> Recognised | None:
    """Return the one mistake whose workspace is about the same things."""
    costs = [(mistake, mistake.cost(cases)) for mistake in mistakes] if finding.about else []
    found = {mistake.misconception.name: mistake.misconception for mistake, cost in costs
             if cost and cost.stage == finding.stage and kinds(cost.about) == kinds(finding.about)}
    return Recognised(*found.values(), sure=False) if len(found) == 1 else None


def _most_alike(answer: Answer, outcomes: list[Outcome], right: list[bool],
                mistakes: list[Mistake], cases: list[tuple]) -> Recognised | None:
    """Return the mistake that is most alike; None if none is, or two are as much."""
    if answer.exercise.cases is None or all(right):
        return None

    @cache
    def expected(i: int) -> Any:
        return answer.exercise.reference(*copy.deepcopy(cases[i]))

    found: dict[str, tuple] = {}
    for mistake in mistakes:
        score = likeness(outcomes, right, expected, lambda i: mistake.outcome(i, cases),  # noqa: B023
                         lambda i: mistake.right(i, cases))  # noqa: B023
        name = mistake.misconception.name
        if score and (name not in found or score < found[name][0]):
            found[name] = score, mistake.misconception
    ranks = sorted(score for score, _ in found.values())
    if not ranks or ranks[1:2] == ranks[:1]:
        return None
    return next(Recognised(mistake, False, score[0]) for score, mistake in found.values()
                if score == ranks[0])


def _lowered(sentence: str) -> str:
    """Return a sentence as it goes on after a colon."""
    first = sentence.split()[0]
    return sentence[0].lower() + sentence[1:] if first[1:].islower() or first == "A" else sentence


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
    return [Mistake(exercise, misconception, wrong) for misconception in exercise.misconceptions
            for wrong in misconception.family]


class Mistake:
    """A misconception at work: run on a case when this is first asked for, once a process."""

    def __init__(self, exercise: Exercise, misconception: Misconception,
                 wrong: Callable[..., Any] | str) -> None:
        self.misconception = misconception
        self.answer = answer_to(exercise, wrong if exercise.cases else wrong(), watch=False)
        self.stage: str | None = None  # of the first case that is wrong, among those that were run
        self._outcomes: list[Outcome] = []
        self._right: list[bool] = []
        self._report: Any = None  # of the last launch
        self._cost: Finding | None = None

    def outcome(self, i: int, cases: list[tuple]) -> Outcome:
        """Return what it does on case `i`, from 0."""
        while len(self._outcomes) <= i:
            self._run_next(cases)
        outcome = self._outcomes[i]
        return Outcome.of(self.answer.run(cases[i])) if outcome.value is _GONE else outcome

    def right(self, i: int, cases: list[tuple]) -> bool:
        """Return whether it is right on case `i`."""
        self.outcome(i, cases)
        return self._right[i]

    def cost(self, cases: list[tuple]) -> Finding | None:
        """Return what is found of its cost; None if its values are wrong."""
        while self.stage is None and len(self._outcomes) < len(cases):
            self._run_next(cases)
        if self.stage is None and self._cost is None:
            with suppress(OutOfTime):  # on a busy machine: then nothing is recognised
                self._cost = self.answer.judge_cost(cases, self._report)
        return self._cost

    def _run_next(self, cases: list[tuple]) -> None:
        args = cases[len(self._outcomes)]
        attempt = self.answer.run(args)
        wrong = judge_case(self.answer, args, attempt)
        self._right.append(wrong is None)
        if self.stage is None:
            self.stage = wrong and wrong[0]
        outcome = Outcome.of(attempt)
        kept = _bytes_alive(outcome.value) <= KEPT
        self._outcomes.append(outcome if kept else replace(outcome, value=_GONE))
        self._report = attempt.report


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
