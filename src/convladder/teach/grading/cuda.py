"""Answers that are CUDA C++: run on the emulator, every access watched, whatever they do."""

from __future__ import annotations

import copy
import re
from functools import lru_cache
from inspect import signature
from typing import Any

import numpy as np

from ... import cuda
from ...cuda.emulator.arrays import DeviceArray
from ...cuda.emulator.launcher import Emulated
from ...cuda.emulator.toolchain import compiler
from ...cuda.launch_checks import checked, shape
from ...cuda.signature import parameters
from . import nvidia
from . import stages
from .answer import Answer
from .compare import same
from .written import short
from .exercise import OUT, ZEROS, Exercise
from .faults import FILE, FaultyKernel
from .held import holds_ellipsis
from .judge import judge_case
from .kernel_budget import BARRIERS, Cost, busiest_lines, cause, measured
from .run import Attempt, run_once
from .time_limit import limited
from .verdict import Finding

SECONDS = 5.0  # for one launch: cases are small, and nobody waits for a kernel that never ends
_STUB = re.compile(r"^\s*\.\.\.\s*;?\s*$", re.M)


class CudaAnswer(Answer):
    """A kernel's source, or a function that returns a source and its launch.

    Called with a case's arguments, it returns what the kernel wrote; raises `FaultyKernel`, or
    what `convladder.cuda` raises. One that does not compile, crashes or never ends is not tried
    again. watch=False: it is this package's own, of which NVIDIA's compiler is not asked. `report`
    is that of the last launch that came to its end.
    """

    verb = "writes"
    not_attempted = "Replace the `...` with your answer."
    cost_share = 0.25  # traffic: a kernel has more ways to be written

    def __init__(self, exercise: Exercise, given: Any, watch: bool = True) -> None:
        super().__init__(exercise, given)
        self.watch = watch
        self.task = exercise.kernel
        self.report: cuda.Report | None = None
        self._broken: Exception | None = None
        if callable(given) and not isinstance(given, cuda.Kernel):
            self.__wrapped__ = given  # whose lines are the learner's own

    def _refusal(self) -> tuple[str, str] | None:
        given, expected = self.given, self.exercise.signature
        if self.task.launch:
            if is_stub(getattr(given, "source", given)):
                return stages.NOT_ATTEMPTED, self.not_attempted
            if not isinstance(given, (str, cuda.Kernel)):
                return stages.WRONG_SHAPE, (
                    f"This exercise asks for the source of a kernel `{self.task.name}`, a string; "
                    f"it was given {'a function' if callable(given) else short(given)}."
                )
        elif not callable(given) or isinstance(given, cuda.Kernel):
            return stages.WRONG_SHAPE, (
                f"This exercise asks for a function `{expected}` that returns the source of "
                f"a kernel, its grid and its block; it was given {short(given)}."
            )
        else:
            try:
                signature(given).bind(None)
            except TypeError:
                return stages.RAISED, (
                    f"Your function cannot be called as `{expected}`: it must take 1 argument."
                )
            except ValueError:  # some built-in functions have no signature to ask
                pass
        try:
            compiler()
        except cuda.NoBackend:
            return stages.NOT_JUDGED, (
                "Kernels are judged on the CPU, and this machine has no C++ compiler: "
                "`convladder doctor` says how to install one."
            )
        return None

    def run(self, args: tuple, seconds: float | None = None) -> Attempt:
        attempt = run_once(self, args, None)
        attempt.report = self.report
        return attempt

    def __call__(self, *args: Any) -> Any:
        if self._broken:
            raise self._broken
        source, name, *launch = self._plan(args)
        if is_stub(source):
            return ...
        try:
            return self._launch(self._compiled(source, name), shape(tuple(launch)), args)
        except (cuda.CompileError, cuda.LaunchError) as error:
            self._broken = error
            raise

    def _compiled(self, source: str, name: str) -> Emulated:
        if not self.watch:
            return _compiled(source, name)
        return nvidia.compiled(lambda: _compiled(source, name), nvidia.asked(source, name))

    def _plan(self, args: tuple) -> tuple:
        """Return the source, the kernel's name, grid, block and perhaps bytes of shared memory."""
        answer, launch = self.given, ()
        if self.task.launch:
            launch = self.task.launch(*args)
        else:
            answer = limited(answer, args[-1])
            if holds_ellipsis(answer):
                return ..., self.task.name
            if not isinstance(answer, (tuple, list)) or len(answer) not in (3, 4):
                raise cuda.LaunchError(
                    f"`{self.exercise.signature}` returned "
                    f"{'a string' if isinstance(answer, str) else short(answer)}; it must return "
                    "(source, grid, block), or (source, grid, block, shared_bytes)"
                )
            answer, *launch = answer
        if isinstance(answer, cuda.Kernel):
            return answer.source, answer.name, *launch
        if not isinstance(answer, str):
            raise cuda.LaunchError(f"its source is {short(answer)}, not a string")
        return answer, self.task.name, *launch

    def _launch(self, kernel: Emulated, launch: Any, args: tuple) -> np.ndarray:
        expected = np.asarray(self.exercise.reference(*args))
        given = self.task.arguments(*args)
        result = DeviceArray(expected.shape, expected.dtype)
        if any(arg is ZEROS for arg in given):
            result.set(np.zeros_like(expected))
        copies = [
            result
            if arg is OUT or arg is ZEROS
            else _copy(arg)
            if isinstance(arg, np.ndarray)
            else arg
            for arg in given
        ]
        try:
            values = checked(kernel.name, kernel.parameters, copies, DeviceArray)
        except cuda.LaunchError:
            raise cuda.LaunchError(
                f"it takes ({_listed(kernel.parameters)}), and is given "
                f"({_listed(self._right_parameters(args))}), in this order"
            ) from None
        try:
            self.report = kernel.profile(launch, values, SECONDS, (0, 0))
        except cuda.KernelError as error:
            self._broken = FaultyKernel(str(error), error.faults, kernel, None)
            raise self._broken from None
        for arg, copied in zip(given, copies, strict=True):
            if isinstance(arg, np.ndarray):
                arg[...] = copied.get()  # a check looks for changed arguments
        faults, values = self.report.faults, result.get()
        # Threads that store the same in one place are seldom why values are wrong: values first.
        if faults and (same(expected, values) or not all(fault.same_value for fault in faults)):
            raise FaultyKernel("", faults, kernel, values)
        return values

    def _right_parameters(self, args: tuple) -> list:
        task = self.task
        source = task.solution if task.launch else task.solution(args[-1])[0]
        return parameters(source, task.name, FILE)

    def name(self, stage: str) -> str:
        if stage in (stages.RAISED, stages.TOO_LONG):
            return super().name(stage)
        return f"Your kernel `{self.task.name}`"

    def error(self, attempt: Attempt) -> tuple[str, str, str]:
        error = attempt.error
        text = str(error).replace(f"{FILE}, ", "").removeprefix(f"{FILE}: ")
        if isinstance(error, cuda.CompileError):
            head, *lines = text.splitlines()
            return stages.DOES_NOT_COMPILE, f"does not compile: {head}", "\n".join(lines)
        if isinstance(error, cuda.CudaError):
            return stages.NO_LAUNCH, f"cannot be launched: {text}", ""
        if not isinstance(error, FaultyKernel):
            return super().error(attempt)
        if error.faults and error.faults[0].kind == "endless":
            text += f" It was stopped after {SECONDS:g} seconds."
        return stages.FAULT, f"makes a fault: {text}", "\n".join(error.lines())

    def judge_cost(self, cases: list[tuple], report: cuda.Report) -> Finding:
        budget = self.task.budget(*copy.deepcopy(cases[-1])) if self.task.budget else {}
        used = measured(budget, report, lambda: self._plan(cases[-1])[0])
        if not used.over:
            return Finding(stages.PASSED, used.within(), cost=used.cost)
        lines = (
            used.barrier_lines()
            if used.over == [BARRIERS]
            else self.show_case(len(cases), cases, busiest_lines(report, used.over))
        )
        held = sum(getattr(arg, "nbytes", 0) for arg in cases[-1])
        made = getattr(self.exercise.reference(*copy.deepcopy(cases[-1])), "nbytes", 0)
        why = self._spare_blocks(cases[-1], used) or cause(report, used, held, made)
        said = f"{used.beyond()} {why}".rstrip()
        return Finding(stages.OVER_BUDGET, said, lines, cost=used.cost)

    def _spare_blocks(self, args: tuple, used: Cost) -> str:
        """Return with how few blocks of its own grid the result is the same, or "".

        Along each axis it is tried with one block less, and must save half of what is too much.
        """
        if self.task.launch or BARRIERS in used.over:
            return ""
        source, _, grid, *others = self._plan(args)
        grid = least = shape((grid, *others)).grid
        left = used.counts
        for axis in range(len(grid)):
            fewer = *least[:axis], least[axis] - 1, *least[axis + 1 :]
            tried = CudaAnswer(
                self.exercise, lambda _, fewer=fewer: (source, fewer, *others), watch=False
            )
            if all(fewer) and judge_case(tried, args, tried.run(args)) is None:
                least, left = fewer, {each: getattr(tried.report, each) for each in used.over}
        if not all(2 * left[each] <= used.counts[each] + used.budget[each] for each in used.over):
            return ""  # others do their work
        of, are = (
            " × ".join(str(n) for n, most in zip(each, grid) if most > 1) for each in (grid, least)
        )
        return (
            f"Of your grid of {of} blocks {are} are enough: without the others the result is "
            "the same, for less."
        )


def is_stub(source: Any) -> bool:
    """Return whether a lab's `...` still stands where the learner's lines belong."""
    return source is ... or isinstance(source, str) and bool(_STUB.search(source))


def _listed(taken: list) -> str:
    return ", ".join(map(str, taken)).replace("* ", "*")


def _copy(array: np.ndarray) -> DeviceArray:
    copied = DeviceArray(array.shape, array.dtype)
    copied.set(array)
    return copied


@lru_cache(maxsize=256)
def _compiled(source: str, name: str) -> Emulated:
    return Emulated(source, FILE, name, parameters(source, name, FILE), traced=True)
