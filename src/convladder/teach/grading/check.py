"""check("name", answer): one pass from an answer to the verdict on it, with hints.

answer.py takes it as Python or as CUDA C++, judge.py runs it on every case, misconceptions.py finds
the usual mistake that it makes, verdict.py says all that. `exercise.py` is the data that they use.
"""

from __future__ import annotations

from typing import Any

from ...journal import CHECKED, tell
from ..exercises import exercise_names, load_exercise
from . import verdict as stages
from .answer_type import answer_to
from .exercise import Exercise
from .judge import judge
from .misconceptions import recognise
from .verdict import Verdict


def check(name: str, answer: Any) -> Verdict:
    """Judge `answer` as the exercise `name`: a function, or a value where a value is asked for.

    Runs the live object on copies of its arguments. Never raises on a learner's error: whatever
    went wrong is in the verdict, which shows itself when it is a cell's last expression. The
    learner's journal gets a line.
    """
    known = exercise_names()
    if name not in known:
        return Verdict(str(name), stages.UNKNOWN, f"There is no exercise named {name!r}. "
                       f"The exercises are: {', '.join(known)}.")
    verdict = grade(load_exercise(name), answer)
    tell(CHECKED, exercise=name, stage=verdict.stage, misconception=verdict.misconception or "")
    return verdict


def grade(exercise: Exercise, given: Any, watch: bool = True) -> Verdict:
    """Return the verdict on `given`. watch=False lets it be, or call, this package's own code."""
    answer = answer_to(exercise, given, watch)
    if refusal := answer.refusal():
        return Verdict(exercise.name, *refusal)
    cases = exercise.seeded_cases()
    finding = judge(answer, cases)
    mistake = recognise(answer, finding, cases)
    return Verdict(
        exercise.name, finding.stage, answer.message(finding), finding.detail,
        misconception=mistake.name if mistake else None, hints=mistake.hints if mistake else (),
        again=f'check("{exercise.name}", {getattr(given, "__name__", "...")})')
