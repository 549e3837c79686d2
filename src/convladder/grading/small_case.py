"""The smallest case that fails as the first wrong one does, and a clue beside it."""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..exercises.exercise import Exercise, counting, random_fill, small_integers
from .compare import RESULT_KINDS, Symptom, same
from .judge import expected, judge_run, run_small
from .sandbox import Run
from .smallest import NOTATION, Tries, needed, smallest
from .verdict import Outcome, SmallCase

SHRINKABLE_KINDS = (*RESULT_KINDS, "raised", "fault", "refused")  # that a small case explains
TRIES = 300  # of smaller cases; of kernels a third, which take longer


def shrink(exercise: Exercise, function: Callable, outcome: Outcome) -> SmallCase | None:
    """Return the smallest case that fails as the first wrong one does; None where none explains it.

    Its arrays hold 1, 2, 3, …; or, where these are right, small signed integers.
    """
    if outcome.number is None or outcome.symptom.kind not in SHRINKABLE_KINDS:
        return None
    trials = CaseTrials(exercise, function, outcome)
    case, most = exercise.seeded_cases[outcome.number], TRIES // (3 if exercise.kernel else 1)
    if not trials.failing_fill(case):
        return None
    names = tuple(inspect.signature(exercise.inputs or exercise.right).parameters)
    names = names[1:] if exercise.inputs else names
    grains = tuple(
        math.gcd(*sizes) if all(isinstance(each, int) for each in sizes) else 1
        for sizes in zip(*exercise.seeded_cases, strict=True)
    )
    tries = Tries(most)
    # The other fills only where nothing smaller fails with 1, 2, 3, …
    case = smallest(case, names, lambda case: trials.failing_fill(case, 1), tries, grains)
    case = smallest(case, names, trials.failing_fill, tries, grains)
    each, right, symptom = trials.run(case, trials.failing_fill(case))
    needs = needed(case, names, trials.passes, Tries(most // 3), grains)
    # Without a symptom it is right now and then.
    return SmallCase(each.args, symptom, right, each.value, needs) if symptom else None


class CaseTrials:
    """An answer on cases like the first wrong one, whose arrays are filled in several ways.

    Each of `fills` makes anew the `fill(*shape)` that `Exercise.arguments` takes.
    """

    def __init__(self, exercise: Exercise, function: Callable, outcome: Outcome) -> None:
        kind, wrong = outcome.symptom.kind, outcome.runs[outcome.number]
        self.exercise, self.function = exercise, function
        self.kinds = RESULT_KINDS if kind in RESULT_KINDS else (kind,)
        self.error = type(wrong.error)
        more: list[Callable] = [*(partial(small_integers, seed) for seed in range(3)), random_fill]
        self.fills = [lambda: counting, *(more if exercise.inputs else [])]
        self._states: dict[tuple[str, Callable], str] = {}

    def run(self, case: tuple, fill: Callable) -> tuple[Run, Any, Symptom | None] | None:
        """Return the run, the right result, the symptom; None for a case that makes no sense."""
        try:
            args = self.exercise.arguments(case, fill())
            empty = any(isinstance(arg, np.ndarray) and arg.size == 0 for arg in args)
            if empty or not self.exercise.valid(*case):
                return None
            right = self.exercise.right(*copy.deepcopy(args))
        except Exception:
            return None
        each = run_small(self.function, args)
        return each, right, judge_run(self.exercise, each, right)

    def state(self, case: tuple, fill: Callable) -> str:
        """Return "right", "wrong" as the first wrong case is, or "". Each is run once."""
        key = repr(case), fill
        if key not in self._states:
            each, _, symptom = self.run(case, fill) or (None, None, None)
            like = symptom and symptom.kind in self.kinds and type(each.error) is self.error
            self._states[key] = "wrong" if like else "right" if each and not symptom else ""
        return self._states[key]

    def failing_fill(self, case: tuple, most: int | None = None) -> Callable | None:
        """Return the first fill with which a case fails, of all or of the first `most`."""
        return next((fill for fill in self.fills[:most] if self.state(case, fill) == "wrong"), None)

    def passes(self, case: tuple) -> bool:
        """Return whether a case is right with each of the first four fills."""
        return all(self.state(case, fill) == "right" for fill in self.fills[:4])


def clue(exercise: Exercise, outcome: Outcome, small: SmallCase | None) -> Symptom | None:
    """Return the one thing worth saying beside the smallest case, or None.

    A constant factor, or a mere order, is sought on the seeded cases, where it can't be chance.
    """
    if small is None:
        return None
    pairs = [
        (right, each.value)
        for number, each in enumerate(outcome.runs)
        if small.symptom.kind == "value" and not exercise.accept
        for right in [expected(exercise, number)]
        if judge_run(exercise, each, right)
    ]
    if len(pairs) > 1 and (times := factor([*pairs, (small.expected, small.got)])):
        return Symptom("factor", evidence={"times": times})
    known = {*NOTATION, *exercise.parameters}  # no lengths: of the smallest case any less is right
    steps = [step for step in small.needs if step.name in known]
    needs = {"steps": [step for step in steps if step.now or step.is_setting]}  # no empty list
    if pairs and all(_same_values(*pair) for pair in pairs):
        return Symptom("order", evidence=needs)
    return Symptom("needs", evidence=needs) if needs["steps"] else None


def _same_values(right: Any, got: Any) -> bool:
    if not isinstance(right, np.ndarray) or right.size < 2:
        return False
    return same(np.sort(right, None), np.sort(got, None))


def factor(pairs: list[tuple[Any, Any]]) -> float | None:
    """Return the number by which all results differ from the expected ones, or None."""
    try:
        right, got = (
            np.concatenate([np.ravel(pair[i]) for pair in pairs]).astype(np.float64) for i in (0, 1)
        )
    except (ValueError, TypeError):  # no numbers
        return None
    if right.size != got.size or np.abs(got[right == 0]).any() or not right.any():
        return None
    times = got[right != 0] / right[right != 0]
    constant = np.isfinite(times[0]) and np.allclose(times, times[0], 1e-5, 0)
    return float(times[0]) if constant else None
