"""A wrong value, to be watched: what your result reads for it, and what it should read.

A result that copies its input is followed value by value, up to the first wrong one. The first
wrong sum of products is followed weight by weight: with one weight of 1 among zeros, it is a copy.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..exercises.exercise import random_fill
from ..replay import Replay, ReplayError, Scene
from .verdict import SmallCase

MOST_VALUES = 400  # of a grid
MOST_WEIGHTS = 100  # each takes two runs
PACE = 400  # milliseconds of a turn
NAN = -1  # in place of a cell


def values_replay(
    names: Sequence[str], small: SmallCase, answer: Callable, right: Callable
) -> Replay:
    """Return the way to the first wrong value of the smallest failing case.

    names: of the arguments. answer, right: a case's arguments -> the result. Raises `ReplayError`
    unless the case has an image alone, which the result copies, or an image and its weights.
    """
    arrays = {n: arg for n, arg in enumerate(small.args) if isinstance(arg, np.ndarray)}
    if not isinstance(small.got, np.ndarray) or small.got.shape != np.shape(small.expected):
        raise ReplayError("only a result of the right shape can be followed")
    if max(each.size for each in (*arrays.values(), small.got)) > MOST_VALUES:
        raise ReplayError("the case is too large to be shown")
    wrong = np.flatnonzero(~np.isclose(small.got, small.expected).ravel())
    if len(arrays) not in (1, 2) or not wrong.size:
        raise ReplayError("only results of an image, or of an image and weights, can be followed")
    x, *w = arrays
    given = [*copy.deepcopy(small.args)]
    given[x] = random_fill()(*given[x].shape).astype(given[x].dtype)  # whatever the case holds

    def both() -> tuple[Any, Any]:
        return answer(given), right(given)

    if w:
        return _products(names, small, x, w[0], int(wrong[0]), given, both)
    return _copies(names, small, x, given, both)


def _copies(names: Sequence[str], small: SmallCase, x: int, given: list, both: Callable) -> Replay:
    image, got = small.args[x], small.got
    scene = Scene("your result, value by value")
    scene.array(names[x], *_grid(image), values=[f"{v:g}" for v in image.flat])
    scene.array("your result", *_grid(got), values=[""] * got.size)
    scene.step(f"{names[x]} is copied to your result.")
    pairs = [*_cells(given[x], *both())]
    if all(right is None for _, right in pairs):
        raise ReplayError("the right result copies nothing")
    for n, (mine, right) in enumerate(pairs):
        a, b = (_place(names[x], image, each) for each in (mine, right))
        write = f"{got.flat[n]:g}"
        if mine != right:
            say = f"Your result has {a} here; it needs {b}."
            return _with_fault(scene, say, mine, right, (1, n, write))
        say = f"{a} is copied, as it should be."
        scene.step(say, read=_read(mine), write=[(1, n, None, [write])])
    raise ReplayError("each value is copied from the right place")


def _products(
    names: Sequence[str], small: SmallCase, x: int, w: int, last: int, given: list, both: Callable
) -> Replay:
    image, weights = small.args[x], small.args[w]
    if weights.size > MOST_WEIGHTS:
        raise ReplayError("the case has too many weights to be followed")
    place = np.unravel_index(last, small.got.shape)
    here = f"[{', '.join(map(str, place))}]"
    scene = Scene(f"your result at {here}, weight by weight")
    scene.array(names[x], *_grid(image), values=[f"{v:g}" for v in image.flat])
    scene.array(names[w], *_grid(weights), values=[f"{v:g}" for v in weights.flat])
    scene.array("your result", *_grid(small.got), values=[f"{v:g}" for v in small.got.flat])
    got, needed = small.got.flat[last], np.ravel(small.expected)[last]
    scene.step(f"At {here} your result is {got:g}; it should be {needed:g}.", marks=[(2, last, "")])
    for n in range(weights.size):
        given[w] = np.zeros_like(weights)
        given[w].flat[n] = 1
        mine, meant = [*_cells(given[x], *both())][last]
        weight = _place(names[w], weights, n)
        a, b = (_place(names[x], image, each, "nothing") for each in (mine, meant))
        if mine != meant:
            say = f"For {here}, {weight} meets {a}; it should meet {b}."
            return _with_fault(scene, say, mine, meant, (2, last, f"{got:g}"), ((1, n),))
        if mine is not None:
            read = [*_read(mine), (1, n)]
            scene.step(f"{weight} meets {a}, as it should.", read=read, marks=[(2, last, "")])
    raise ReplayError("each weight meets the right value")


def _with_fault(
    scene: Scene, say: str, mine: int | None, right: int | None, wrong: tuple, weights: tuple = ()
) -> Replay:
    """Return the replay up to the wrong (array, cell, value), where it opens."""
    result, last, value = wrong
    marks = [(*at, "yours") for at in _read(mine)] + [(*at, "needed") for at in _read(right)]
    marks += [(*at, "") for at in [*weights, (result, last)]]
    read = [*_read(mine), *weights]
    scene.step(say, read=read, write=[(result, last, None, [value])], marks=marks, event="fault")
    return Replay(scene, alt=say, opens_at=scene.turns - 1, pace=PACE)


def _cells(image: np.ndarray, got: Any, needed: Any) -> Iterator[tuple[int | None, int | None]]:
    """Yield the cells that both results were copied from, None for 0. Raises `ReplayError`."""
    cells = {value: n for n, value in enumerate(image.ravel().tolist())} | {0: None}
    if len(cells) <= image.size or np.shape(got) != np.shape(needed):
        raise ReplayError("only an image of different values can be followed")
    for pair in zip(np.ravel(got).tolist(), np.ravel(needed).tolist()):
        if not all(value in cells or value != value for value in pair):
            raise ReplayError("only copies, and sums of products, can be followed")
        yield tuple(cells.get(value, NAN) for value in pair)


def _place(name: str, array: np.ndarray, cell: int | None, none: str = "0") -> str:
    if cell is None:
        return none
    if cell == NAN:
        return "NaN"
    return f"{name}[{', '.join(map(str, np.unravel_index(cell, array.shape)))}]"


def _read(cell: int | None) -> list[tuple[int, int]]:
    return [] if cell in (None, NAN) else [(0, cell)]


def _grid(array: np.ndarray) -> tuple[int, int]:
    """Return rows and columns to draw an array in, along its last axis of more than one."""
    cols = next((side for side in reversed(array.shape) if side > 1), 1)
    return array.size // cols, cols
