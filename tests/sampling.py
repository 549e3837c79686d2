"""A part of many like cases at a push, other ones each week; all of them in the weekly run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

import pytest


def of_this_week(cases: Sequence, count: int) -> list:
    """Return all `cases` as parameters, named; those beyond `count` of them are marked weekly."""
    chosen = random.Random(f"{date.today():%G %V}").sample(range(len(cases)), count)
    return [pytest.param(case, id=case.name, marks=[] if at in chosen else pytest.mark.weekly)
            for at, case in enumerate(cases)]
