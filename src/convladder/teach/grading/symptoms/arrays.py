"""What a wrong array has to do with the right one: scaled, shifted, turned, sorted otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

import numpy as np

from ..compare import close
from .places import axis_name, places

LEAST = 3  # different values from which on a rule that holds for all of them is none by chance
LARGE = 2**16  # values; larger arrays are not looked at, as long as there is a smaller one
SHIFTS = (1, -1, 2, -2, 3, -3)


def array_symptoms(expected: np.ndarray, got: np.ndarray) -> list[str]:
    """Return sentences that are true of `got`, the most telling first; none if nothing is.

    Both have one shape. A sentence with numbers is followed by one that holds without them.
    """
    if not expected.size or expected.dtype.kind not in "biuf" or got.dtype.kind not in "biuf":
        return []
    expected, got = _wide(expected), _wide(got)
    wrong = ~close(expected, got)
    if not wrong.any():
        return []
    return [sentence for find in _FINDERS for sentence in find(expected, got, wrong)]


def turned(expected: np.ndarray, got: np.ndarray) -> str | None:
    """Return which axes of `expected` change places in `got`; None if that is not how they differ.

    Their shapes may differ.
    """
    if sorted(expected.shape) != sorted(got.shape) or expected.size > LARGE or expected.ndim < 2:
        return None
    for order in _orders(expected.ndim):
        other = expected.transpose(order)
        if other.shape == got.shape and _equal(other, got) and not _equal(expected, got):
            return _exchanged(order)
    return None


def _unwritten(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    bad = np.isnan(got) & ~np.isnan(expected)
    if not bad.any():
        return
    if bad.all():
        yield "Every value is NaN, as memory is here that `np.empty` gave and nobody has written."
    rest = ": what `np.empty` gave and nobody has written is NaN here, and what is computed from it."
    for where in places(bad):
        yield f"There is NaN only {where}{rest}"
    yield "There is NaN among your values" + rest


def _written_as_zero(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if not (got[wrong] == 0).all():
        return
    if not got.any():
        yield "All your values are zero."
    elif (expected[wrong] < 0).all() and (expected < 0).sum() == wrong.sum() > 1:
        yield "Your values are zero wherever they should be negative, and right elsewhere."
    else:
        for where in places(wrong):
            yield f"Your values are zero only {where}, and right elsewhere: nothing was written there."
        yield "Every wrong value is zero: nothing was written there, or it was left out."


def _all_alike(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if got.size >= LEAST and np.ptp(got) == 0 and np.ptp(expected) > 0:
        yield "All your values are the same number."
    for axis in range(got.ndim):
        if got.ndim > 1 and got.shape[axis] > 1 and got.size > got.shape[axis] >= 2:
            first = got.take([0], axis)
            if close(np.broadcast_to(first, got.shape), got).all() and \
                    close(expected.take([0], axis), first).all():
                yield (f"Along {axis_name(axis, got.ndim)} your values repeat: the first is right, "
                       "and the others are like it.")


def _sign(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if close(-expected, got).all():
        yield "Every value has the wrong sign."
    if close(np.abs(expected), got).all():
        yield "Your values are right but for the sign: the negative ones came out positive."
    elif close(np.abs(expected), np.abs(got)).all():
        for where in places(wrong):
            yield f"Signs are wrong only {where}; the amounts are right."
        yield "The amounts are right, and some signs are not."
    if (expected[wrong] == 0).all() and (got[wrong] < 0).all() and (expected >= 0).all():
        yield "Wrong are only negative values, where 0 is expected: nothing cuts them off."


def _factor(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if np.unique(expected[expected != 0]).size < LEAST or not np.isfinite(got).all():
        return
    factor = float((expected * got).sum() / (expected * expected).sum())
    if factor not in (0.0, -1.0) and abs(factor) > 1e-12 and close(expected * factor, got).all():
        yield f"Every value is {times(factor)} it should be."
        yield "Every value is off by one and the same factor."
        return
    offset = float(np.median(got - expected))
    if offset and close(expected + offset, got).all():
        yield f"Every value is too {'large' if offset > 0 else 'small'} by {abs(offset):.6g}."
        yield "Every value is off by one and the same amount."
        return
    if got.ndim > 1:
        yield from _by_axis(expected, got)


def _by_axis(expected: np.ndarray, got: np.ndarray) -> Iterator[str]:
    """For each place along one axis, a factor or an amount of its own."""
    for axis in reversed(range(got.ndim)):
        if got.shape[axis] < 2 or got.size < 3 * got.shape[axis]:
            continue
        others = tuple(each for each in range(got.ndim) if each != axis)
        with np.errstate(all="ignore"):
            factor = ((expected * got).sum(others, keepdims=True)
                      / (expected**2).sum(others, keepdims=True))
            alike = expected.take([0], axis)
            multiples = close(expected, alike * (expected * alike).sum(others, keepdims=True)
                              / (alike**2).sum(others, keepdims=True)).all()
            moved = close(expected, alike + (expected - alike).mean(others, keepdims=True)).all()
        name = axis_name(axis, got.ndim)
        if not multiples and np.isfinite(factor).all() and (factor != 0).all() and close(
                expected * factor, got).all():
            yield f"Along {name}, each place is off by a factor of its own."
        elif not moved and close(
                expected + (got - expected).mean(others, keepdims=True), got).all():
            yield f"Along {name}, each place is off by an amount of its own, as by a bias."


def _turned(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if expected.size > LARGE or np.unique(expected).size < LEAST:
        return
    for count in range(1, got.ndim + 1):
        for axes in combinations(range(got.ndim), count):
            if all(got.shape[axis] > 1 for axis in axes) and _equal(np.flip(expected, axes), got):
                names = " and ".join(axis_name(axis, got.ndim) for axis in axes)
                yield f"Your values are right in the reverse order along {names}."
                return
    if exchanged := turned(expected, got):
        yield f"Your values are right, with {exchanged} exchanged."
        return
    for order in _orders(got.ndim):
        if _equal(expected.transpose(order).reshape(got.shape), got):
            yield (f"Your values are right, but lie in the order of {_exchanged(order)} exchanged: "
                   "a `reshape` does not exchange axes, a transpose does.")
            return
    for order in _orders(got.ndim):
        shape = tuple(expected.shape[axis] for axis in order)
        back = np.argsort(order)
        if _equal(expected.reshape(shape).transpose(back), got):
            yield (f"Your values are right, but were read in the order of {_exchanged(order)} "
                   "exchanged.")
            return


def _shifted(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    for axis in range(got.ndim):
        size = got.shape[axis]
        for by in SHIFTS:
            if size < abs(by) + 2 or size < 3:
                continue
            begin, end = max(by, 0), size + min(by, 0)
            mine = got.take(range(begin, end), axis)
            other = expected.take(range(begin - by, end - by), axis)
            if np.unique(other).size >= LEAST and close(other, mine).all():
                way = "the end" if by > 0 else "the beginning"
                yield (f"Your values are right, but sit {abs(by)} place{'s' * (abs(by) > 1)} too far "
                       f"towards {way} of {axis_name(axis, got.ndim)}.")
                return


def _sorted_otherwise(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if expected.size > LARGE or np.unique(expected).size < LEAST or np.isnan(got).any():
        return
    if not close(np.sort(expected, None), np.sort(got, None)).all():
        return
    if got.ndim > 1 and close(np.sort(expected, -1), np.sort(got, -1)).all():
        yield (f"Along {axis_name(got.ndim - 1, got.ndim)} all the right values are there, in "
               "another order.")
    if got.ndim > 1 and close(np.sort(expected, 0), np.sort(got, 0)).all():
        yield f"Along {axis_name(0, got.ndim)} all the right values are there, in another order."
    yield "All the right values are there, in other places."


def _overflow(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if not np.isfinite(got).all() or not (close(np.rint(expected), expected).all() and close(np.rint(got), got).all()):
        return
    apart = np.rint(got - expected)[wrong]
    for bits in (16, 8):
        if (apart % 2**bits == 0).all():
            yield (f"Wrong values are off by multiples of {2**bits:,}: something ran over in "
                   f"{bits} bits.")
            return
    if (np.abs(apart) == 1).all() and wrong.sum() > 1:
        if (apart == 1).all() or (apart == -1).all():
            yield f"Wrong values are all one too {'large' if apart[0] > 0 else 'small'}."
        yield "Wrong values are never off by more than one."


def _nearly(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    scale = np.abs(expected).max(initial=0)
    if not scale or not np.isfinite(got).all():
        return
    with np.errstate(all="ignore"):
        own = np.abs(got - expected)[expected != 0] / np.abs(expected)[expected != 0]
    if scale < 60_000 and close(expected.astype(np.float16).astype(expected.dtype), got).all():
        yield "Your values are right to three digits: they went through float16."
    elif (np.abs(got - expected) <= scale * 2e-3).all() and np.median(own) < 2e-3:
        yield "Your values are nearly right: at most 0.2 % of the largest one off."
    elif (np.abs(got - expected) <= scale * 2e-2).all() and np.median(own) < 2e-2:
        yield "Your values are nearly right: at most 2 % of the largest one off."


def _one_way(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    apart = (got - expected)[wrong]
    if apart.size > 1 and np.isfinite(apart).all():
        for sign, word in ((1, "large"), (-1, "small")):
            if (sign * apart > 0).all():
                yield f"Your wrong values are all too {word}."


def _only_there(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if (got < 0).any() and (expected >= 0).all():
        yield "There are negative values, where none should be."
    if (expected[wrong] == 0).all() and 0 < wrong.sum() < wrong.size:
        yield "Wrong values are only where zero is expected; what should not be zero is right."
    for where in places(wrong):
        yield f"Wrong values are only {where}; the rest is right."


_FINDERS: tuple[Callable[..., Iterator[str]], ...] = (
    _unwritten, _written_as_zero, _all_alike, _sign, _factor, _turned, _shifted, _sorted_otherwise,
    _overflow, _nearly, _only_there, _one_way)


def times(factor: float) -> str:
    """Return a factor in words: "twice as large as", "a quarter of what", "100 times as large as"."""
    sign = "the negative of what it should be, and " * (factor < 0)
    factor = abs(factor)
    for number, words in ((2, "twice as large as"), (1 / 2, "half of what"), (1 / 4, "a quarter of what")):
        if abs(factor - number) < 1e-5 * number:
            return sign + words
    turned_round = 1 / factor
    if factor < 1 and abs(turned_round - round(turned_round)) < 1e-4 * turned_round:
        return f"{sign}{round(turned_round):,} times smaller than"
    return f"{sign}{factor:,.4g} times as large as"


def _wide(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "iu":  # never written, where nothing else was meant: see stand_ins.py
        wide = array.astype(np.float64)
        if array.itemsize > 1:
            wide[array == np.iinfo(array.dtype).max] = np.nan
        return wide
    return array.astype(np.float64) if array.dtype.kind == "b" else array.astype(
        np.float32 if array.itemsize <= 4 else np.float64, copy=False)


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(close(a, b).all())


def _orders(ndim: int) -> Iterator[tuple[int, ...]]:
    """Yield orders of axes but for the one as they are: exchanges of two first."""
    plain = tuple(range(ndim))
    swaps = []
    for a, b in combinations(plain, 2):
        order = list(plain)
        order[a], order[b] = b, a
        swaps.append(tuple(order))
    yield from swaps
    if ndim <= 4:
        yield from (order for order in permutations(plain) if order not in swaps and order != plain)


def _exchanged(order: tuple[int, ...]) -> str:
    moved = [str(axis) for axis, place in enumerate(order) if axis != place]
    return f"axes {', '.join(moved[:-1])} and {moved[-1]}"
