"""Which of the usual mistakes an answer makes: the one that behaves alike on every case."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...measure import RESOLUTION
from . import cuda as kernels
from . import verdict as stages
from .compare import same
from .exercise import Exercise, Misconception
from .judge import Finding, examine
from .run import Attempt, explain

SEED = 20260101  # every learner, and CI, meets the same cases
NEAR = 0.1  # a mistake's workspace is recognised within this share of it
NEAR_TRAFFIC = 0.25  # and the traffic of a kernel, which has more ways to be written


def recognise(exercise: Exercise, finding: Finding) -> Misconception | None:
    """The usual mistake that behaves like `finding` on every case, if there is one.

    Where only the workspace or traffic is wrong: the mistake whose own is nearest, within NEAR.
    """
    if finding.stage == stages.DOES_NOT_COMPILE:
        return None
    nearest: list[tuple[float, int]] = []
    near, least = (NEAR_TRAFFIC, 0) if exercise.kernel else (NEAR, RESOLUTION)
    for i, misconception in enumerate(exercise.misconceptions):
        other = (_of_kernel(exercise, misconception) if exercise.kernel else
                 _of(exercise, misconception, finding.stage in (stages.OVER_BUDGET,
                                                                stages.OTHER_CODE)))
        if other.stage != finding.stage:
            continue
        if finding.stage == stages.OTHER_CODE:
            if other.fault.name == finding.fault.name:
                return misconception
        elif finding.stage == stages.OVER_BUDGET and finding.measured:  # right: only bytes tell
            pairs = list(zip(other.measured, finding.measured))
            if all(abs(a - b) <= max(least, near * a) for a, b in pairs):
                nearest.append((sum(abs(a - b) for a, b in pairs), i))
        elif finding.stage == stages.FAULT:
            if all(map(_same_outcome, other.attempts, finding.attempts)):
                nearest.append((_apart(other.attempts, finding.attempts), i))
        elif all(map(_same_outcome, other.attempts, finding.attempts)) and (
                finding.stage != stages.WRONG_ORDER
                or all(map(_same_order, other.attempts, finding.attempts))):
            return misconception
    return exercise.misconceptions[min(nearest)[1]] if nearest else None


def _of(exercise: Exercise, mistake: Misconception, weigh: bool = True) -> Finding:
    cases = exercise.cases(np.random.default_rng(SEED)) if exercise.cases else [()]
    return examine(exercise, mistake.wrong, cases, None, weigh)


@lru_cache(maxsize=256)
def _of_kernel(exercise: Exercise, mistake: Misconception) -> Finding:
    return _of(exercise, mistake)  # every run of a kernel is like the first


def _same_outcome(a: Attempt, b: Attempt) -> bool:
    if isinstance(a.error, kernels.Faulty):
        return isinstance(b.error, kernels.Faulty) and a.error.like(b.error)
    return (a.changed == b.changed and a.views == b.views and a.objection == b.objection
            and same(a.value, b.value)
            and (a.error and explain(a.error)) == (b.error and explain(b.error)))


def _apart(ones: list[Attempt], others: list[Attempt]) -> int:
    """How little two kernels of like faults have in common beyond them."""
    pairs = [(a.error, b.error) for a, b in zip(ones, others)]
    return sum(2 * (not same(a.result, b.result)) + (a.places != b.places) for a, b in pairs
               if isinstance(a, kernels.Faulty))


def _same_order(a: Attempt, b: Attempt) -> bool:
    """Whether two arrays of one shape lie alike in memory. The stride of one item says nothing."""
    return all(m == n for size, m, n in zip(a.value.shape, a.value.strides, b.value.strides)
               if size > 1)
