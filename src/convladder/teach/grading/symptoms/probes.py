"""What a wrong answer does with other arguments: with which it is right, which it never looks at.

Right and wrong cases differ in many ways at once. Here one argument of a wrong case is set
otherwise, and both the answer and the reference are asked anew: what then comes out right is wrong
because of that argument.
"""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..answer import Answer
from ..compare import same
from ..held import bytes_of
from ..time_limit import OutOfTime
from .as_if import BITS, bits
from .calls import is_chosen
from .reasons import LARGE, SECONDS, TRIED, asked, explains, fits, leaves_the_rest, stays_right
from .settings import ONE_NUMBER, Setting, settings

CASES = 2  # that are set otherwise: the one that is shown, and the smallest
DEAF = 2  # arguments at most that have no effect
LEAST = 3  # settings of one argument that change the right result, and never the answer's
MOST = 6  # settings by which all comes out right; of more none is why
LONGEST = 10.0  # seconds for all settings: a kernel takes two or three, on a machine that is idle
_INDEX = re.compile(r"\[\d\]`$")
_EQUAL = re.compile(" is `|are the first")


@dataclass(frozen=True)
class _Probe:
    """What came of one case after one setting."""

    setting: Setting
    right: bool
    like_before: bool  # what the answer gives
    telling: bool  # whether it could show that an argument is used
    matters: bool  # whether the right result is another one
    expected: Any


def probed(
    answer: Answer,
    cases: Sequence[tuple],
    seen: Sequence[tuple[int, Any, Any]],
    wrong: Callable[[], Sequence[tuple]],
) -> str | None:
    """Return with which arguments wrong cases come out right, or which have no effect, or "".

    None where nothing could be tried.

    seen: (number of the case, from 0; expected; got) for wrong cases. wrong: gives the arguments of
    all wrong cases and of further ones: what makes some of them right must make all of them right.
    """
    small = sorted(
        (
            each
            for each in seen
            if bytes_of(cases[each[0]]) <= LARGE and getattr(each[2], "nbytes", 0) <= 4 * LARGE
        ),
        key=lambda each: bytes_of(cases[each[0]]),
    )
    shown = [each for each in small if each[0] == seen[0][0]]  # of which a learner asks first
    small = [*shown, *(each for each in small if each not in shown)][:CASES]
    if not small:
        return None
    names = answer.exercise.parameters
    tried = list(settings(names, cases, cases[small[0][0]]))
    found, end = [], time.perf_counter() + LONGEST
    try:
        for setting in tried:
            found.append(
                [_probe(answer, cases[i], expected, got, setting) for i, expected, got in small]
            )
            if time.perf_counter() > end:
                return None
    except OutOfTime:
        return None
    if not any(map(any, found)):
        return None
    numbers = sorted(i + 1 for i, *_ in small)
    on = f"case{'s' * (len(numbers) > 1)} {' and '.join(map(str, numbers))}"
    try:
        return _without_effect(
            found,
            on,
            lambda of: _is_deaf(answer, cases, [(cases[i], got) for i, _, got in seen], of, end),
        ) or (
            _right_with(
                found,
                on,
                lambda setting: (
                    explains(answer, setting, tried, wrong(), end)
                    and stays_right(answer, cases, cases[small[0][0]], setting)
                    and all(leaves_the_rest(answer, cases[i], setting) for i, *_ in small)
                ),
            )
        )
    except OutOfTime:
        return ""


def _probe(answer: Answer, args: tuple, expected: Any, got: Any, setting: Setting) -> _Probe | None:
    """Set one case otherwise; None if that cannot be, or changes nothing."""
    other = asked(answer.exercise, args, setting)
    if other is None:
        return None
    given, wanted = other
    attempt = answer.run(given, SECONDS)
    if isinstance(attempt.error, OutOfTime):
        raise attempt.error
    return _Probe(
        setting,
        fits(answer, given, attempt),
        attempt.error is None and same(attempt.value, got),
        _is_telling(got, args),
        not same(wanted, expected),
        wanted,
    )


def is_computed(answer: Answer, cases: Sequence[tuple], args: tuple, got: Any) -> bool:
    """Return whether a result follows the arguments' values: then it is none that was kept."""

    def is_array(value: Any) -> bool:
        return isinstance(value, np.ndarray) and value.dtype.kind == "f"

    if any(map(is_array, args)):  # of the same shapes: what is kept may be kept for these
        others = [tuple(value + value if is_array(value) else value for value in args)]
    else:
        tried = islice(settings(answer.exercise.parameters, cases, args), TRIED)
        others = [other[0] for each in tried if (other := asked(answer.exercise, args, each))]
    attempts = (answer.run(copy.deepcopy(other), SECONDS) for other in others)
    return any(attempt.error is None and not same(attempt.value, got) for attempt in attempts)


def _is_deaf(
    answer: Answer, cases: Sequence[tuple], tried: Sequence[tuple[tuple, Any]], of: str, end: float
) -> bool:
    """Return whether an argument has no effect even if it is set to many times as much.

    A little more has none on what is rounded to large pieces. tried: (arguments, got).
    """
    for args, got in tried:
        if bytes_of(args) > LARGE:
            continue
        for setting in settings(answer.exercise.parameters, cases, args, far=True):
            if setting.of != of or not (other := asked(answer.exercise, args, setting)):
                continue
            if time.perf_counter() > end:
                return False
            attempt = answer.run(other[0], SECONDS)
            if isinstance(attempt.error, OutOfTime):
                raise attempt.error
            if attempt.error is not None or not same(attempt.value, got):
                return False
    return True


def _without_effect(
    found: Sequence[Sequence[_Probe | None]], on: str, is_deaf: Callable[[str], bool]
) -> str:
    """Say which argument changes the right result and never the answer's."""
    if any(probe and not probe.telling for probes in found for probe in probes):
        return ""  # all NaN, or one number: nothing has an effect on it
    by: dict[str, list[_Probe]] = {}
    for probes in found:
        for probe in filter(None, probes):
            if probe.setting.of and probe.matters:
                by.setdefault(probe.setting.of, []).append(probe)
    deaf = [
        of
        for of, probes in by.items()
        if len(probes) >= LEAST and all(probe.like_before for probe in probes)
    ]
    if not 0 < len(deaf) <= DEAF or len(deaf) == len(by) or not all(map(is_deaf, deaf)):
        return ""
    return (
        f"On {on} other values of {' and '.join(deaf)} were tried: your result stays the same, "
        "and should not."
    )


def _right_with(
    found: Sequence[Sequence[_Probe | None]], on: str, is_why: Callable[[Setting], bool]
) -> str:
    """Say with which settings all of these cases come out right, and others like them."""
    fine = [
        probes[0].setting
        for probes in found
        if all(probe and probe.right for probe in probes)
        and sum(_says(probe.expected) for probe in probes) >= BITS / 2
    ]
    plain = [each for each in fine if each.plain]
    if len(plain) > MOST:
        return ""
    plain = [each for each in plain if is_why(each)]
    about = {_INDEX.sub("`", each.of) for each in plain} - {""}
    # Of a length and a number that is as large in every case, the length alone is why.
    plain = [
        each
        for each in plain
        if not any(other.axes and each.axes.startswith(f"{other.axes} and ") for other in plain)
    ]
    # Of two numbers that must be equal, any value of the other is right as well.
    fine = [each for each in plain if each.of or not any(of in each.words for of in about)]
    # Where equal ones are right, so are two of 1, and of an array's height and width one of 1.
    if equal := [each for each in fine if _EQUAL.search(each.words)]:
        fine = [
            each
            for each in fine
            if each in equal
            or " are " not in each.words
            and (each.of or not any(each.words.split()[0] in other.words for other in equal))
        ]
    # An array of zeros has one number everywhere.
    fine = [each for each in fine if each.words.endswith(ONE_NUMBER)] or fine
    if len({each.of or each.words for each in fine}) != 1:
        return ""  # of two reasons neither is one
    verb = "come" if "s " in on else "comes"
    return f"If {', or if '.join(each.words for each in fine)}, {on} {verb} out right."


def _is_telling(value: Any, args: tuple) -> bool:
    """Return whether a result could show that an argument is used: a choice among things given may
    be the same for many arguments, and so is a word, an array of one number, or a product of 0."""
    if isinstance(value, (str, bool, np.bool_)):
        return False
    if isinstance(value, np.ndarray):
        return np.unique(value[~(value != value)]).size > 1
    numbers = value if isinstance(value, (tuple, list)) else [value]
    if any(isinstance(each, (int, float)) and each == 0 for each in numbers):
        return False  # a product with 0 in it
    return not is_chosen(value, args)


def _says(value: Any) -> float:
    """Return how many bits say that a result is this one."""
    if isinstance(value, np.ndarray):
        return BITS * (np.unique(value).size > 2)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return sum(map(_says, value))
    return bits(float(value)) if isinstance(value, (int, float)) else 2.0
