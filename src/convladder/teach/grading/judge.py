"""Run an answer on all cases, and say what it did on the first that is not right."""

from __future__ import annotations

import copy
from dataclasses import replace

from . import stages
from .answer import Answer
from .compare import difference
from .held import holds_ellipsis
from .kept import KEEPS, is_overwritten
from .run import Attempt, failed
from .time_limit import OutOfTime
from .verdict import Finding

NOT_WAITED = (
    "returned while threads that it had started were still at work: what they write "
    "after that is not in the result. Wait for them: `thread.join()` or "
    "`future.result()` of each, or leave the pool's `with` block before you return."
)
SHAPES = "convladder.problem."  # shapes and counts, which tell less of an answer than a method


def judge(answer: Answer, cases: list[tuple]) -> Finding:
    """Run `answer` on all cases; the finding is about the first one that is not right.

    Where all are right, it is about what they cost.
    """
    attempts = []
    for args in cases:
        attempts.append(answer.run(args))
        if holds_ellipsis(attempts[-1].value):
            return Finding(stages.NOT_ATTEMPTED, answer.not_attempted)
        if isinstance(attempts[-1].error, OutOfTime):
            break  # the next case would take as long
    for number, (args, attempt) in enumerate(zip(cases, attempts, strict=False), start=1):
        wrong = judge_case(answer, args, attempt)
        if wrong and is_overwritten(
            attempt, attempts[number:], lambda: judge_case(answer, args, answer.run(args)) is None
        ):  # noqa: B023
            return Finding(stages.KEEPS_RESULT, KEEPS, "", attempts)
        if wrong:
            stage, sentence, detail = wrong
            if stage not in (stages.DOES_NOT_COMPILE, stages.NO_LAUNCH):
                detail = answer.show_case(number, cases, detail)
            return Finding(stage, sentence, detail, attempts)
    right = f"gives the right answer on all {len(cases)} cases" if len(cases) > 1 else "is right"
    try:
        cost = answer.judge_cost(cases, attempts[-1].report)
    except answer.not_its_own:
        raise
    except Exception as error:  # of a call that was right before: it is called again to be measured
        stage, sentence, detail = answer.error(failed(answer.given, error))
        return Finding(stage, f"{right}, but called once more it {sentence}", detail, attempts)
    return replace(cost, sentence=right + cost.sentence, attempts=attempts)


def judge_case(answer: Answer, args: tuple, attempt: Attempt) -> tuple[str, str, str] | None:
    """Return what is wrong with one attempt: (stage, sentence, detail), or None."""
    exercise = answer.exercise
    if attempt.package_calls:
        called = min(attempt.package_calls, key=lambda name: name.startswith(SHAPES))
        called = called.removesuffix(".__post_init__")  # a dataclass is called by its own name
        return (
            stages.NOT_YOURS,
            (f"calls `{called}`, which is the course's own code. Write this step yourself."),
            "",
        )
    if attempt.error is not None:
        return answer.error(attempt)
    if attempt.objection is not None:
        return stages.NOT_USED, attempt.objection, ""
    names = exercise.parameters
    if attempt.changed:
        return (
            stages.TOUCHES_INPUT,
            (
                f"changed its argument `{names[attempt.changed[0]]}` in place. "
                "Whoever called it still needs that: work on a copy."
            ),
            "",
        )
    if exercise.accept:
        objection = exercise.accept(*copy.deepcopy(args), attempt.value)
        if attempt.left and (objection or not attempt.settled):
            return stages.NOT_WAITED, NOT_WAITED, ""
        return objection and (*objection, "")
    wrong = difference(exercise.reference(*copy.deepcopy(args)), attempt.value)
    if attempt.left and (wrong or not attempt.settled):
        return stages.NOT_WAITED, NOT_WAITED, wrong[2] if wrong else ""
    if wrong:
        stage, sentence, detail = wrong
        verb = "leaves" if exercise.kernel and "returned NaN" in sentence else answer.verb
        return stage, sentence.replace("returned", verb), detail
    if exercise.contiguous and not attempt.value.flags.c_contiguous:
        return (
            stages.WRONG_ORDER,
            (
                "returned the right values, but they do not lie in memory in the order of the axes: "
                f"the strides are {list(attempt.value.strides)} bytes. "
                "Return a C-contiguous array."
            ),
            "",
        )
    if attempt.views and not exercise.may_view:
        return (
            stages.TOUCHES_INPUT,
            (
                f"returned a view of its argument `{names[attempt.views[0]]}`: the values are right, "
                "but writing into the result would change the argument. Return memory of its own."
            ),
            "",
        )
    return None
