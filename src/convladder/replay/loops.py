"""A loop nest of Python to be watched: each access to its arrays, with a cache if one is wanted."""

from __future__ import annotations

import inspect
import reprlib
import sys
import textwrap
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .replay import Replay
from .trace import MOST_STEPS, ReplayError, Scene, whole

MISS = 8  # turns that a miss takes beyond those of a hit: far fewer than on a machine
MOST_ACCESSES = 100_000  # before a loop counts as endless
MOST_VALUES = 100  # of an array whose values are shown


def trace_loops(
    function: Callable,
    arrays: Mapping[str, np.ndarray],
    cache: tuple[int, int] | None = None,
    steps: int = 1000,
    title: str = "",
    opens_at: int | None = None,
) -> Replay:
    """Run `function(*arrays)` on arrays that note each access, and return what it did.

    A step has the accesses of one line in one round of the loops. cache: how many lines it holds,
    and how many values a line has; the line that was used longest ago leaves. The arrays are
    changed as the function changes them. Raises `ReplayError` for a function that touches nothing,
    takes slices, or does not end, and for arguments that cannot be shown.
    """
    steps = whole(steps, "steps")
    _check(function, arrays, cache)
    if not 1 <= steps <= MOST_STEPS:
        raise ReplayError(f"steps={steps:,} cannot be shown; 1 to {MOST_STEPS:,} can")
    film = _LoopFilm(function, arrays, cache, steps, title)
    function(*film.recorded)
    film.end_step()
    if not film.scene.steps:
        raise ReplayError(f"{function.__name__} touches none of its arrays")
    told = ", ".join(f"{count:,} {name}" for name, count in film.tally.items())
    turns = film.scene.turns
    return Replay(
        film.scene,
        alt=f"{film.scene.title}: {told} in {turns:,} turns.",
        opens_at=turns // 3 if opens_at is None else opens_at,
        pace=30 if cache else 250,
    )


def _check(function: Any, arrays: Any, cache: Any) -> None:
    """Raise `ReplayError` for an argument of `trace_loops` that cannot be shown."""
    if not inspect.isroutine(function):
        raise ReplayError(f"{function!r} is no function; pass one that takes the arrays")
    named = isinstance(arrays, Mapping) and all(isinstance(name, str) for name in arrays)
    if not named or not arrays:
        raise ReplayError(
            f"arrays={reprlib.repr(arrays)} doesn't name its arrays; write "
            'arrays={"a": a}, in the order in which the function takes them'
        )
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf" or not array.size:
            raise ReplayError(
                f"{name} is {reprlib.repr(array)}; pass a NumPy array of real numbers, one or more"
            )
    pair = isinstance(cache, tuple | list) and len(cache) == 2
    if cache is not None and not (pair and min(whole(n, "cache") for n in cache) >= 1):
        raise ReplayError(
            f"cache={cache!r} is no cache; write (lines, values per line), with 1 or more of each"
        )


class _Recorded:
    """An array whose accesses are told to a film."""

    def __init__(self, array: np.ndarray, number: int, name: str, film: _LoopFilm) -> None:
        self._array, self._number, self._name, self._film = array, number, name, film
        self.shape, self.dtype = array.shape, array.dtype
        self.ndim, self.size = array.ndim, array.size

    def _cell(self, key: Any) -> int:
        place = key if isinstance(key, tuple) else (key,)
        if len(place) != self.ndim or not all(isinstance(at, int | np.integer) for at in place):
            raise ReplayError(
                f"{self._name}[{key}] is not a single value, and a replay follows nothing else: "
                "write the loop out"
            )
        places = [at + side if at < 0 else at for at, side in zip(place, self.shape)]
        if not all(0 <= at < side for at, side in zip(places, self.shape)):
            raise IndexError(f"{self._name}[{key}] is outside of its shape {self.shape}")
        return int(np.ravel_multi_index(places, self.shape))

    def __getitem__(self, key: Any) -> Any:
        self._film.note("read", self._number, self._cell(key), sys._getframe(1))
        return self._array[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array[key] = value
        self._film.note("write", self._number, self._cell(key), sys._getframe(1))

    def __len__(self) -> int:
        return len(self._array)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"{self._name}.{name}: a replay follows single values and nothing else: write the "
            "loop out"
        )


class _LoopFilm:
    """Writes the scene while the function runs."""

    def __init__(
        self,
        function: Callable,
        arrays: Mapping[str, np.ndarray],
        cache: tuple[int, int] | None,
        steps: int,
        title: str,
    ) -> None:
        try:
            lines, self.first = inspect.getsourcelines(function)
        except (OSError, TypeError):  # it was made by exec, or has no source
            lines, self.first = [], 0
        self.code = getattr(function, "__code__", None)
        source = textwrap.dedent("".join(lines)).rstrip().split("\n") if lines else []
        self.scene = Scene(title or function.__name__, source)
        self.arrays, self.steps, self.accesses = list(arrays.values()), steps, 0
        self.lines, self.line = cache or (0, 1)
        self.cached: OrderedDict[tuple[int, int], None] = OrderedDict()
        self.tally = {"accesses": 0} | ({"misses": 0} if cache else {})
        self.where: tuple | None = None
        self.step: dict[str, list] = {}
        self.missed: list[str] = []
        self.names = list(arrays)
        for name, array in arrays.items():
            cols = array.shape[-1] if array.ndim else 1
            shown = [_value(v) for v in array.flat] if array.size <= MOST_VALUES else None
            look = {"values": shown, "group": self.line if cache else 0}
            self.scene.array(name, array.size // cols, cols, **look)
        self.recorded = [
            _Recorded(array, n, name, self) for n, (name, array) in enumerate(arrays.items())
        ]

    def note(self, touch: str, number: int, cell: int, frame: Any) -> None:
        """Note an access by the line that `frame` is at."""
        self.accesses += 1
        if self.accesses > MOST_ACCESSES:
            raise ReplayError(
                f"stopped after {MOST_ACCESSES:,} accesses: a loop that never ends, or too much "
                "to be watched"
            )
        whole = {name: v for name, v in frame.f_locals.items() if isinstance(v, int)}
        line = frame.f_lineno - self.first + 1 if frame.f_code is self.code else None
        if self.where != (line, whole):
            self.end_step()
            self.where = (line, whole)
        self.tally["accesses"] += 1
        if self.lines:
            self._reach(number, cell)
        entry: tuple = (number, cell)
        if touch == "write" and self.arrays[number].size <= MOST_VALUES:
            entry += (None, [_value(self.arrays[number].flat[cell])])
        if entry not in self.step.setdefault(touch, []):
            self.step[touch].append(entry)

    def _reach(self, number: int, cell: int) -> None:
        """Bring a cell's line to the cache, unless it is there."""
        line = cell // self.line
        if (number, line) in self.cached:
            self.cached.move_to_end((number, line))
            return
        self.tally["misses"] += 1
        self.missed.append(self.names[number])
        self.cached[number, line] = None
        self.step.setdefault("fetch", []).append((number, self._line(number, line)))
        if len(self.cached) > self.lines:
            (other, left), _ = self.cached.popitem(last=False)
            self.step.setdefault("drop", []).append((other, self._line(other, left)))

    def _line(self, number: int, line: int) -> range:
        return range(line * self.line, min((line + 1) * self.line, self.arrays[number].size))

    def end_step(self) -> None:
        """Write the step that was noted, if any."""
        if not self.step:
            return
        line, whole = self.where
        say = ", ".join(f"{name} = {value}" for name, value in whole.items())
        if self.missed:
            say += f": waits for a line of {' and of '.join(self.missed)}"
        turns = 1 + MISS * len(self.missed)
        if len(self.scene.steps) < self.steps:
            more = {"turns": turns} if turns > 1 else {}
            known = line and 1 <= line <= len(self.scene.source)
            self.scene.step(say, self.tally, **self.step, line=line if known else None, **more)
        else:
            self.scene.skipped += 1
        self.step, self.missed = {}, []


def _value(v: Any) -> Any:
    number = float(v)
    return int(number) if number.is_integer() else float(f"{number:.3g}")
