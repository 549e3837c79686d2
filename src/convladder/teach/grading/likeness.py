"""How much an answer looks like a usual mistake that does not behave like it on every case."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .compare import close
from .outcome import Outcome

LEAST = 0.5  # share of the wrong cases that must be alike
# What is alike, the most telling first.
SAME, PLACES, UNWRITTEN, SHAPE, ERROR = range(5)


def likeness(outcomes: Sequence[Outcome], right: Sequence[bool], expected: Callable[[int], Any],
             other: Callable[[int], Outcome], other_right: Callable[[int], bool]
             ) -> tuple[int, float] | None:
    """Return (what is alike, how little), less being more alike; None if nothing telling is.

    outcomes, right: of the answer's cases. other: of the mistake's. The first wrong case decides;
    only if it is alike are others asked for. expected: the right result of a case.
    """
    wrong = [i for i, fine in enumerate(right) if not fine]
    first = wrong[0]
    if other_right(first):
        return None
    kind = _alike(outcomes[first], other(first), expected, first)
    if kind is None:
        return None
    alike = [i for i in wrong if _alike(outcomes[i], other(i), expected, i) == kind]
    share = len(alike) / len(wrong)
    pattern = sum(other_right(i) == fine for i, fine in enumerate(right)) / len(right)
    if share < LEAST or pattern < LEAST or kind != SAME and pattern < 1:
        return None
    value = outcomes[first].value
    if share < 1 and (isinstance(value, (int, float, np.generic))
                      or isinstance(value, np.ndarray) and value.size < 4):
        return None  # a number or two may agree by chance
    return kind, 2 - share - pattern


def _alike(mine: Outcome, its: Outcome, expected: Callable[[int], Any], i: int) -> int | None:
    if mine.fault or its.fault:
        both = mine.fault and its.fault
        return ERROR if both and mine.fault.outcome == its.fault.outcome else None
    if mine.like(its):
        return SAME
    if mine.error or its.error:
        both = mine.error and its.error
        return ERROR if both and _words(mine.error) == _words(its.error) else None
    a, b = mine.value, its.value
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray) or a.shape != b.shape:
        return None
    right = expected(i)
    if not isinstance(right, np.ndarray) or right.dtype.kind not in "biuf":
        return None
    if a.shape != right.shape:
        return SHAPE
    if a.dtype != b.dtype or a.dtype.kind not in "biuf":
        return None
    mask = ~close(right, a)
    if mask.any() and not mask.all() and mask.size >= 8 and np.array_equal(mask, ~close(right, b)):
        return PLACES
    return UNWRITTEN if _same_but_unwritten(a, b) else None


def _same_but_unwritten(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays are the same but for what nobody wrote: NaN in one, 0 in another.

    As by `np.empty` and by `np.zeros`.
    """
    if a.dtype != b.dtype or a.dtype.kind != "f" or np.isnan(a).all() or np.isnan(b).all():
        return False
    return any(unwritten.any() and not other[unwritten].any()
               and bool(close(other, np.where(unwritten, 0, one)).all())
               for one, other in ((a, b), (b, a)) for unwritten in (np.isnan(one),))


def _words(error: str) -> str:
    """Return an exception's text without its numbers, which depend on how a line is written."""
    return re.sub(r"\d+", "#", error)
