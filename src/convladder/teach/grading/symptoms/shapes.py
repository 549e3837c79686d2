"""What a result of another shape or type has to do with the right one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ..compare import close, same
from .order import LEAST, turned
from .places import axis_name


def shape_symptoms(expected: np.ndarray, got: np.ndarray) -> list[str]:
    """Return sentences that are true of arrays of two shapes, the most telling first."""
    if not got.size:
        return ["Your result is empty."]
    if exchanged := turned(expected, got):
        return [f"Your values are right, with {exchanged} exchanged."]
    if got.size == expected.size and expected.dtype.kind in "biuf" and got.dtype.kind in "biuf":
        if close(expected.ravel().astype(float), got.ravel().astype(float)).all():
            if sorted(got.shape) == sorted(expected.shape):
                return [
                    "Your values are right, and in the right order: only the sizes in the "
                    "shape stand in another order."
                ]
            return [
                "Your values are right, and in the right order: only the shape is missing. "
                "`reshape` gives it."
            ]
    found = []
    if got.ndim == expected.ndim:
        found += _by_axis(expected, got)
    elif got.ndim != expected.ndim:
        found.append(
            f"Your result has {got.ndim} ax{'i' if got.ndim == 1 else 'e'}s in place of "
            f"{expected.ndim}."
        )
    if sorted(got.shape) == sorted(expected.shape) and got.shape != expected.shape:
        found.insert(0, "The sizes are right, and stand in another order.")
    elif got.size == expected.size:
        found.insert(0, "There are as many values as there should be, in other axes.")
    return found


def _by_axis(expected: np.ndarray, got: np.ndarray) -> list[str]:
    """Return which axes are too long or too short, and whether what both have is right."""
    found = []
    off = [axis for axis, (a, b) in enumerate(zip(expected.shape, got.shape)) if a != b]
    both = tuple(slice(min(sizes)) for sizes in zip(expected.shape, got.shape))
    same_there = (
        np.unique(expected[both]).size >= LEAST
        and expected.dtype.kind in "biuf"
        and got.dtype.kind in "biuf"
        and bool(close(expected[both].astype(float), got[both].astype(float)).all())
    )
    rest = "; what both have is right" if same_there else ""
    if len(off) == 1:
        axis, (wanted, there) = off[0], (expected.shape[off[0]], got.shape[off[0]])
        by = abs(there - wanted)
        short = f"short by {by}" if there < wanted else f"long by {by}"
        along = "" if got.ndim == 1 else f" along {axis_name(axis, got.ndim)}"
        # Of a list of places, its length may be all that several cases have in common.
        for more in dict.fromkeys((rest, "") if got.ndim == 1 else (rest,)):
            found += [
                f"Your result is too {words}{along}{more}." for words in (short, short.split()[0])
            ]
    elif off:
        ways = {
            there < wanted for wanted, there in zip(expected.shape, got.shape) if wanted != there
        }
        if len(ways) == 1:
            word = "short" if ways.pop() else "long"
            names = " and ".join(f"axis {axis}" for axis in off)
            found.append(f"Your result is too {word} along {names}{rest}.")
    return found


def kind_symptom(expected: Any, got: Any) -> list[str]:
    """Return sentences on a result whose type or items are others than those that are wanted."""
    if isinstance(expected, np.ndarray) and isinstance(got, np.ndarray):
        if (
            expected.dtype != got.dtype
            and expected.shape == got.shape
            and {expected.dtype.kind, got.dtype.kind} <= set("biuf")
        ):
            if got.dtype.kind == "b" and expected.dtype.kind in "iu":
                return []
            if close(expected.astype(float), got.astype(float)).all() or np.allclose(
                expected.astype(float), got.astype(float), rtol=1e-4, atol=1e-5
            ):
                return ["Your values are right; only their dtype is not."]
        return []
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        return _list_symptoms(list(expected), list(got))
    if (
        isinstance(expected, (list, tuple))
        and isinstance(got, np.ndarray)
        and (got.shape[:1] == (len(expected),))
        and same(list(expected), got.tolist())
    ):
        name = type(expected).__name__
        return [f"Your numbers are right, and are to be a {name}: `{name}(y.tolist())`."]
    if (
        isinstance(expected, tuple)
        and len(expected) > 1
        and any(type(got) is type(item) and same(item, got) for item in expected)
    ):
        return ["You return one item of the result alone; it is right."]
    return []


def _list_symptoms(expected: list, got: list) -> list[str]:
    if len(got) > 2 and len(got) == len(expected) and same(expected, got[::-1]):
        return [
            "Your items are right, in the reverse order.",
            "All the right items are there, in another order.",
        ]
    try:
        mine, right = Counter(map(_key, got)), Counter(map(_key, expected))
    except TypeError:
        return []
    if mine == right and got != expected and len(got) > 1:
        return ["All the right items are there, in another order."]
    more, less = sum((mine - right).values()), sum((right - mine).values())
    if len(got) > 1 and (len(got) != len(expected)) and not (more and less):
        many = more or less
        word = "too many" if more else "missing"
        verb = "is" if many == 1 else "are"
        named = []
        if many == 1 and isinstance(item := next(iter(mine - right or right - mine)), (str, int)):
            fault = "An item {} is missing" if less else "There is one item {} too many"
            named = [f"{fault.format(repr(item))}; the others are right."]
        return [
            *named,
            f"{many} item{'s' * (many > 1)} {verb} {word}; the others are right.",
            f"Items are {word}; the others are right.",
        ]
    if len(got) != len(expected):
        items = f"item{'s' * (len(got) != 1)}"
        return [
            f"Your result has {len(got)} {items} in place of {len(expected)}.",
            f"Your result has too {'many' if len(got) > len(expected) else 'few'} items.",
        ]
    return []


def _key(item: Any) -> Any:
    return tuple(map(_key, item)) if isinstance(item, (list, tuple)) else item
