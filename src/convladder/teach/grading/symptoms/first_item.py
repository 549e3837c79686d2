"""The first wrong item of a list or a dict, or of one within it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..compare import same
from ..written import written

LONGEST = 80  # characters of an item that is shown


def first_wrong_item(expected: Any, got: Any, case: int) -> str:
    """Return which item of a list, a tuple or a dict is the first wrong one on a case, or "".

    case: its number, from 1.
    """
    place = ""
    while (keys := _keys(expected, got)) is not None:
        at = next((i for i in keys if not same(expected[i], got[i])), None)
        if at is None and len(expected) == len(got):
            return ""  # of another type
        if at is None:
            return _too_many_or_few(len(expected), len(got), f"On case {case}{place}")
        expected, got = expected[at], got[at]
        at = f"`{at}`" if isinstance(at, str) else at
        shown = written(got), written(expected)
        if shown[0] == shown[1]:  # the digits that differ are not shown
            return ""
        if max(map(len, shown)) <= LONGEST and "\n" not in "".join(shown):
            return (
                f"On case {case}{place}, item {at} is the first wrong one: {shown[0]} in place "
                f"of {shown[1]}."
            )
        place = f", within item {at}{place.replace(', within', ' of')}"
    return ""


def _too_many_or_few(expected: int, got: int, where: str) -> str:
    if got < expected:
        return f"{where}, what you return is right, and ends after {got} of {expected} items."
    if not expected:
        return f"{where}, there should be no item, and there are {got} of yours."
    right = "first item is" if expected == 1 else f"first {expected} items are"
    more = got - expected
    return f"{where}, the {right} right, and {more} more follow{'s' * (more == 1)}."


def _keys(expected: Any, got: Any) -> Sequence | None:
    """Return the places that two lists have both, or the keys of dicts that have the same ones."""
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        return range(min(len(expected), len(got)))
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        return list(expected)
    return None
