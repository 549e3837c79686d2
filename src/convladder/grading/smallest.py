"""The smallest case that still fails, and what of it cannot be made simpler.

Works on any plain data: numbers, lists, tuples, ConvProblems. Strides and paddings go first, to 1
and 0, so that what is left of them is a cause. Then sizes go to 1, lists get shorter, and floats
become 1.0, one step at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

SECONDS = 20.0  # at most, on a machine too busy for the number of tries
PARTS = {  # what the parts of a tuple are called, in the notation of the course
    "image": ("i_h", "i_w", "i_c"),
    "kernel": ("k_h", "k_w", "k_c"),
    "weights": ("k_h", "k_w", "i_c", "k_c"),
    "stride": ("s_h", "s_w"),
    "padding": ("p_h", "p_w"),
}
NOTATION = {"i_n", *(name for names in PARTS.values() for name in names)}  # known to a learner


@dataclass(frozen=True)
class Simplification:
    """One part of a case made simpler: its name, what it was, what it becomes, and the new case."""

    name: str
    was: Any
    now: Any
    case: Any

    @property
    def is_setting(self) -> bool:
        """Return whether it is a stride or a padding, of which a simpler one is always possible."""
        return self.name[:2] in ("s_", "p_")


class Tries:
    """How many candidates may still be tried. By number, so that every machine finds the same."""

    def __init__(self, most: int) -> None:
        self.left, self._end = most, time.monotonic() + SECONDS

    def __call__(self) -> bool:
        """Take one; return whether there was one."""
        self.left -= 1
        return self.left >= 0 and time.monotonic() < self._end


def smallest(
    case: tuple,
    names: tuple[str, ...],
    fails: Callable[[tuple], Any],
    tries: Tries,
    grains: tuple[int, ...] = (),
) -> tuple:
    """Return the simplest case found that still `fails`. `grains`: as for `case_steps`."""
    while True:
        candidates = (step.case for step in case_steps(case, names, grains))
        simpler = next((each for each in candidates if tries() and fails(each)), None)
        if simpler is None:
            return case
        case = simpler


def needed(
    case: tuple,
    names: tuple[str, ...],
    passes: Callable[[tuple], bool],
    tries: Tries,
    grains: tuple[int, ...] = (),
) -> list[Simplification]:
    """Return the steps that make a smallest case right: what the mistake needs to show itself."""
    first: dict[str, Simplification] = {}
    for step in case_steps(case, names, grains):
        if step.name not in first and tries() and passes(step.case):
            first[step.name] = step
    return list(first.values())


def case_steps(
    case: tuple, names: tuple[str, ...], grains: tuple[int, ...] = ()
) -> list[Simplification]:
    """Return the steps for all parts of a case, strides and paddings first.

    grains: of each part that is a size, what it may have to be a multiple of, such as 16.
    """
    parts = zip(names, case, grains or (1,) * len(case), strict=True)
    found = [
        replace(step, case=(*case[:i], step.case, *case[i + 1 :]))
        for i, (name, each, grain) in enumerate(parts)
        for step in steps(each, name, grain)
    ]
    return sorted(found, key=lambda step: not step.is_setting)


def steps(value: Any, name: str = "", grain: int = 1) -> Iterator[Simplification]:
    """Yield the ways to make `value` simpler by one step, for each part the boldest first."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            for step in steps(getattr(value, each.name), each.name):
                try:
                    yield replace(step, case=replace(value, **{each.name: step.case}))
                except ValueError:  # no such problem
                    pass
    elif isinstance(value, list | tuple):
        yield from _shorter(value, name)
        parts = PARTS.get(name, ())
        for i, each in enumerate(value):
            part = parts[i] if i < len(parts) else f"{name}[{i}]"
            for step in steps(each, part):
                yield replace(step, case=type(value)([*value[:i], step.case, *value[i + 1 :]]))
        if len(value) > 1 and {*map(type, value)} == {float} and {*value} != {1.0}:
            rates = type(value)(1.0 for _ in value)  # all together
            yield Simplification(name, value, 1.0, rates)
    elif isinstance(value, bool):
        if value:
            yield Simplification(name, True, False, False)
    elif isinstance(value, int):
        goals = (0, 1, 2, value // 2, value * 7 // 8, value - 2, value - 1, max(value - grain, 0))
        for goal in dict.fromkeys(goals):
            if abs(goal) < abs(value):
                yield Simplification(name, value, goal, goal)
    elif isinstance(value, float):
        for rounded in dict.fromkeys((0.0, 1.0, float(round(value)), round(value, 1))):
            if len(repr(rounded)) < len(repr(value)) or abs(rounded) < abs(value):
                yield Simplification(name, value, rounded, rounded)


def _shorter(value: list | tuple, name: str) -> Iterator[Simplification]:
    """Yield a list without a half of it, then without each item. Tuples keep their length."""
    if isinstance(value, list):
        n = len(value)
        cuts = [(0, n // 2), (n // 2, n)] if n > 3 else []
        for a, b in [*cuts, *((i, i + 1) for i in range(n))]:
            shorter = value[:a] + value[b:]
            yield Simplification(f"len({name})", n, len(shorter), shorter)
