"""Runs an answer on an exercise's cases, and says what it did on the first that is not right."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from ...cuda import CudaError, Report
from ...measure import RESOLUTION, workspace
from ...text import bytes_text
from . import cuda as kernels
from . import verdict as stages
from .compare import block, difference, untouched
from .exercise import Exercise, Fault
from .run import Attempt, Refused, attempt, explain, quiet

SHAPES = "convladder.problem."  # shapes and counts, which tell less of an answer than a method
LARGE = 2**16  # bytes of a case's arguments from which on its workspace is measured


@dataclass
class Finding:
    """What an implementation did on all cases. `sentence` goes on after its name."""

    stage: str
    sentence: str
    detail: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    measured: tuple[int, ...] = ()  # bytes on the large cases, or a kernel's traffic on the last
    fault: Fault | None = None  # of the machine code, where the exercise judges it


def examine(exercise: Exercise, function: Callable, cases: list[tuple],
            calls_allowed: tuple[str, ...] | None, weigh: bool = True) -> Finding:
    """Runs `function` on all cases; the finding is about the first one that is not right.

    weigh: whether to look behind right answers, at their workspace and machine code, where the
        exercise asks for it.
    """
    attempts = []
    if exercise.kernel:
        function, calls_allowed = kernels.Watched(exercise, function), None
    for args in cases:
        attempts.append(attempt(function, args, calls_allowed))
        if untouched(attempts[-1].value):
            return Finding(stages.NOT_ATTEMPTED, "Replace the `...` by your answer."
                           if exercise.kernel else "Replace the line `return ...` by your own.")
    for number, (args, tried) in enumerate(zip(cases, attempts), start=1):
        fault = _fault(exercise, args, tried)
        if fault:
            stage, sentence, detail = fault
            if stage not in (stages.DOES_NOT_COMPILE, stages.NO_LAUNCH):
                detail = _case(exercise, number, cases, detail)
            return Finding(stage, sentence, detail, attempts)
    right = f"gives the right answer on all {len(cases)} cases" if len(cases) > 1 else "is right"
    if exercise.kernel and weigh:
        return _within_traffic(exercise, function.report, cases, right, attempts)
    if exercise.code is not None and weigh:
        with quiet():
            fault = exercise.code(function)
        if fault is not None:
            return Finding(stages.OTHER_CODE, f"{right}, but {fault.sentence}", "", attempts,
                           fault=fault)
    if exercise.workspace is None or not weigh:
        return Finding(stages.PASSED, right + ".", "", attempts)
    return _within_budget(exercise, function, cases, right, attempts)


def _fault(exercise: Exercise, args: tuple, tried: Attempt) -> tuple[str, str, str] | None:
    """What is wrong with one attempt: (stage, sentence, detail), or None."""
    if tried.borrowed:
        called = min(tried.borrowed, key=lambda name: name.startswith(SHAPES))
        called = called.removesuffix(".__post_init__")  # a dataclass is called by its own name
        return stages.NOT_YOURS, (
            f"calls `{called}`, which is the course's own code. Write this step yourself."), ""
    if isinstance(tried.error, (CudaError, kernels.Faulty)):
        return kernels.told(tried.error)
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
    if exercise.accept:
        objection = exercise.accept(*copy.deepcopy(args), tried.value)
        return objection and (*objection, "")
    expected = exercise.reference(*copy.deepcopy(args))
    found = difference(expected, tried.value)
    if found and exercise.kernel:
        return found[0], found[1].replace("returned", "writes"), found[2]
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


def _within_traffic(exercise: Exercise, report: Report, cases: list[tuple], right: str,
                    attempts: list[Attempt]) -> Finding:
    args, measured = copy.deepcopy(cases[-1]), kernels.counts(report)
    if over := kernels.excess(exercise, report, args):
        return Finding(stages.OVER_BUDGET, f"{right}, but {over[0]}.",
                       _case(exercise, len(cases), cases, over[1]), attempts, measured)
    if within := kernels.within(exercise, report, args):
        right += f", with {within}"
    return Finding(stages.PASSED, right + ".", "", attempts, measured)
