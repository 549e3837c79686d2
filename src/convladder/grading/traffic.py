"""The traffic of a learner's kernel, as the emulator counts it."""

from __future__ import annotations

from typing import Any

from .. import cuda
from ..exercises import load_exercise
from ..exercises.exercise import random_fill
from .check import Outcome, Verdict, grade, run, take
from .compare import Symptom


def traffic(name: str, answer: Any) -> cuda.Report | Verdict:
    """Return the emulator's counts for `answer` on the last, largest case of exercise `name`.

    A report, line by line, of wrong kernels too; a verdict where there is none to give (not
    attempted, does not compile, crashed, no compiler here). Raises KeyError for another name.
    """
    exercise = load_exercise(name)
    kernel = take(exercise, answer)
    if isinstance(kernel, Symptom):
        return Verdict(exercise, Outcome(kernel))
    run(kernel, last_case(name), None)
    return getattr(kernel, "report", None) or grade(exercise, answer)


def last_case(name: str) -> tuple:
    """Return the arguments of an exercise's last, largest case."""
    exercise = load_exercise(name)
    return exercise.arguments(exercise.seeded_cases[-1], random_fill())
