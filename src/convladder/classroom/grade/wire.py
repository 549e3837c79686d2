"""Values as data: what a jail sends can be read, and can do nothing."""

from __future__ import annotations

import base64
import re
from typing import Any

import numpy as np

DTYPE = re.compile(r"[<|](?:[iu][1248]|f[248]|c8|c16|b1)")
DEPTH = 8


class KernelSource(str):
    """The source of a `cuda.Kernel`, whose function it names."""

    name = ""


def encode(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON has it. What is no plain data is only named."""
    if isinstance(value, np.ndarray | np.generic) and DTYPE.fullmatch(value.dtype.str):
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        order = "F" if getattr(value, "flags", None) is not None and value.flags.fnc else "C"
        return {"array": [value.dtype.str, list(np.shape(value)), data, order]}
    if depth < DEPTH and type(value) in (list, tuple):
        return {type(value).__name__: [encode(each, depth + 1) for each in value]}
    if depth < DEPTH and type(value) is dict:
        pairs = [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]
        return {"dict": pairs}
    if value is ...:
        return {"stub": 0}
    if isinstance(getattr(value, "source", None), str):
        return {"kernel": [value.source, str(getattr(value, "name", ""))]}
    if value is None or type(value) in (bool, int, float, str):
        return value
    return {"other": type(value).__name__}


def decode(sent: Any, depth: int = 0) -> Any:
    """Return the value again. Raises ValueError, TypeError or KeyError for what is none."""
    if not isinstance(sent, dict):
        if isinstance(sent, list) or depth > DEPTH + 1:
            raise ValueError("no value")
        return sent
    ((kind, held),) = sent.items()
    if kind == "array":
        dtype, shape, data, order = held
        if not DTYPE.fullmatch(dtype):
            raise ValueError("no such dtype")
        array = np.frombuffer(base64.b64decode(data, validate=True), dtype).reshape(shape)
        if array.ndim:
            return array.copy(order="F" if order == "F" else "C")
        # Python's own numbers neither wrap round nor widen what rounding is allowed.
        return array[()] if array.dtype in (np.float32, np.float64) else array.item()
    if kind in ("list", "tuple"):
        items = [decode(each, depth + 1) for each in held]
        return items if kind == "list" else tuple(items)
    if kind == "dict":
        return {decode(k, depth + 1): decode(v, depth + 1) for k, v in held}
    if kind == "kernel":
        source = KernelSource(held[0])
        source.name = str(held[1])
        return source
    return ... if kind == "stub" else object()
