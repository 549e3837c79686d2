"""Two-line puzzles inside a chapter, judged on the spot: `puzzle("window", answer)`.

A chapter's puzzles are the dictionary `PUZZLES` of the file here that has its notebook's name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

import numpy as np

COLOURS = {"✓": "#009E73", "✗": "#D55E00", "○": "#8c8c8c"}


@dataclass(frozen=True)
class Puzzle:
    """solution: a value, or a function that is called with the arguments of each of `cases`.

    hint: one sentence that is true whatever the mistake was. tolerance: relative, 0 for exact.
    """

    solution: Any
    cases: Sequence[tuple] = ()
    hint: str = ""
    tolerance: float = 0


@dataclass(frozen=True)
class PuzzleMark:
    """A mark, ✓, ✗ or ○ (not tried), and a sentence."""

    mark: str
    words: str

    def __repr__(self) -> str:
        return f"{self.mark} {self.words}"

    def _repr_html_(self) -> str:
        border = f"border-left: 4px solid {COLOURS[self.mark]}"
        style = f"{border}; padding: 4px 10px; margin: 4px 0; white-space: pre-wrap"
        return f'<div style="{style}"><b>{self.mark}</b> {escape(self.words)}</div>'


def puzzle(name: str, answer: Any) -> PuzzleMark:
    """Say whether an answer is right, and show the first case in which it is not. An answer that
    is a value gets the hint alone, so that a first wrong guess doesn't give the right one away.

    Raises `ValueError` for a name that no puzzle has.
    """
    if name not in _puzzles():
        raise ValueError(f"there is no puzzle {name!r}; there are {', '.join(sorted(_puzzles()))}")
    asked = _puzzles()[name]
    if callable(asked.solution) and not callable(answer):
        answer = (lambda value: lambda *_: value)(answer)
    calls = asked.cases if callable(asked.solution) else [()]
    for case in calls:
        expected = asked.solution(*_copies(case)) if callable(asked.solution) else asked.solution
        try:
            got = answer(*_copies(case)) if callable(answer) else answer
        except Exception as error:  # a learner's slip is told, not raised
            return _wrong(case, f"it stops with {type(error).__name__}: {error}", asked)
        if _untried(got):
            return PuzzleMark("○", "Not tried yet. Replace the ... and run this cell again.")
        if not _same(got, expected, asked.tolerance):
            told = f"it gives {_text(got)}, and should give {_text(expected)}"
            return _wrong(case, told if case else f"{_text(got)} isn't right", asked)
    return PuzzleMark("✓", "Right.")


def _wrong(case: tuple, what: str, asked: Puzzle) -> PuzzleMark:
    given = f"For {', '.join(map(_text, case))}, " if case else ""
    sentence = given + what if given else what[0].upper() + what[1:]
    return PuzzleMark("✗", f"{sentence}." + f"\n{asked.hint}" * bool(asked.hint))


def _untried(got: Any) -> bool:
    return got is ... or (isinstance(got, tuple | list) and any(each is ... for each in got))


def _same(got: Any, expected: Any, tolerance: float) -> bool:
    try:
        a, b = np.asarray(got), np.asarray(expected)
        if a.shape != b.shape:
            return False
        return bool(np.allclose(a, b, rtol=tolerance, atol=0) if tolerance else np.all(a == b))
    except (TypeError, ValueError):
        return False


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        if value.size > 40:
            return f"an array of shape {value.shape}"
        lines = np.array2string(value, separator=", ", prefix="  ")
        return f"\n  {lines}\n" if value.ndim > 1 else lines
    return str(value)


def _copies(case: tuple) -> list:
    return [each.copy() if isinstance(each, np.ndarray) else each for each in case]


@cache
def _puzzles() -> Mapping[str, Puzzle]:
    found: dict[str, Puzzle] = {}
    for each in pkgutil.iter_modules(__path__, f"{__name__}."):
        for name, one in importlib.import_module(each.name).PUZZLES.items():
            if found.setdefault(name, one) is not one:
                raise ValueError(f"two puzzles are named {name!r}; rename the one in {each.name}")
    return found
