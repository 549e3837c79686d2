"""An answer run on one case, and the symptom of that run."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from .. import cuda
from ..core.machine_error import is_of_the_machine
from ..exercises.exercise import Exercise, random_fill
from . import threads
from .compare import Symptom, difference, same
from .kernel import KernelCall, KernelFault
from .sandbox import Run, call, error_text, guarded
from .threads import OutOfTime, limited


def run(
    function: Callable, args: tuple, allowed: tuple[str, ...] | None, seconds: float | None = None
) -> Run:
    """Run an answer on one case's arguments. The emulator has a time limit of its own."""
    if isinstance(function, KernelCall):
        return call(function, args, None, None)
    return call(function, args, allowed, seconds or threads.SECONDS)


def run_small(function: Callable, args: tuple) -> Run:
    """Run an answer on a small case: its calls unwatched, in a quarter of the time."""
    return run(function, args, None, threads.SECONDS / 4)


@lru_cache(maxsize=512)
def expected(exercise: Exercise, number: int) -> Any:
    """Return the right result of a seeded case; None where several are right."""
    case = exercise.arguments(exercise.seeded_cases[number], random_fill())
    return None if exercise.accept else exercise.right(*copy.deepcopy(case))


def judge_run(exercise: Exercise, run: Run, right: Any) -> Symptom | None:
    """Return the symptom of one run, or None. `right`: the expected result."""
    if run.calls:
        return Symptom("not yours", run.calls[0])
    if run.error:
        return _judge_error(exercise, run)
    items = run.value if isinstance(run.value, tuple | list) else [run.value]
    if any(each is ... for each in items):
        return Symptom("not attempted")
    if run.objection:
        return Symptom("misused", evidence={"said": run.objection})
    if run.changed:
        return Symptom("changed", exercise.parameters[run.changed[0]])
    if exercise.accept:
        try:
            said = exercise.accept(*copy.deepcopy(run.args), run.value)
        except Exception as error:
            if is_of_the_machine(error, {}):
                raise
            said = f"The result can't be read: {error_text(error)}."
        wrong = Symptom("refused", evidence={"said": said}) if said else None
    else:
        wrong = difference(right, run.value)
    if run.unfinished and (wrong or not run.settled):
        return Symptom("unfinished")
    if wrong or exercise.accept:
        return replace(wrong, evidence={**wrong.evidence, "lost": run.lost}) if wrong else None
    if exercise.contiguous and not run.live.flags.c_contiguous:
        return Symptom("not contiguous", evidence={"strides": run.live.strides})
    if run.shares and not exercise.view:
        return Symptom("view", exercise.parameters[run.shares[0]])
    return None


def _judge_error(exercise: Exercise, run: Run) -> Symptom:
    if run.of_the_machine:
        return not_judged(run.error)
    match run.error:
        case OutOfTime() as error:
            return Symptom("time", run.line, {"said": str(error), "left": error.left})
        case KernelFault() as error:
            kind = "crash" if error.fatal else "fault"
            return Symptom(kind, evidence={"said": str(error), "lines": error.lines})
        case cuda.CompileError() as error:
            return Symptom("compile", evidence={"said": str(error)})
        case cuda.LaunchError() as error:
            return Symptom("launch", evidence={"said": str(error)})
        case Exception() if exercise.kernel and not run.line:  # not in the learner's own lines
            return not_judged(run.error)
    return Symptom("raised", run.line, {"said": error_text(run.error)})


def not_judged(error: BaseException) -> Symptom:
    """Return the symptom of a machine that failed with `error`."""
    return Symptom("not judged", evidence={"said": error_text(error)})


def judge_usage(exercise: Exercise, function: Callable) -> Symptom | None:
    """Return an objection to the way in which right values were computed, or None."""
    if not exercise.kernel and not exercise.accept and (said := judge_again(exercise, function)):
        return Symptom("again", evidence={"said": said})
    if exercise.usage:
        with guarded(function):
            said = limited(lambda: exercise.usage(function))
        return Symptom("misused", evidence={"said": said}) if said else None
    return None


def judge_again(exercise: Exercise, function: Callable) -> str:
    """Return what is wrong with calls on values of sizes that were there before, or ""."""
    case = exercise.seeded_cases[0]
    runs = [run(function, exercise.arguments(case, random_fill(seed)), None) for seed in (1, 2)]
    if not same(runs[0].value, runs[0].live):
        return "overwrites the first call's result"
    for each in runs:
        if each.error:
            raise each.error
        if difference(exercise.right(*copy.deepcopy(each.args)), each.value):
            return "with other values of the same sizes is wrong"
    return ""
