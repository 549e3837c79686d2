"""The process that compiles and runs a submission's kernels, behind walls.

No Python of the learner's runs here, so what it tells of a kernel holds, unless the kernel itself
attacks the emulator. It knows the shape of the right result, and not its values.
Started by `Jailed` as `python -m convladder.classroom.grade.bench READ WRITE`.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np

from ... import cuda
from ...cuda.emulator.arrays import DeviceArray
from ...cuda.emulator.launcher import Emulated
from ...cuda.launch_checks import checked, shape
from ...cuda.report import Traffic
from ...cuda.signature import parameters
from ...teach.grading import nvidia
from ...teach.grading.exercise import OUT, ZEROS
from ...teach.grading.faults import FILE
from .worker import Worker


class Bench(Worker):
    """Answers the grader's questions about kernels."""

    def serve(self) -> None:
        """Answer until the grader has gone."""
        self.kernels: dict[tuple[str, str], Emulated] = {}
        self.say({"event": "ready"})
        while True:
            asked = self.receive()
            self.say(getattr(self, f"do_{asked['do']}")(**asked["with"]))

    def do_compile(self, source: str, name: str) -> dict:
        """Compile a kernel, with NVIDIA's compiler too where it is."""
        try:
            kernel = nvidia.compiled(
                lambda: Emulated(source, FILE, name, parameters(source, name, FILE), traced=True),
                nvidia.asked(source, name),
            )
        except cuda.CompileError as error:
            return {"compile": str(error), "lines": [list(line) for line in error.lines]}
        except cuda.LaunchError as error:
            return {"launch": str(error)}
        self.kernels[source, name] = kernel
        return {"parameters": [[p.name, str(p)] for p in kernel.parameters]}

    def do_launch(
        self,
        source: str,
        name: str,
        launch: list,
        arguments: list,
        sides: list,
        dtype: str,
        seconds: float,
    ) -> dict:
        """Launch it, every access watched; `sides` and `dtype` are those of the result."""
        kernel, result = self.kernels[source, name], DeviceArray(tuple(sides), np.dtype(dtype))
        if any(_is(arg, ZEROS) for arg in arguments):
            result.set(np.zeros(sides, dtype))
        copies = [
            result
            if _is(arg, OUT) or _is(arg, ZEROS)
            else _copy(arg)
            if isinstance(arg, np.ndarray)
            else arg
            for arg in arguments
        ]
        try:
            values = checked(kernel.name, kernel.parameters, copies, DeviceArray)
        except cuda.LaunchError as error:
            return {"arguments": str(error)}
        try:
            report = kernel.profile(shape(tuple(launch)), values, seconds, (0, 0))
        except cuda.KernelError as error:
            return {"kernel": str(error), "faults": _faults(error.faults)}
        except cuda.LaunchError as error:
            return {"launch": str(error)}
        return {
            "values": result.get(),
            "faults": _faults(report.faults),
            "after": [
                copied.get() if isinstance(arg, np.ndarray) else None
                for arg, copied in zip(arguments, copies, strict=True)
            ],
            "traffic": _traffic(report),
            "lines": [[line.number, line.text, _traffic(line.traffic)] for line in report.lines],
        }


def _is(argument: Any, mark: str) -> bool:
    return isinstance(argument, str) and argument == mark


def _copy(array: np.ndarray) -> DeviceArray:
    copied = DeviceArray(array.shape, array.dtype)
    copied.set(array)
    return copied


def _faults(faults: list) -> list[dict]:
    return [
        {field.name: getattr(fault, field.name) for field in dataclasses.fields(fault)}
        for fault in faults[:100]
    ]


def _traffic(traffic: Traffic) -> dict:
    return {field.name: int(getattr(traffic, field.name)) for field in dataclasses.fields(Traffic)}


if __name__ == "__main__":
    Bench(int(sys.argv[1]), int(sys.argv[2])).serve()
