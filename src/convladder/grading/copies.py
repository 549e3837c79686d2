"""A wrong result that copies its input, to be watched: which value it has, and which it needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..replay import Replay, ReplayError, Scene
from .verdict import Small

MOST_VALUES = 400  # of a grid


def copies_replay(names: Sequence[str], small: Small) -> Replay:
    """Return the result of the smallest failing case, value by value up to the first wrong one.

    names: of the arguments. Raises `ReplayError` unless the case has one array, whose values
    differ, and both results hold nothing but these and zeros.
    """
    given = [(name, arg) for name, arg in zip(names, small.args) if isinstance(arg, np.ndarray)]
    got, right = small.got, small.expected
    if len(given) != 1 or not isinstance(got, np.ndarray) or got.shape != np.shape(right):
        raise ReplayError("only results of one array can be followed")
    (name, array), got, right = given[0], got.ravel(), np.ravel(right)
    places = {value: cell for cell, value in enumerate(array.ravel().tolist()) if value}
    wrong = np.flatnonzero(got != right)
    known = {*places, 0} >= {*got.tolist(), *right.tolist()}
    if len(places) < np.count_nonzero(array) or not (known and wrong.size):
        raise ReplayError("only results that copy values can be followed")
    if max(array.size, got.size) > MOST_VALUES:
        raise ReplayError("the case is too large to be shown")
    scene = Scene("your result, value by value")
    source = scene.array(name, *_grid(array), values=[f"{v:g}" for v in array.ravel()])
    result = scene.array("your result", *_grid(small.got), values=[""] * got.size)
    last = int(wrong[0])

    def told(value: float) -> str:
        if not value:
            return "0"
        place = np.unravel_index(places[value], array.shape)
        return f"{name}[{', '.join(map(str, place))}]"

    for n in range(last + 1):
        mine, needed = got[n].item(), right[n].item()
        write = [(result, n, None, [f"{mine:g}"])]
        read = [(source, places[mine])] if mine else []
        if n < last:
            scene.step(f"{told(mine)} is copied, as it should be.", read=read, write=write)
    marks = [(source, places[v], label) for v, label in ((mine, "yours"), (needed, "needed")) if v]
    say = f"Your result has {told(mine)} here; it needs {told(needed)}."
    scene.step(say, read=read, write=write, marks=[*marks, (result, last, "")], event="fault")
    return Replay(scene, alt=say, opens_at=max(0, last - 1), pace=400)


def _grid(array: np.ndarray) -> tuple[int, int]:
    """Return rows and columns to draw an array in, along its last axis of more than one."""
    cols = next((side for side in reversed(array.shape) if side > 1), 1)
    return array.size // cols, cols
