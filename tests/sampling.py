"""A sample of many similar cases at each push; all of them in the weekly run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest


def sampled(
    cases: Sequence, count: int, named: Callable[..., str] = lambda case: case.name
) -> list:
    """Return all `cases` as parameters, of which all but `count` are marked weekly.

    The content of the calling file chooses them, so that every run of one commit takes the same. A
    tuple is a parameter for each of its items.
    """
    seed = Path(sys._getframe(1).f_code.co_filename).read_bytes()
    chosen = random.Random(seed).sample(range(len(cases)), count)
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            id=named(case),
            marks=[] if at in chosen else pytest.mark.weekly,
        )
        for at, case in enumerate(cases)
    ]
