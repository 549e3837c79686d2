"""Inside a jail: a notebook's cells, whose `check` hands its answer to the grader; or, on the
bench, a learner's kernels without any Python of theirs.

Started by `jail.Jail` as `python -m convladder.classroom.grade.inside WHAT READ WRITE`. Arguments
come in as pickles of the grader's. What goes out is JSON, and nothing else it says counts.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .wire import encode

CROWD = 32  # processes


class Pipe:
    """Messages from and to the grader."""

    def __init__(self, read: int, write: int) -> None:
        self.read, self.write, self.owner = read, write, os.getpid()

    def say(self, **message: Any) -> None:
        """Send one. A child that a cell forked, and that comes out of the cell, ends here."""
        if os.getpid() != self.owner:
            os._exit(0)
        data = json.dumps(message).encode()
        view = memoryview(struct.pack("<I", len(data)) + data)
        while view:
            view = view[os.write(self.write, view) :]

    def hear(self) -> Any:
        """Wait for one; ends the process when the grader has gone."""
        data = self._exactly(*struct.unpack("<I", self._exactly(4)))
        try:
            return pickle.loads(data)
        except Exception as error:  # an argument whose module is not on the allow-list
            return error

    def _exactly(self, size: int) -> bytes:
        got = bytearray()
        while len(got) < size:
            got += os.read(self.read, size - len(got)) or os._exit(0)
        return bytes(got)


def call_message(run: Any) -> dict[str, Any]:
    """Return the message about a call. All but the value is the process's own word."""
    error = run.error and f"{type(run.error).__name__}: {run.error}"[:300]
    return {
        "value": encode(run.live if hasattr(run.live, "dtype") else run.value),
        "error": error,
        "calls": list(run.calls)[:5],
        "changed": list(run.changed),
        "shares": list(run.shares),
        "objection": str(run.objection)[:300],
        "unfinished": bool(run.unfinished and not run.settled),
    }


def end_crowd() -> None:
    """End the processes that cells left behind if there are many: an answer may need threads.

    Only behind the walls, where process 1 is bubblewrap's: elsewhere these are the user's own.
    """
    if Path("/proc/1/comm").read_text() != "bwrap\n":
        return
    if sum(each.isdigit() for each in os.listdir("/proc")) > CROWD:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)


class Nothing:
    """In place of a verdict, or of a measurement: what cells ask of it, they get."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self


def notebook(pipe: Pipe) -> None:
    """Run cells; answer the grader's calls at each `check`."""
    import convladder.grading as grading
    import convladder.teach as teach
    from convladder.grading import sandbox

    def check(name: str, answer: Any = ...) -> Nothing:
        end_crowd()
        pipe.say(handed=str(name))
        while (asked := pipe.hear()) is not None:
            if isinstance(asked, Exception):
                pipe.say(error=f"{type(asked).__name__}: {asked}"[:300])
                continue
            args, allowed, seconds = asked
            if args is None:  # what is it?
                pipe.say(value=encode(answer), callable=callable(answer))
            elif callable(answer):
                try:
                    message = call_message(sandbox.call(answer, args, allowed, seconds))
                    json.dumps(message)
                except Exception as error:  # an answer is asked for once, and gives one message
                    message = {"error": f"{type(error).__name__}: {error}"[:300]}
                pipe.say(**message)
            else:
                pipe.say(value=encode(answer), error="this is no function")
        return Nothing()

    vars(teach)["check"] = vars(grading)["check"] = check
    for name in ("traffic", "contest", "stage_contest"):
        setattr(teach, name, lambda *args, **named: Nothing())
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    for number, cell in pipe.hear():
        pipe.say(cell=number)
        ran = shell.run_cell(cell)
        if error := ran.error_before_exec or ran.error_in_exec:
            pipe.say(cell=number, raised=f"{type(error).__name__}: {error}"[:200])
    pipe.say(end=True)


def bench(pipe: Pipe) -> None:
    """Compile and launch kernels, every access watched."""
    import numpy as np

    from convladder.exercises.exercise import OUT, ZEROS
    from convladder.grading import sandbox
    from convladder.grading.kernel import KernelCall

    marks = {OUT: OUT, ZEROS: ZEROS}
    while (asked := pipe.hear()) is not None:
        source, name, launch, given, shape, dtype = asked
        given = tuple(marks[arg] if isinstance(arg, str) else arg for arg in given)
        task = SimpleNamespace(
            name=name, arguments=lambda *args: args, launch=lambda *args, launch=launch: launch
        )
        zeros = np.zeros(shape, dtype)
        exercise: Any = SimpleNamespace(kernel=task, right=lambda *args, zeros=zeros: zeros)
        pipe.say(**call_message(sandbox.call(KernelCall(exercise, source), given, None, None)))


if __name__ == "__main__":
    vars(os).pop("memfd_create", None)  # seccomp refuses it; the emulator takes a file in /tmp
    {"notebook": notebook, "bench": bench}[sys.argv[1]](Pipe(int(sys.argv[2]), int(sys.argv[3])))
