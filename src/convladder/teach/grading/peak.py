"""Where an answer's memory is at its peak, and which of its arrays are alive there."""

from __future__ import annotations

import linecache
import sys
import threading
import tracemalloc
from collections.abc import Callable
from functools import partial
from inspect import unwrap
from types import FrameType
from typing import Any
from weakref import ref

import numpy as np

from ...text import bytes_text

MOST = 3  # arrays that are named
LEAST = 0.05  # share of the workspace from which on an array is named
SLACK = 2**14  # bytes by which a later line may have more, as of Python's own objects
SECONDS = 5.0  # for one call, of which every line is looked at


class Peak:
    """Watches a function's own lines: which takes most memory, and what variables hold there."""

    def __init__(self, function: Callable) -> None:
        while isinstance(function, partial):
            function = function.func
        self._globals = getattr(unwrap(function), "__globals__", None)
        self._frames: dict[FrameType, tuple[int, int]] = {}  # the learner's: its line, its thread
        self._first = threading.get_ident()
        self._given: set[int] = set()
        self._lock = threading.RLock()
        self.bytes, self.line, self.text = 0, 0, ""
        self.held: dict[str, tuple[int, str, list[ref]]] = {}  # by variables: see `_alive`
        self.returned: list[np.ndarray] = []  # what has the memory of the result

    def of(self, function: Callable, args: tuple) -> Peak:
        """Run it. Lines of its threads are seen too; what compiled code does is not."""
        self._given = {_owner(arg).ctypes.data for arg in args if isinstance(arg, np.ndarray)}
        former, tracing = (sys.gettrace(), threading.gettrace()), tracemalloc.is_tracing()
        if not tracing:
            tracemalloc.start()
        sys.settrace(self._called)
        threading.settrace(self._called)
        try:
            returned = function(*args)
            self.returned = [_owner(each) for each in _items(returned)]
        finally:
            sys.settrace(former[0])
            threading.settrace(former[1])
            if not tracing:
                tracemalloc.stop()
        return self

    def _called(self, frame: FrameType, event: str, _: Any) -> Callable | None:
        if frame.f_globals is not self._globals:
            return None
        with self._lock:
            self._frames[frame] = frame.f_lineno, threading.get_ident()
        return self._in_line

    def _in_line(self, frame: FrameType, event: str, _: Any) -> Callable:
        with self._lock:  # of several threads, each ends lines of its own
            if not self._waits():
                self._ended(frame)
            if event == "return":
                self._frames.pop(frame, None)
            else:
                self._frames[frame] = frame.f_lineno, threading.get_ident()
        return self._in_line

    def _waits(self) -> bool:
        """Return whether this is the thread that the function runs in, while others are at work.

        What there is at its line's end is theirs.
        """
        return threading.get_ident() == self._first and any(
            thread != self._first for _, thread in self._frames.values()
        )

    def _ended(self, frame: FrameType) -> None:
        most = tracemalloc.get_traced_memory()[1]
        if most > self.bytes + SLACK:  # while the line ran that ends here
            self.bytes, self.line = most, self._frames.get(frame, (frame.f_lineno,))[0]
            self.text = linecache.getline(
                frame.f_code.co_filename, self.line, frame.f_globals
            ).strip()
            self.held = self._alive()
        frame.f_locals  # noqa: B018 (made anew, it holds on to nothing that was deleted)
        tracemalloc.reset_peak()

    def is_result(self, arrays: list[ref]) -> bool:
        """Return whether all of these arrays have been returned."""
        return all(any(each() is owner for owner in self.returned) for each in arrays)

    def _alive(self) -> dict[str, tuple[int, str, list[ref]]]:
        """Return what variables hold, by name: bytes, in words of what, and the arrays.

        Each piece of memory once, no argument's.
        """
        seen, held, lists = set(self._given), {}, set()
        for frame in self._frames:
            for name, value in frame.f_locals.items():
                several = isinstance(value, (list, tuple, dict))
                owners = {owner.ctypes.data: owner for owner in map(_owner, _items(value))}
                new = [owner for place, owner in owners.items() if place not in seen]
                seen.update(owners)
                if new:
                    held.setdefault(name, []).extend(new)
                    lists.update([name] * several)
        return {
            name: (
                sum(array.nbytes for array in arrays),
                f"{len(arrays)} arrays"
                if name in lists or len(arrays) > 1
                else str(arrays[0].dtype),
                list(map(ref, arrays)),
            )
            for name, arrays in held.items()
        }


def peak_of(function: Callable, args: tuple, needed: int, result: int) -> tuple[str, bool]:
    """Return where a call takes most memory, and what is there then, in a sentence or two.

    "" where that is not in a line of its own, but in compiled code. And whether most of
    it are whole numbers, such as places of values. needed, result: bytes of what was measured.
    """
    peak = Peak(function).of(function, args)
    if peak.bytes < needed / 2 or not peak.text:
        return "", False
    whole = sum(size for size, words, _ in peak.held.values() if words.startswith(("int", "uint")))
    named = sorted(
        (-size, name, words + ", your result, which does not count" * peak.is_result(arrays))
        for name, (size, words, arrays) in peak.held.items()
        if size >= LEAST * needed
    )[:MOST]
    held = "; ".join(f"`{name}`, {bytes_text(-size)} of {words}" for size, name, words in named)
    said = f"Most is in use in line {peak.line}, `{peak.text}`."
    # Variables that hold little of it would send who reads of them away from what does. And of
    # threads, more may have been at work in this call than in the one that was measured.
    if not needed / 2 <= sum(-size for size, _, _ in named) <= needed + result:
        return said, False
    rest = needed - sum(
        size for size, _, arrays in peak.held.values() if not peak.is_result(arrays)
    )
    more = (
        f" {bytes_text(rest)} more are in none of these arrays: most often what the line "
        "makes as it runs, or Python's own objects."
    )
    return (
        f"{said} After it your variables hold {held}.{more * (rest >= needed / 10)}",
        2 * whole >= needed,
    )


def _items(value: Any) -> list[np.ndarray]:
    """Return the arrays that a value is, or holds in a list, a tuple or a dict."""
    several = value.values() if isinstance(value, dict) else value
    return [
        each
        for each in (several if isinstance(value, (list, tuple, dict)) else [value])
        if isinstance(each, np.ndarray) and each.size > 0
    ]


def _owner(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
