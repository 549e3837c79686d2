"""Whether an answer makes a usual mistake on some cases only: wherever it is wrong, and no less.

Less than that is no evidence. Of answers that are wrong in the same places, or that raise the same
exception, or that agree on half of the cases, most make another mistake.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .answer import PythonAnswer
from .compare import close
from .held import bytes_of
from .judge import judge_case
from .outcome import Outcome
from .symptoms.further import ENOUGH_TIME, other_cases
from .symptoms.reasons import LARGE, SECONDS, asked
from .symptoms.settings import settable, settings
from .time_limit import OutOfTime

SEEDS = 4  # of which cases are drawn
NEARLY_ALL = 4  # times as many are alike as are not
ENOUGH = 3  # further cases on which both are wrong
TELLING = 8  # different numbers in wrong results, below which they may agree by chance


def likeness(
    outcomes: Sequence[Outcome],
    right: Sequence[bool],
    other: Callable[[int], Outcome],
    other_right: Callable[[int], bool],
) -> int | None:
    """Return on how many cases only one of the two is wrong; None if they are not alike.

    outcomes, right: of the answer's cases. other, other_right: of the mistake's. Alike: of the same
    values on every case on which the answer is wrong, but for what one of them leaves unwritten.
    The first wrong case is asked for first, and others only if it is alike.
    """
    wrong = [i for i, fine in enumerate(right) if not fine]
    for i in wrong:
        mine = outcomes[i]
        if mine.error or mine.fault or other_right(i) or not _alike(mine, other(i)):
            return None
    if not is_telling(outcomes, right):
        return None
    return sum(other_right(i) != fine for i, fine in enumerate(right))


def stays_alike(
    mine: PythonAnswer, its: PythonAnswer, cases: Sequence[tuple], wrong: Sequence[int]
) -> bool:
    """Return whether two answers do the same where `mine` is wrong, on further cases as well.

    These are the smallest of `wrong`, its arguments set otherwise one by one.
    """
    args = min((cases[i] for i in wrong), key=bytes_of)
    if bytes_of(args) > LARGE or not settable(args):
        return False
    both = 0
    for setting in settings(mine.exercise.parameters, cases, args):
        other = asked(mine.exercise, args, setting)
        if other is None:
            continue
        attempt = mine.run(other[0], SECONDS)
        if isinstance(attempt.error, OutOfTime):
            return False
        if judge_case(mine, other[0], attempt) is None:
            continue
        wrong_too = its.run(other[0], SECONDS)
        if _is_unwritten(attempt.value) or _is_unwritten(wrong_too.value):
            continue  # it tells nothing
        if not _alike(Outcome.of(attempt), Outcome.of(wrong_too)):
            return False
        both += 1
    return both >= ENOUGH


def is_telling(outcomes: Sequence[Outcome], right: Sequence[bool]) -> bool:
    """Return whether wrong results have enough different numbers to agree by no chance."""
    numbers: set[float] = set()
    for outcome, fine in zip(outcomes, right, strict=False):
        if not fine:
            numbers.update(number for number in _numbers(outcome.value) if number == number)
    return len(numbers) >= TELLING


def borne_out(
    mine: PythonAnswer,
    its: Callable[[tuple, tuple], tuple[bool, Outcome]],
    cases: Sequence[tuple],
    wrong: Sequence[int],
) -> int | None:
    """Return on how many further cases two answers do the same that is wrong; None if they do not.

    its: gives of the other one, with a further case's number and its arguments, whether it is right
    there, and what it does.

    Of cases that the exercise draws with other seeds, they must on nearly all. Settings of one case
    are much alike, and may be such as nobody has thought of: there, on more than not.
    """
    end = time.perf_counter() + ENOUGH_TIME
    smallest = min(wrong, key=lambda i: bytes_of(cases[i]))
    alike, apart = {True: 0, False: 0}, {True: 0, False: 0}
    for number, (args, drawn) in enumerate(other_cases(mine.exercise, cases, wrong, SEEDS)):
        if time.perf_counter() > end:
            break
        attempt = mine.run(args, SECONDS)
        if isinstance(attempt.error, OutOfTime):
            break
        fine = judge_case(mine, args, attempt) is None
        fine_too, other = its((smallest, number), args)
        if fine and fine_too:
            continue
        same_too = not fine and not fine_too and _alike(Outcome.of(attempt), other)
        alike[drawn] += same_too
        apart[drawn] += not same_too
    drawn = bool(alike[True] + apart[True])
    if apart[drawn] * (NEARLY_ALL if drawn else 1) > alike[drawn]:
        return None
    return alike[True] + alike[False]


def _numbers(value: Any) -> Iterator[float]:
    """Yield some of the numbers of a value."""
    if isinstance(value, np.ndarray):
        yield from np.unique(value.ravel()[: 10 * TELLING]).tolist()
    elif isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers(item)
    elif isinstance(value, (int, float)):
        yield value


def _alike(mine: Outcome, its: Outcome) -> bool:
    return mine.like(its) or _same_but_unwritten(mine.value, its.value)


def _same_but_unwritten(a: Any, b: Any) -> bool:
    """Return whether two arrays are the same but for what nobody wrote: NaN in one, 0 in another.

    As by `np.empty` and by `np.zeros`.
    """
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray) or a.shape != b.shape:
        return False
    if a.dtype != b.dtype or a.dtype.kind != "f" or _is_unwritten(a) or _is_unwritten(b):
        return False
    return any(
        unwritten.any()
        and not other[unwritten].any()
        and bool(close(other, np.where(unwritten, 0, one)).all())
        for one, other in ((a, b), (b, a))
        for unwritten in (np.isnan(one),)
    )


def _is_unwritten(value: Any) -> bool:
    """Return whether nothing of an array was written."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "f" and bool(np.isnan(value).all())
