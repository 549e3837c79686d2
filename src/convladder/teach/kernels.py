"""Answers that are CUDA C++: run on the emulator, every access watched, whatever they do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from inspect import signature
from typing import Any

import numpy as np

from .. import cuda
from ..cuda.emulator.arrays import DeviceArray
from ..cuda.emulator.compiler import compiler
from ..cuda.emulator.launcher import Emulated
from ..cuda.launching import checked, shape
from ..cuda.signature import parameters
from . import verdict as stages
from .exercise import OUT, Exercise
from .values import same, short, untouched

FILE = "your source"  # what messages call the source
SECONDS = 5.0  # for one launch: cases are small, and nobody waits for a kernel that never ends
SHOWN = 4  # faults that a verdict lists
COUNTS = {  # of a report; in the sentence "with 7 ..."
    "global_load_requests": "requests to load from global memory",
    "global_load_sectors": "sectors loaded from global memory",
    "global_store_requests": "requests to store to global memory",
    "global_store_sectors": "sectors stored to global memory",
    "shared_requests": "requests to shared memory",
    "shared_conflicts": "bank conflicts",
}
# The cause before what follows from it: a race makes a thread read what is not yet written.
_ORDER = ("endless", "too long", "barrier", "misaligned", "out of bounds", "crash", "stack",
          "division", "race", "unwritten")
_STUB = re.compile(r"^\s*\.\.\.\s*;?\s*$", re.M)


class Faulty(Exception):
    """A kernel that did what it must not. `result`: what it wrote all the same, or None."""

    def __init__(self, error: str, faults: list, kernel: Emulated,
                 result: np.ndarray | None) -> None:
        self.faults = sorted(faults, key=lambda fault: _ORDER.index(fault.kind)
                             if fault.kind in _ORDER else len(_ORDER))
        self.source, self.result = kernel.source, result
        # What is alike in any source: not the numbers of lines, nor a shared array's name.
        arrays = {parameter.name: i for i, parameter in enumerate(kernel.parameters)}
        self.outcome = {(fault.kind, arrays.get(fault.array)) for fault in faults}
        self.places = {(fault.kind, fault.block, fault.thread, arrays.get(fault.array),
                        fault.index if fault.array in arrays else None) for fault in faults}
        super().__init__(str(self.faults[0]) if faults else error)

    def like(self, other: Faulty) -> bool:
        """Whether two sources make the same kinds of faults, and either one of them by the same
        thread in the same place, or with the same result."""
        return self.outcome == other.outcome and (
            bool(self.places & other.places) or same(self.result, other.result))


class Watched:
    """A kernel as a check calls it: with a case's arguments; returns what the kernel wrote.

    Raises `Faulty`, or what `convladder.cuda` raises. One that does not compile, crashes or never
    ends is not tried again. `report` is that of the last launch that came to its end.
    """

    def __init__(self, exercise: Exercise, answer: Any) -> None:
        self.exercise, self.answer = exercise, answer
        self.report: cuda.Report | None = None
        self._broken: Exception | None = None
        if callable(answer) and not isinstance(answer, cuda.Kernel):
            self.__wrapped__ = answer  # whose lines are the learner's own

    def __call__(self, *args: Any) -> Any:
        if self._broken:
            raise self._broken
        source, name, *key = self._plan(args)
        if is_stub(source):
            return ...
        try:
            return self._run(_compiled(source, name), shape(tuple(key)), args)
        except (cuda.CompileError, cuda.LaunchError) as error:
            self._broken = error
            raise

    def _plan(self, args: tuple) -> tuple:
        """The source, the kernel's name, grid, block and perhaps bytes of shared memory."""
        task, answer = self.exercise.kernel, self.answer
        launch = task.launch(*args) if task.launch else ()
        if not task.launch:
            answer = answer(args[-1])
            if untouched(answer):
                return ..., task.name
            if not isinstance(answer, (tuple, list)) or len(answer) not in (3, 4):
                raise cuda.LaunchError(
                    f"`{self.exercise.signature}` returned "
                    f"{'a string' if isinstance(answer, str) else short(answer)}; it must return "
                    "(source, grid, block), or (source, grid, block, shared_bytes)")
            answer, *launch = answer
        if isinstance(answer, cuda.Kernel):
            return answer.source, answer.name, *launch
        if not isinstance(answer, str):
            raise cuda.LaunchError(f"its source is {short(answer)}, not a string")
        return answer, task.name, *launch

    def _run(self, kernel: Emulated, launch: Any, args: tuple) -> np.ndarray:
        expected = np.asarray(self.exercise.reference(*args))
        given = self.exercise.kernel.arguments(*args)
        result = DeviceArray(expected.shape, expected.dtype)
        copies = [result if arg is OUT else _copy(arg) if isinstance(arg, np.ndarray) else arg
                  for arg in given]
        try:
            values = checked(kernel.name, kernel.parameters, copies, DeviceArray)
        except cuda.LaunchError:
            raise cuda.LaunchError(
                f"it takes ({_written(kernel.parameters)}), and is given "
                f"({_written(self._solution(args))}), in this order") from None
        try:
            answer = kernel.trace(launch, values, SECONDS, (0, 0))
        except cuda.KernelError as error:
            self._broken = Faulty(str(error), error.faults, kernel, None)
            raise self._broken from None
        self.report = cuda.Report.of(answer, kernel, launch, values)
        for arg, copy in zip(given, copies, strict=True):
            if isinstance(arg, np.ndarray):
                arg[...] = copy.get()  # a check looks for changed arguments
        if self.report.faults:
            raise Faulty("", self.report.faults, kernel, result.get())
        return result.get()


    def _solution(self, args: tuple) -> list:
        """The parameters of a right answer."""
        task = self.exercise.kernel
        source = task.solution if task.launch else task.solution(args[-1])[0]
        return parameters(source, task.name, FILE)


def is_stub(source: Any) -> bool:
    """Whether a lab's `...` still stands where the learner's lines belong."""
    return source is ... or isinstance(source, str) and bool(_STUB.search(source))


def refusal(exercise: Exercise, answer: Any) -> tuple[str, str] | None:
    """Why `answer` cannot be run at all, as (stage, message)."""
    name = exercise.kernel.name
    if exercise.kernel.launch:
        if is_stub(getattr(answer, "source", answer)):
            return stages.NOT_ATTEMPTED, "Replace the `...` by your answer."
        if not isinstance(answer, (str, cuda.Kernel)):
            return stages.WRONG_SHAPE, (
                f"This exercise asks for the source of a kernel `{name}`, a string; it was given "
                f"{'a function' if callable(answer) else short(answer)}.")
    elif not callable(answer) or isinstance(answer, cuda.Kernel):
        return stages.WRONG_SHAPE, (
            f"This exercise asks for a function `{exercise.signature}` that returns the source of "
            f"a kernel, its grid and its block; it was given {short(answer)}.")
    else:
        try:
            signature(answer).bind(None)
        except TypeError:
            return stages.RAISED, (f"Your function cannot be called as `{exercise.signature}`: it "
                                   "must take 1 argument.")
        except ValueError:  # some built-in functions have no signature to ask
            pass
    try:
        compiler()
    except cuda.NoBackend:
        return stages.NOT_JUDGED, (
            "Kernels are judged on the CPU, and this machine has no C++ compiler: "
            "`convladder doctor` says how to install one.")
    return None


def told(error: Exception) -> tuple[str, str, str]:
    """What a verdict says of an error: stage, sentence, detail."""
    text = str(error).replace(f"{FILE}, ", "").removeprefix(f"{FILE}: ")
    if isinstance(error, cuda.CompileError):
        head, *lines = text.splitlines()
        return stages.DOES_NOT_COMPILE, f"does not compile: {head}", "\n".join(lines)
    if not isinstance(error, Faulty):
        return stages.NO_LAUNCH, f"cannot be launched: {text}", ""
    if error.faults and error.faults[0].kind == "endless":
        text += f" It was stopped after {SECONDS:g} seconds."
    return stages.FAULT, f"makes a fault: {text}", "\n".join(_lines(error))


def _lines(error: Faulty) -> Iterator[str]:
    """The lines that the faults name, then the further faults: one for a line and an array."""
    faults = {(fault.kind, fault.line, fault.array): fault for fault in reversed(error.faults)}
    told = list(reversed(faults.values()))[:SHOWN]
    named = {number for fault in told for number in (fault.line, fault.other_line)}
    for number, line in enumerate(error.source.splitlines(), 1):
        if number in named:
            yield f"line {number}: {line.strip()}"
    yield from (f"also {fault}".replace(f"{FILE}, ", "") for fault in told[1:])


def excess(exercise: Exercise, report: cuda.Report, args: tuple) -> tuple[str, str] | None:
    """Where the traffic is over the budget: a sentence and the lines with most of it; or None."""
    budget = exercise.kernel.budget(*args) if exercise.kernel.budget else {}
    over = {count: f"{getattr(report, count):,} {COUNTS[count]} ({most:,} allowed)"
            for count, most in budget.items() if getattr(report, count) > most}
    return ("with " + "; ".join(over.values()), _busiest(report, over)) if over else None


def within(exercise: Exercise, report: cuda.Report, args: tuple) -> str:
    """What a passed check says of the traffic."""
    budget = exercise.kernel.budget(*args) if exercise.kernel.budget else {}
    return "; ".join(f"{getattr(report, count):,} {COUNTS[count]} ({most:,} allowed)"
                     for count, most in budget.items())


def counts(report: cuda.Report) -> tuple[int, ...]:
    """By which kernels with right results are told apart."""
    return tuple(getattr(report, count) for count in COUNTS)


def _busiest(report: cuda.Report, over: Iterable[str]) -> str:
    """The lines with most of the counts that are over."""
    def weight(line: Any) -> int:
        return sum(getattr(line.traffic, count) for count in over)

    lines = sorted(report.lines, key=weight, reverse=True)[:3]
    return "\n".join(f"line {line.number}: {line.text.strip()}\n    " + ", ".join(
        f"{number:,} {words}" for count, words in COUNTS.items()
        if (number := getattr(line.traffic, count))) for line in lines if weight(line))


def _written(taken: list) -> str:
    return ", ".join(map(str, taken)).replace("* ", "*")


def _copy(array: np.ndarray) -> DeviceArray:
    copy = DeviceArray(array.shape, array.dtype)
    copy.set(array)
    return copy


@lru_cache(maxsize=256)
def _compiled(source: str, name: str) -> Emulated:
    return Emulated(source, FILE, name, parameters(source, name, FILE), traced=True)
