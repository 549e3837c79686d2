"""Compare an answer with the expected one, and write values so that a person can read them."""

from __future__ import annotations

import re
from collections.abc import Generator
from concurrent.futures import Future
from math import floor, log10
from numbers import Integral, Real
from typing import Any

import numpy as np

from .stages import WRONG_SHAPE as SHAPE
from .stages import WRONG_VALUES as VALUES

SHOWN = 36  # an array of up to so many values is shown whole (6 x 6)
DECIMALS, SMALL = 4, 1e-2  # with so many, unless its largest value is below that
TOLERANCE = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-9}  # rounding, not a mistake
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
        return bool(close(np.array(a), np.array(b)).all())
    return bool(a == b)


def difference(expected: Any, got: Any, place: str = "") -> tuple[str, str, str] | None:
    """Return None if `got` is as expected, else (stage, sentence that goes on after "It", detail).

    place: where in a tuple or dict this value stands, for the sentence.
    """
    if got is None:
        return SHAPE, f"returned None{place}. Did you forget `return`?", ""
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
            return SHAPE, (f"returned the float {got}{place}, where a whole number is wanted. "
                           "`/` and `np.rint` give floats: count with `//`, or take "
                           "`int(...)`."), ""
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
        return SHAPE, (f"returned a list{place}, where {wanted} is wanted. "
                       "Fill a NumPy array, or convert the list with `np.array`."), ""
    if not isinstance(got, np.ndarray):
        return SHAPE, f"returned {kind(got)}{place}, where {wanted} is wanted.", ""
    if got.shape != expected.shape:
        return SHAPE, (f"returned an array of shape {_shape(got)}{place}; "
                       f"the shape should be {_shape(expected)}."), ""
    counts = expected.dtype.kind in "iu" and expected.itemsize > 1  # a byte asked for is a byte
    whole = counts and got.dtype.kind in "iu"
    if got.dtype != expected.dtype and not whole:
        return SHAPE, (f"returned an array of dtype {got.dtype}{place}; "
                       f"the dtype should be {expected.dtype}."), ""
    if got.dtype.kind == "f":
        bad = ~np.isfinite(got) & np.isfinite(expected)
        if bad.any():
            return VALUES, _not_finite(got[bad], got, place), _first(bad, expected, got)
    wrong = ~close(expected, got)
    if wrong.any():
        return VALUES, (f"returned wrong values{place}: {wrong.sum():,} of {got.size:,} differ."), \
            _pair(expected, got) if written(expected) != written(got) and got.size <= SHOWN else \
            _first(wrong, expected, got)
    return None


def _not_finite(bad: np.ndarray, got: np.ndarray, place: str) -> str:
    found = [name for name, is_so in (("NaN", np.isnan), ("infinity", np.isinf))
             if is_so(bad).any()]
    ask = (f"Is something divided by zero, or too large for its type ({ENDS})?"
           if "infinity" in found else
           "Is every element written? Is anything 0/0, or the root of a negative number?")
    return f"returned {' and '.join(found)}{place}, in {bad.size:,} of {got.size:,} values. {ask}"


def _items_difference(expected: Any, got: Any, place: str) -> tuple[str, str, str] | None:
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            seen = _pair(expected, got) if isinstance(got, (tuple, list)) else ""
            return SHAPE, f"returned {kind(got)}{place}, where {kind(expected)} is wanted.", seen
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
    return isinstance(value, (tuple, list)) and 2 < len(value) <= SHOWN and all(
        isinstance(each, Real) for each in value)


def close(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    if expected.dtype.kind != "f":
        return expected == got
    rounding = TOLERANCE.get(expected.dtype.name, 1e-9)
    finite = np.abs(expected[np.isfinite(expected)])
    scale = float(finite.max()) if finite.size else 0.0
    with np.errstate(over="ignore"):  # what was never written may hold any number
        return np.isclose(got, expected, rtol=rounding, atol=rounding * scale / 10,
                          equal_nan=True)


def kind(value: Any) -> str:
    """Return what a value is, in words: "a float32 array of shape [4, 4]", "the whole number 3"."""
    if isinstance(value, np.ndarray):
        article = "an" if value.dtype.name[0] in "io" else "a"  # an int64, an object, a uint8
        return f"{article} {value.dtype} array of shape {_shape(value)}"
    if isinstance(value, (bool, np.bool_)):
        return "True or False"
    if isinstance(value, Integral):
        return "a whole number"
    if isinstance(value, Real):
        return "a float"
    if isinstance(value, dict):
        return f"a dict with the keys {', '.join(map(repr, value)) or '(none)'}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)} item{'s' * (len(value) != 1)}"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, Generator):
        return "a generator (`yield`, or `for` in round brackets: `list(...)` takes its items)"
    if isinstance(value, Future):
        return "a future, whose `result()` is the value"
    return f"a value of type {type(value).__name__}"


def short(value: Any) -> str:
    """Return a value within a sentence: itself if it is one number or word, else what it is."""
    if isinstance(value, (np.ndarray, list, tuple, dict)) or isinstance(value, str) and (
            "\n" in value):
        return kind(value)
    text = written(value)
    return kind(value) if "\n" in text else text


def written(value: Any) -> str:
    """Return a value as a case shows it: a small array whole, a larger one by dtype and shape."""
    if isinstance(value, np.ndarray):
        if 0 < value.size <= SHOWN:
            flat = value
            while flat.ndim > 2 and flat.shape[-1] == 1:  # else each value has a line of its own
                flat = flat[..., 0]
            shape = f"  (shape {_shape(value)})" * (flat.ndim < value.ndim)
            small = _decimals(flat) > DECIMALS  # as 3.1e-07, not as 0
            return np.array2string(_rounded(flat), precision=3 if small else DECIMALS,
                                   suppress_small=not small) + shape
        return f"{value.dtype} array {_shape(value)}"
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    if isinstance(value, (Integral, np.bool_)):
        return f"{value}"
    try:
        text = _held(value) if isinstance(value, (tuple, dict, list, str)) else str(value)
    except Exception:  # an object whose own words fail
        return kind(value)
    if text.startswith("<") and " at 0x" in text:  # where an object lies says nothing
        return kind(value)
    return text if len(text) <= 200 else text[:200] + " ..."


def is_written_whole(value: Any) -> bool:
    """Return whether a case shows all of a value: no array by its shape alone, nothing cut off."""
    if isinstance(value, np.ndarray):
        return value.size <= SHOWN
    text = written(value)
    return not (text.endswith(" ...") or re.search(r"\w+ array \[", text))


def _held(value: Any) -> str:
    """Return a value as one that holds it is written: an array as its dtype and shape."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} array {_shape(value)}"
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {_held(item)}" for key, item in value.items()) + "}"
    if type(value) is list:
        return f"[{', '.join(map(_held, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(_held, value))}{',' * (len(value) == 1)})"
    return repr(value)


def block(label: str, value: Any) -> str:
    """Return "label = value", with the further lines of an array set under its first."""
    lines = written(value).splitlines()
    indent = "\n" + " " * (len(label) + 3)
    return f"{label} = {indent.join(lines)}"


def _pair(expected: Any, got: Any) -> str:
    return block("expected", expected) + "\n" + block("got     ", got)


def _first(wrong: np.ndarray, expected: np.ndarray, got: np.ndarray) -> str:
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"first at {list(index)}:\n" + _pair(expected[index], got[index])


def _rounded(value: np.ndarray) -> np.ndarray:
    if value.dtype.kind != "f":
        return value
    # in float64, since rounding scales by 10⁴, which float16 cannot hold; + 0.0: no "-0."
    return np.round(value.astype(np.float64), _decimals(value)) + 0.0


def _decimals(value: np.ndarray) -> int:
    """Return to how many decimals an array is shown: four digits of its largest, if that is small.

    Measured by the largest, since what is next to 0 beside it may be its rounding.
    """
    sizes = np.abs(value[np.isfinite(value)], dtype=np.float64) if value.dtype.kind == "f" else ()
    largest = max(sizes, default=0.0)
    return DECIMALS if largest == 0 or largest >= SMALL else 3 - floor(log10(largest))


def _shape(array: np.ndarray) -> str:
    return str(list(array.shape))
