"""An answer as the judge meets it. There are two kinds: Python here, CUDA C++ in cuda.py."""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...text import bytes_text
from . import stages, time_limit
from .amounts import about, amounts_of
from .compare import ASK_OF_NONE
from .exercise import Exercise
from .held import bytes_of, holds_ellipsis
from .kept import KEEPS, keeps_result
from .peak import SECONDS, peak_of
from .run import Attempt, Unreadable, explain, in_package, run_once
from .stand_ins import Refused, guarded, quiet
from .time_limit import OutOfTime, limited
from .verdict import Finding
from .written import block, function_name, short

if TYPE_CHECKING:
    from ...cuda import Report
    from ...measure import Memory

OBJECTS = 0.01  # of a result's bytes: what a few of Python's objects may take, as a list of views
LARGE = 2**16  # bytes of a case's arguments from which on its workspace is measured


class Answer(ABC):
    """What all answers can: say why they cannot be run, run on a case, be measured, be named.

    exercise: what it answers. given: the object as it was handed in.
    """

    verb = "returned"  # what it did with its result
    not_attempted = "Replace the line `return ...` with your own."
    cost_share = 0.1  # costs of two answers are alike within this share
    cost_least = 0  # or within so much
    not_its_own: tuple[type[Exception], ...] = ()  # what it raises that is no fault of the answer

    def __init__(self, exercise: Exercise, given: Any) -> None:
        self.exercise, self.given = exercise, given

    def refusal(self) -> tuple[str, str] | None:
        """Return why it cannot be run at all, as (stage, message), or None."""
        if holds_ellipsis(self.given):
            return stages.NOT_ATTEMPTED, "Replace the `...` with your answer."
        return self._refusal()

    @abstractmethod
    def _refusal(self) -> tuple[str, str] | None:
        """Return why this kind of answer cannot be run."""

    @abstractmethod
    def run(self, args: tuple, seconds: float | None = None) -> Attempt:
        """Run it once, on copies of a case's arguments.

        seconds: what a Python function has for it, if not as long as any; a kernel has its own.
        """

    @abstractmethod
    def judge_cost(self, cases: list[tuple], report: Report | None) -> Finding:
        """Judge what right values cost: memory, machine code, traffic.

        report: of the last case's launch, if it is a kernel. The finding's sentence goes on after
        "gives the right answer on all 3 cases".
        """

    def name(self, stage: str) -> str:
        """Return what a sentence about it begins with."""
        return function_name(self.given)

    def error(self, attempt: Attempt) -> tuple[str, str, str]:
        """Return what is said of an attempt that raised: stage, sentence, detail."""
        where = f" at {attempt.line}" if attempt.line else ""
        if isinstance(attempt.error, Refused):
            return (
                stages.RAISED,
                (
                    f"{attempt.error}{where}: a function under check must get everything from its "
                    "arguments, and return."
                ),
                "",
            )
        if isinstance(attempt.error, Unreadable):
            return stages.WRONG_SHAPE, str(attempt.error), ""
        if isinstance(attempt.error, OutOfTime):
            return stages.TOO_LONG, _too_long(attempt.error, where), ""
        return stages.RAISED, f"raised an exception{where}: {explain(attempt.error)}", ""

    def message(self, finding: Finding) -> str:
        """Return a verdict's paragraph."""
        if finding.stage == stages.NOT_ATTEMPTED:
            return finding.sentence
        message = f"{self.name(finding.stage)} {finding.sentence}"
        lost = [each.lost for each in finding.attempts if each.lost]
        if lost:
            message += f" In a thread, or a task, an exception was raised {lost[0]}."
        if printed := sum(each.printed for each in finding.attempts):
            message += f" (It also printed {printed:,} line{'s' * (printed > 1)}, not shown.)"
        return message

    def show_case(self, number: int, cases: list[tuple], detail: str = "") -> str:
        """Return the arguments of case `number`, from 1, and then `detail`, line by line."""
        lines = [
            block(name, value) for name, value in zip(self.exercise.parameters, cases[number - 1])
        ]
        return "\n".join([f"case {number} of {len(cases)}:", *lines, *[detail] * bool(detail)])


class PythonAnswer(Answer):
    """A function. watch=False lets it be, or call, this package's own code."""

    def __init__(self, exercise: Exercise, given: Any, watch: bool = True) -> None:
        super().__init__(exercise, given)
        self.watch = watch

    def _refusal(self) -> tuple[str, str] | None:
        exercise, given = self.exercise, self.given
        expected = f"`{exercise.signature}`"
        if not callable(given):
            return stages.WRONG_SHAPE, (
                f"This exercise asks for a function {expected}; it was given {short(given)}. "
                f"Pass the function itself, with no brackets after its name."
            )
        code = getattr(inspect.unwrap(given), "__code__", None)
        if self.watch and (given is exercise.reference or code is not None and in_package(code)):
            return stages.NOT_YOURS, (
                f"`{given.__module__}.{given.__qualname__}` is the course's own function. "
                f"Write {expected} yourself."
            )
        try:
            inspect.signature(given).bind(*exercise.parameters)
        except TypeError:
            return stages.RAISED, (
                f"{function_name(given)} cannot be called as {expected}: "
                f"it must take {len(exercise.parameters)} arguments, in this order."
            )
        except ValueError:  # some built-in functions have no signature to ask
            pass
        return None

    def run(self, args: tuple, seconds: float | None = None) -> Attempt:
        return run_once(
            self.given,
            args,
            self.exercise.calls_allowed if self.watch else None,
            time_limit.SECONDS if seconds is None else seconds,
        )

    def judge_cost(self, cases: list[tuple], report: Report | None) -> Finding:
        for judged, stage in (
            (self.exercise.use, stages.NOT_USED),
            (self.exercise.code, stages.OTHER_CODE),
        ):
            if judged is not None:
                with quiet(), guarded(self.given):
                    flaw = limited(judged, self.given)
                if flaw is not None:
                    return Finding(stage, f", but {flaw.sentence}", flaw=flaw)
        if self.exercise.accept is None and self.keeps_result(min(cases, key=bytes_of)):
            return Finding(stages.KEEPS_RESULT, f", but {KEEPS}")
        if self.exercise.workspace is None:
            return Finding(stages.PASSED, ".")
        return self._judge_workspace(cases)

    def keeps_result(self, args: tuple) -> bool:
        """Return whether a later call writes into what this one returns."""
        return keeps_result(self.run, args)

    @property
    def cost_least(self) -> int:
        from ...measure import RESOLUTION

        return RESOLUTION

    def memory(self, args: tuple) -> Memory:
        """Measure the bytes that a call takes."""
        from ...measure import workspace

        with quiet():
            return limited(workspace, self.given, *args)

    def _peak(self, args: tuple, *measured: int) -> tuple[str, bool]:
        """Return where all that memory is, if it can be seen, and whether whole numbers take it."""
        with suppress(Exception), quiet():
            return limited(peak_of, self.given, copy.deepcopy(args), *measured, seconds=SECONDS)
        return "", False

    def _judge_workspace(self, cases: list[tuple]) -> Finding:
        from ...measure import RESOLUTION

        last, used, amounts = len(cases) - 1, {}, []
        for i, args in enumerate(cases):
            if i == last or bytes_of(args) >= LARGE:
                args = copy.deepcopy(args)
                allowed = self.exercise.workspace(*args)
                memory = self.memory(args)
                # Where a view will do, a result with memory of its own is a copy: it counts.
                own = memory.result if self.exercise.may_view else 0
                used[i] = memory.workspace + own, allowed, memory.result
                amounts.append(amounts_of(self.exercise, args, memory.result))
        cost = tuple(needed for needed, *_ in used.values())
        for i, (needed, allowed, result) in used.items():
            if needed > allowed + max(RESOLUTION, OBJECTS * result):
                where, whole = self._peak(cases[i], needed, result)
                return Finding(
                    stages.OVER_BUDGET,
                    f", but needs {bytes_text(needed)} of workspace, "
                    f"and {bytes_text(allowed)} is enough. {where}".rstrip(),
                    self.show_case(i + 1, cases),
                    cost=cost,
                    about=about(cost, amounts),
                    whole=whole,
                )
        return Finding(
            stages.PASSED, f", within {bytes_text(used[last][1])} of workspace.", cost=cost
        )


class Value(PythonAnswer):
    """A value, where the exercise asks for no function. Nothing is shown that gives it away."""

    def _refusal(self) -> tuple[str, str] | None:
        if callable(self.given):
            return stages.WRONG_SHAPE, (
                f"{function_name(self.given)} is a function; this exercise asks for a value."
            )
        return None

    def run(self, args: tuple, seconds: float | None = None) -> Attempt:
        return Attempt(self.given)

    def name(self, stage: str) -> str:
        return "Your value"

    def message(self, finding: Finding) -> str:
        if finding.stage == stages.PASSED:
            return f"Your value, {short(self.given)}, is right."
        message = super().message(finding).replace(f" {ASK_OF_NONE}", "")
        return message.replace("returned wrong values", "holds wrong values").replace(
            "returned", "is"
        )

    def show_case(self, number: int, cases: list[tuple], detail: str = "") -> str:
        return ""


def _too_long(error: OutOfTime, where: str) -> str:
    sentence = (
        f"was still running after {error.seconds:g} seconds{where}, and was stopped. Is "
        "there a loop that never comes to its end?"
    )
    if error.left:
        sentence += (
            " It is inside compiled code, or waits for something, and goes on in the "
            "background: restart the kernel if it takes the time of other cells."
        )
    return sentence
