"""Which of the usual mistakes an answer makes: everywhere, or wherever it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
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
from .likeness import borne_out, is_telling, likeness, stays_alike
from .outcome import Outcome
from .time_limit import OutOfTime
from .verdict import Finding

KEPT = 2**14  # bytes of a result that is kept; a larger one is computed again when it is asked for
FEW = 6  # wrong cases without many numbers, below which a mistake is only a likely one
CLEAR = 0.06  # share of what an answer costs within which a mistake that costs as much is it
_GONE = object()  # in place of a result that is not kept


@dataclass(frozen=True)
class Recognised:
    """The usual mistake that an answer makes, or, if not `sure`, that it makes on some cases."""

    misconception: Misconception
    sure: bool = True

    @property
    def hints(self) -> tuple[str, ...]:
        """Return its hints; where it is not sure, the first says only what is so."""
        symptom, *more = self.misconception.hints
        if self.sure:
            return symptom, *more
        return (
            "Where you are wrong, your results are those of the usual mistake "
            f"\u201c{self.misconception.name}\u201d.",
            *more,
        )


def recognise(
    answer: Answer, finding: Finding, cases: list[tuple], right: Callable[[], list[bool]]
) -> Recognised | None:
    """Return the usual mistake that behaves like `finding` on every case, if there is one.

    Else the one that it makes wherever it is wrong. Where only the cost is wrong: the mistake whose
    own is about the same. right: tells whether each attempt is.
    """
    if finding.stage in (
        stages.PASSED,
        stages.NOT_ATTEMPTED,
        stages.NOT_YOURS,
        stages.TOO_LONG,
        stages.NOT_WAITED,
        stages.DOES_NOT_COMPILE,
    ):
        return None
    mistakes = mistakes_of(answer.exercise)
    outcomes = [Outcome.of(attempt) for attempt in finding.attempts]
    of_cost = bool(finding.cost or finding.flaw)
    nearest: list[tuple[float, int]] = []
    for i, mistake in enumerate(mistakes):
        if of_cost:
            distance = _distance_in_cost(answer, finding, mistake.cost(cases))
        else:
            distance = _distance(finding.stage, outcomes, mistake, cases)
            if (
                distance is not None
                and answer.exercise.accept
                and any(
                    mistake.objection(j, cases) != judge_case(answer, cases[j], attempt)
                    for j, attempt in enumerate(finding.attempts)
                )
            ):
                continue  # with no one right result, what is said of one is what tells them apart
        if distance == 0:
            sure = _is_sure(answer, finding.stage, outcomes, right, mistake, cases)
            if sure is not None:
                return Recognised(mistake.misconception, sure)
        elif distance is not None:
            nearest.append((distance, i))
    if nearest:
        return Recognised(mistakes[min(nearest)[1]].misconception)
    if finding.stage not in (stages.WRONG_VALUES, stages.WRONG_SHAPE) or of_cost:
        return None
    return _where_wrong(answer, finding.stage, outcomes, right(), mistakes, cases)


def _is_sure(
    answer: Answer,
    stage: str,
    outcomes: list[Outcome],
    right: Callable[[], list[bool]],
    mistake: Mistake,
    cases: list[tuple],
) -> bool | None:
    """Return whether a mistake with the same outcomes is surely the answer's; None if it is not.

    Few numbers say little: these may agree by chance.
    """
    if stage not in (stages.WRONG_VALUES, stages.WRONG_SHAPE, stages.RAISED) or (
        answer.exercise.cases is None or answer.exercise.kernel
    ):
        return True
    if is_telling(outcomes, right()):
        return True
    wrong = [i for i, fine in enumerate(right()) if not fine]
    more = borne_out(answer, mistake.beyond, cases, wrong)
    return None if more is None else stage == stages.RAISED or len(wrong) + more >= FEW


def _where_wrong(
    answer: Answer,
    stage: str,
    outcomes: list[Outcome],
    right: list[bool],
    mistakes: list[Mistake],
    cases: list[tuple],
) -> Recognised | None:
    """Return the mistake that the answer makes wherever it is wrong; None for none, or two."""
    exercise = answer.exercise
    if exercise.cases is None or exercise.kernel or exercise.accept or all(right):
        return None
    found: dict[str, tuple[int, Mistake]] = {}
    for mistake in mistakes:
        score = likeness(
            outcomes,
            right,
            lambda i: mistake.outcome(i, cases),  # noqa: B023
            lambda i: mistake.right(i, cases),
        )  # noqa: B023
        name = mistake.misconception.name
        if (
            score is not None
            and mistake.stage == stage
            and (name not in found or score < found[name][0])
        ):
            found[name] = score, mistake
    ranked = sorted(found.values(), key=lambda each: each[0])
    if not ranked or len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return None
    wrong, closest = [i for i, fine in enumerate(right) if not fine], ranked[0][1]
    if not stays_alike(answer, closest.answer, cases, wrong):
        return None
    return Recognised(closest.misconception, sure=False)


def _distance(
    stage: str, outcomes: list[Outcome], mistake: Mistake, cases: list[tuple]
) -> float | None:
    """Return how far a mistake's outcomes are from an answer's; None if they are not alike."""
    distance = 0.0
    for i, outcome in enumerate(outcomes):
        other = mistake.outcome(i, cases)
        if (
            not outcome.like(other)
            or stage == stages.WRONG_ORDER
            and outcome.strides != other.strides
            or stage == stages.TOUCHES_INPUT
            and outcome.views != other.views
        ):
            return None
        if outcome.fault:
            apart = outcome.fault.distance(other.fault)
            if apart >= UNLIKE:
                return None
            distance += apart
    return distance if mistake.stage == stage else None


def _distance_in_cost(answer: Answer, finding: Finding, other: Finding | None) -> int | None:
    """Return how far a mistake's cost is from an answer's; None if they are not alike."""
    if other is None or other.stage != finding.stage:
        return None
    if finding.flaw:
        return 0 if finding.flaw.name == other.flaw.name else None
    mine, its = kinds(finding.about), kinds(other.about)
    if mine != its and not mine & its or finding.whole != other.whole:
        return None
    pairs = list(zip(finding.cost, other.cost, strict=True))
    alike = all(
        abs(mine - its) <= max(answer.cost_least, answer.cost_share * its) for mine, its in pairs
    )
    distance = sum(abs(mine - its) for mine, its in pairs)
    clear = max(answer.cost_least, CLEAR * sum(finding.cost))
    return distance if alike and distance <= clear else None


@lru_cache(maxsize=16)  # more than a lab has
def mistakes_of(exercise: Exercise) -> list[Mistake]:
    """Return the exercise's mistakes, which remember what they did."""
    return [
        Mistake(exercise, misconception, wrong)
        for misconception in exercise.misconceptions
        for wrong in misconception.family
    ]


class Mistake:
    """A misconception at work: run on a case when this is first asked for, once a process."""

    def __init__(
        self, exercise: Exercise, misconception: Misconception, wrong: Callable[..., Any] | str
    ) -> None:
        self.misconception = misconception
        self.answer = answer_to(exercise, wrong if exercise.cases else wrong(), watch=False)
        self.stage: str | None = None  # of the first case that is wrong, among those that were run
        self._outcomes: list[Outcome] = []
        self._objections: list[tuple | None] = []
        self._beyond: dict[tuple, tuple[bool, Outcome]] = {}  # on further cases, by their numbers
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
        return self.objection(i, cases) is None

    def objection(self, i: int, cases: list[tuple]) -> tuple | None:
        """Return what is found wrong on case `i`, as judge_case() does."""
        self.outcome(i, cases)
        return self._objections[i]

    def beyond(self, number: tuple, args: tuple) -> tuple[bool, Outcome]:
        """Return whether it is right on a further case of this number, and what it does."""
        if number in self._beyond:
            return self._beyond[number]
        attempt = self.answer.run(args)
        found = judge_case(self.answer, args, attempt) is None, Outcome.of(attempt)
        if _bytes_alive(attempt.value) <= KEPT:
            self._beyond[number] = found
        return found

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
        self._objections.append(wrong)
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
