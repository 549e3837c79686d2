"""A kernel as a function of a case's arguments, on the emulator, every access watched."""

from __future__ import annotations

import copy
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any

import numpy as np

from .. import cuda
from ..cuda.emulator.arrays import DeviceArray
from ..cuda.emulator.launcher import Emulated
from ..cuda.launch_checks import Watch, checked, shape
from ..cuda.launch_replay import launch_replay, watch_fault
from ..cuda.signature import parameters
from ..exercises.exercise import OUT, ZEROS, Exercise
from ..replay import Replay, ReplayError
from .compare import same
from .threads import limited

SECONDS = 20.0  # for one launch
STEPS = 400  # of a replay
FILE, NVRTC = "your source", "NVIDIA's compiler"  # what messages call them
ARCH = "sm_90"  # what the emulator says it is
STUB = re.compile(r"^\s*\.\.\.\s*;?\s*$", re.M)  # a lab's `...` where lines belong
# The cause before what follows from it: after a race, a thread reads what isn't written yet.
ORDER = ("endless", "too long", "barrier", "misaligned", "out of bounds", "race", "unwritten")


class KernelFault(Exception):
    """A kernel did what it must not. `signature` is what two sources with one mistake share.

    fatal: it crashed, or never ended.
    """

    def __init__(self, faults: list[cuda.Fault], kernel: Emulated, fatal: bool) -> None:
        ranked = _ranked(faults)
        first, lines = ranked[0], kernel.source.splitlines()
        names = [parameter.name for parameter in kernel.parameters]
        calls = f" Line {first.called_from} calls it." if first.called_from else ""
        super().__init__(str(first).replace(f"{FILE}, line", "Line") + calls)
        self.fatal = fatal
        self.lines = {
            number: lines[number - 1].strip()
            for number in (first.line, first.called_from, first.other_line)
            if number and number <= len(lines)
        }
        self.signature = frozenset(
            (f.kind, f.array if f.array in names else "", f.thread, f.block, f.index)
            for f in ranked
            if f.kind == first.kind
        )


def _ranked(faults: list[cuda.Fault]) -> list[cuda.Fault]:
    return sorted(faults, key=lambda f: ORDER.index(f.kind) if f.kind in ORDER else 9)


class KernelCall:
    """An answer in CUDA C++, called with a case's arguments: returns what the kernel wrote.

    answer: a source, a `cuda.Kernel`, or a function that returns a plan (source, grid, block).
    ours: it is the course's own, of which NVIDIA's compiler is not asked.
    Keeps the `report` and the `source` of the last launch. Raises `KernelFault`, or what
    `convladder.cuda` raises. What does not compile, or crashes, isn't tried again.
    """

    def __init__(self, exercise: Exercise, answer: Any, ours: bool = False) -> None:
        self.exercise, self.answer, self.ours = exercise, answer, ours
        self.task = exercise.kernel
        self.report: cuda.Report | None = None
        self.source = ""
        self._broken: Exception | None = None
        if not self.task.launch and callable(answer):
            self.__wrapped__ = answer  # whose lines are the learner's own

    def __call__(self, *args: Any) -> Any:
        if self._broken:
            raise self._broken
        source, name, launch = self._plan(args)
        if source is ... or STUB.search(source):
            return ...
        self.source = source
        try:
            return self._launched(source, name, launch, args)
        except cuda.CompileError as error:
            self._broken = error
            raise

    def _plan(self, args: tuple) -> tuple[Any, str, tuple]:
        """Return the source, the kernel's name, and the launch."""
        answer = self.answer
        if self.task.launch:
            launch = self.task.launch(*args)
        else:
            answer = limited(lambda: self.answer(args[-1]))
            if answer is ... or (isinstance(answer, tuple) and ... in answer):
                return ..., self.task.name, ()
            if not isinstance(answer, tuple | list) or len(answer) not in (3, 4):
                raise cuda.LaunchError(
                    f"your function returned {type(answer).__name__}; it must return "
                    "(source, grid, block), or (source, grid, block, shared_bytes)"
                )
            answer, launch = answer[0], tuple(answer[1:])
        if isinstance(answer, cuda.Kernel):
            return answer.source, answer.name, tuple(launch)
        if not isinstance(answer, str):
            raise cuda.LaunchError(f"its source is {type(answer).__name__}, not a string")
        return answer, self.task.name, tuple(launch)

    def replay(self, args: tuple) -> Replay:
        """Run it on a case's arguments, and return how it comes to its first fault.

        Without a fault the first warp is watched. Raises what `convladder.cuda` raises, and
        `ReplayError` where no step shows the fault.
        """
        source, name, launch = self._plan(args)
        there, watch = shape(launch), Watch(whole=True)
        kernel, values, *_ = self._prepared(source, name, copy.deepcopy(args))
        if faults := kernel.profile(there, values, SECONDS, watch).faults:
            watch = watch_fault(_ranked(faults)[0], there)
        kernel, values, *_ = self._prepared(source, name, copy.deepcopy(args))
        report = kernel.profile(there, values, SECONDS, watch)
        report.faults = _ranked(report.faults)
        replay = launch_replay(report, kernel.parameters, values, source, watch, STEPS)
        if faults and all(step.get("event") != "fault" for step in replay.scenes[0].steps):
            raise ReplayError("no step shows the fault")
        return replay

    def _prepared(self, source: str, name: str, args: tuple) -> tuple:
        """Return the kernel, its values, and of them the given ones, their copies, the result."""
        expected = np.asarray(self.exercise.right(*copy.deepcopy(args)))
        kernel = _compiled(source, name) if self.ours else _compiled_twice(source, name)
        result = DeviceArray(expected.shape, expected.dtype)
        given = self.task.arguments(*args)
        if any(arg is ZEROS for arg in given):
            result.set(np.zeros_like(expected))
        copies = [
            cuda.to_device(arg, "emulator") if isinstance(arg, np.ndarray) else arg for arg in given
        ]
        copies = [result if arg is OUT or arg is ZEROS else arg for arg in copies]
        try:
            values = checked(kernel.name, kernel.parameters, copies, DeviceArray)
        except cuda.LaunchError:
            taken = ", ".join(map(str, kernel.parameters))
            raise cuda.LaunchError(
                f"it takes ({taken}); keep the parameters of the exercise, in their order"
            ) from None
        return kernel, values, given, copies, result, expected

    def _launched(self, source: str, name: str, launch: tuple, args: tuple) -> np.ndarray:
        kernel, values, given, copies, result, expected = self._prepared(source, name, args)
        try:
            self.report = kernel.profile(shape(launch), values, SECONDS, Watch())
        except cuda.KernelError as error:
            if not error.faults:
                raise
            self._broken = KernelFault(error.faults, kernel, fatal=True)
            raise self._broken from None
        for arg, copied in zip(given, copies, strict=True):
            if isinstance(arg, np.ndarray):
                arg[...] = copied.get()  # the sandbox looks for changed arguments
        faults, written = self.report.faults, result.get()
        # Threads that store the same in one place are seldom why values are wrong: values first.
        if faults and (same(expected, written) or not all(fault.same_value for fault in faults)):
            raise KernelFault(faults, kernel, fatal=False)
        return written


@lru_cache(maxsize=256)
def _compiled(source: str, name: str) -> Emulated:
    return Emulated(source, FILE, name, parameters(source, name, FILE), traced=True)


@lru_cache(maxsize=256)
def _compiled_twice(source: str, name: str) -> Emulated:
    """Compile for the emulator, and meanwhile by NVRTC where it is installed.

    Raises CompileError if either refuses. A source that only NVRTC takes is not the learner's
    fault, and the error says so.
    """
    compiling = _nvrtc_thread().submit(_nvrtc_errors, source, name)
    try:
        kernel = _compiled(source, name)
    except cuda.CompileError as error:
        errors = compiling.result()
        if errors is None:
            raise
        more = _messages(errors) or f"{NVRTC} accepts it, but the emulator can't run it."
        raise cuda.CompileError(f"{error}\n{more}", error.lines) from None
    errors = compiling.result() or []
    if any(line for line, _ in errors):
        text = f"it runs on the emulator, but {NVRTC} refuses it:\n{_messages(errors)}"
        raise cuda.CompileError(text, errors)
    return kernel


@lru_cache(maxsize=256)
def _nvrtc_errors(source: str, name: str) -> list[tuple[int | None, str]] | None:
    """Return NVRTC's errors as (line, message), or None where it is not installed, or fails."""
    try:
        from ..cuda.inspect.nvrtc import compile_cubin

        compile_cubin(source, (name,), ARCH)
    except cuda.CompileError as error:
        return error.lines
    except Exception:
        return None
    return []


def _messages(errors: list[tuple[int | None, str]]) -> str:
    places = ((f"{NVRTC}, line {line}" if line else NVRTC, text) for line, text in errors[:3])
    return "\n".join(map(": ".join, places))


@cache
def _nvrtc_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)
