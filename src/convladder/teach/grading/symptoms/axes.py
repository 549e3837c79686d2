"""Axes of a result by the names that a learner knows: axis 3 is `k_c` long in every case."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_AXIS = re.compile(r"\baxis (\d)(?: \([^)]*\))?")
_AXES = re.compile(r"\baxes ((?:\d, )*\d) and (\d)")


def axes_named(
    shapes: Sequence[tuple[int, ...]], numbers: Sequence[Mapping[str, float]]
) -> dict[int, str]:
    """Return which argument gives the length of each axis, where only one does in every case.

    shapes: of the right results. numbers: `numbers_of` the arguments, for each of them.
    """
    if not shapes or len(set(map(len, shapes))) > 1:
        return {}
    shared = [
        name
        for name in numbers[0]
        if "[" not in name and "(" not in name and all(name in one for one in numbers)
    ]
    found = {}
    for axis in range(len(shapes[0])):
        names = [
            name
            for name in shared
            if all(one[name] == shape[axis] for shape, one in zip(shapes, numbers))
        ]
        if len(names) == 1 and len({shape[axis] for shape in shapes}) > 1:
            found[axis] = names[0]
    return found


def with_names(sentence: str, names: Mapping[int, str]) -> str:
    """Return the sentence with each axis' name behind its number, where it has one."""

    def named(number: str, other: str) -> str:
        name = names.get(int(number))
        return f"{number} (`{name}`)" if name else other

    sentence = _AXIS.sub(
        lambda found: "axis " + named(found[1], found[0].removeprefix("axis ")), sentence
    )
    return _AXES.sub(
        lambda found: "axes {} and {}".format(
            ", ".join(named(each, each) for each in found[1].split(", ")), named(found[2], found[2])
        ),
        sentence,
    )
