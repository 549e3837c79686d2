"""What a wrong array has to do with the right one: scaled, zero, unwritten, nearly right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..compare import close
from .by_value import by_value
from .numbers import times
from .order import LEAST, other_axes, shifted, sorted_otherwise
from .places import axis_name, places
from .unwritten import not_begun, unwritten

FAR = 100  # times as large, which says more than by how much
SEVERAL = 4  # that are all too large; it is looked at on further cases as well
LEFT_OUT = ", as where something is left out"
MANY = 12  # values of which all are positive by no chance


def array_symptoms(expected: np.ndarray, got: np.ndarray, several: int = SEVERAL) -> list[str]:
    """Return sentences that are true of `got`, the most telling first; none if nothing is.

    Both have one shape. A sentence with numbers is followed by one that holds without them.
    several: wrong values from which on it tells that all are too large.
    """
    if not expected.size or expected.dtype.kind not in "biuf" or got.dtype.kind not in "biuf":
        return []
    zero = "False" if expected.dtype == got.dtype == bool else "zero"
    expected, got = _wide(expected), _wide(got)
    wrong = ~close(expected, got)
    if not wrong.any():
        return []
    found = [said for find in _FINDERS for said in find(expected, got, wrong)]
    found += _one_way(expected, got, wrong, several)
    return [said.replace("zero", zero) for said in found]


def _written_as_zero(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if not (got[wrong] == 0).all():
        return
    left_out = "" if (expected == 0).any() else LEFT_OUT  # as behind a ReLU, 0 may be computed
    if not got.any():
        yield "All your values are zero."
    elif (expected[wrong] < 0).all() and (expected < 0).sum() == wrong.sum() > 1:
        yield "Your values are zero wherever they should be negative, and right elsewhere."
        return
    else:
        for where in places(wrong):
            yield f"Your wrong values are zero{left_out}, and lie only {where}."
    yield f"Every wrong value is zero{left_out}."


def _all_alike(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if got.size >= LEAST and np.ptp(got) == 0 and np.ptp(expected) > 0:
        yield "All your values are the same number."
    for axis in range(got.ndim):
        if got.ndim > 1 and got.shape[axis] > 1 and got.size > got.shape[axis] >= 2:
            first = got.take([0], axis)
            if (
                close(np.broadcast_to(first, got.shape), got).all()
                and close(expected.take([0], axis), first).all()
            ):
                yield (
                    f"Along {axis_name(axis, got.ndim)} your values repeat: the first is right, "
                    "and the others are like it."
                )


def _collected(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    """Say where one value stands for all along an axis: their sum, their mean, or another."""
    for axis in range(got.ndim):
        if got.shape[axis] < 2 or got.size < 3 * got.shape[axis]:
            continue
        name = axis_name(axis, got.ndim)
        for word, value in (
            ("sum", expected.sum(axis, keepdims=True)),
            ("mean", expected.mean(axis, keepdims=True)),
        ):
            if close(np.broadcast_to(value, got.shape), got).all() and not _one_of(
                value, expected, axis
            ):
                yield f"Each of your values is the {word} of all the right ones along {name}."
                return
        repeats = np.broadcast_to(got.take([0], axis), got.shape)
        if (
            close(repeats, got).all()
            and not close(np.broadcast_to(expected.take([0], axis), got.shape), expected).all()
        ):
            yield f"Along {name} all your values are the same, and should not be."


def _one_of(value: np.ndarray, expected: np.ndarray, axis: int) -> bool:
    """Return whether all places at one index of `axis` are `value`: the mean of 1, 2 and 3 is 2."""
    return bool(
        close(expected, value)
        .all(axis=tuple(each for each in range(expected.ndim) if each != axis))
        .any()
    )


def _whole(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    """Say that only whole numbers came of something that has fractions."""
    fractions = (np.abs(np.rint(expected) - expected) > 0.01).mean() > 0.5
    if fractions and np.isfinite(got).all() and (np.rint(got) == got).all():
        yield (
            "All your values are whole numbers, and the right ones are not: something on the "
            "way is rounded, or is an integer."
        )


def _upside_down(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if (
        np.unique(np.abs(expected)).size >= LEAST
        and expected.all()
        and close(1 / expected, got).all()
    ):
        yield "Each of your values is 1 over what it should be: upside down."


def _sign(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if close(-expected, got).all():
        yield "Every value has the wrong sign."
    if close(np.abs(expected), got).all():
        yield "Your values are right but for the sign: the negative ones came out positive."
    elif close(np.abs(expected), np.abs(got)).all():
        for where in places(wrong):
            yield f"Signs are wrong only {where}; the amounts are right."
        yield "The amounts are right, and some signs are not."
    negative = (expected[wrong] == 0).all() and (got[wrong] < 0).all()
    if negative and (expected >= 0).all() and np.unique(got[wrong]).size >= LEAST:
        yield "Wrong are only negative values, where 0 is expected: nothing cuts them off."


def _factor(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if np.unique(expected[expected != 0]).size < LEAST or not np.isfinite(got).all():
        return
    factor = float((expected * got).sum() / (expected * expected).sum())
    if factor not in (0.0, -1.0) and abs(factor) > 1e-12 and close(expected * factor, got).all():
        yield f"Every value is {times(factor)} it should be."
        yield "In each wrong result every value is off by one and the same factor."
        return
    offset = float(np.median(got - expected))
    if offset and not _is_even(expected) and close(expected + offset, got).all():
        yield f"Every value is too {'large' if offset > 0 else 'small'} by {abs(offset):.6g}."
        yield "In each wrong result every value is off by one and the same amount."
        return
    if got.ndim > 1:
        yield from _by_axis(expected, got, wrong)


def _by_axis(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    """For each place along one axis, a factor or an amount of its own."""
    for axis in reversed(range(got.ndim)):
        if got.shape[axis] < 2 or got.size < 3 * got.shape[axis]:
            continue
        others = tuple(each for each in range(got.ndim) if each != axis)
        with np.errstate(all="ignore"):
            factor = (expected * got).sum(others, keepdims=True) / (expected**2).sum(
                others, keepdims=True
            )
            alike = expected.take([0], axis)
            multiples = close(
                expected,
                alike
                * (expected * alike).sum(others, keepdims=True)
                / (alike**2).sum(others, keepdims=True),
            ).all()
            moved = close(expected, alike + (expected - alike).mean(others, keepdims=True)).all()
        name = axis_name(axis, got.ndim)
        if (
            not multiples
            and np.isfinite(factor).all()
            and (factor != 0).all()
            and close(expected * factor, got).all()
            and not close(factor, np.ones_like(factor)).any()
        ):
            yield f"Along {name}, each place is off by a factor of its own."
        elif (
            not moved
            and wrong.any(others).all()
            and close(expected + (got - expected).mean(others, keepdims=True), got).all()
        ):
            yield f"Along {name}, each place is off by an amount of its own, as by a bias."


def _overflow(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if not np.isfinite(got).all() or not all(
        close(np.rint(each), each).all() for each in (expected, got)
    ):
        return
    if np.isin(expected, (0, 1)).all():
        return  # yes and no
    apart = np.rint(got - expected)[wrong]
    for bits in (16, 8):
        if (apart % 2**bits == 0).all() and np.abs(apart).max() < 2 ** (bits + 8):
            yield (
                f"Wrong values are off by multiples of {2**bits:,}: something ran over in "
                f"{bits} bits."
            )
            return
    if (np.abs(apart) == 1).all() and wrong.sum() > 1 and not _is_even(expected):
        if (apart == apart[0]).all():
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


def _one_way(
    expected: np.ndarray, got: np.ndarray, wrong: np.ndarray, several: int
) -> Iterator[str]:
    apart = (got - expected)[wrong]
    if apart.size > 3 and np.isfinite(apart).all():
        least, most = np.abs(got[wrong]), np.abs(expected[wrong])
        for small, large, word in ((least, most, "smaller"), (most, least, "larger")):
            if small.all() and (small * FAR < large).all():
                yield f"Your wrong values are all more than {FAR} times {word} than they should be."
    if apart.size >= several and np.isfinite(apart).all():
        for sign, word in ((1, "large"), (-1, "small")):
            if (sign * apart > 0).all():
                yield f"Your wrong values are all too {word}."


def _only_there(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    if got.size >= MANY and (got < 0).any() and (expected >= 0).all():
        yield "There are negative values, where none should be."
    if (expected[wrong] == 0).all() and 0 < wrong.sum() < wrong.size:
        yield "Wrong values are only where zero is expected; what should not be zero is right."
    if wrong[expected != 0].all() and not wrong.all():
        if (wrong != (expected == 0)).all() and (expected == 0).sum() >= SEVERAL:
            yield "Only what should be zero is right in your wrong results."
        return  # where these lie says nothing
    for where in places(wrong):
        yield f"Wrong values are only {where}{'.' if ': ' in where else '; the rest is right.'}"


_FINDERS: tuple[Callable[..., Iterator[str]], ...] = (
    unwritten,
    not_begun,
    _written_as_zero,
    _all_alike,
    _collected,
    _whole,
    _upside_down,
    _sign,
    _factor,
    other_axes,
    shifted,
    sorted_otherwise,
    _overflow,
    _nearly,
    _only_there,
    by_value,
)


def _is_even(array: np.ndarray) -> bool:
    """Return whether values grow alike along each axis: then other places look like an amount.

    Of an image and what is made of it; whole numbers are bounds and counts.
    """
    return (
        array.size > 2
        and array.dtype == np.float32
        and all(
            array.shape[axis] < 2
            or np.ptp(step := np.diff(array, axis=axis)) <= 1e-4 * np.abs(step).max()
            for axis in range(array.ndim)
        )
    )


def _wide(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "iu":  # never written, where nothing else was meant: see stand_ins.py
        wide = array.astype(np.float64)
        if array.itemsize > 1:
            wide[array == np.iinfo(array.dtype).max] = np.nan
        return wide
    return (
        array.astype(np.float64)
        if array.dtype.kind == "b"
        else array.astype(np.float32 if array.itemsize <= 4 else np.float64, copy=False)
    )
