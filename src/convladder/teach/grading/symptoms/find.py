"""The symptom of an answer: true of its values, whatever the cause is. Silent when in doubt."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..answer import Answer, PythonAnswer
from ..compare import close, kind, same
from ..faults import FaultyKernel
from ..time_limit import OutOfTime
from .arguments import numbers_of, told_apart
from .arrays import array_symptoms
from .as_if import as_if
from .axes import axes_named, with_names
from .calls import as_array, of_another_case, unlike_before
from .errors import error_symptom, fault_symptom
from .numbers import is_number, number_symptoms
from .order import LARGE, LEAST
from .probes import probed
from .shapes import kind_symptom, shape_symptoms

Case = tuple[Any, Any]  # expected, got
HEAVY = 2**25  # bytes
MOST = 4  # wrong cases that are looked at, where a result is more than a few numbers
FEW = 8
COUNTED = r"Your result has|Item |\d+ items? "  # what one list alone shows
# What may be so by chance in one case.
WEAK = ("Wrong values are all", "Wrong values are never", "Wrong are", "Every value",
        "All your values", "Your values are nearly",
        "Along", "There are negative", "Your wrong values", "The amounts", "All the right")


@np.errstate(all="ignore")  # wrong values may be any: the learner is told of no overflow here
def symptom(answer: Answer, cases: list[tuple], attempts: list, right: list[bool]) -> str:
    """Return what shows of an answer that is wrong on some case, in a sentence or two, or "".

    right: whether each attempt is. Runs the answer once more, on the first case that is wrong.
    """
    exercise = answer.exercise
    if exercise.cases is None:
        return ""  # a value: it would be given away
    wrong = [i for i, fine in enumerate(right) if not fine and i < len(attempts)]
    if not wrong:
        return ""
    first = attempts[wrong[0]]
    names = exercise.parameters
    numbers = [numbers_of(names, args) for args in cases[: len(attempts)]]
    apart = told_apart([numbers[i] for i, fine in enumerate(right) if fine],
                       [numbers[i] for i in wrong])
    if isinstance(first.error, FaultyKernel):
        return " ".join(filter(None, (fault_symptom(first.error), apart)))
    if first.error is not None:
        said = error_symptom(first.error)
        if isinstance(answer, PythonAnswer) and not isinstance(first.error, OutOfTime):
            here = [i for i in wrong[:MOST] if attempts[i].error is not None]
            apart = _why(apart, probed(answer, cases, [
                (i, exercise.reference(*copy.deepcopy(cases[i])), None) for i in here]))
    elif (_comparable(first.value) and not _heavy(first.value)
          and not same(again := answer.run(cases[wrong[0]]).value, first.value)):
        return unlike_before(first.value, again)
    elif exercise.accept is not None:
        said = ""  # there is no one right result to compare with
    else:
        most = len(wrong) if _is_short(first.value) else MOST
        here = [i for i in wrong[:most] if attempts[i].error is None]
        seen = [(exercise.reference(*copy.deepcopy(cases[i])), attempts[i].value) for i in here]
        if whole := (of_another_case(seen, exercise, cases, wrong[0])
                     or as_if(exercise.reference, names,
                              [(cases[i], *each) for i, each in zip(here, seen, strict=True)])):
            return f"{whole} {apart}" if apart and _named(apart) <= _named(whole) else whole
        said = with_names(_in_common(seen, [numbers[i] for i in here]),
                          _axes(seen, attempts, right, numbers, wrong))
        if isinstance(answer, PythonAnswer):
            apart = _why(apart, probed(
                answer, cases, [(i, *each) for i, each in zip(here, seen, strict=True)]))
    return " ".join(filter(None, (said, apart)))


def _why(apart: str, tried: str | None) -> str:
    """Return what to say of why: `tried`, or what tells all cases apart if that bears it out."""
    if tried is None or "multiple" in apart and not tried.startswith("On"):
        return apart  # of which nothing was tried
    return apart if tried.startswith("If") and _named(apart) <= _named(tried) and apart else tried


def _named(sentence: str) -> set[str]:
    return set(re.findall(r"`[^`]*`", sentence))


def _axes(seen: Sequence[Case], attempts: list, right: list[bool], numbers: list[dict],
          wrong: list[int]) -> dict[int, str]:
    """Return what gives the length of each axis, where all results are arrays."""
    known = [(attempts[i].value, numbers[i]) for i, fine in enumerate(right) if fine]
    known += [(expected, numbers[i]) for i, (expected, _) in zip(wrong, seen)]
    if not all(isinstance(value, np.ndarray) for value, _ in known):
        return {}
    return axes_named([value.shape for value, _ in known], [one for _, one in known])


def _in_common(seen: Sequence[Case], numbers: list[dict]) -> str:
    """Return the first thing to say of the first case that is true of all others as well."""
    if all(is_number(got) and is_number(expected) for expected, got in seen):
        return next(iter(number_symptoms([(float(e), float(g)) for e, g in seen], numbers)), "")
    if all(isinstance(each, str) for case in seen for each in case):
        return _of_words(seen)
    if len(seen) == len(numbers) and (said := _of_items(seen, numbers)):
        return said
    if all(_is_short(expected) and isinstance(got, (tuple, list)) and len(got) == len(expected)
           for expected, got in seen):
        return ""  # where in it values are wrong says nothing
    told = [case for case in seen if _tells(case[0])] or [
        case for case in seen if _size(case[0]) <= LARGE]
    if not told:
        return ""
    lists = [_said(*case) for case in told]
    common = [each for each in lists[0] if all(each in others for others in lists[1:])]
    if common or len(lists) == 1:
        return next(iter(common), "")
    for i in sorted(range(len(told)), key=lambda i: -_size(told[i][0])):
        if lists[i] and not lists[i][0].startswith(WEAK) and (
                isinstance(told[i][0], np.ndarray) or re.match(COUNTED, lists[i][0])):
            return f"Where your result should be {kind(told[i][0])}: {_lowered(lists[i][0])}"
    return ""


def _is_short(value: Any) -> bool:
    """Return whether a result is a number, or a few of them."""
    return is_number(value) or (isinstance(value, (tuple, list)) and len(value) <= FEW
                                and all(map(is_number, value)))


def _comparable(value: Any) -> bool:
    """Return whether a value is made of numbers and words, so that equal ones are equal."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (tuple, list)):
        return all(map(_comparable, value))
    if isinstance(value, np.ndarray):
        return not value.dtype.hasobject
    return value is None or isinstance(value, (str, bytes, bool, np.generic)) or is_number(value)


def _is_short(value: Any) -> bool:
    """Return whether a value is a pair, or a few numbers, each with a meaning of its own."""
    return isinstance(value, tuple) and len(value) <= 4 and all(map(is_number, value))


def _of_words(seen: Sequence[Case]) -> str:
    """Return which words stand in place of which."""
    found = {(got, expected): None for expected, got in seen}
    pairs = list(found)
    if len(pairs) == 2 and pairs[0] == pairs[1][::-1]:
        return f"You exchange {pairs[0][0]!r} and {pairs[0][1]!r}."
    return ""


def _heavy(value: Any) -> bool:
    """Return whether an array takes seconds to be compared."""
    return isinstance(value, np.ndarray) and value.nbytes > HEAVY


def _size(value: Any) -> int:
    array = as_array(value)
    return 0 if array is None else array.size


def _lowered(sentence: str) -> str:
    return sentence if sentence.startswith("NaN") else sentence[0].lower() + sentence[1:]


def _tells(expected: Any) -> bool:
    """Return whether a case is large enough to say something, and small enough to be looked at."""
    array = as_array(expected)
    return array is not None and array.size <= LARGE and np.unique(array).size >= LEAST


def _said(expected: Any, got: Any) -> list[str]:
    """Return what is true of one case."""
    if words := kind_symptom(expected, got):
        return words
    if isinstance(expected, dict) and (not isinstance(got, dict) or expected.keys() != got.keys()):
        return []
    a, b = as_array(expected), as_array(got)
    if a is None or b is None:
        return []
    if isinstance(expected, np.ndarray) != isinstance(got, np.ndarray):
        if a.size == b.size and close(a.ravel(), b.ravel()).all() and not isinstance(got, dict):
            return ["Your values are right; they are to be in one array."]
        return []
    return array_symptoms(a, b) if a.shape == b.shape else shape_symptoms(a, b)


def _of_items(seen: Sequence[Case], numbers: list[dict]) -> str:
    """Return what is true of the items of tuples and dicts of one length: which are wrong."""
    if not all(isinstance(e, (tuple, dict)) and isinstance(g, (tuple, list, dict))
               and len(e) == len(g) for e, g in seen):
        return ""
    items = [(_items(e), _in_order(e, g)) for e, g in seen]
    counts = {len(e) for e, _ in items}
    keys = _keys(seen)
    if len(counts) > 1 or not 1 < (count := counts.pop()) <= (12 if keys else 4):
        return ""
    if not keys and all(same(e, g[::-1]) for e, g in items):
        return "Your result has the right items in the reverse order."
    bad = [i for i in range(count) if not all(same(e[i], g[i]) for e, g in items)]
    own = [(e[i], g[i]) for i in bad for e, g in items if not same(e[i], g[i])]
    if len(bad) == count and not keys and all(isinstance(e, np.ndarray) for e, _ in own):
        for i in bad:
            if said := _in_common([(e[i], g[i]) for e, g in items], numbers):
                return f"Item {i} of your result: {_lowered(said)}"
    if not bad or len(bad) == count and (keys or not all(
            is_number(e) and is_number(g) for e, g in own)):
        return ""
    if keys and len(bad) > 4:
        return ""
    called = [keys[i] for i in bad] if keys else list(map(str, bad))
    if len(bad) == 1:
        here = [n for n, (e, g) in zip(numbers, items) if not same(e[bad[0]], g[bad[0]])]
        more = _in_common(own, here) if not isinstance(own[0][0], (tuple, dict)) else ""
        return f"Only item {called[0]} of your result is wrong. {more}".strip()
    if len(bad) < count:
        return f"Only items {', '.join(called)} of your result are wrong."
    return next(iter(number_symptoms([(float(e), float(g)) for e, g in own],
                                     [{}] * len(own), "number")), "")


def _keys(seen: Sequence[Case]) -> list[str]:
    """Return the keys of dicts that all have the same ones, as words; none of other values."""
    if not all(isinstance(e, dict) and isinstance(g, dict) and e.keys() == g.keys()
               == seen[0][0].keys() and all(isinstance(key, str) for key in e) for e, g in seen):
        return []
    return [f"`{key}`" for key in seen[0][0]]


def _items(value: Any) -> list:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _in_order(expected: Any, got: Any) -> list:
    """Return the items of `got`, a dict's in the order of the expected one."""
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        return [got[key] for key in expected]
    return _items(got)
