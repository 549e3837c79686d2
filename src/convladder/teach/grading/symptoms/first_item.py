"""The first wrong item of a list, or of a list within it."""

from __future__ import annotations

from typing import Any

from ..compare import same, written

LONGEST = 80  # characters of an item that is shown


def first_wrong_item(expected: Any, got: Any, case: int) -> str:
    """Return which item of a list or tuple is the first wrong one on a case, in a sentence, or "".

    case: its number, from 1.
    """
    place = ""
    while _is_list(expected) and _is_list(got):
        at = next((i for i, each in enumerate(zip(expected, got)) if not same(*each)), None)
        if at is None and len(expected) == len(got):
            return ""  # of another type
        if at is None:
            return _too_many_or_few(len(expected), len(got), f"On case {case}{place}")
        expected, got = expected[at], got[at]
        shown = written(got), written(expected)
        if shown[0] == shown[1]:  # the digits that differ are not shown
            return ""
        if max(map(len, shown)) <= LONGEST and "\n" not in "".join(shown):
            return (f"On case {case}{place}, item {at} is the first wrong one: {shown[0]} in place "
                    f"of {shown[1]}.")
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


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))
