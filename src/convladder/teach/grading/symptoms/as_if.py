"""For which other arguments a wrong result is right: a kernel upside down, a padding of zero."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import isfinite, log2
from typing import Any

import numpy as np

from ....problem import ConvProblem
from ..compare import same
from .numbers import is_number

LARGE = 2**15  # bytes of arguments, beyond which nothing is computed anew
BITS = 12  # that numbers must say together: small ones agree with much by accident
APART = 6  # whole numbers of an array, or truth values, that are wrong and explained
MOST = 2  # explanations; with more, none is one

Change = tuple[str, Callable[[tuple], tuple]]  # in words; arguments -> other arguments


def as_if(
    reference: Callable[..., Any],
    names: Sequence[str],
    seen: Sequence[tuple[tuple, Any, Any]],
    more: Callable[[], Sequence[tuple[tuple, Any, Any]]] = list,
) -> str:
    """Return what the arguments would have to be for all results to be right, in a sentence, or "".

    seen: (arguments, expected, got) of the cases that are wrong. more: gives further ones, and
    those that are right, on which nothing is found: what was found must explain them as well.
    """
    small = [each for each in seen if _bytes(each[0]) <= LARGE]
    if all(isinstance(got, np.ndarray) and not got.any() for _, _, got in small):
        return ""  # nothing was written, or all is multiplied by 0: of much that is so
    numbers = [got for _, _, got in small if is_number(got)]
    if (
        not small
        or len(numbers) == len(small)
        and (len(small) < 2 or sum(map(bits, numbers)) < BITS)
    ):
        return ""
    if not any(map(_size, (got for _, _, got in small))):
        return ""  # nothing is the right answer to much
    if all(isinstance(got, (str, bool)) for _, _, got in small):
        return ""  # so is one word of a few
    chosen = [_apart(expected, got) for _, expected, got in small if _is_whole(expected, got)]
    if len(chosen) == len(small) and sum(chosen) < APART:
        return ""  # places, and yes or no: a few are as they would be for much
    found = [
        (words, change)
        for words, change in _changes(names, small[0][0])
        if all(_explains(reference, change, *each) for each in small)
    ]
    others = more() if found else []
    found = [
        words
        for words, change in found
        if not any(_refutes(reference, change, *each) for each in others)
    ]
    if len(found) == 2 and found[1].endswith("the other way round"):
        found.pop()  # the same: it is right wherever the flag is so
    return f"Your result is the right one {', or '.join(found)}." if 0 < len(found) <= MOST else ""


def _explains(reference: Callable, change: Callable, args: tuple, expected: Any, got: Any) -> bool:
    try:
        with np.errstate(all="ignore"):
            other = reference(*change(copy.deepcopy(args)))
    except Exception:  # arguments that cannot be are no explanation
        return False
    return same(other, got) and not same(other, expected)


def _refutes(reference: Callable, change: Callable, args: tuple, expected: Any, got: Any) -> bool:
    """Return whether arguments are changed and do not explain a result, be it wrong or right."""
    try:
        with np.errstate(all="ignore"):
            return not same(reference(*change(copy.deepcopy(args))), got)
    except Exception:  # arguments that cannot be refute nothing
        return False


def _is_whole(*arrays: Any) -> bool:
    return all(isinstance(each, np.ndarray) and each.dtype.kind in "bui" for each in arrays)


def _apart(expected: np.ndarray, got: np.ndarray) -> int:
    """Return how many whole numbers of two arrays differ; of lists of places, what one has not."""
    return (
        int((expected != got).sum())
        if expected.shape == got.shape
        else int(np.setxor1d(expected, got).size)
    )


def _size(value: Any) -> int:
    return len(value) if isinstance(value, (tuple, list, dict)) else np.size(value)


def _changes(names: Sequence[str], args: tuple) -> Iterator[Change]:
    for i, (name, value) in enumerate(zip(names, args)):
        for words, other in _others(name, value):
            yield (
                words,
                lambda given, i=i, other=other: (*given[:i], other(given[i]), *given[i + 1 :]),
            )
    alike = [i for i, value in enumerate(args) if is_number(value) or isinstance(value, np.ndarray)]
    for i, j in combinations(alike, 2):
        if type(args[i]) is type(args[j]) and np.shape(args[i]) == np.shape(args[j]):
            yield (
                f"with `{names[i]}` and `{names[j]}` exchanged",
                lambda given, i=i, j=j: tuple(
                    given[j] if at == i else given[i] if at == j else each
                    for at, each in enumerate(given)
                ),
            )


def _others(name: str, value: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    if isinstance(value, ConvProblem):
        yield from _problems(name)
    elif isinstance(value, np.ndarray):
        for count in range(1, min(value.ndim, 2) + 1):
            for axes in combinations(range(value.ndim), count):
                along = " and ".join(map(str, axes))
                yield (
                    f"for `{name}` reversed along ax{'i' if count == 1 else 'e'}s {along}",
                    lambda a, axes=axes: np.flip(a, axes).copy(),
                )
        for a, b in combinations(range(value.ndim), 2):
            yield (
                f"for `{name}` with axes {a} and {b} exchanged",
                lambda array, a=a, b=b: np.swapaxes(array, a, b).copy(),
            )
            if value.shape[a] == value.shape[b]:
                continue  # the same once more
            yield (
                f"for `{name}` cut anew as if axes {a} and {b} were exchanged",
                lambda array, a=a, b=b: np.swapaxes(array, a, b).reshape(array.shape).copy(),
            )
            yield (
                f"for `{name}` read as if axes {a} and {b} lay exchanged in memory",
                partial(_as_if_laid, a, b),
            )
        for axes in _some_axes(value):
            along = " and ".join(map(str, axes))
            for word, at in (("first", 0), ("last", -1)):
                yield (
                    f"if only the {word} place of `{name}` along ax"
                    f"{'i' if len(axes) == 1 else 'e'}s {along} counted",
                    partial(_kept, axes, at),
                )
        for axes in _some_axes(value):
            along = " and ".join(map(str, axes))
            for word, at in (("first", 0), ("last", -1)):
                yield (
                    f"if the {word} place of `{name}` along ax"
                    f"{'i' if len(axes) == 1 else 'e'}s {along} were left out (zero)",
                    partial(_left_out, axes, at),
                )
        yield f"for `{name}` with the opposite sign", lambda a: -a
        yield f"if `{name}` were left out (zero)", lambda a: a * 0
        yield f"if all of `{name}` were 1", lambda a: a * 0 + 1
        yield f"if `{name}` had no sign", np.abs
        yield f"for 1 over `{name}`", lambda a: 1 / a
        yield (
            f"for the first of `{name}` in all places",
            lambda a: np.broadcast_to(a[:1], a.shape).copy(),
        )
    elif isinstance(value, tuple) and len(value) == 2 and all(map(is_number, value)):
        yield f"with the two numbers of `{name}` exchanged", lambda pair: pair[::-1]
        yield f"if both numbers of `{name}` were the first", lambda pair: (pair[0], pair[0])
        yield f"if both numbers of `{name}` were the second", lambda pair: (pair[1], pair[1])
        for number in (0, 1):
            yield f"if `{name}` were ({number}, {number})", lambda pair, n=number: (n, n)
            yield f"if `{name}[0]` were {number}", lambda pair, n=number: (n, pair[1])
            yield f"if `{name}[1]` were {number}", lambda pair, n=number: (pair[0], n)
    elif isinstance(value, bool):
        yield f"if `{name}` were {not value}", lambda flag: not value
        yield f"if `{name}` were the other way round", lambda flag: not flag
    elif is_number(value):
        for number in (0, 1):
            yield f"if `{name}` were {number}", lambda v, n=number: type(v)(n)
        if isinstance(value, int):
            yield f"if `{name}` were one more", lambda v: v + 1
            yield f"if `{name}` were one less", lambda v: v - 1
        yield f"if `{name}` were twice as much", lambda v: 2 * v


def _some_axes(array: np.ndarray) -> Iterator[tuple[int, ...]]:
    """Yield one axis, or two, along which `array` has several places."""
    axes = [axis for axis, size in enumerate(array.shape) if size > 1]
    for count in (1, 2):
        yield from combinations(axes, count)


def _as_if_laid(a: int, b: int, array: np.ndarray) -> np.ndarray:
    shape = list(array.shape)
    shape[a], shape[b] = shape[b], shape[a]
    return np.swapaxes(array.reshape(shape), a, b).copy()


def _kept(axes: tuple[int, ...], at: int, array: np.ndarray) -> np.ndarray:
    """Return `array` with zeros but for the first (0) or the last (-1) place along `axes`."""
    there = tuple(
        slice(at, at + 1 or None) if axis in axes else slice(None) for axis in range(array.ndim)
    )
    kept = np.zeros_like(array)
    kept[there] = array[there]
    return kept


def _left_out(axes: tuple[int, ...], at: int, array: np.ndarray) -> np.ndarray:
    left = array.copy()
    for axis in axes:
        left[(slice(None),) * axis + (at,)] = 0
    return left


def _problems(name: str) -> Iterator[tuple[str, Callable[[ConvProblem], ConvProblem]]]:
    for pair in ("stride", "padding"):
        short = pair[0]
        yield (
            f"with `{short}_h` and `{short}_w` exchanged",
            lambda p, pair=pair: replace(p, **{pair: getattr(p, pair)[::-1]}),
        )
        least = 1 if pair == "stride" else 0
        for places in ((0, 1), (0,), (1,)):
            which = " and ".join(f"`{short}_{'hw'[place]}`" for place in places)
            yield f"if {which} were {least}", partial(_with_least, pair, places, least)
        for place in (0, 1):
            yield (
                f"if `{short}_{'wh'[place]}` were `{short}_{'hw'[place]}`",
                lambda p, pair=pair, place=place: replace(
                    p, **{pair: (getattr(p, pair)[place],) * 2}
                ),
            )
    for a, b in (("k_h", "k_w"), ("i_h", "i_w"), ("i_c", "k_c")):
        yield (
            f"with `{a}` and `{b}` exchanged",
            lambda p, a=a, b=b: replace(p, **{a: getattr(p, b), b: getattr(p, a)}),
        )
        yield f"if `{a}` were `{b}`", lambda p, a=a, b=b: replace(p, **{a: getattr(p, b)})
        yield f"if `{b}` were `{a}`", lambda p, a=a, b=b: replace(p, **{b: getattr(p, a)})
    for field in ("i_n", "i_c", "k_c"):
        yield f"if `{field}` were 1", lambda p, field=field: replace(p, **{field: 1})


def _with_least(pair: str, places: tuple[int, ...], least: int, p: ConvProblem) -> ConvProblem:
    return replace(
        p,
        **{
            pair: tuple(least if at in places else each for at, each in enumerate(getattr(p, pair)))
        },
    )


def bits(number: float) -> float:
    """Return how much it says that another number is the same."""
    if not isfinite(number):
        return 0.0
    return log2(1 + abs(number)) if number == int(number) else BITS / 2


def _bytes(args: tuple) -> int:
    return sum(getattr(arg, "nbytes", 0) for arg in args)
