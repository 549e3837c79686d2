"""Compare an answer with the expected one."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from .stages import WRONG_SHAPE as SHAPE
from .stages import WRONG_VALUES as VALUES
from .written import SHOWN, block, kind, shape_text, written

TOLERANCE = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-9}  # rounding, not a mistake
ASK_OF_NONE = "Is there a way without `return`, or is what you return still None?"
ENDS = "float16 ends at 65,504, float32 at 3.4e38"
SCALAR_TOLERANCE = 1e-6


def same(a: Any, b: Any) -> bool:
    """Return whether two outcomes are the same but for rounding. NaN equals NaN here."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if type(a) is not type(b) or a.shape != b.shape or a.dtype != b.dtype:
            return False
        return bool(close(a, b).all())
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is not type(b):
        return isinstance(a, Real) and isinstance(b, Real) and same(float(a), float(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, float):
        return bool(np.isclose(a, b, rtol=SCALAR_TOLERANCE, atol=0, equal_nan=True))
    return bool(a == b)


def difference(expected: Any, got: Any, place: str = "") -> tuple[str, str, str] | None:
    """Return None if `got` is as expected, else (stage, sentence that goes on after "It", detail).

    place: where in a tuple or dict this value stands, for the sentence.
    """
    if got is None:
        return SHAPE, f"returned None{place}. {ASK_OF_NONE}", ""
    if isinstance(expected, np.ndarray):
        return _array_difference(expected, got, place)
    if isinstance(expected, (tuple, dict)):
        return _items_difference(expected, got, place)
    if isinstance(expected, list) and isinstance(got, (tuple, list)):
        if len(got) == len(expected):
            found = _items_difference(tuple(expected), got, place)
            if found is None or found[0] == SHAPE:
                return found
        return VALUES, f"returned {written(got)}{place}, which is not right.", _pair(expected, got)
    wanted = kind(expected)
    if isinstance(expected, (bool, np.bool_)):
        right_kind = isinstance(got, (bool, np.bool_))
    elif isinstance(expected, Integral):
        right_kind = isinstance(got, Integral) and not isinstance(got, bool)
        if isinstance(got, (float, np.floating)) and got == expected:
            return (
                SHAPE,
                (
                    f"returned the float {got}{place}, where a whole number is wanted. "
                    "`/` and `np.rint` give floats: count with `//`, or take "
                    "`int(...)`."
                ),
                "",
            )
    elif isinstance(expected, Real):
        right_kind = isinstance(got, Real) and not isinstance(got, (bool, np.bool_))
    else:
        right_kind = isinstance(got, type(expected))
    if not right_kind:
        return SHAPE, f"returned {kind(got)}{place}, where {wanted} is wanted.", ""
    if isinstance(got, Real) and not np.isfinite(got):
        return VALUES, f"returned {got}{place}, which is not a number you can compute with.", ""
    exact = not isinstance(expected, (float, np.floating))
    right = expected == got if exact else abs(got - expected) <= SCALAR_TOLERANCE * abs(expected)
    if not right:
        return VALUES, f"returned {written(got)}{place}, which is not right.", _pair(expected, got)
    return None


def _array_difference(expected: np.ndarray, got: Any, place: str) -> tuple[str, str, str] | None:
    wanted = kind(expected)
    if isinstance(got, list):
        return (
            SHAPE,
            (
                f"returned a list{place}, where {wanted} is wanted. "
                "Fill a NumPy array, or convert the list with `np.array`."
            ),
            "",
        )
    if not isinstance(got, np.ndarray):
        return SHAPE, f"returned {kind(got)}{place}, where {wanted} is wanted.", ""
    if got.shape != expected.shape:
        shown = 0 < got.size <= SHOWN and 0 < expected.size <= SHOWN
        return (
            SHAPE,
            (
                f"returned an array of shape {shape_text(got)}{place}; the shape should be "
                f"{shape_text(expected)}."
            ),
            _pair(expected, got) if shown else "",
        )
    counts = expected.dtype.kind in "iu" and expected.itemsize > 1  # a byte asked for is a byte
    whole = counts and got.dtype.kind in "iu"
    if got.dtype != expected.dtype and not whole:
        return (
            SHAPE,
            (
                f"returned an array of dtype {got.dtype}{place}; "
                f"the dtype should be {expected.dtype}."
            ),
            "",
        )
    if got.dtype.kind == "f":
        bad = ~np.isfinite(got) & np.isfinite(expected)
        if bad.any():
            return VALUES, _not_finite(got[bad], got, place), _first(bad, expected, got)
    wrong = ~close(expected, got)
    if wrong.any():
        return (
            VALUES,
            (f"returned wrong values{place}: {wrong.sum():,} of {got.size:,} differ."),
            _pair(expected, got)
            if written(expected) != written(got) and got.size <= SHOWN
            else _first(wrong, expected, got),
        )
    return None


def _not_finite(bad: np.ndarray, got: np.ndarray, place: str) -> str:
    found = [
        name for name, is_so in (("NaN", np.isnan), ("infinity", np.isinf)) if is_so(bad).any()
    ]
    ask = (
        f"Is something divided by zero, or too large for its type ({ENDS})?"
        if "infinity" in found
        else "Is every element written? Is anything 0/0, or the root of a negative number?"
    )
    return f"returned {' and '.join(found)}{place}, in {bad.size:,} of {got.size:,} values. {ask}"


def _items_difference(expected: Any, got: Any, place: str) -> tuple[str, str, str] | None:
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            if isinstance(got, (tuple, list)):  # a list will do as well
                return (
                    SHAPE,
                    (f"returned {kind(got)}{place}, where {len(expected)} are wanted."),
                    _pair(expected, got),
                )
            return (
                SHAPE,
                (
                    f"returned {kind(got)}{place}, where {kind(expected)} is wanted (a list "
                    "will do)."
                ),
                "",
            )
        keys: Any = range(len(expected))
    else:
        if not isinstance(got, dict) or got.keys() != expected.keys():
            return SHAPE, f"returned {kind(got)}{place}, where {kind(expected)} is wanted.", ""
        keys = expected
    for key in keys:
        item = f" as item {key!r} of " + (place.removeprefix(" as ") or "its result")
        found = difference(expected[key], got[key], item)
        if found and _is_short(expected) and _is_short(got):
            return *found[:2], _pair(expected, got)
        if found:
            return found
    return None


def _is_short(value: Any) -> bool:
    """Return whether a value is a few numbers, which are shown together."""
    return (
        isinstance(value, (tuple, list))
        and 2 < len(value) <= SHOWN
        and all(isinstance(each, Real) for each in value)
    )


def close(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    if expected.dtype.kind != "f":
        return expected == got
    rounding = TOLERANCE.get(expected.dtype.name, 1e-9)
    finite = np.abs(expected[np.isfinite(expected)])
    scale = float(finite.max()) if finite.size else 0.0
    with np.errstate(over="ignore"):  # what was never written may hold any number
        return np.isclose(got, expected, rtol=rounding, atol=rounding * scale / 10, equal_nan=True)


def _pair(expected: Any, got: Any) -> str:
    return block("expected", expected) + "\n" + block("got     ", got)


def _first(wrong: np.ndarray, expected: np.ndarray, got: np.ndarray) -> str:
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"first at {list(index)}:\n" + _pair(expected[index], got[index])
