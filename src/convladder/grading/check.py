"""From a learner's object to a verdict: take, run, judge, recognise, shrink. Read it downwards."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any

import numpy as np

from ..core.machine_error import is_of_the_machine
from ..exercises import load_exercise
from ..exercises.exercise import Exercise, Misconception, random_fill
from ..journal import CHECKED, tell
from ..journal.notebook_context import is_script_of_a_notebook
from ..replay import Replay
from .compare import Symptom, same
from .cost import judge_cost
from .judge import expected, judge_run, judge_usage, not_judged, run, run_small
from .kernel import STUB, KernelCall, KernelFault
from .sandbox import PACKAGE, Run, error_text, own_globals, plain_function
from .small_case import clue, shrink
from .threads import OutOfTime
from .values_replay import values_replay
from .verdict import Outcome, SmallCase, Verdict

COST_TOLERANCE = 0.15  # relative difference of two costs that have one cause
# Kinds of symptoms: of an answer that never ran, of what no usual mistake does, of what no single
# case shows, of what a kernel's replay shows.
UNRUN_KINDS = ("not attempted", "not yours", "not judged", "compile", "launch")
UNRECOGNISED_KINDS = (*UNRUN_KINDS, "time", "again")
CASELESS_KINDS = (*UNRUN_KINDS, "changed", "view", "not contiguous", "misused", "unfinished")
REPLAYED_KINDS = ("fault", "budget")


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
        return Verdict(exercise, Outcome(not_judged(error)))


def _judged(exercise: Exercise, answer: Any) -> Verdict:
    """Return the verdict on an answer: the pipeline."""
    function = take(exercise, answer)
    if isinstance(function, Symptom):
        return Verdict(exercise, Outcome(function))
    attempt = Attempt(exercise, function, exercise.allowed)
    outcome = attempt.outcome
    if outcome.symptom is None:
        return Verdict(exercise, outcome)
    mistake, known = recognise(exercise, outcome) or (None, None)
    verdict = Verdict(exercise, outcome, mistake)
    with suppress(Exception):  # a result that nobody thought of: it is refused, and that is said
        verdict.small = small_case(attempt, known)
        verdict.clue = None if mistake else clue(exercise, outcome, verdict.small)
    verdict.watch = replay_maker(attempt, verdict.small)
    return verdict


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
    if code and code.co_filename.startswith(PACKAGE):
        return Symptom("not yours", code.co_qualname)
    parameters = exercise.parameters[-1:] if exercise.kernel else exercise.parameters
    try:
        inspect.signature(answer).bind(*parameters)
    except TypeError:
        return Symptom("signature", evidence={"parameters": parameters})
    except ValueError:  # some built-in functions have no signature
        pass
    return KernelCall(exercise, answer) if exercise.kernel else answer


@dataclass
class Attempt:
    """An answer on the seeded cases. It runs on them one by one, as far as somebody asks, once.

    allowed: prefixes of the course's functions that it may call; None if it is the course's own.
    """

    exercise: Exercise
    function: Callable
    allowed: tuple[str, ...] | None
    _runs: list[Run] = field(default_factory=list)

    def run_of(self, number: int) -> Run:
        """Return its run on case `number`, counted from 0."""
        for case in self.exercise.seeded_cases[len(self._runs) : number + 1]:
            args = self.exercise.arguments(case, random_fill())
            self._runs.append(run(self.function, args, self.allowed))
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
                outcome.number = None if symptom.kind in CASELESS_KINDS else number
                return outcome
        outcome.symptom = self._judge_further(outcome)
        return outcome

    def _judge_further(self, outcome: Outcome) -> Symptom | None:
        """Return an objection to the way to right values, or to their cost, which is noted."""
        exercise, function, args = self.exercise, self.function, outcome.runs[-1].args
        try:
            objection = judge_usage(exercise, function)
            return objection or judge_cost(exercise, function, outcome.cost, args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if is_of_the_machine(error, own_globals(function)):
                return not_judged(error)
            text = f"{error_text(error)}, called once more"
            return Symptom("raised", evidence={"said": text})

    small = cached_property(lambda self: shrink(self.exercise, self.function, self.outcome))


def recognise(exercise: Exercise, outcome: Outcome) -> tuple[Misconception, Attempt] | None:
    """Return the usual mistake that does on every case what the answer does, or None."""
    if outcome.symptom.kind in UNRECOGNISED_KINDS:
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
        abs(one.cost[each] - other.cost[each]) <= max(64, COST_TOLERANCE * other.cost[each])
        for each in one.cost.keys() & other.cost.keys()
    )


def alike_runs(one: Run, other: Run) -> bool:
    """Return whether two answers did the same with one case."""
    if one.error or other.error:
        return _identity(one.error) == _identity(other.error)
    return one.objection == other.objection and same(other.value, one.value)


def _identity(error: BaseException | None) -> tuple[type, Any]:
    """Return the type and the text of an error, which two answers with one mistake share."""
    return type(error), error.signature if isinstance(error, KernelFault) else error_text(error)


def small_case(attempt: Attempt, known: Attempt | None) -> SmallCase | None:
    """Return the smallest case that fails: that of the mistake that was recognised, if it fits."""
    if known and (small := known.small):
        each = run_small(attempt.function, small.args)
        symptom = judge_run(attempt.exercise, each, small.expected)
        if symptom and symptom.kind == small.symptom.kind:
            return replace(small, symptom=symptom, got=each.value)
    return attempt.small


def replay_maker(attempt: Attempt, small: SmallCase | None) -> Callable[[], Replay] | None:
    """Return the function that makes, once, the replay of a kernel's fault or of a wrong value."""
    exercise, function, outcome = attempt.exercise, attempt.function, attempt.outcome
    if isinstance(function, KernelCall) and outcome.symptom.kind in REPLAYED_KINDS:
        case = outcome.runs[-1 if outcome.number is None else outcome.number].args
        return cache(partial(function.replay, small.args if small else case))
    if small and small.symptom.kind == "value":
        both = (
            lambda args: run_small(function, args).value,
            lambda args: exercise.right(*copy.deepcopy(args)),
        )
        return cache(partial(values_replay, exercise.parameters, small, *both))
    return None
