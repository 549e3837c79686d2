"""Write values so that a person can read them: within a sentence, or as a case shows them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Generator
from concurrent.futures import Future
from math import floor, log10
from numbers import Integral, Real
from typing import Any

import numpy as np

SHOWN = 36  # an array of up to so many values is shown whole (6 x 6)
DECIMALS, SMALL = 4, 1e-2  # with so many, unless its largest value is below that


def kind(value: Any) -> str:
    """Return what a value is, in words: "a float32 array of shape [4, 4]", "the whole number 3"."""
    if isinstance(value, np.ndarray):
        article = "an" if value.dtype.name[0] in "io" else "a"  # an int64, an object, a uint8
        return f"{article} {value.dtype} array of shape {shape_text(value)}"
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
    if (
        isinstance(value, (np.ndarray, list, tuple, dict))
        or isinstance(value, str)
        and ("\n" in value)
    ):
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
            shape = f"  (shape {shape_text(value)})" * (flat.ndim < value.ndim)
            small = _decimals(flat) > DECIMALS  # as 3.1e-07, not as 0
            return (
                np.array2string(
                    _rounded(flat), precision=3 if small else DECIMALS, suppress_small=not small
                )
                + shape
            )
        return f"{value.dtype} array {shape_text(value)}"
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
        return f"{value.dtype} array {shape_text(value)}"
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


def shape_text(array: np.ndarray) -> str:
    return str(list(array.shape))


def function_name(function: Callable) -> str:
    """Return what a sentence about a learner's function begins with."""
    try:
        parameters = ", ".join(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        parameters = "..."
    name = getattr(function, "__name__", type(function).__name__)
    origin = getattr(function, "__module__", None)
    where = "this notebook" if origin in ("__main__", None) else f"the module `{origin}`"
    if name == "<lambda>":
        return f"Your lambda of ({parameters}), defined in {where},"
    return f"Your function `{name}({parameters})`, defined in {where},"
