"""How the grader and a submission's process talk: JSON for what is plain, raw bytes for arrays.

Nothing that comes from a submission is unpickled, imported or evaluated. It is plain data of
bounded size, or it is not taken. In the other direction, arguments such as a pool that counts its
tasks travel as pickles: the grader is trusted, and only a submission's process opens them.
"""

from __future__ import annotations

import json
import math
import pickle
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

MOST_BYTES = 1 << 28  # of one message
MOST_JSON = 1 << 24
MOST_TEXT = 1 << 20  # characters of one string
MOST_ITEMS = 200_000  # of one message, all levels together
MOST_DEPTH = 12
MOST_DIGITS = 1000
_DTYPE = re.compile(r"[<>|=]?(?:[iu][1248]|f[248]|c8|c16|b1)")
_HEAD = struct.Struct("<II")  # bytes of the JSON, bytes of the arrays


class WireError(Exception):
    """What came is not a message, or not one that is taken."""


@dataclass(frozen=True)
class Unexpected:
    """Stands for a value of a type that no exercise asks for; `type` is what it calls itself."""

    type: str

    def __str__(self) -> str:
        return f"a value of type {self.type}"


@dataclass(frozen=True)
class Whole:
    """What travels as one pickle, since its parts refer to one another."""

    value: Any


def packed(value: Any, trusted: bool = False) -> bytes:
    """Return a message. What is no plain data is only named; of the grader's own (`trusted`), a
    `Whole` is pickled, for a worker to open."""
    buffers: list[bytes] = []
    text = json.dumps(_plain(value, buffers, trusted, 0), allow_nan=True).encode()
    body = b"".join(buffers)
    return _HEAD.pack(len(text), len(body)) + text + body


def is_plain(value: Any) -> bool:
    """Return whether a value travels as data."""
    if isinstance(value, (list, tuple)):
        return type(value) in (list, tuple) and all(map(is_plain, value))
    if type(value) is dict:
        return all(map(is_plain, (*value, *value.values())))
    return (
        value is None
        or value is ...
        or type(value) in (bool, str, int, float)
        or isinstance(value, (np.ndarray, np.generic))
        and bool(_DTYPE.fullmatch(value.dtype.str))
    )


def unpacked(read: Callable[[int], bytes], trusting: bool = False) -> Any:
    """Return the value of the next message. read: gives so many bytes, or raises.

    trusting: whether pickles are opened: only by whoever reads what the grader wrote. Raises
    WireError for whatever is no message.
    """
    length, size = _HEAD.unpack(read(_HEAD.size))
    if length > MOST_JSON or size > MOST_BYTES:
        raise WireError(f"a message of {length + size:,} bytes")
    text, body = read(length), read(size)
    try:
        return _Reader(memoryview(body), trusting).value(json.loads(text), 0)
    except Exception as error:  # whatever it is that was sent
        raise WireError(f"no message: {type(error).__name__}") from None


def _plain(value: Any, buffers: list[bytes], trusted: bool, depth: int) -> Any:
    """Return what JSON can hold: a list whose first item says what the others are."""

    def inner(item: Any) -> Any:
        return _plain(item, buffers, trusted, depth + 1)

    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if value is ...:
        return ["..."]
    if kind is int:
        return ["int", hex(value)]  # decimal digits would take a number of many for ever
    if kind is float:
        return ["float", value.hex() if math.isfinite(value) else repr(value)]
    if kind is np.ndarray and value.dtype.kind in "biufc" and _DTYPE.fullmatch(value.dtype.str):
        buffers.append(np.ascontiguousarray(value).tobytes())
        return ["array", value.dtype.str, list(value.shape), list(value.strides), len(buffers[-1])]
    if isinstance(value, np.generic) and _DTYPE.fullmatch(value.dtype.str):
        buffers.append(value.tobytes())
        return ["scalar", value.dtype.str, len(buffers[-1])]
    if trusted and kind is Whole:
        buffers.append(pickle.dumps(value.value))
        return ["pickle", len(buffers[-1])]
    if depth < MOST_DEPTH:
        if kind in (list, tuple):
            return [kind.__name__, *map(inner, value)]
        if kind is dict:
            return ["dict", *([inner(key), inner(item)] for key, item in value.items())]
    return ["type", str(kind.__name__)[:80]]


class _Reader:
    """Reads one message; counts what it has read."""

    def __init__(self, body: memoryview, trusting: bool) -> None:
        self.body, self.trusting, self.items = body, trusting, 0

    def value(self, told: Any, depth: int) -> Any:
        self.items += 1
        if depth > MOST_DEPTH + 1 or self.items > MOST_ITEMS:
            raise ValueError("too much")
        if told is None or type(told) is bool:
            return told
        if type(told) is str:
            return told[:MOST_TEXT]
        what, *rest = told
        read = getattr(self, f"_{what}", None) if what in _KINDS else None
        if what == "...":
            return ...
        if read is None:
            raise ValueError("of no known kind")
        return read(rest, depth)

    def _int(self, rest: list, depth: int) -> int:
        (digits,) = rest
        if len(digits) > MOST_DIGITS:
            return Unexpected(f"int of more than {MOST_DIGITS} digits")
        return int(digits, 16)

    def _float(self, rest: list, depth: int) -> float:
        return float.fromhex(rest[0])

    def _array(self, rest: list, depth: int) -> np.ndarray:
        dtype, shape, strides, size = rest
        whole = [type(each) is int for each in (*shape, *strides)]
        if (
            not _DTYPE.fullmatch(dtype)
            or not all(whole)
            or len(shape) != len(strides)
            or len(shape) > 32
            or any(side < 0 for side in shape)
        ):
            raise ValueError("no array")
        values = np.frombuffer(self._taken(size), np.dtype(dtype)).reshape(shape)
        return _laid(values, strides)

    def _scalar(self, rest: list, depth: int) -> np.generic:
        dtype, size = rest
        if not _DTYPE.fullmatch(dtype):
            raise ValueError("no number")
        return np.frombuffer(self._taken(size), np.dtype(dtype))[0]

    def _list(self, rest: list, depth: int) -> list:
        return [self.value(item, depth + 1) for item in rest]

    def _tuple(self, rest: list, depth: int) -> tuple:
        return tuple(self._list(rest, depth))

    def _dict(self, rest: list, depth: int) -> dict:
        return {self.value(key, depth + 1): self.value(item, depth + 1) for key, item in rest}

    def _type(self, rest: list, depth: int) -> Unexpected:
        return Unexpected(re.sub(r"\W", "?", str(rest[0]))[:80])

    def _pickle(self, rest: list, depth: int) -> Any:
        if not self.trusting:
            raise ValueError("a pickle")
        return pickle.loads(self._taken(rest[0]))

    def _taken(self, size: int) -> bytes:
        if type(size) is not int or not 0 <= size <= len(self.body):
            raise ValueError("too few bytes")
        taken, self.body = bytes(self.body[:size]), self.body[size:]
        return taken


def _laid(values: np.ndarray, strides: list[int]) -> np.ndarray:
    """Return a copy that lies in memory by `strides`, in bytes, as far as that is sensible."""
    if not values.size or list(values.strides) == strides:
        return values.copy()
    ends = [(side - 1) * stride for side, stride in zip(values.shape, strides)]
    first = -sum(end for end in ends if end < 0)
    extent = first + sum(end for end in ends if end > 0) + values.itemsize
    if extent > MOST_BYTES or any(stride % values.itemsize for stride in strides):
        return values.copy()
    base = np.zeros(extent // values.itemsize, values.dtype)
    laid = as_strided(base[first // values.itemsize :], values.shape, strides)
    laid[...] = values
    return laid


_KINDS = ("int", "float", "array", "scalar", "list", "tuple", "dict", "type", "pickle")
