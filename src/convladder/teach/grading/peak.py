"""Where an answer's memory is at its peak, and which of its arrays are alive there."""

from __future__ import annotations

import linecache
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from inspect import unwrap
from types import FrameType
from typing import Any

import numpy as np

from ...text import bytes_text

MOST = 3  # arrays that are named
LEAST = 0.05  # share of the workspace from which on an array is named
SECONDS = 5.0  # for one call, of which every line is looked at


class Peak:
    """Watches a function's own lines: which takes most memory, and what variables hold there."""

    def __init__(self, function: Callable) -> None:
        while isinstance(function, partial):
            function = function.func
        self._globals = getattr(unwrap(function), "__globals__", None)
        self._frames: dict[FrameType, int] = {}  # the learner's: the line that each is in
        self._given: set[int] = set()
        self.bytes, self.line, self.text = 0, 0, ""
        self.held: dict[str, tuple[int, str]] = {}  # by variables: bytes, and in words of what

    def of(self, function: Callable, args: tuple) -> Peak:
        """Run it. Lines of its threads are not seen, nor what compiled code does."""
        self._given = {_owner(arg).ctypes.data for arg in args if isinstance(arg, np.ndarray)}
        former, tracing = sys.gettrace(), tracemalloc.is_tracing()
        if not tracing:
            tracemalloc.start()
        sys.settrace(self._called)
        try:
            function(*args)
        finally:
            sys.settrace(former)
            if not tracing:
                tracemalloc.stop()
        return self

    def _called(self, frame: FrameType, event: str, _: Any) -> Callable | None:
        if frame.f_globals is not self._globals:
            return None
        self._frames[frame] = frame.f_lineno
        return self._in_line

    def _in_line(self, frame: FrameType, event: str, _: Any) -> Callable:
        most = tracemalloc.get_traced_memory()[1]
        if most > self.bytes:  # while the line ran that ends here
            self.bytes, self.line = most, self._frames.get(frame, frame.f_lineno)
            self.text = linecache.getline(frame.f_code.co_filename, self.line,
                                          frame.f_globals).strip()
            self.held = self._alive()
        frame.f_locals  # noqa: B018 (made anew, it holds on to nothing that was deleted)
        tracemalloc.reset_peak()
        if event == "return":
            self._frames.pop(frame, None)
        else:
            self._frames[frame] = frame.f_lineno
        return self._in_line

    def _alive(self) -> dict[str, tuple[int, str]]:
        """Return what variables hold, by name: each piece of memory once, no argument's."""
        seen, found = set(self._given), {}
        for frame in self._frames:
            for name, value in frame.f_locals.items():
                value = tuple(value.values()) if isinstance(value, dict) else value
                several = isinstance(value, (list, tuple))
                owners = {owner.ctypes.data: owner for owner in map(_owner, filter(
                    _is_array, value if several else [value]))}
                new = [owner for place, owner in owners.items() if place not in seen]
                seen.update(owners)
                if new:
                    size = sum(owner.nbytes for owner in new)
                    found[name] = size, (f"{len(new)} arrays" if several else str(new[0].dtype))
        return found


def peak_of(function: Callable, args: tuple, needed: int) -> tuple[str, bool]:
    """Return where a call takes most memory, and what is there then, in a sentence or two.

    "" where that is not in a line of its own: in a thread, or in compiled code. And whether most of
    it are whole numbers, such as places of values.
    """
    peak = Peak(function).of(function, args)
    if peak.bytes < needed / 2 or not peak.text:
        return "", False
    whole = sum(size for size, words in peak.held.values() if words.startswith(("int", "uint")))
    named = sorted((-size, name, words) for name, (size, words) in peak.held.items()
                   if size >= LEAST * needed)[:MOST]
    held = "; ".join(f"`{name}`, {bytes_text(-size)} of {words}" for size, name, words in named)
    said = f"Most is in use in line {peak.line}, `{peak.text}`."
    # Variables that hold little of it would send who reads of them away from what does.
    if 2 * sum(-size for size, _, _ in named) < needed:
        return said, False
    return f"{said} After it your variables hold {held}.", 2 * whole >= needed


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.size > 0


def _owner(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
