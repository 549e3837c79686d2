"""check("name", answer): judges a learner's answer and recognises the usual mistakes."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..measure import RESOLUTION, workspace
from . import verdict as stages
from .attempt import Attempt, Refused, attempt, explain, is_ours, quiet
from .exercise import Exercise, Fault, Misconception
from .exercises import load_exercises
from .quantities import bytes_text
from .values import block, difference, same, short, untouched
from .verdict import Verdict

SHAPES = "convladder.problem."  # shapes and counts, which tell less of an answer than a method
SEED = 20260101  # every learner, and CI, meets the same cases
NEAR = 0.1  # a mistake's workspace is recognised within this share of it
LARGE = 2**16  # bytes of a case's arguments from which on its workspace is measured


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
        refusal = _refusal(exercise, answer, watch)
        if refusal:
            return verdict(*refusal)
        cases = exercise.cases(np.random.default_rng(SEED))
        finding = examine(exercise, answer, cases, exercise.calls_allowed if watch else None)
        if finding.stage == stages.NOT_ATTEMPTED:
            return verdict(finding.stage, finding.sentence)
        message = f"{_who(answer)} {finding.sentence}"
        printed = sum(each.printed for each in finding.attempts)
        if printed:
            message += f" (It also printed {printed:,} line{'s' * (printed > 1)}, not shown.)"
    found = None if finding.stage == stages.PASSED else recognise(exercise, finding)
    return verdict(
        finding.stage, message, detail=finding.detail,
        misconception=found.name if found else None, hints=found.hints if found else (),
        again=f'check("{exercise.name}", {getattr(answer, "__name__", "...")})',
    )


@dataclass
class Finding:
    """What an implementation did on all cases. `sentence` goes on after its name."""

    stage: str
    sentence: str
    detail: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    workspaces: tuple[int, ...] = ()  # bytes, on the large cases of an exercise with a budget
    fault: Fault | None = None  # of the machine code, where the exercise judges it


def examine(exercise: Exercise, function: Callable, cases: list[tuple],
            calls_allowed: tuple[str, ...] | None, weigh: bool = True) -> Finding:
    """Runs `function` on all cases; the finding is about the first one that is not right.

    weigh: whether to look behind right answers, at their workspace and machine code, where the
        exercise asks for it.
    """
    attempts = []
    for args in cases:
        attempts.append(attempt(function, args, calls_allowed))
        if untouched(attempts[-1].value):
            return Finding(stages.NOT_ATTEMPTED, "Replace the line `return ...` by your own.")
    for number, (args, tried) in enumerate(zip(cases, attempts), start=1):
        fault = _fault(exercise, args, tried)
        if fault:
            stage, sentence, detail = fault
            return Finding(stage, sentence, _case(exercise, number, cases, detail), attempts)
    right = f"gives the right answer on all {len(cases)} cases" if len(cases) > 1 else "is right"
    if exercise.code is not None and weigh:
        with quiet():
            fault = exercise.code(function)
        if fault is not None:
            return Finding(stages.OTHER_CODE, f"{right}, but {fault.sentence}", "", attempts,
                           fault=fault)
    if exercise.workspace is None or not weigh:
        return Finding(stages.PASSED, right + ".", "", attempts)
    return _within_budget(exercise, function, cases, right, attempts)


def recognise(exercise: Exercise, finding: Finding) -> Misconception | None:
    """The usual mistake that behaves like `finding` on every case, if there is one.

    Where only the workspace is wrong: the mistake whose own is nearest, within NEAR on each case.
    """
    cases = exercise.cases(np.random.default_rng(SEED)) if exercise.cases else [()]
    nearest: list[tuple[int, int]] = []
    for i, misconception in enumerate(exercise.misconceptions):
        other = examine(exercise, misconception.wrong, cases, None,
                        weigh=finding.stage in (stages.OVER_BUDGET, stages.OTHER_CODE))
        if other.stage != finding.stage:
            continue
        if finding.stage == stages.OTHER_CODE:
            if other.fault.name == finding.fault.name:
                return misconception
        elif finding.stage == stages.OVER_BUDGET:  # all values are right: only the bytes tell
            pairs = list(zip(other.workspaces, finding.workspaces))
            if all(abs(a - b) <= max(RESOLUTION, NEAR * a) for a, b in pairs):
                nearest.append((sum(abs(a - b) for a, b in pairs), i))
        elif all(map(_same_outcome, other.attempts, finding.attempts)) and (
                finding.stage != stages.WRONG_ORDER
                or all(map(_same_order, other.attempts, finding.attempts))):
            return misconception
    return exercise.misconceptions[min(nearest)[1]] if nearest else None


def _same_outcome(a: Attempt, b: Attempt) -> bool:
    return (a.changed == b.changed and a.views == b.views and a.objection == b.objection
            and same(a.value, b.value)
            and (a.error and explain(a.error)) == (b.error and explain(b.error)))


def _same_order(a: Attempt, b: Attempt) -> bool:
    """Whether two arrays of one shape lie alike in memory. The stride of one item says nothing."""
    return all(m == n for size, m, n in zip(a.value.shape, a.value.strides, b.value.strides)
               if size > 1)


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


def _fault(exercise: Exercise, args: tuple, tried: Attempt) -> tuple[str, str, str] | None:
    """What is wrong with one attempt: (stage, sentence, detail), or None."""
    if tried.borrowed:
        called = min(tried.borrowed, key=lambda name: name.startswith(SHAPES))
        called = called.removesuffix(".__post_init__")  # a dataclass is called by its own name
        return stages.NOT_YOURS, (
            f"calls `{called}`, which is the course's own code. Write this step yourself."), ""
    if tried.error is not None:
        where = f" at {tried.line}" if tried.line else ""
        if isinstance(tried.error, Refused):
            return stages.RAISED, (
                f"{tried.error}{where}: a function under check must get everything from its "
                "arguments, and return."), ""
        return stages.RAISED, f"raised an exception{where}: {explain(tried.error)}", ""
    if tried.objection is not None:
        return stages.NOT_USED, tried.objection, ""
    names = exercise.parameters
    if tried.changed:
        return stages.TOUCHES_INPUT, (
            f"changed its argument `{names[tried.changed[0]]}` in place. "
            "Whoever called it still needs that: work on a copy."), ""
    expected = exercise.reference(*copy.deepcopy(args))
    found = difference(expected, tried.value)
    if found is None and exercise.contiguous and not tried.value.flags.c_contiguous:
        return stages.WRONG_ORDER, (
            "returned the right values, but they do not lie in memory in the order of the axes: "
            f"the strides are {list(tried.value.strides)} bytes. "
            "Return a C-contiguous array."), ""
    if found is None and tried.views and not exercise.may_view:
        return stages.TOUCHES_INPUT, (
            f"returned a view of its argument `{names[tried.views[0]]}`: the values are right, "
            "but writing into the result would change the argument. Return memory of its own."), ""
    return found


def _case(exercise: Exercise, number: int, cases: list[tuple], detail: str) -> str:
    lines = [block(name, value) for name, value in zip(exercise.parameters, cases[number - 1])]
    if lines:
        lines.insert(0, f"case {number} of {len(cases)}:")
    return "\n".join(lines + [detail] * bool(detail))


def _within_budget(exercise: Exercise, function: Callable, cases: list[tuple], right: str,
                   attempts: list[Attempt]) -> Finding:
    large = [i for i, args in enumerate(cases[:-1])
             if sum(getattr(arg, "nbytes", 0) for arg in args) >= LARGE] + [len(cases) - 1]
    budgets, measured = [], []
    for i in large:
        args = copy.deepcopy(cases[i])
        budgets.append(exercise.workspace(*args))
        with quiet():
            memory = workspace(function, *args)
        # Where a view will do, a result with memory of its own is a copy, and its bytes count.
        measured.append(memory.workspace + (memory.result if exercise.may_view else 0))
    for i, budget, needed in zip(large, budgets, measured):
        if needed > budget + RESOLUTION:
            return Finding(
                stages.OVER_BUDGET,
                f"{right}, but needs {bytes_text(needed)} of workspace, "
                f"and {bytes_text(budget)} is enough.",
                _case(exercise, i + 1, cases, ""), attempts, tuple(measured))
    return Finding(stages.PASSED, f"{right}, within {bytes_text(budgets[-1])} of workspace.", "",
                   attempts, tuple(measured))


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
