"""What a result holds, however deep: whether it can be looked at, whether a stub is in it; and the
bytes that a case holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

DEEPEST = 32  # levels of lists within lists that are looked at
LONGEST = 1000  # bits of a whole number that can be one: more than a float holds, nearly


def holds_ellipsis(value: Any) -> bool:
    """Return whether `value` is the `...` of a stub, or holds one."""
    return value is ... or any(
        item is ...
        for level in _levels(value)
        for held in level
        if isinstance(held, (tuple, list))
        for item in held
    )


def unreadable(value: Any) -> str:
    """Return why a result cannot be looked at, as a sentence goes on after its name, or ""."""
    levels = list(_levels(value))
    if len(levels) > DEEPEST:
        return f"returned lists within lists, {DEEPEST} deep and more, or one that holds itself."
    items = [
        value,
        *(
            item
            for level in levels
            for held in level
            for item in (held.values() if isinstance(held, dict) else held)
        ),
    ]
    long = [item for item in items if type(item) is int and item.bit_length() > LONGEST]
    if long:
        return f"returned a whole number of more than {int(LONGEST * 0.3)} digits."
    return ""


def bytes_of(args: tuple) -> int:
    """Return the bytes of a case's arrays."""
    return sum(getattr(arg, "nbytes", 0) for arg in args)


def _levels(value: Any) -> Iterator[list]:
    """Yield the lists, tuples and dicts that are `value`, or which it holds, level by level."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = list(
            {id(held): held for held in level if isinstance(held, (list, tuple, dict))}.values()
        )
        if not level:
            return
        yield level
        level = [
            item for held in level for item in (held.values() if isinstance(held, dict) else held)
        ]
