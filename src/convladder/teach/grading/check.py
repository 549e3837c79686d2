"""check("name", answer): judges a learner's answer and recognises the usual mistakes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..exercises import load_exercises
from . import cuda as kernels
from . import verdict as stages
from .compare import short, untouched
from .exercise import Exercise
from .judge import examine
from .misconceptions import SEED, recognise
from .run import is_ours
from .verdict import Verdict


def check(name: str, answer: Any) -> Verdict:
    """Judges `answer` as the exercise `name`: a function, or a value where a value is asked for.

    Runs the live object on copies of its arguments. Never raises on a learner's error: whatever
    went wrong is in the verdict, which shows itself when it is a cell's last expression.
    """
    exercises = load_exercises()
    if name not in exercises:
        known = ", ".join(exercises) or "none yet"
        return Verdict(str(name), stages.UNKNOWN,
                       f"There is no exercise named {name!r}. The exercises are: {known}.")
    return judge(exercises[name], answer)


def judge(exercise: Exercise, answer: Any, watch: bool = True) -> Verdict:
    """The verdict on `answer`. watch=False lets it be, or call, this package's own code."""
    def verdict(stage: str, message: str, **rest: Any) -> Verdict:
        return Verdict(exercise.name, stage, message, **rest)

    if untouched(answer):
        return verdict(stages.NOT_ATTEMPTED, "Replace the `...` by your answer.")
    if exercise.cases is None:
        if callable(answer):
            return verdict(stages.WRONG_SHAPE,
                           f"{_who(answer)} is a function; this exercise asks for a value.")
        finding = examine(exercise, lambda: answer, [()], None)
        if finding.stage == stages.PASSED:
            return verdict(stages.PASSED, f"Your value, {short(answer)}, is right.")
        finding.detail = ""  # it would give the answer away
        message = f"Your value {_of_value(finding.sentence)}"
    else:
        refusal = (kernels.refusal(exercise, answer) if exercise.kernel
                   else _refusal(exercise, answer, watch))
        if refusal:
            return verdict(*refusal)
        cases = exercise.cases(np.random.default_rng(SEED))
        finding = examine(exercise, answer, cases, exercise.calls_allowed if watch else None)
        if finding.stage == stages.NOT_ATTEMPTED:
            return verdict(finding.stage, finding.sentence)
        own = exercise.kernel and finding.stage != stages.RAISED
        who = f"Your kernel `{exercise.kernel.name}`" if own else _who(answer)
        message = f"{who} {finding.sentence}"
        printed = sum(each.printed for each in finding.attempts)
        if printed:
            message += f" (It also printed {printed:,} line{'s' * (printed > 1)}, not shown.)"
    found = None if finding.stage == stages.PASSED else recognise(exercise, finding)
    return verdict(
        finding.stage, message, detail=finding.detail,
        misconception=found.name if found else None, hints=found.hints if found else (),
        again=f'check("{exercise.name}", {getattr(answer, "__name__", "...")})',
    )


def _refusal(exercise: Exercise, answer: Any, watch: bool) -> tuple[str, str] | None:
    """Why `answer` cannot be run at all, as (stage, message)."""
    expected = f"`{exercise.signature}`"
    if not callable(answer):
        return stages.WRONG_SHAPE, (
            f"This exercise asks for a function {expected}; it was given {short(answer)}. "
            f"Pass the function itself, with no brackets after its name.")
    code = getattr(inspect.unwrap(answer), "__code__", None)
    if watch and (answer is exercise.reference or code is not None and is_ours(code)):
        return stages.NOT_YOURS, (
            f"`{answer.__module__}.{answer.__qualname__}` is the course's own function. "
            f"Write {expected} yourself.")
    try:
        inspect.signature(answer).bind(*exercise.parameters)
    except TypeError:
        return stages.RAISED, (
            f"{_who(answer)} cannot be called as {expected}: "
            f"it must take {len(exercise.parameters)} arguments, in this order.")
    except ValueError:  # some built-in functions have no signature to ask
        pass
    return None


def _of_value(sentence: str) -> str:
    sentence = sentence.replace(" Did you forget `return`?", "")
    return sentence.replace("returned wrong values", "holds wrong values").replace("returned", "is")


def _who(answer: Callable) -> str:
    try:
        parameters = ", ".join(inspect.signature(answer).parameters)
    except (TypeError, ValueError):
        parameters = "..."
    name = getattr(answer, "__name__", type(answer).__name__)
    origin = getattr(answer, "__module__", None)
    where = "this notebook" if origin == "__main__" else f"the module `{origin}`"
    if name == "<lambda>":
        return f"Your lambda of ({parameters}), defined in {where},"
    return f"Your function `{name}({parameters})`, defined in {where},"
