"""The process that runs one notebook, behind walls. Whatever it says is only what it says.

It has the learner's objects and no reference: it gets arguments, calls, and tells what came back.
Started by `Jailed` as `python -m convladder.classroom.grade.worker READ WRITE`.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import teach
from ...measure import workspace
from ...teach.grading import run, time_limit
from ...teach.grading.answer import PythonAnswer
from ...teach.grading.exercise import Exercise
from ...teach.grading.run import explain, run_once
from ...teach.grading.stand_ins import Refused, guarded, quiet
from ...teach.grading.time_limit import OutOfTime, limited
from .wire import MOST_TEXT, packed, unpacked

PROCESS = os.getpid()  # what a learner forks is another one, and does not talk to the grader


class Handed:
    """What `check` returns here: nothing is judged in this process, and it has passed nothing."""

    passed, stage, message, misconception = False, "handed in", "", None

    def __repr__(self) -> str:
        return "handed in"

    def hint(self, step: int) -> str:
        return ""


class Worker:
    """Runs cells, hands over what is checked, and answers the grader's questions about it."""

    def __init__(self, read: int, write: int) -> None:
        self.read, self.write = read, write
        self.exercises: dict[str, dict] = {}
        self.given: Any = None
        self.exercise: dict = {}

    def serve(self) -> None:
        """Run the notebook that the first message has."""
        begin = self.receive()
        self.exercises = begin["exercises"]
        time_limit.SECONDS = begin["seconds"]
        shell = _shell()
        self.say({"event": "ready"})
        for number, source in begin["cells"]:
            self.say({"event": "cell", "number": number})
            with quiet():
                done = shell.run_cell(source, store_history=False)
            self.alone()
            error = done.error_before_exec or done.error_in_exec
            if error is not None:
                self.say({"event": "failed", "number": number, "error": _text(explain(error))})
        self.say({"event": "end"})

    def check(self, name: str, answer: Any = None) -> Handed:
        """Stand in for `convladder.teach.check`: hand `answer` over."""
        self.alone()
        if isinstance(name, str) and name in self.exercises:
            self.given, self.exercise = answer, self.exercises[name]
            self.say({"event": "handed", "name": name, **self.about()})
            while (asked := self.receive())["do"] != "go on":
                self.say(getattr(self, f"do_{asked['do']}")(**asked.get("with", {})))
        return Handed()

    def about(self) -> dict:
        """Return what the answer is, as far as that can be told in words."""
        given = self.given
        if not callable(given):
            return {"callable": False, "value": _sent(given)}
        told = {
            "callable": True,
            "name": _text(getattr(given, "__name__", type(given).__name__)),
            "module": _text(getattr(given, "__module__", "")),
            "compiled": hasattr(given, "inspect_asm"),
            "own": True,
            "parameters": None,
        }
        try:
            told["parameters"] = [
                [p.name, int(p.kind), p.default is not p.empty]
                for p in inspect.signature(given).parameters.values()
            ]
        except (TypeError, ValueError):
            pass
        code = getattr(inspect.unwrap(given), "__code__", None)
        if code is not None and run.in_package(code):
            told |= {"own": False, "name": f"{given.__module__}.{given.__qualname__}"}
        return told

    def do_run(self, args: tuple) -> dict:
        """Call the answer once, as a check does."""
        attempt = PythonAnswer(self.stub(), self.given).run(args)
        told = {
            name: getattr(attempt, name)
            for name in (
                "value",
                "line",
                "changed",
                "views",
                "package_calls",
                "printed",
                "objection",
                "left",
                "settled",
            )
        }
        return told | {"error": _told(attempt.error)}

    def do_call(self, args: tuple) -> dict:
        """Call the answer as it is, and tell what its stand-ins have counted."""
        with guarded(self.given):
            attempt = run_once(lambda: limited(self.given, *args), (), None)
        return {
            "value": _sent(attempt.value),
            "error": _told(attempt.error),
            "counted": [_counted(arg) for arg in args],
        }

    def do_keeps(self, args: tuple) -> dict:
        """Tell whether a later call writes into what the answer returns."""
        return {"keeps": PythonAnswer(self.stub(), self.given).keeps_result(args)}

    def do_memory(self, args: tuple) -> dict:
        """Measure the bytes of a call."""
        with quiet(), guarded(self.given):
            memory = limited(workspace, self.given, *args)
        return {"workspace": memory.workspace, "result": memory.result}

    def do_assembly(self) -> dict:
        """Return the machine code of a compiled answer."""
        return {"texts": [str(text)[:MOST_TEXT] for text in self.given.inspect_asm().values()]}

    def stub(self) -> Exercise:
        """Return the exercise as far as this process may know it."""
        reference = lambda *args: None  # noqa: E731
        reference.__signature__ = inspect.Signature(
            [
                inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                for name in self.exercise["parameters"]
            ]
        )
        return Exercise(
            self.exercise["name"],
            0,
            "",
            reference,
            lambda rng: [],
            (),
            calls_allowed=tuple(self.exercise["calls_allowed"]),
        )

    def say(self, message: dict) -> None:
        data = memoryview(packed(message))
        while data:
            data = data[os.write(self.write, data) :]

    def receive(self) -> dict:
        return unpacked(self._exactly, trusting=True)

    def alone(self) -> None:
        """End what is a copy of this process: it must not answer in its place."""
        if os.getpid() != PROCESS:
            os._exit(0)

    def _exactly(self, size: int) -> bytes:
        pieces = bytearray()
        while len(pieces) < size:
            piece = os.read(self.read, size - len(pieces))
            if not piece:
                os._exit(0)  # the grader has gone
            pieces += piece
        return bytes(pieces)


def _shell() -> Any:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: None
    return shell


def _sent(value: Any) -> Any:
    """Return a value in which a kernel is its source: the grader makes one of it again."""
    kernel = getattr(sys.modules.get("convladder.cuda.kernel"), "Kernel", ())
    if isinstance(value, kernel):
        return {"kernel": [str(value.source), str(value.name)]}
    if type(value) in (tuple, list):
        return type(value)(map(_sent, value))
    return value


def _told(error: BaseException | None) -> dict | None:
    if error is None:
        return None
    return {
        "type": type(error).__name__,
        "text": _text(_words(error)),
        "refused": isinstance(error, Refused),
        "seconds": error.seconds if isinstance(error, OutOfTime) else None,
        "left": bool(getattr(error, "left", False)),
    }


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # an exception whose own words fail
        return ""


def _counted(argument: Any) -> dict:
    """Return the numbers that a stand-in keeps; {} for plain data."""
    if isinstance(argument, (np.ndarray, np.generic)) or not hasattr(argument, "__dict__"):
        return {}
    return {
        name: value
        for name, value in vars(argument).items()
        if type(value) in (int, float, bool)
        or type(value) is list
        and all(type(item) is int for item in value)
    }


def _text(value: Any) -> str:
    return str(value)[:4000]


def stand_in(check: Callable) -> None:
    """Put `check` where notebooks import it from; what draws after it draws nothing."""
    teach.check = check
    for name in ("traffic", "contest", "stage_contest"):
        setattr(teach, name, lambda *args, **kwargs: Handed())


if __name__ == "__main__":
    worker = Worker(int(sys.argv[1]), int(sys.argv[2]))
    stand_in(worker.check)
    sys.argv = [""]
    worker.serve()
