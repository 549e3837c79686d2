"""What one call keeps for the next: another result of the same arguments, or that of others."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..compare import same
from .numbers import is_number


def unlike_before(first: Any, again: Any, kernel: bool = False) -> str:
    """Say that a call gives something else when it is made again."""
    if kernel:
        return (
            "Launched again with the same arguments, it writes something else: it reads a "
            "variable of its own before that has a value, or beyond an array's end, or its "
            "threads race."
        )
    if (
        isinstance(first, list)
        and isinstance(again, list)
        and sorted(map(repr, first)) == sorted(map(repr, again))
    ):
        return (
            "Called again with the same arguments, it returns the same items in another order: "
            "in that in which tasks happen to end?"
        )
    return (
        "Called again with the same arguments, it returns something else: it keeps "
        "something from one call to the next, uses chance, or its threads race."
    )


def of_another_case(
    seen: Sequence[tuple[Any, Any]], exercise: Any, cases: list[tuple], at: int
) -> str:
    """Return whether a result is the right one of an earlier case: something was kept."""
    if at == 0 or is_number(seen[0][1]) or as_array(seen[0][1]) is None:
        return ""
    if is_chosen(seen[0][1], cases[at]):
        return ""  # which may be the same twice
    for i in range(at):
        earlier = exercise.reference(*copy.deepcopy(cases[i]))
        if same(earlier, seen[0][1]) and np.size(as_array(earlier)) > 3:
            return (
                f"On case {at + 1} you return what is right for case {i + 1}: something is "
                "kept from one call to the next."
            )
    return ""


def is_chosen(value: Any, args: tuple) -> bool:
    """Return whether a result is a choice among things given."""
    return any(same(item, value) for arg in args if isinstance(arg, (tuple, list)) for item in arg)


def as_array(value: Any) -> np.ndarray | None:
    """Return a value's numbers as one array; None if they are none."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, dict) and value:
        value = [value[key] for key in sorted(value, key=str)]
    if isinstance(value, (tuple, list)) and value:
        try:
            array = np.array(value)
        except ValueError:  # items of several lengths
            return None
        return array if array.dtype.kind in "biuf" else None
    return None
