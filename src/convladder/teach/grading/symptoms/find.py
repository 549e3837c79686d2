"""The symptom of an answer: true of its values, whatever the cause is. Silent when in doubt."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..answer import Answer, PythonAnswer
from ..compare import same
from ..faults import FaultyKernel
from ..time_limit import OutOfTime
from .arguments import numbers_in, told_apart
from .as_if import as_if
from .axes import axes_named, with_names
from .calls import of_another_case, unlike_before
from .common import WEAK, Case, in_common, is_short
from .errors import error_symptom, fault_symptom
from .first_item import first_wrong_item
from .further import Further, further
from .numbers import is_number
from .probes import is_computed, probed
from .unwritten import has_nan, with_cause

HEAVY = 2**25  # bytes
ROUNDED = "is the right number rounded"  # which leaves nothing to ask of arguments
SEVERAL = 3  # wrong cases, from which on an amount is an argument's by no chance
MOST = 4  # wrong cases that are looked at, where a result is more than a few numbers


@np.errstate(all="ignore")  # wrong values may be any: the learner is told of no overflow here
def symptom(
    answer: Answer, cases: list[tuple], attempts: list, right: list[bool], reasons: bool = True
) -> str:
    """Return what shows of an answer that is wrong on some case, in a sentence or two, or "".

    right: whether each attempt is. reasons: whether to say also by which arguments an answer comes
    out right. Runs the answer once more, on the first case that is wrong.
    """
    exercise = answer.exercise
    if exercise.cases is None:
        return ""  # a value: it would be given away
    wrong = [i for i, fine in enumerate(right) if not fine and i < len(attempts)]
    if not wrong:
        return ""
    first = attempts[wrong[0]]
    names = exercise.parameters
    numbered = numbers_in(names, cases)
    numbers = [numbered(args) for args in cases[: len(attempts)]]

    @cache
    def more() -> list[Further]:
        return further(answer, cases, wrong)

    fine_ones = [numbers[i] for i, fine in enumerate(right) if fine]
    apart = told_apart(fine_ones, [numbers[i] for i in wrong]) if reasons else ""
    if apart and apart != told_apart(
        fine_ones, [*(numbers[i] for i in wrong), *(numbered(each.args) for each in more())]
    ):
        apart = ""

    def why(tried: list[tuple], all_wrong: Callable[[], list[tuple]]) -> str:
        return _why(apart, probed(answer, cases, tried, all_wrong)) if reasons else ""

    if isinstance(first.error, FaultyKernel):
        return " ".join(filter(None, (fault_symptom(first.error), apart)))
    if first.error is not None:
        said = error_symptom(first.error)
        if isinstance(answer, PythonAnswer) and not isinstance(first.error, OutOfTime):
            here = [i for i in wrong[:MOST] if attempts[i].error is not None]
            apart = why(
                [(i, exercise.reference(*copy.deepcopy(cases[i])), None) for i in here],
                lambda: [cases[i] for i in wrong if attempts[i].error is not None],
            )
    elif (
        _comparable(first.value)
        and not _heavy(first.value)
        and not same(again := answer.run(cases[wrong[0]]).value, first.value)
    ):
        return unlike_before(first.value, again, kernel=exercise.kernel is not None)
    elif exercise.accept is not None:
        said = ""  # there is no one right result to compare with
    else:
        most = len(wrong) if is_short(first.value) or is_number(first.value) else MOST
        here = [i for i in wrong[:most] if attempts[i].error is None]
        seen = [(exercise.reference(*copy.deepcopy(cases[i])), attempts[i].value) for i in here]
        kept = of_another_case(seen, exercise, cases, wrong[0])
        if kept and is_computed(answer, cases, cases[wrong[0]], first.value):
            kept = ""
        if whole := kept or as_if(
            exercise.reference,
            names,
            [(cases[i], *each) for i, each in zip(here, seen, strict=True)],
            lambda: [
                *(each[:3] for each in more()),
                *(
                    (cases[i], attempts[i].value, attempts[i].value)
                    for i, fine in enumerate(right)
                    if fine
                ),
            ],
        ):
            return whole
        said = with_names(
            _borne_out(seen, [numbers[i] for i in here], numbered, more),
            _axes(seen, attempts, right, numbers, wrong),
        )
        apart = (
            ""
            if ROUNDED in said
            else why(
                [(i, *each) for i, each in zip(here, seen, strict=True)],
                lambda: [
                    *(cases[i] for i in wrong if attempts[i].error is None),
                    *(each.args for each in more() if each.drawn),
                ],
            )
        )
    if not said and not apart and first.error is None and exercise.accept is None:
        said = first_wrong_item(
            exercise.reference(*copy.deepcopy(cases[wrong[0]])), first.value, wrong[0] + 1
        )
    unknown = next((i for i in wrong if has_nan(attempts[i].value)), wrong[0])
    said = with_cause(said, answer, cases[unknown])
    return " ".join(filter(None, (said, apart)))


def _why(apart: str, tried: str | None) -> str:
    """Return what to say of why: `tried`, or what tells all cases apart if that bears it out."""
    if tried is None or "multiple" in apart and not tried.startswith("On"):
        return apart  # of which nothing was tried
    return apart if tried.startswith("If") and _named(apart) <= _named(tried) and apart else tried


def _named(sentence: str) -> set[str]:
    return set(re.findall(r"`[^`]*`", sentence))


def _axes(
    seen: Sequence[Case], attempts: list, right: list[bool], numbers: list[dict], wrong: list[int]
) -> dict[int, str]:
    """Return what gives the length of each axis, where all results are arrays."""
    known = [(attempts[i].value, numbers[i]) for i, fine in enumerate(right) if fine]
    known += [(expected, numbers[i]) for i, (expected, _) in zip(wrong, seen)]
    if not all(isinstance(value, np.ndarray) for value, _ in known):
        return {}
    return axes_named([value.shape for value, _ in known], [one for _, one in known])


def _borne_out(
    seen: Sequence[Case],
    numbers: list[dict],
    numbered: Callable[[tuple], dict],
    more: Callable[[], list[Further]],
) -> str:
    """Return what wrong cases have in common, if further ones do; else what all have in common.

    One array has values enough to bear out a sentence, if it is no weak one. Of other results, what
    further cases refute in part loses all but its first sentence.
    """
    if not (said := in_common(seen, numbers)):
        return ""
    if "`" in said and said.startswith("Every wrong") and len(seen) + len(more()) < SEVERAL:
        numbers = [{}] * len(seen)  # which argument it is, it may be by chance
        said = in_common(seen, numbers)
    by_sizes = said.startswith("Your values are right, and in the right order")  # but the shape
    of_arrays = isinstance(seen[0][0], np.ndarray) and not by_sizes
    others = [
        each
        for each in more()
        if type(each.got) is type(seen[0][1]) and (each.drawn or not of_arrays)
    ]
    of_all = in_common(
        [*seen, *((each.expected, each.got) for each in others)],
        [*numbers, *(numbered(each.args) for each in others)],
    )
    if not others or _without_numbers(said) == _without_numbers(of_all):
        return said
    if of_arrays:
        return of_all if said.startswith((*WEAK, "Your result is too")) else said
    if of_all or by_sizes or said.startswith((*WEAK, "Every wrong", "Each wrong", "Only item")):
        return of_all
    return said.split(". ")[0].rstrip(".") + "."


def _without_numbers(sentence: str) -> str:
    without = re.sub(r", by (up to )?\S+ (%|factor).*?(?=\.( |$))", "", sentence)
    return re.sub(r"\d[\d,.]*", "", without)


def _comparable(value: Any) -> bool:
    """Return whether a value is made of numbers and words, so that equal ones are equal."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (tuple, list)):
        return all(map(_comparable, value))
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject
    return value is None or isinstance(value, (str, bytes, bool, np.generic)) or is_number(value)


def _heavy(value: Any) -> bool:
    """Return whether an array takes seconds to be compared."""
    return isinstance(value, np.ndarray) and value.nbytes > HEAVY
