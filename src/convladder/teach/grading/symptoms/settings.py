"""Other values for one argument of a case: a padding of 0, one image, a mean of 0 everywhere.

What has one length in all cases, such as two vectors of a dot product, is cut together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ....problem import ConvProblem
from .arguments import numbers_of
from .cuts import as_long, axis_called, cut, cut_alike

VALUES = 4  # of one number that are tried, beside the least
FAR = 16.0  # times as much
PAIRS = (("s_h", "s_w", "stride"), ("p_h", "p_w", "padding"))
PLAIN = (0, 1)  # numbers by which it shows why something is wrong
ONE_NUMBER = "has one number everywhere"
SMALL = 64  # numbers of a list of parameters, such as a bias
PLACES = 9  # one of which alone is left of an axis
TOGETHER = 3  # lengths that are named in one condition
SIZES = (1, 4)  # along one axis of an array, and one less; of which 1 may say why
ALONE = ("i_h", "i_w", "k_h", "k_w")  # what arrays beside the problem would not fit
CUT = 3  # rows or columns of an image that are taken off: whether parts are full, others show


@dataclass(frozen=True, eq=False)
class Setting:
    """One argument set otherwise. `words` go on after "if"; `of` is what is set, in its words.

    change: a case's arguments -> others; the same ones where they are so already.
    """

    of: str
    words: str
    change: Callable[[tuple], tuple]
    plain: bool = True  # whether it says why, if it makes things right: an odd number does not
    near: Callable[[tuple], tuple] | None = None  # nearly the same, which makes nothing right
    axes: str = ""  # of arrays, that are cut to some size
    like: tuple[Callable[[tuple], tuple], ...] = ()  # the same with other places, as right if it is


def settings(
    names: Sequence[str], cases: Sequence[tuple], args: tuple, far: bool = False
) -> Iterator[Setting]:
    """Yield other values for arguments like `args`: those of other cases, 0 or 1, fewer places.

    far: and, of whole numbers, many times as much as well.
    """
    seen: dict[str, Counter] = {}
    for case in cases:
        for name, value in numbers_of(names, case).items():
            seen.setdefault(name, Counter())[value] += 1
    arrays = [value for value in args if isinstance(value, np.ndarray)]
    for at, (name, value) in enumerate(zip(names, args)):
        if isinstance(value, ConvProblem):
            if settable(args):
                yield from _of_problem(at, seen, value, bool(arrays), far)
        elif isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
            yield from _of_array(at, name, value)
            if not any(isinstance(each, ConvProblem) for each in args):
                yield from _of_axes(at, names, args, cases)
        elif isinstance(value, bool):
            for flag in (False, True):
                yield Setting(f"`{name}`", f"`{name}` is {flag}", partial(_with, at, flag))
        elif isinstance(value, (int, float)) and not any(
            place is not None for _, place in as_long(at, None, cases)
        ):
            for number in _values(seen[name], value, far):
                yield Setting(
                    f"`{name}`",
                    f"`{name}` is {number:g}",
                    partial(_with, at, number),
                    number in PLAIN,
                )
        elif isinstance(value, tuple) and f"{name}[0]" in seen:
            for place, item in enumerate(value):
                called = f"`{name}[{place}]`"
                for number in _values(seen[f"{name}[{place}]"], item, far):
                    yield Setting(
                        called,
                        f"{called} is {number:g}",
                        partial(_with_item, at, place, number),
                        number in PLAIN,
                    )
            if len(value) == 2:
                yield Setting(
                    "",
                    f"both numbers of `{name}` are the first",
                    lambda given, at=at: _with(at, given[at][:1] * 2, given),
                )
                for number in PLAIN:
                    if number in seen[f"{name}[0]"] and type(value[0]) is int:
                        yield Setting(
                            "",
                            f"both numbers of `{name}` are {number}",
                            partial(_with, at, (number, number)),
                        )
        elif isinstance(value, (tuple, list)):
            yield from _of_list(at, name, value)


def settable(args: tuple) -> bool:
    """Return whether the layers among arguments can be set otherwise: their arrays can follow."""
    known = [
        shape
        for layer in args
        if isinstance(layer, ConvProblem)
        for shape in (layer.input_shape, layer.input_shape[1:], layer.kernel_shape, (layer.k_c,))
    ]
    return not known or all(array.shape in known for array in args if isinstance(array, np.ndarray))


def _values(seen: Counter, now: float, far: bool = False) -> list:
    """Return values to try: 1 and the next whole number, or half of it; what other cases have.

    And, of floats, or if `far`, much more and much less: by one that is only compared, or rounded,
    little changes nothing.
    """
    found = [1, now + 1] if isinstance(now, int) else [now / 2, now / FAR, now * FAR]
    if far and isinstance(now, int):
        found.append(int(now * FAR))
    found += [value for value, _ in seen.most_common(VALUES)]
    return [value for value in dict.fromkeys(found) if type(value) is type(now)]


def _of_problem(
    at: int, seen: dict[str, Counter], now: ConvProblem, arrays: bool, far: bool
) -> Iterator[Setting]:
    """Yield settings of a layer. arrays: whether its image or kernel are there, and must fit it."""
    for a, b, pair in PAIRS:
        least = int(pair == "stride")
        for at_pair, name in enumerate((a, b)):
            for number in dict.fromkeys([least, *_values(seen[name], getattr(now, name))]):
                yield Setting(
                    f"`{name}`",
                    f"`{name}` is {number}",
                    partial(_with_pair, at, pair, (at_pair,), number),
                    number == least,
                )
        yield Setting(
            "", f"`{a}` and `{b}` are {least}", partial(_with_pair, at, pair, (0, 1), least)
        )
        yield Setting("", f"`{b}` is `{a}`", partial(_with_equal, at, pair))
    for field in ("i_n", "i_c", "k_c", *ALONE * (not arrays)):
        for number in [1] if arrays else _values(seen[field], getattr(now, field), far):
            yield Setting(
                f"`{field}`",
                f"`{field}` is {number}",
                partial(_with_field, at, field, number),
                number == 1,
            )
    for field, outputs in (("i_h", now.o_h), ("i_w", now.o_w)) * arrays:
        for less in range(1, 1 + min(CUT, outputs - 2)):  # of one output nearly all is right
            number = getattr(now, field) - less
            yield Setting(
                "", f"`{field}` is {number}", partial(_with_field, at, field, number), plain=False
            )


def _of_axes(
    at: int, names: Sequence[str], args: tuple, cases: Sequence[tuple]
) -> Iterator[Setting]:
    """Yield an array with fewer places along an axis and all that are as long in every case; and as
    wide as high, where that can be cut: of two axes the longer one."""
    alike = [as_long(at, axis, cases) or [(at, axis)] for axis in range(args[at].ndim)]
    for axis, size in enumerate(args[at].shape):
        if alike[axis][0] != (at, axis) or len(alike[axis]) > TOGETHER:
            continue  # is cut with the first of them, or takes many words
        bound = alike[axis], [each for each in alike[axis] if each[1] is not None]
        for together in bound[
            : 1 + (len(bound[1]) < len(bound[0]))
        ]:  # a number may be so by chance
            called = " and ".join(axis_called(names, *each) for each in together)
            verb = "is" if len(together) == 1 else "are"
            for number in sorted({*SIZES, size - 1}):
                if 0 < number < size:
                    yield Setting(
                        "",
                        f"{called} {verb} {number}",
                        partial(cut, together, number),
                        number == 1,
                        axes=called,
                        like=tuple(
                            partial(cut, together, number, begin=place)
                            for place in range(1, min(size, PLACES))
                        ),
                    )
    for one, other in pairwise(range(args[at].ndim)):
        if len(alike[one]) + len(alike[other]) > TOGETHER + 1:
            continue
        yield Setting(
            "",
            f"{axis_called(names, at, other)} is {axis_called(names, at, one)}",
            partial(cut_alike, alike[one], alike[other], 0),
            near=partial(cut_alike, alike[one], alike[other], 1),
        )


def _of_array(at: int, name: str, now: np.ndarray) -> Iterator[Setting]:
    called = f"`{name}`"
    changes = [("has no negative number", np.abs)]
    if now.ndim == 1 and now.size <= SMALL:
        changes += [
            ("is 0 everywhere", np.zeros_like),
            ("is 1 everywhere", np.ones_like),
            (ONE_NUMBER, lambda a: np.full_like(a, a.flat[0])),
        ]
        changes += [("", lambda a: a / a.dtype.type(FAR))] * (now.dtype.kind == "f")
    elif now.size:
        changes += [("", lambda a: np.flip(a).copy()), ("", lambda a: a + a)]
    for words, change in changes:
        yield Setting(
            called,
            f"{called} {words}".rstrip(),
            lambda given, change=change: _with(at, change(given[at]), given),
            bool(words),
        )


def _of_list(at: int, name: str, value: Sequence) -> Iterator[Setting]:
    for count in (1, 2):
        if count < len(value):
            items = "only its first item" if count == 1 else f"only its first {count} items"
            # Of few things nearly every answer is right: that tells nothing of why it is.
            yield Setting(
                f"`{name}`",
                f"`{name}` has {items}",
                lambda given, count=count: _with(at, given[at][:count], given),
                False,
            )


def _with(at: int, value: Any, given: tuple) -> tuple:
    return (*given[:at], value, *given[at + 1 :])


def _with_item(at: int, place: int, number: float, given: tuple) -> tuple:
    return _with(at, _with(place, number, given[at]), given)


def _with_pair(at: int, pair: str, places: tuple[int, ...], number: int, given: tuple) -> tuple:
    now = getattr(given[at], pair)
    numbers = tuple(number if place in places else each for place, each in enumerate(now))
    return _with(at, replace(given[at], **{pair: numbers}), given)


def _with_equal(at: int, pair: str, given: tuple) -> tuple:
    return _with(at, replace(given[at], **{pair: getattr(given[at], pair)[:1] * 2}), given)


def _with_field(at: int, field: str, number: int, given: tuple) -> tuple:
    """Set a size of the layer, and cut its image and its kernel to it."""
    before = given[at]
    after = replace(before, **{field: number})
    cut = {
        before.input_shape: after.input_shape,
        before.kernel_shape: after.kernel_shape,
        before.input_shape[1:]: after.input_shape[1:],
    }
    return tuple(
        after
        if i == at
        else value[tuple(map(slice, cut[value.shape]))].copy()
        if isinstance(value, np.ndarray) and value.shape in cut
        else value
        for i, value in enumerate(given)
    )
