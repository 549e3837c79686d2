"""What wrong results of several cases have in common: said of the first, and true of all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..compare import close, difference, same
from .arrays import LEFT_OUT, SEVERAL, array_symptoms
from .calls import as_array
from .numbers import is_number, number_symptoms
from .order import LARGE, LEAST
from .shapes import kind_symptom, shape_symptoms

Case = tuple[Any, Any]  # expected, got
COUNTED = r"Your result has|Items? |\d+ items? "  # what a list alone shows, however short
# What may say in which places values are wrong.
PLACED = ("Wrong values are only", "Your wrong values are zero", "There is NaN only", "Signs are")
# What may be so by chance in one case.
WEAK = (
    "Wrong values are all",
    "Wrong values are never",
    "Wrong are",
    "Every value",
    "In each wrong",
    "All your values",
    "Your values are nearly",
    "Only what should",
    "Along",
    "There are negative",
    "Your wrong values",
    "The amounts",
    "All the right",
)


def in_common(seen: Sequence[Case], numbers: list[dict]) -> str:
    """Return the first thing to say of the first case that is true of all others as well."""
    if all(is_number(got) and is_number(expected) for expected, got in seen):
        return next(iter(number_symptoms([(float(e), float(g)) for e, g in seen], numbers)), "")
    if all(isinstance(each, str) for case in seen for each in case):
        return _of_words(seen)
    if len(seen) == len(numbers) and (said := _of_items(seen, numbers)):
        return said
    if all(
        is_short(expected) and isinstance(got, (tuple, list)) and len(got) == len(expected)
        for expected, got in seen
    ):
        return ""  # where in it values are wrong says nothing
    told = [case for case in seen if _tells(case[0])] or [
        case for case in seen if _size(case[0]) <= LARGE
    ]
    if not told:
        return ""
    lists = [_said(*told[0]), *(_said(*case, several=1) for case in told[1:])]
    others = [
        case
        for case in seen
        if isinstance(case[0], (list, tuple)) and not any(case is each for each in told)
    ]
    by_length = [
        case
        for case in seen
        if isinstance(case[0], np.ndarray) and not any(case is each for each in told)
    ]
    lists[0] = [
        each
        for each in lists[0]
        if all(_may_be_so(case, each, _of_one_shape(*told[0])) for case in others)
    ]
    lists[0] = [
        each
        for each in lists[0]
        if not each.startswith("Your result is too")
        or all(_is_as_long(each, *case) for case in by_length)
    ]
    lists[0] = [each for each in lists[0] if all(_of_that_sign(each, *case) for case in by_length)]
    common = [each for each in lists[0] if all(each in others for others in lists[1:])]
    if common or len(lists) == 1:
        first = next(iter(common), "")
        if len(lists) == 1 and told[0] is not seen[0] and "axis" in first:
            return ""  # which the case that is shown may not have
        # Places in one case say nothing of one that is longer, or in which others are wrong.
        only_here = len(lists) == 1 and first.startswith(PLACED) and " only " in first
        return f"On the case that is shown, {_lowered(first)}" if only_here else first
    # One case alone, if it is the one that is shown: at another nobody can look.
    first = lists[0][0] if told[0] is seen[0] and lists[0] else ""
    if (
        first
        and not first.startswith((*WEAK, "Your values are right, and in"))
        and (isinstance(told[0][0], np.ndarray) or re.match(COUNTED, first))
    ):
        return f"On the case that is shown, {_lowered(first)}"
    return ""


def _is_as_long(sentence: str, expected: np.ndarray, got: Any) -> bool:
    """Return whether a sentence on a result's length is true of an array of few values, too."""
    length, _, values = sentence.rstrip(".").partition(";")
    if length not in [re.split(r"[;.]", each)[0] for each in _said(expected, got)]:
        return False
    both = tuple(slice(min(sizes)) for sizes in zip(expected.shape, got.shape))
    return not values or bool(close(expected[both], got[both]).all())


def _of_that_sign(sentence: str, expected: np.ndarray, got: Any) -> bool:
    """Return whether an array of few values does not speak against wrong ones being too large."""
    if not (sentence.startswith("Your wrong values are all too ") and _of_one_shape(expected, got)):
        return True
    wrong = ~close(expected, got)
    return bool(((got > expected) == ("large" in sentence))[wrong].all())


def _may_be_so(case: Case, sentence: str, of_one_shape: bool) -> bool:
    """Return whether a sentence may be true of a list that is too short to show it, too.

    of_one_shape: whether it is about a result of the right length.
    """
    return sentence in _said(*case) or (
        of_one_shape and _of_one_shape(*case) and not kind_symptom(*case)
    )


def _of_one_shape(expected: Any, got: Any) -> bool:
    a, b = as_array(expected), as_array(got)
    return a is not None and b is not None and a.shape == b.shape


def is_short(value: Any) -> bool:
    """Return whether a value is a pair, or a few numbers, each with a meaning of its own."""
    return isinstance(value, tuple) and len(value) <= 4 and all(map(is_number, value))


def _of_words(seen: Sequence[Case]) -> str:
    """Return which words stand in place of which."""
    found = {(got, expected): None for expected, got in seen}
    pairs = list(found)
    if len(pairs) == 2 and pairs[0] == pairs[1][::-1]:
        return f"You exchange {pairs[0][0]!r} and {pairs[0][1]!r}."
    if len(pairs) == 1 and len(seen) > 1:
        return f"Every wrong answer is {pairs[0][0]!r}, where {pairs[0][1]!r} is right."
    return ""


def _size(value: Any) -> int:
    array = as_array(value)
    return 0 if array is None else array.size


def _lowered(sentence: str) -> str:
    return sentence if sentence.startswith("NaN") else sentence[0].lower() + sentence[1:]


def _tells(expected: Any) -> bool:
    """Return whether a case is large enough to say something, and small enough to be looked at."""
    array = as_array(expected)
    return array is not None and array.size <= LARGE and np.unique(array).size >= LEAST


def _said(expected: Any, got: Any, several: int = SEVERAL) -> list[str]:
    """Return what is true of one case. several: as for `array_symptoms`."""
    if words := kind_symptom(expected, got):
        return words
    if isinstance(expected, dict) and (not isinstance(got, dict) or expected.keys() != got.keys()):
        return []
    a, b = as_array(expected), as_array(got)
    if a is None or b is None:
        return []
    if isinstance(expected, np.ndarray) != isinstance(got, np.ndarray):
        if a.size == b.size and close(a.ravel(), b.ravel()).all() and not isinstance(got, dict):
            return [
                "Your values are right; they are to be in one array."
                if isinstance(expected, np.ndarray)
                else "Your values are right, but all in one array."
            ]
        return []
    found = array_symptoms(a, b, several) if a.shape == b.shape else shape_symptoms(a, b)
    if isinstance(expected, np.ndarray):
        return found
    # The values of a dict have keys, and no places. In a list, 0 is a number as any other.
    return [
        each.replace(LEFT_OUT, "")
        for each in found
        if not (isinstance(expected, dict) and " place" in each)
    ]


def _of_items(seen: Sequence[Case], numbers: list[dict]) -> str:
    """Return what is true of the items of tuples and dicts of one length: which are wrong."""
    if not all(
        isinstance(e, (tuple, dict)) and isinstance(g, (tuple, list, dict)) and len(e) == len(g)
        for e, g in seen
    ):
        return ""
    items = [(_items(e), _in_order(e, g)) for e, g in seen]
    counts = {len(e) for e, _ in items}
    keys = _keys(seen)
    if len(counts) > 1 or not 1 < (count := counts.pop()) <= (12 if keys else 4):
        return ""
    if not keys and all(same(e, g[::-1]) for e, g in items):
        return "Your result has the right items in the reverse order."
    bad = [i for i in range(count) if not all(_fits(e[i], g[i]) for e, g in items)]
    own = [(e[i], g[i]) for i in bad for e, g in items if not _fits(e[i], g[i])]
    if len(bad) == count and not keys and all(isinstance(e, np.ndarray) for e, _ in own):
        for i in bad:
            if said := in_common([(e[i], g[i]) for e, g in items], numbers):
                return f"Item {i} of your result: {_lowered(said)}"
    if (
        not bad
        or len(bad) == count
        and (keys or not all(is_number(e) and is_number(g) for e, g in own))
    ):
        return ""
    if keys and len(bad) > 4:
        return ""
    called = [keys[i] for i in bad] if keys else list(map(str, bad))
    if len(bad) == 1:
        here = [n for n, (e, g) in zip(numbers, items) if not _fits(e[bad[0]], g[bad[0]])]
        more = in_common(own, here) if not isinstance(own[0][0], (tuple, dict)) else ""
        said = f"Only item {called[0]} of your result is wrong"
        if more and not is_number(own[0][0]):
            return f"{said}. In it, {_lowered(more)}"
        return f"{said}. {more}".strip()
    if len(bad) < count:
        return f"Only items {', '.join(called)} of your result are wrong."
    return next(
        iter(number_symptoms([(float(e), float(g)) for e, g in own], [{}] * len(own), "number")), ""
    )


def _fits(expected: Any, got: Any) -> bool:
    """Return whether an item is right, as it is judged: of whole numbers, any dtype is."""
    return difference(expected, got) is None


def _keys(seen: Sequence[Case]) -> list[str]:
    """Return the keys of dicts that all have the same ones, as words; none of other values."""
    if not all(
        isinstance(e, dict)
        and isinstance(g, dict)
        and e.keys() == g.keys() == seen[0][0].keys()
        and all(isinstance(key, (str, int)) for key in e)
        for e, g in seen
    ):
        return []
    return [f"`{key}`" for key in seen[0][0]]


def _items(value: Any) -> list:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _in_order(expected: Any, got: Any) -> list:
    """Return the items of `got`, a dict's in the order of the expected one."""
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        return [got[key] for key in expected]
    return _items(got)
