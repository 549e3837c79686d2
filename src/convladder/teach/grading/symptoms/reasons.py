"""Arguments set otherwise, and whether that is why a wrong case comes out right."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from ..answer import Answer
from ..compare import same
from ..exercise import Exercise
from ..held import bytes_of
from ..judge import judge_case
from ..run import Attempt
from ..time_limit import OutOfTime
from .settings import Setting, settings

LARGE = 2**15  # bytes of a case's arguments, beyond which nothing is run anew
SECONDS = 2.0  # for one call: as they were, these cases took far less
TRIED = 24  # settings beside one that makes a case right
MANY = 12  # wrong cases of which all must come right
FEW = 4  # values of an argument, from which on half of them count as much as most of fewer
STEADY = 6  # times as often it must stay right with them as not
STAYS = 4  # times as often as not other settings make it right, if they do it as well


def asked(exercise: Exercise, args: tuple, setting: Setting) -> tuple[tuple, Any] | None:
    """Return a case set otherwise, and its right result; None if that cannot be, or is the same."""
    try:
        with np.errstate(all="ignore"):
            other = setting.change(copy.deepcopy(args))
            return None if same(other, args) else (other, exercise.reference(*copy.deepcopy(other)))
    except Exception:  # such arguments cannot be
        return None


def fits(answer: Answer, args: tuple, attempt: Attempt) -> bool:
    """Return whether what came of a case that was set otherwise is right.

    What a stand-in among its arguments objects to, such as a library's count, is of the case as it
    was.
    """
    return judge_case(answer, args, replace(attempt, objection=None)) is None


def explains(
    answer: Answer, setting: Setting, tried: Sequence[Setting], wrong: Sequence[tuple], end: float
) -> bool:
    """Return whether a setting makes all wrong cases right, and no other setting does.

    With a few of them it may by luck. Where another value of the same argument does it as well, or
    half of those of another one do, this one is not why. end: by when it has to be known.
    """
    small = [args for args in wrong if bytes_of(args) <= LARGE][:MANY]
    if not all(_comes_right(answer, args, setting) is not False for args in small):
        return False
    beside: dict[str, list[bool]] = {}
    own = setting.of or setting.axes
    for other in tried:
        if time.perf_counter() > end:
            return False
        about = other.of or other.axes
        of_two = " is `" in setting.words and about in setting.words  # equal with some value
        if about and not other.plain and not of_two:
            fine = [_comes_right(answer, args, other) for args in small]
            if fine.count(True) + fine.count(False):
                beside.setdefault(about, []).append(fine.count(False) * STAYS <= fine.count(True))
    return not any(
        any(well) if of == own else sum(well) * 2 > len(well) - (len(well) >= FEW)
        for of, well in beside.items()
    )


def stays_right(answer: Answer, cases: Sequence[tuple], args: tuple, setting: Setting) -> bool:
    """Return whether a setting makes a case right with its other arguments set otherwise, too."""
    right = wrong = 0
    for other in islice(settings(answer.exercise.parameters, cases, args), TRIED):
        if other.of == setting.of != "" or not (changed := asked(answer.exercise, args, other)):
            continue
        probe = asked(answer.exercise, changed[0], setting)
        if not probe and not _has(changed[0], setting):
            continue
        given = probe[0] if probe else changed[0]
        attempt = answer.run(given, SECONDS)
        if isinstance(attempt.error, OutOfTime):
            raise attempt.error
        fine = fits(answer, given, attempt)
        right, wrong = right + fine, wrong + (not fine)
    return wrong * STEADY <= right


def leaves_the_rest(answer: Answer, args: tuple, setting: Setting) -> bool:
    """Return whether the right result still depends on each array on which it depended before.

    Multiplied by 0, or cut to nearly nothing, much comes out right whatever is wrong: of an axis,
    each place alone has to be right. And what is right as well where it is not quite set so, is not
    right because of that.
    """
    reference, other = answer.exercise.reference, asked(answer.exercise, args, setting)
    if other is None:
        return True
    for at, value in enumerate(args):
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and same(value, other[0][at]):
            with suppress(Exception), np.errstate(all="ignore"):  # such arguments cannot be
                before, now = (
                    same(
                        reference(*copy.deepcopy(given)),
                        reference(*copy.deepcopy((*given[:at], 2 * given[at], *given[at + 1 :]))),
                    )
                    for given in (args, other[0])
                )
                if now and not before:
                    return False
    for change in setting.like:
        alone = asked(answer.exercise, args, replace(setting, change=change))
        if alone and not fits(answer, alone[0], answer.run(alone[0], SECONDS)):
            return False
    if setting.near is None:
        return True
    near = asked(answer.exercise, args, replace(setting, change=setting.near))
    return bool(near) and not fits(answer, near[0], answer.run(near[0], SECONDS))


def _comes_right(answer: Answer, args: tuple, setting: Setting) -> bool | None:
    """Return whether a wrong case comes out right with a setting; None if that cannot be."""
    other = asked(answer.exercise, args, setting)
    if other is None:
        return False if _has(args, setting) else None
    attempt = answer.run(other[0], SECONDS)
    if isinstance(attempt.error, OutOfTime):
        raise attempt.error
    return fits(answer, other[0], attempt)


def _has(args: tuple, setting: Setting) -> bool:
    """Return whether arguments are set so already."""
    with suppress(Exception):  # such arguments cannot be
        return same(setting.change(copy.deepcopy(args)), args)
    return False
