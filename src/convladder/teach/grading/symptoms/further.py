"""Wrong answers on cases that no sentence was found on: of another seed, or set otherwise.

What is said of an answer has to be true there as well.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..answer import Answer
from ..compare import same
from ..exercise import SEED, Exercise
from ..held import bytes_of
from .reasons import LARGE, SECONDS, asked, fits
from .settings import settable, settings

ENOUGH_TIME = 0.7  # seconds for all of them
MOST = 24  # of them


class Further(NamedTuple):
    """One further case on which an answer is wrong."""

    args: tuple
    expected: Any
    got: Any
    drawn: bool  # by the exercise itself, with another seed


def further(answer: Answer, cases: Sequence[tuple], wrong: Sequence[int]) -> list[Further]:
    """Return further cases on which an answer returns something wrong, in the time there is."""
    end, found = time.perf_counter() + ENOUGH_TIME, []
    for args, drawn in other_cases(answer.exercise, cases, wrong):
        if len(found) == MOST or time.perf_counter() > end:
            break
        attempt = answer.run(args, SECONDS)
        if attempt.error is not None or fits(answer, args, attempt):
            continue
        with np.errstate(all="ignore"):
            expected = answer.exercise.reference(*copy.deepcopy(args))
        found.append(Further(args, expected, attempt.value, drawn))
    return found


def other_cases(
    exercise: Exercise, cases: Sequence[tuple], wrong: Sequence[int], seeds: int = 1
) -> Iterator[tuple[tuple, bool]]:
    """Yield small cases of other seeds; and the smallest of `wrong`, its arguments set otherwise.

    With each, whether it is of another seed.
    """
    for seed in range(SEED + 1, SEED + 1 + seeds):
        drawn = exercise.cases(np.random.default_rng(seed))
        yield from (
            (args, True)
            for args in drawn
            if bytes_of(args) <= LARGE
            and not any(len(known) == len(args) and same(known, args) for known in cases)
        )
    args = min((cases[i] for i in wrong), key=bytes_of)
    if exercise.kernel or bytes_of(args) > LARGE or not settable(args):
        return
    for setting in settings(exercise.parameters, cases, args):
        if other := asked(exercise, args, setting):
            yield other[0], False
