"""Arrays with fewer places along an axis, and with them all that is as long in every case."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def as_long(at: int, axis: int | None, cases: Sequence[tuple]) -> list[tuple[int, int | None]]:
    """Return (argument, axis) of all that is as long as an axis in every case, arrays first.

    No axis: the argument is a number.
    """
    return sorted(
        (
            (i, place)
            for i, value in enumerate(cases[0])
            for place in (range(value.ndim) if isinstance(value, np.ndarray) else [None])
            if all(length(case, at, axis) == length(case, i, place) is not None for case in cases)
        ),
        key=lambda each: each[1] is None,
    )


def length(case: tuple, i: int, axis: int | None) -> int | None:
    """Return the length of an axis, or a number; None of anything else."""
    value = case[i]
    if isinstance(value, np.ndarray):
        return value.shape[axis] if axis is not None and axis < value.ndim else None
    return value if type(value) is int and axis is None else None


def axis_called(names: Sequence[str], i: int, place: int | None) -> str:
    """Return what an axis of an argument is called, or a number."""
    return f"`{names[i]}`" if place is None else f"`{names[i]}.shape[{place}]`"


def cut(axes: Sequence[tuple[int, int | None]], number: int, given: tuple, begin: int = 0) -> tuple:
    """Return arguments cut to `number` places along all these axes, from `begin` on."""
    left = list(given)
    for i, place in axes:
        if place is None:
            left[i] = min(number, left[i])
        else:
            size = left[i].shape[place]
            left[i] = left[i].take(range(min(begin, size - 1), min(begin + number, size)), place)
    return tuple(left)


def cut_alike(
    one: Sequence[tuple[int, int | None]],
    other: Sequence[tuple[int, int | None]],
    less: int,
    given: tuple,
) -> tuple:
    """Cut two axes to the length of the shorter one, the other by `less` places more."""
    least = min(length(given, *each) or 0 for each in (*one, *other))
    if least == 1:  # of one place all is alike
        return given
    return cut(other, least - less, cut(one, least, given))
