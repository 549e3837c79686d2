"""What the arguments of the right cases have that those of the wrong ones have not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from math import comb
from typing import Any

import numpy as np

FEWEST = 2  # right cases, and wrong ones: what a single one has, it may have by chance
MANY = 15  # ways to choose the right cases, of which one is theirs
DIVIDING = 5  # the same, for each pair of divisor and multiple that is tried

_OF_A_PROBLEM = (
    "i_n",
    "i_h",
    "i_w",
    "i_c",
    "k_h",
    "k_w",
    "k_c",
    "o_h",
    "o_w",
    "s_h",
    "s_w",
    "p_h",
    "p_w",
    "padded_h",
    "padded_w",
)
CHANCE = 0.1  # of wrong cases having a property that many cases have
_SQUARE = (("i_h", "i_w"), ("k_h", "k_w"), ("o_h", "o_w"))
_BOTH = (("s_h", "s_w"), ("p_h", "p_w"))


def numbers_of(names: Sequence[str], args: Sequence[Any]) -> dict[str, float]:
    """Return the numbers among a case's arguments, and in its shapes, by what they are called."""
    found: dict[str, float] = {}
    layer = any(hasattr(value, "o_h") and hasattr(value, "k_c") for value in args)
    for name, value in zip(names, args):
        if hasattr(value, "o_h") and hasattr(value, "k_c"):
            found |= {each: getattr(value, each) for each in _OF_A_PROBLEM}
        elif isinstance(value, np.ndarray):
            if not layer:  # whose sizes are those of its arrays
                found |= {f"{name}.shape[{axis}]": size for axis, size in enumerate(value.shape)}
        elif isinstance(value, (bool, int, float, np.number)):
            found[name] = value
        elif (
            isinstance(value, (tuple, list))
            and len(value) <= 4
            and all(isinstance(each, (int, float)) for each in value)
        ):
            found |= {f"{name}[{i}]": each for i, each in enumerate(value)}
        elif isinstance(value, (tuple, list)):
            found[f"len({name})"] = len(value)
        elif is_dataclass(value):
            found |= {
                f"{name}.{field.name}": getattr(value, field.name)
                for field in fields(value)
                if isinstance(getattr(value, field.name), int)
            }
    return found


def numbers_in(
    names: Sequence[str], cases: Sequence[tuple]
) -> Callable[[Sequence[Any]], dict[str, float]]:
    """Return `numbers_of` a case, without items of lists that are longer in some cases.

    Their places mean nothing.
    """
    uneven = {
        name
        for i, name in enumerate(names)
        if len({len(args[i]) for args in cases if isinstance(args[i], (tuple, list))}) > 1
    }
    return lambda args: {
        name: number
        for name, number in numbers_of(names, args).items()
        if name.split("[")[0] not in uneven
    }


def told_apart(right: Sequence[Mapping[str, float]], wrong: Sequence[Mapping[str, float]]) -> str:
    """Return "Right are the cases with `s_h` = 1." if that tells them from the wrong ones, else "".

    Or "Wrong are only cases with `s_h` = 2", where that is so by little chance. right, wrong:
    `numbers_of` each case.
    """
    if not right or not wrong:
        return ""
    true = [_properties(one) for one in right]
    false = [_properties(one) for one in wrong]
    shared = [name for name in true[0] if all(name in one for one in (*true, *false))]
    found = [
        name
        for name in shared
        if all(one[name] for one in true) and not any(one[name] for one in false)
    ]
    tried = [name for name in shared if "multiple" in name]  # any two may divide by accident
    ways = comb(len(true) + len(false), len(true))
    found = [
        name
        for name in found
        if name not in tried or ways >= DIVIDING * len(tried) and not _by_size(name, right, wrong)
    ]
    for name in [name for name in found if " both " in name]:  # stands for what follows from it
        a, b = name.split("` and `")[0], name.split("` and `")[1].split("`")[0]
        found = [each for each in found if each == name or not each.startswith((f"{a}`", f"`{b}`"))]
    # Of two that are so in the same cases, one has nothing to do with it.
    if (
        len(found) == 1
        and min(len(true), len(false)) >= FEWEST
        and (ways >= MANY or found[0] in tried)
    ):
        return f"Right are the cases with {found[0]}."
    count = len(true) + len(false)
    found = [
        name
        for name in shared
        if "` = `" not in name
        and "multiple" not in name
        and all(one[name] for one in false)
        and (sum(one[name] for one in (*true, *false)) / count) ** len(false) <= CHANCE
    ]
    if len(found) == 1:
        return f"Wrong are only cases with {found[0]}."
    return ""


def _by_size(
    multiple: str, right: Sequence[Mapping[str, float]], wrong: Sequence[Mapping[str, float]]
) -> bool:
    """Return whether it tells the cases apart as well that the one number is not the smaller."""
    a, b = multiple.strip("`").split("` a multiple of `")
    return all(one[a] >= one[b] for one in right) and all(one[a] < one[b] for one in wrong)


def _properties(numbers: Mapping[str, float]) -> dict[str, bool]:
    found = {}
    for name, value in numbers.items():
        if isinstance(value, bool):
            found[f"`{name}` = False"], found[f"`{name}` = True"] = not value, value
            continue
        found[f"`{name}` = 1"] = value == 1
        if not name.endswith("]") or "shape" not in name:
            found[f"`{name}` = 0"] = value == 0
    pairs = [pair for pair in (*_SQUARE, *_BOTH) if pair[0] in numbers]
    pairs += [
        (name, f"{name[:-2]}1]")
        for name in numbers
        if name.endswith("[0]") and f"{name[:-2]}1]" in numbers and "shape" not in name
    ]
    for a, b in pairs:
        found[f"`{a}` = `{b}`"] = numbers[a] == numbers[b]
        if a[:2] in ("s_", "p_", "st", "pa"):  # stride and padding
            least = int(a[0] == "s")
            found[f"`{a}` and `{b}` both {least}"] = numbers[a] == numbers[b] == least
    plain = [
        name
        for name, value in numbers.items()
        if isinstance(value, int)
        and not isinstance(value, bool)
        and name.isidentifier()
        and name not in _OF_A_PROBLEM
    ]
    for a in plain:
        for b in plain:
            if a != b and numbers[b]:
                found[f"`{a}` a multiple of `{b}`"] = numbers[a] % numbers[b] == 0
    return found
