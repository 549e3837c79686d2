"""Kernels of a submission: compiled and run on a bench behind walls, judged here."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ... import cuda
from ...cuda.faults import Fault
from ...cuda.report import Line, Report, Traffic
from ...teach.grading import stages
from ...teach.grading.compare import same
from ...teach.grading.cuda import SECONDS, CudaAnswer
from ...teach.grading.exercise import Exercise
from ...teach.grading.faults import FaultyKernel
from ...teach.grading.run import Attempt
from .walls import Ended


class RemoteKernel(CudaAnswer):
    """A kernel's source, or a submission's function that returns one and its launch.

    ask: asks the bench. `told`: what rests on the word of the process there.
    """

    not_its_own = (Ended,)

    def __init__(self, exercise: Exercise, given: Any, ask: Callable[..., dict]) -> None:
        given, self._named = _unwrapped(given)
        super().__init__(exercise, given)
        self._ask = ask
        self.told: list[str] = []
        self._kernels: dict[tuple[str, str], SimpleNamespace] = {}

    def _refusal(self) -> tuple[str, str] | None:
        if callable(self.given) and not self.given.own:
            return stages.NOT_YOURS, (
                f"`{self.given.__name__}` is the course's own function. Write it yourself."
            )
        return super()._refusal()

    def run(self, args: tuple) -> Attempt:
        attempt = super().run(args)
        if isinstance(attempt.error, Ended):  # nobody's fault who wrote the kernel, as yet
            raise attempt.error
        return attempt

    def _plan(self, args: tuple) -> tuple:
        if self.task.launch:
            return self.given, self._named or self.task.name, *self.task.launch(*args)
        answer = self.given(args[-1])
        if isinstance(answer, (tuple, list)) and answer:
            first, name = _unwrapped(answer[0])
            if name:
                return first, name, *answer[1:]
        replayed = SimpleNamespace(given=lambda _: answer, task=self.task, exercise=self.exercise)
        return CudaAnswer._plan(replayed, args)

    def _compiled(self, source: str, name: str) -> SimpleNamespace:
        if (source, name) not in self._kernels:
            told = self._ask("compile", source=source, name=name)
            if "compile" in told:
                raise cuda.CompileError(
                    str(told["compile"])[:4000],
                    [
                        (line if type(line) is int else None, str(words)[:1000])
                        for line, words in told["lines"]
                    ],
                )
            if "launch" in told:
                raise cuda.LaunchError(str(told["launch"])[:1000])
            self._kernels[source, name] = SimpleNamespace(
                source=source,
                name=name,
                parameters=[
                    SimpleNamespace(name=str(parameter), text=str(text)[:200])
                    for parameter, text in told["parameters"]
                ],
            )
        return self._kernels[source, name]

    def _launch(self, kernel: SimpleNamespace, launch: Any, args: tuple) -> np.ndarray:
        expected = np.asarray(self.exercise.reference(*args))
        given = self.task.arguments(*args)
        told = self._ask(
            "launch",
            source=kernel.source,
            name=kernel.name,
            launch=[launch.grid, launch.block, launch.shared_bytes],
            arguments=list(given),
            sides=list(expected.shape),
            dtype=expected.dtype.str,
            seconds=SECONDS,
        )
        if "arguments" in told:
            takes = ", ".join(p.text.replace("* ", "*") for p in kernel.parameters)
            right = ", ".join(str(p).replace("* ", "*") for p in self._right_parameters(args))
            raise cuda.LaunchError(f"it takes ({takes}), and is given ({right}), in this order")
        if "launch" in told:
            raise cuda.LaunchError(str(told["launch"])[:1000])
        if "kernel" in told:
            self._broken = FaultyKernel(str(told["kernel"])[:4000], _faults(told), kernel, None)
            raise self._broken
        self.report = _report(kernel, told)
        for arg, after in zip(given, told["after"], strict=True):
            if (
                isinstance(arg, np.ndarray)
                and isinstance(after, np.ndarray)
                and after.shape == arg.shape
            ):
                arg[...] = after
        values, faults = told["values"], self.report.faults
        if not isinstance(values, np.ndarray) or (values.shape, values.dtype) != (
            expected.shape,
            expected.dtype,
        ):
            raise Ended("told of a result of another shape")
        if faults and (same(expected, values) or not all(fault.same_value for fault in faults)):
            raise FaultyKernel("", faults, kernel, values)
        return values

    def judge_cost(self, cases: list[tuple], report: Report) -> Any:
        self.told += ["that the kernel makes no fault"]
        self.told += ["what it loads and stores"] * (self.task.budget is not None)
        return super().judge_cost(cases, report)


def _unwrapped(given: Any) -> tuple[Any, str | None]:
    """Return the source and the name of a kernel object, as it travels; else what was given."""
    if type(given) is dict and len(given) == 1 and "kernel" in given:
        source, name = given["kernel"]
        return str(source), str(name)
    return given, None


def _faults(told: dict) -> list[Fault]:
    return [
        Fault(**{name: _frozen(value) for name, value in fault.items()}) for fault in told["faults"]
    ]


def _frozen(value: Any) -> Any:
    return tuple(value) if type(value) is list else value


def _report(kernel: SimpleNamespace, told: dict) -> Report:
    report = Report(kernel=kernel.name, faults=_faults(told))
    for name, count in told["traffic"].items():
        if name in Traffic.__dataclass_fields__ and type(count) is int:
            setattr(report, name, count)
    report.lines = [
        Line(int(number), str(text), Traffic(**traffic)) for number, text, traffic in told["lines"]
    ]
    return report
