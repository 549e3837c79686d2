"""Where wrong values are: only at the end, only on the border, every second, only in one place."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

FULL = 0.9  # share of wrong values from which on places are wrong as a whole
CHANCE = 0.02  # of so many wrong values lying together by accident
IN_A_ROW = 0.05  # of lying at an end of a row of values


def places(wrong: np.ndarray) -> list[str]:
    """Return what may be said of where `wrong` is true, the most telling first.

    Each is true, and goes on after "Wrong values are only": exact numbers come before words that
    hold for arrays of other sizes as well. Empty where they are all over the array.
    """
    if not wrong.any() or wrong.all() or wrong.ndim == 0:
        return []
    found: list[tuple[str, str]] = []
    for axis, size in enumerate(wrong.shape):
        others = tuple(each for each in range(wrong.ndim) if each != axis)
        line = wrong.any(axis=others)
        if size > 1 and not line.all() and not _by_chance(wrong, line, axis):
            found += _along(line, axis, wrong.ndim)
    if not found:
        for pair in combinations(range(wrong.ndim), 2):
            if min(wrong.shape[axis] for axis in pair) > 3 and _on_the_border(wrong, pair):
                both = " and ".join(axis_name(axis, wrong.ndim) for axis in pair)
                found.append(("", f"on the border, at the ends of {both}"))
    return [each for each in [*(exact for exact, _ in found), *(word for _, word in found)] if each]


def _by_chance(wrong: np.ndarray, line: np.ndarray, axis: int) -> bool:
    """Return whether wrong values may lie at these places of an axis because they are few.

    Not so where nearly all values there are wrong. But of a few values in a row some must be wrong,
    and these lie together more often than one thinks.
    """
    few = int(wrong.sum())
    if wrong.ndim == 1 and 1 < few < wrong.size - 1:
        return 2 / comb(wrong.size, few) > IN_A_ROW
    if wrong.compress(line, axis).mean() >= FULL:
        return False
    return float(line.mean()) ** int(wrong.sum()) > CHANCE


def axis_name(axis: int, ndim: int) -> str:
    """Return what an axis is called, from its number."""
    if ndim == 1:
        return "your result"
    if ndim == 2:
        return ("axis 0 (the rows)", "axis 1 (the columns)")[axis]
    return f"axis {axis}{' (the last one)' * (axis == ndim - 1)}"


def _along(line: np.ndarray, axis: int, ndim: int) -> list[tuple[str, str]]:
    """Return (with numbers, without) for an axis where `line` says which places hold wrong ones."""
    at, size, name = np.flatnonzero(line), line.size, axis_name(axis, ndim)
    first, last, count = int(at[0]), int(at[-1]), at.size
    whole = count == last - first + 1
    if size == 2:  # neither is an edge
        return [
            (
                f"in the {'second' if first else 'first'} of the two places of {name}",
                f"at the {'end' if first else 'beginning'} of {name}",
            )
        ]
    if count == 1 and 0 < first < size - 1:
        return [(f"at place {first} of {name}", "")]
    if whole and last == size - 1:
        if first == 1 and size > 2:
            return [("", f"behind the first place of {name}: the first is right")]
        return [(f"in the last {_many(count)} of {name}", f"at the end of {name}")]
    if whole and first == 0:
        if last == size - 2 and size > 2:
            return [("", f"before the last place of {name}: the last is right")]
        return [(f"in the first {_many(count)} of {name}", f"at the beginning of {name}")]
    if whole:
        return [(f"in places {first} to {last} of {name}", f"in the middle of {name}")]
    steps = set(np.diff(at).tolist())
    if len(steps) == 1 and count > 2:
        return [(f"in every {_ordinal(steps.pop())} place of {name}, from {first} on", "")]
    inner = np.flatnonzero(~line)
    if (
        inner.size == inner[-1] - inner[0] + 1
        and 4 * inner.size >= size > 3
        and (first == 0 and last == size - 1)
    ):
        return [("", f"at both ends of {name}")]
    right = np.flatnonzero(~line)
    steps = set(np.diff(right).tolist())
    if len(steps) == 1 and steps != {1} and right.size > 2:
        return [("", f"in places of {name} other than every {_ordinal(steps.pop())}")]
    return []


def _on_the_border(wrong: np.ndarray, axes: tuple[int, int]) -> bool:
    inner = [slice(None)] * wrong.ndim
    for axis in axes:
        depth = max(1, (wrong.shape[axis] - 1) // 3)
        inner[axis] = slice(depth, wrong.shape[axis] - depth)
    size = wrong[tuple(inner)].size
    if (
        not size
        or wrong[tuple(inner)].any()
        or (1 - size / wrong.size) ** int(wrong.sum()) > CHANCE
    ):
        return False
    # Both axes have to do with it only if the ends of each are wrong where the other is inside.
    for axis, other in (axes, axes[::-1]):
        middle = wrong[tuple(inner[at] if at == other else slice(None) for at in range(wrong.ndim))]
        ends = middle.any(axis=tuple(at for at in range(wrong.ndim) if at != axis))
        if not ends[: inner[axis].start].any() and not ends[inner[axis].stop :].any():
            return False
    return True


def _many(count: int) -> str:
    return "place" if count == 1 else f"{count} places"


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
