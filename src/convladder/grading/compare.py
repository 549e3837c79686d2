"""The first difference between two results, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np

TOLERANCE = {"float16": 1e-2, "float32": 1e-4}  # relative; what rounding explains
SCALAR = 1e-6  # relative
RESULT_KINDS = ("value", "shape", "length", "keys")  # of which one may turn into another


@dataclass(frozen=True)
class Symptom:
    """A fault before it has words: a kind, the place in Python's notation, and the evidence.

    `words.sentence` knows all kinds.
    """

    kind: str
    where: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)


def difference(expected: Any, got: Any, where: str = "result") -> Symptom | None:
    """Return the first difference between `got` and `expected`, or None.

    Where a tuple or a list is expected any sequence will do: the other one, a range, an array. But
    where an array is expected, nothing else will.
    """

    def differs(kind: str, place: str = where, a: Any = expected, b: Any = got, **more: Any):
        return Symptom(kind, place, {"expected": a, "got": b, **more})

    def first(pairs: Any) -> Symptom | None:
        return next(filter(None, (difference(a, b, place) for a, b, place in pairs)), None)

    if isinstance(expected, np.ndarray):
        if not isinstance(got, np.ndarray):
            return differs("type")
        if got.shape != expected.shape:
            return differs("shape")
        counts = expected.dtype.kind in "iu" and expected.itemsize > 1
        if got.dtype != expected.dtype and not (counts and got.dtype.kind in "iu"):
            return differs("dtype")
        if got.dtype == expected.dtype and got.tobytes() == expected.tobytes():
            return None  # in a tenth of the time
        wrong = ~close(expected, got)
        if not wrong.any():
            return None
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = f"{where}[{', '.join(map(str, index))}]" if index else where
        counted = {"count": int(wrong.sum()), "size": wrong.size}
        return differs("value", place, expected[index], got[index], **counted)
    if isinstance(expected, tuple | list):
        array = isinstance(got, np.ndarray) and got.ndim
        if not (array or isinstance(got, tuple | list | range)):
            return differs("type")
        if len(got) != len(expected):
            return differs("length")
        return first((a, b, f"{where}[{i}]") for i, (a, b) in enumerate(zip(expected, got)))
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return differs("type")
        for key in [*expected, *got]:
            if key not in got or key not in expected:
                return differs("keys", key=key, missing=key not in got)
        return first((expected[key], got[key], f"{where}[{key!r}]") for key in expected)
    if not _alike(expected, got):
        return differs("type")
    if isinstance(expected, float):
        both_nan = got != got and expected != expected
        near = both_nan or abs(got - expected) <= SCALAR * abs(expected)
        return None if near else differs("value")
    return None if expected == got else differs("value")


def close(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    """Return where two arrays of one shape agree but for rounding. NaN agrees with NaN alone."""
    if expected.dtype.kind != "f":
        return expected == got
    rounding = TOLERANCE.get(expected.dtype.name, 1e-9)
    largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=0))
    with np.errstate(all="ignore"):  # what was never written may hold any number
        return np.isclose(got, expected, rounding, rounding * largest / 10, equal_nan=True)


def same(a: Any, b: Any) -> bool:
    """Return whether two values are alike but for rounding."""
    return difference(a, b) is None


def _alike(expected: Any, got: Any) -> bool:
    """Return whether `got` is a value of the kind wanted: no float for a count, no bool for 1."""
    if not isinstance(expected, Real):
        return isinstance(got, type(expected))
    if isinstance(expected, bool | np.bool_) or isinstance(got, bool | np.bool_):
        return isinstance(expected, bool | np.bool_) and isinstance(got, bool | np.bool_)
    return isinstance(got, Integral if isinstance(expected, Integral) else Real)
