"""A part of many like cases at a push, other ones each week; all of them in the weekly run."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date

import pytest


def of_this_week(
    cases: Sequence, count: int, named: Callable[..., str] = lambda case: case.name
) -> list:
    """Return all `cases` as parameters, named; those beyond `count` of them are marked weekly.

    A tuple is a parameter for each of its items.
    """
    chosen = random.Random(f"{date.today():%G %V}").sample(range(len(cases)), count)
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            id=named(case),
            marks=[] if at in chosen else pytest.mark.weekly,
        )
        for at, case in enumerate(cases)
    ]
