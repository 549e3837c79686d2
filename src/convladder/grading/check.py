"""From a learner's object to a verdict: take, run, judge, recognise, shrink. Read it downwards."""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any

import numpy as np

from .. import cuda
from ..core.machine_error import is_of_the_machine
from ..exercises import load_exercise
from ..exercises.exercise import Exercise, Misconception, counting, random_fill, small_integers
from ..journal import CHECKED, tell
from ..journal.notebook_context import is_script_of_a_notebook
from . import threads
from .compare import Symptom, difference, same
from .cost import judge_cost
from .kernel import STUB, KernelCall, KernelFault
from .sandbox import OURS, Run, call, guarded, own_globals, plain_function, told
from .smallest import NOTATION, Tries, needed, smallest
from .threads import OutOfTime, limited
from .verdict import Outcome, Small, Verdict
from .watch import values_replay

ALIKE = 0.15  # relative difference of two costs that have one cause
# Kinds of a wrong result, of which one may turn into another.
RESULT = ("value", "shape", "length", "keys")
SHRUNK = (*RESULT, "raised", "fault", "refused")  # kinds that a small case explains
NEVER_NAMED = ("not attempted", "not yours", "not judged", "time", "compile", "launch", "again")
ABOUT_THE_CODE = (  # kinds that no single case shows
    *("not attempted", "not yours", "not judged", "compile", "launch", "changed", "view"),
    *("not contiguous", "misused", "unfinished"),
)
WATCHED = ("fault", "budget")  # kinds of a kernel that a replay shows
TRIES = 300  # of smaller cases; of kernels a third, which take longer


class Interrupted(KeyboardInterrupt):
    """An interrupt of a check. In a notebook its sentence stands alone, with no calls."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def check(name: str, answer: Any) -> Verdict:
    """Judge `answer`, the learner's live object, as the exercise `name`.

    Runs it on copies of its arguments, and adds a line to the learner's journal. Raises KeyError
    for a name that no exercise has, `Interrupted` on an interrupt, and nothing that the answer
    does.
    """
    exercise = load_exercise(name)
    try:
        verdict = grade(exercise, answer)
    except KeyboardInterrupt:
        raise Interrupted(f"The check of {name} was interrupted. Nothing is judged.") from None
    if verdict.judged:
        said = {"misconception": verdict.misconception or "", "case": verdict.case_line()}
        tell(CHECKED, exercise=name, stage=verdict.stage, **said)
    if is_script_of_a_notebook():  # which shows no cell's last expression
        print(verdict)
    return verdict


@np.errstate(all="ignore")  # whatever a notebook or a library has set
def grade(exercise: Exercise, answer: Any) -> Verdict:
    """Return the verdict on an answer; where the machine fails, that it could not be judged."""
    try:
        return _judged(exercise, answer)
    except Exception as error:
        if not is_of_the_machine(error, {}):
            raise
        return Verdict(exercise, Outcome(_not_judged(error)))


def _judged(exercise: Exercise, answer: Any) -> Verdict:
    """Return the verdict on an answer: the pipeline."""
    taken = take(exercise, answer)
    if isinstance(taken, Symptom):
        return Verdict(exercise, Outcome(taken))
    attempt = Attempt(exercise, taken, exercise.allowed)
    outcome = attempt.outcome
    if outcome.symptom is None:
        return Verdict(exercise, outcome)
    mistake, known = recognise(exercise, outcome) or (None, None)
    verdict = Verdict(exercise, outcome, mistake)
    with suppress(Exception):  # a result that nobody thought of: it is refused, and that is said
        verdict.small = small_case(attempt, known)
        verdict.clue = None if mistake else clue(exercise, outcome, verdict.small)
    if isinstance(taken, KernelCall) and outcome.symptom.kind in WATCHED:
        case = outcome.runs[-1 if outcome.number is None else outcome.number].args
        verdict.watch = cache(partial(taken.replay, verdict.small.args if verdict.small else case))
    elif verdict.small and verdict.small.symptom.kind == "value":
        seconds = threads.SECONDS / 4
        both = (
            lambda args: run(taken, args, None, seconds).value,
            lambda args: exercise.right(*copy.deepcopy(args)),
        )
        verdict.watch = cache(partial(values_replay, exercise.parameters, verdict.small, *both))
    return verdict


# --- 1. take --------------------------------------------------------------------------------------


def take(exercise: Exercise, answer: Any) -> Callable | Symptom:
    """Return the function to call with a case's arguments, or the reason why there is none."""
    if answer is ...:
        return Symptom("not attempted")
    if exercise.kernel and exercise.kernel.launch:
        source = getattr(answer, "source", answer)  # a cuda.Kernel will do
        if not isinstance(source, str):
            return Symptom("type", "your answer", {"expected": "", "got": answer})
        return Symptom("not attempted") if STUB.search(source) else KernelCall(exercise, answer)
    if not callable(answer):
        return Symptom("type", "your answer", {"expected": exercise.right, "got": answer})
    code = getattr(plain_function(answer), "__code__", None)
    if code and code.co_filename.startswith(OURS):
        return Symptom("not yours", code.co_qualname)
    parameters = exercise.parameters[-1:] if exercise.kernel else exercise.parameters
    try:
        inspect.signature(answer).bind(*parameters)
    except TypeError:
        return Symptom("signature", evidence={"parameters": parameters})
    except ValueError:  # some built-in functions have no signature
        pass
    return KernelCall(exercise, answer) if exercise.kernel else answer


# --- 2. run, and judge ----------------------------------------------------------------------------


class Attempt:
    """An answer on the seeded cases. It runs on them one by one, as far as somebody asks, once.

    allowed: prefixes of the course's functions that it may call; None if it is the course's own.
    """

    def __init__(
        self, exercise: Exercise, taken: Callable, allowed: tuple[str, ...] | None
    ) -> None:
        self.exercise, self.taken, self.allowed = exercise, taken, allowed
        self._runs: list[Run] = []

    def run_of(self, number: int) -> Run:
        """Return its run on case `number`, counted from 0."""
        for case in self.exercise.seeded_cases[len(self._runs) : number + 1]:
            args = self.exercise.arguments(case, random_fill())
            self._runs.append(run(self.taken, args, self.allowed))
        return self._runs[number]

    @cached_property
    def outcome(self) -> Outcome:
        """The first thing that is wrong on all cases, then with the cost."""
        exercise, outcome = self.exercise, Outcome(None)
        for number in range(len(exercise.seeded_cases)):
            outcome.runs.append(self.run_of(number))
            if isinstance(outcome.runs[-1].error, OutOfTime):
                break  # the next case would take as long
        for number, each in enumerate(outcome.runs):
            if symptom := judge_run(exercise, each, expected(exercise, number)):
                outcome.symptom = symptom
                outcome.number = None if symptom.kind in ABOUT_THE_CODE else number
                return outcome
        try:
            outcome.symptom = judge_usage(exercise, self.taken) or judge_cost(
                exercise, self.taken, outcome.cost, outcome.runs[-1].args
            )
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if is_of_the_machine(error, own_globals(self.taken)):
                outcome.symptom = _not_judged(error)
                return outcome
            outcome.symptom = Symptom(
                "raised", evidence={"said": f"{told(error)}, called once more"}
            )
        return outcome

    small = cached_property(lambda self: shrink(self.exercise, self.taken, self.outcome))


def run(
    taken: Callable, args: tuple, allowed: tuple[str, ...] | None, seconds: float | None = None
) -> Run:
    """Run an answer on one case's arguments. The emulator has a time limit of its own."""
    if isinstance(taken, KernelCall):
        return call(taken, args, None, None)
    return call(taken, args, allowed, seconds or threads.SECONDS)


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
            said = f"The result can't be read: {told(error)}."
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
        return _not_judged(run.error)
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
            return _not_judged(run.error)
    return Symptom("raised", run.line, {"said": told(run.error)})


def _not_judged(error: BaseException) -> Symptom:
    return Symptom("not judged", evidence={"said": told(error)})


def judge_usage(exercise: Exercise, taken: Callable) -> Symptom | None:
    """Return an objection to the way in which right values were computed, or None."""
    if not exercise.kernel and not exercise.accept and (said := judge_again(exercise, taken)):
        return Symptom("again", evidence={"said": said})
    if exercise.usage:
        with guarded(taken):
            said = limited(lambda: exercise.usage(taken))
        return Symptom("misused", evidence={"said": said}) if said else None
    return None


def judge_again(exercise: Exercise, taken: Callable) -> str:
    """Return what is wrong with calls on values of sizes that were there before, or ""."""
    case = exercise.seeded_cases[0]
    runs = [run(taken, exercise.arguments(case, random_fill(seed)), None) for seed in (1, 2)]
    if not same(runs[0].value, runs[0].live):
        return "overwrites the first call's result"
    for each in runs:
        if each.error:
            raise each.error
        if difference(exercise.right(*copy.deepcopy(each.args)), each.value):
            return "with other values of the same sizes is wrong"
    return ""


# --- 3. recognise ---------------------------------------------------------------------------------


def recognise(exercise: Exercise, outcome: Outcome) -> tuple[Misconception, Attempt] | None:
    """Return the usual mistake that does on every case what the answer does, or None."""
    if outcome.symptom.kind in NEVER_NAMED:
        return None
    for number, mistake in enumerate(exercise.misconceptions):
        for known in attempts_of(exercise, number):
            if alike(outcome, known):
                return mistake, known
    return None


@lru_cache(maxsize=256)
def attempts_of(exercise: Exercise, number: int) -> list[Attempt]:
    """Return the variants of one misconception. Most differ from an answer on the first cases."""
    variants: list[Any] = exercise.misconceptions[number].answers(exercise.solution)
    return [
        Attempt(exercise, KernelCall(exercise, each, ours=True) if exercise.kernel else each, None)
        for each in variants
    ]


def alike(one: Outcome, attempt: Attempt) -> bool:
    """Return whether two answers do the same on every case, for about the same cost."""
    if not all(alike_runs(each, attempt.run_of(number)) for number, each in enumerate(one.runs)):
        return False
    other = attempt.outcome
    if other.symptom is None or one.symptom.kind != other.symptom.kind:
        return False
    if one.symptom.kind in ("not contiguous", "misused") and one.symptom != other.symptom:
        return False
    return all(
        abs(one.cost[each] - other.cost[each]) <= max(64, ALIKE * other.cost[each])
        for each in one.cost.keys() & other.cost.keys()
    )


def alike_runs(one: Run, other: Run) -> bool:
    """Return whether two answers did the same with one case."""
    if one.error or other.error:
        return type(one.error) is type(other.error) and _told(one.error) == _told(other.error)
    return one.objection == other.objection and same(other.value, one.value)


def _told(error: BaseException) -> Any:
    return error.signature if isinstance(error, KernelFault) else told(error)


# --- 4. shrink, and look for a clue ---------------------------------------------------------------


def small_case(attempt: Attempt, known: Attempt | None) -> Small | None:
    """Return the smallest case that fails: that of the mistake that was recognised, if it fits."""
    if known and (small := known.small):
        each = run(attempt.taken, small.args, None, threads.SECONDS / 4)
        symptom = judge_run(attempt.exercise, each, small.expected)
        if symptom and symptom.kind == small.symptom.kind:
            return replace(small, symptom=symptom, got=each.value)
    return attempt.small


def shrink(exercise: Exercise, taken: Callable, outcome: Outcome) -> Small | None:
    """Return the smallest case that fails as the first wrong one does; None where none explains it.

    Its arrays hold 1, 2, 3, …; or, where these are right, small signed integers.
    """
    kind = outcome.symptom.kind
    if outcome.number is None or kind not in SHRUNK:
        return None
    kinds, error = RESULT if kind in RESULT else (kind,), type(outcome.runs[outcome.number].error)
    names = tuple(inspect.signature(exercise.inputs or exercise.right).parameters)
    names = names[1:] if exercise.inputs else names
    more: list[Callable] = [*(partial(small_integers, seed) for seed in range(3)), random_fill]
    fills = [lambda: counting, *(more if exercise.inputs else [])]
    seen: dict[str, str] = {}

    def symptom_of(case: tuple, fill: Callable) -> tuple[Run, Any, Symptom | None] | None:
        """Return the answer's run on a case, or None for a case that makes no sense."""
        try:
            args = exercise.arguments(case, fill())
            empty = any(isinstance(arg, np.ndarray) and arg.size == 0 for arg in args)
            if empty or not exercise.valid(*case):
                return None
            right = exercise.right(*copy.deepcopy(args))
        except Exception:
            return None
        each = run(taken, args, None, seconds=threads.SECONDS / 4)
        return each, right, judge_run(exercise, each, right)

    def seen_as(case: tuple, fill: Callable) -> str:
        """Return whether it is "right" or "wrong", "" for neither. Each is run once."""
        key = f"{case!r} {fills.index(fill)}"
        if key not in seen:
            each, _, symptom = symptom_of(case, fill) or (None, None, None)
            like = symptom and symptom.kind in kinds and type(each.error) is error
            seen[key] = "wrong" if like else "right" if each and not symptom else ""
        return seen[key]

    def failing(case: tuple, most: int = len(fills)) -> Callable | None:
        """Return the first fill with which a case fails."""
        return next((fill for fill in fills[:most] if seen_as(case, fill) == "wrong"), None)

    def passes(case: tuple) -> bool:
        return all(seen_as(case, fill) == "right" for fill in fills[:4])

    grains = tuple(
        math.gcd(*sizes) if all(isinstance(each, int) for each in sizes) else 1
        for sizes in zip(*exercise.seeded_cases, strict=True)
    )
    case, most = exercise.seeded_cases[outcome.number], TRIES // (3 if exercise.kernel else 1)
    if not failing(case):
        return None
    tries = Tries(most)
    # The other fills only where nothing smaller fails with 1, 2, 3, …
    case = smallest(case, names, lambda case: failing(case, 1), tries, grains)
    case = smallest(case, names, failing, tries, grains)
    fill = failing(case)
    each, right, symptom = symptom_of(case, fill)
    needs = needed(case, names, passes, Tries(most // 3), grains)
    # Without a symptom it is right now and then.
    return Small(each.args, symptom, right, each.value, needs) if symptom else None


def clue(exercise: Exercise, outcome: Outcome, small: Small | None) -> Symptom | None:
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
    return (
        isinstance(right, np.ndarray)
        and right.size > 1
        and same(np.sort(right, None), np.sort(got, None))
    )


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
    return (
        float(times[0]) if np.isfinite(times[0]) and np.allclose(times, times[0], 1e-5, 0) else None
    )
