"""check("name", answer): one pass from an answer to the verdict on it, with hints.

answer.py takes it as Python or as CUDA C++, judge.py runs it on every case, misconceptions.py finds
the usual mistake that it makes, verdict.py says all that. `exercise.py` is the data that they use.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from ... import grading
from ...exercises import exercise_names as converted
from ...journal import CHECKED, tell
from ..exercises import exercise_names, load_exercise
from . import stages
from .answer import Answer
from .answer_type import answer_to
from .written import is_written_whole
from .exercise import Exercise
from .judge import judge, judge_case
from .misconceptions import recognise
from .stand_ins import quiet
from .symptoms import symptom
from .verdict import Verdict

# Where values, or a fault, show something.
SHOWING = (stages.WRONG_VALUES, stages.WRONG_SHAPE, stages.RAISED, stages.FAULT)


def check(name: str, answer: Any) -> Verdict:
    """Judge `answer` as the exercise `name`: a function, or a value where a value is asked for.

    Runs the live object on copies of its arguments. Never raises on a learner's error: whatever
    went wrong is in the verdict, which shows itself when it is a cell's last expression. The
    learner's journal gets a line. Only an interrupt passes through, as `Interrupted`, so that cells
    behind it do not run.
    """
    if name in converted():
        return grading.check(name, answer)
    known = exercise_names()
    if name not in known:
        return Verdict(
            str(name),
            stages.UNKNOWN,
            f"There is no exercise named {name!r}. The exercises are: {', '.join(known)}.",
        )
    try:
        verdict = grade(load_exercise(name), answer)
    except KeyboardInterrupt:
        raise Interrupted(f"The check of {name} was interrupted, and nothing is judged.") from None
    tell(CHECKED, exercise=name, stage=verdict.stage, misconception=verdict.misconception or "")
    return verdict


class Interrupted(KeyboardInterrupt):
    """An interrupt of a check. In a notebook its sentence stands alone, with no calls."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def grade(exercise: Exercise, given: Any, watch: bool = True) -> Verdict:
    """Return the verdict on `given`. watch=False lets it be, or call, this package's own code."""
    return verdict_on(answer_to(exercise, given, watch), exercise.seeded_cases())


def verdict_on(answer: Answer, cases: list[tuple]) -> Verdict:
    """Return the verdict on an answer after these cases."""
    exercise, given = answer.exercise, answer.given
    if refusal := answer.refusal():
        return Verdict(exercise.name, *refusal)
    finding = judge(answer, cases)

    @cache
    def right() -> list[bool]:
        return [
            judge_case(answer, *each) is None for each in zip(cases, finding.attempts, strict=False)
        ]

    with quiet():
        mistake = recognise(answer, finding, cases, right)
    sure = mistake is not None and mistake.sure
    shows = follow = ""
    if not sure and finding.stage in SHOWING and not all(right()):
        wrong = right().index(False)
        follow = _case_to_follow(exercise, finding.detail, cases[wrong], wrong + 1)
        # Of a result such as nobody has thought of nothing is said.
        with suppress(Exception), quiet():
            # A condition beside a mistake's name would be read as its cause.
            shows = symptom(answer, cases, finding.attempts, right(), reasons=mistake is None)
    name = mistake and mistake.misconception.name
    return Verdict(
        exercise.name,
        finding.stage,
        answer.message(finding),
        finding.detail,
        misconception=name if sure else None,
        likely=None if sure else name,
        hints=mistake.hints if mistake else (),
        symptom=shows,
        follow=follow,
        again=f'check("{exercise.name}", {getattr(given, "__name__", "...")})',
    )


def _case_to_follow(exercise: Exercise, detail: str, args: tuple, number: int) -> str:
    """Return what to do with the case of this number: as it is shown, if it is shown whole.

    Else with the lines that give its arguments; "" where it is not among those that all meet, or
    where a value is asked for.
    """
    if exercise.cases is None:
        return ""
    if all(map(is_written_whole, args)):
        return detail and f"Follow your lines by hand on the case that is shown:\n{detail}"
    if exercise.name not in exercise_names() or load_exercise(exercise.name) is not exercise:
        return ""
    names = ", ".join(exercise.parameters) if len(args) > 1 else f"({exercise.parameters[0]},)"
    return (
        "The case is too large to be shown whole. These lines give its arguments; follow your "
        "own on them, and look at what each of them makes:\n"
        "from convladder.teach.exercises import load_exercise\n"
        f'{names} = load_exercise("{exercise.name}").seeded_cases()[{number - 1}]'
    )
