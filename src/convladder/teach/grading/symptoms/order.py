"""The right values in other places: axes exchanged or reversed, shifted, sorted otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np

from ..compare import close
from .places import axis_name

LEAST = 3  # different values from which on a rule that holds for all of them is none by chance
LARGE = 2**16  # values; larger arrays are not looked at, as long as there is a smaller one
SHIFTS = (1, -1, 2, -2, 3, -3)


def turned(expected: np.ndarray, got: np.ndarray) -> str | None:
    """Return which axes of `expected` change places in `got`; None if that is not how they differ.

    Their shapes may differ.
    """
    if sorted(expected.shape) != sorted(got.shape) or expected.size > LARGE or expected.ndim < 2:
        return None
    for order in _orders(expected.ndim):
        other = expected.transpose(order)
        if other.shape == got.shape and _equal(other, got) and not _equal(expected, got):
            return _exchanged(order)
    return None


def other_axes(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if expected.size > LARGE or np.unique(expected).size < LEAST:
        return
    # First, since few values may be right both ways, and one turns axes round less often.
    if exchanged := turned(expected, got):
        yield f"Your values are right, with {exchanged} exchanged."
        return
    for count in range(1, got.ndim + 1):
        for axes in combinations(range(got.ndim), count):
            if all(got.shape[axis] > 1 for axis in axes) and _equal(np.flip(expected, axes), got):
                names = " and ".join(axis_name(axis, got.ndim) for axis in axes)
                yield f"Your values are right in the reverse order along {names}."
                return
    for order in _orders(got.ndim):
        if _equal(expected.transpose(order).reshape(got.shape), got):
            yield f"Your values are right, but lie in the order of {_exchanged(order)} exchanged."
            return
    for order in _orders(got.ndim):
        shape = tuple(expected.shape[axis] for axis in order)
        back = np.argsort(order)
        if _equal(expected.reshape(shape).transpose(back), got):
            yield (
                f"Your values are right, but were read in the order of {_exchanged(order)} "
                "exchanged."
            )
            return


def shifted(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    for axis in range(got.ndim):
        size = got.shape[axis]
        for by in SHIFTS:
            if size < abs(by) + 2 or size < 3:
                continue
            begin, end = max(by, 0), size + min(by, 0)
            mine = got.take(range(begin, end), axis)
            other = expected.take(range(begin - by, end - by), axis)
            if (
                np.unique(other).size >= LEAST
                and close(other, mine).all()
                and _makes_room(got, wrong, range(begin, end), axis)
            ):
                way = "the end" if by > 0 else "the beginning"
                yield (
                    f"Your values are right, but sit {abs(by)} place{'s' * (abs(by) > 1)} too "
                    f"far towards {way} of {axis_name(axis, got.ndim)}."
                )
                return


def _makes_room(got: np.ndarray, wrong: np.ndarray, moved: range, axis: int) -> bool:
    """Return whether places that nothing was moved to are wrong, or zero: else all have stayed."""
    return bool(np.delete(wrong, moved, axis).any()) or not np.delete(got, moved, axis).any()


def sorted_otherwise(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if expected.size > LARGE or np.unique(expected).size < LEAST or np.isnan(got).any():
        return
    if not close(np.sort(expected, None), np.sort(got, None)).all():
        return
    if got.ndim > 1 and close(np.sort(expected, -1), np.sort(got, -1)).all():
        yield (
            f"Along {axis_name(got.ndim - 1, got.ndim)} all the right values are there, in "
            "another order."
        )
    if got.ndim > 1 and close(np.sort(expected, 0), np.sort(got, 0)).all():
        yield f"Along {axis_name(0, got.ndim)} all the right values are there, in another order."
    yield "All the right values are there, in other places."


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(close(a, b).all())


def _orders(ndim: int) -> Iterator[tuple[int, ...]]:
    """Yield orders of axes but for the one as they are: exchanges of two first."""
    plain = tuple(range(ndim))
    swaps = []
    for a, b in combinations(plain, 2):
        order = list(plain)
        order[a], order[b] = b, a
        swaps.append(tuple(order))
    yield from swaps
    if ndim <= 4:
        yield from (order for order in permutations(plain) if order not in swaps and order != plain)


def _exchanged(order: tuple[int, ...]) -> str:
    moved = [str(axis) for axis, place in enumerate(order) if axis != place]
    return f"axes {', '.join(moved[:-1])} and {moved[-1]}"
