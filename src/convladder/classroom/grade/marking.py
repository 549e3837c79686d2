"""From a notebook that was handed in to verdicts: read it downwards.

The jail runs the cells. Whenever one hands in an answer, the grader draws new secret cases, has the
answer called on them there, and judges the values here, as `check` does. Three times at most an
exercise, so that nothing is learned of the cases.
"""

from __future__ import annotations

import copy
import json
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...cuda import CompileError, KernelError, LaunchError
from ...exercises import load_exercise
from ...exercises.exercise import Exercise, random_fill
from ...grading.judge import judge_run
from ...grading.kernel import KernelFault
from ...grading.sandbox import Run
from ...grading.words import STAGES
from .jail import (
    BENCH,
    CALL,
    CELL,
    NEEDED,
    Ended,
    Jail,
    JailError,
    methods,
    notebook_roots,
    stage,
    visible,
)
from .wire import decode

TRIES, NOTES = 3, 20  # judgements of one exercise; errors of cells that are told
ALL = 1200.0  # seconds for a notebook
LARGEST = 5 << 20  # bytes of a notebook
NOTHING = "not handed in"
FAULTS = CompileError, KernelError, KernelFault, LaunchError
OWN = (*(error.__name__ for error in FAULTS), "it ", "its ")  # a kernel's, as the jail tells them
_CHECK = re.compile(r'\bcheck\(\s*\\?"(\w+)')


@dataclass
class Marks:
    """The marks of one notebook: exercise -> verdict, and notes for the instructor."""

    learner: str
    lab: str
    verdicts: dict[str, str]
    notes: list[str] = field(default_factory=list)

    @property
    def passed(self) -> int:
        """Return how many exercises passed."""
        return sum(verdict == "passed" for verdict in self.verdicts.values())


def code_cells(path: Path) -> list[str]:
    """Return the sources of a notebook's code cells. Raises ValueError for what is none."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            raise ValueError("it is no file of 5 MB at most")
        cells = json.loads(path.read_bytes())["cells"]
        return ["".join(each["source"]) for each in cells if each["cell_type"] == "code"]
    except OSError as error:
        raise ValueError(f"it cannot be opened ({error.strerror})") from None
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"it is no notebook ({type(error).__name__})") from None


def exercises_of(lab: Path) -> dict[str, Exercise]:
    """Return the exercises that the course's own lab checks, in order."""
    names = dict.fromkeys(_CHECK.findall("\n".join(code_cells(lab))))
    found = {}
    for name in names:
        with suppress(KeyError):
            found[name] = load_exercise(name)
    return found


@cache
def staged(lab: Path) -> Path:
    """Return a folder with what a lab's answers may see of the package. Kept until the end."""
    roots = notebook_roots(tuple(code_cells(lab)))
    roots |= methods("exercises.mocks")  # some of which every answer is given
    roots |= {name for each in exercises_of(lab).values() for name in each.allowed}
    if {"convladder.functional", "convladder.functional.conv2d"} & roots:
        roots |= methods("cpu") | methods("gpu")  # the registry finds them by their files
    folder = Path(_folder().name, lab.stem)
    return stage(visible(*NEEDED, *sorted(roots)), folder)


@cache
def staged_bench() -> Path:
    """Return a folder with what the bench needs of the package."""
    return stage(visible(*BENCH), Path(_folder().name, "bench"))


@cache
def _folder() -> tempfile.TemporaryDirectory:
    found = tempfile.TemporaryDirectory(prefix="convladder-grade-")
    Path(found.name).chmod(0o755)
    return found


def mark(cells: list[str], lab: Path, secret: int, seconds: float = ALL) -> tuple[dict, list[str]]:
    """Return exercise -> verdict of a notebook's cells, and notes. Raises JailError.

    A cell or an exercise that ends the process is left out, and the notebook is begun again.
    """
    notebook = _Notebook(cells, lab, secret, time.monotonic() + seconds)
    while time.monotonic() < notebook.until:
        try:
            notebook.run()
            break
        except Ended as error:
            if not notebook.leave_out(error):
                break
    else:
        notebook.notes.append("its time was over before its end")
    return notebook.verdicts, notebook.notes


class _Notebook:
    """A notebook that is marked: the cells that are still to run, and what is known so far."""

    def __init__(self, cells: list[str], lab: Path, secret: int, until: float) -> None:
        self.lab, self.secret, self.until = lab, secret, until
        self.cells, self.exercises = list(enumerate(cells, 1)), exercises_of(lab)
        self.verdicts = dict.fromkeys(self.exercises, NOTHING)
        self.tries = dict.fromkeys(self.exercises, 0)
        self.settled: set[str] = set()
        self.notes: list[str] = []
        self.bench = _Bench(until)
        self.cell, self.name = 0, ""  # that runs, and the exercise that it hands in

    def run(self) -> None:
        """Run all cells, from the first. Raises `Ended` where the process ends, and JailError."""
        jail = Jail(staged(self.lab), "notebook", self.until)
        self.cell, self.name = 0, ""
        try:
            jail.send(self.cells)
            while "end" not in (message := jail.receive(CELL)):
                self._take(jail, message)
        finally:
            jail.stop()
            self.bench.stop()

    def _take(self, jail: Jail, message: dict[str, Any]) -> None:
        """Note what a cell raised; judge what it hands in."""
        self.cell = message["cell"] if isinstance(message.get("cell"), int) else self.cell
        if "raised" in message and len(self.notes) < NOTES:
            self.notes.append(f"cell {self.cell} raised {str(message['raised'])[:200]}")
        self.name = name = str(message.get("handed", ""))[:80]
        if name in self.exercises and name not in self.settled and self.tries[name] < TRIES:
            self.tries[name] += 1
            self.verdicts[name] = self._verdict(jail, name)
            if self.verdicts[name] == "passed":
                self.settled.add(name)
        if name:
            jail.send(None)
            self.name = ""

    def _verdict(self, jail: Jail, name: str) -> str:
        seed = [self.secret, self.tries[name], *map(ord, name)]
        try:
            return judge(jail, self.exercises[name], seed, self.bench)
        except (Ended, JailError):
            raise
        except Exception as error:  # ours: it costs no other exercise, and is told
            said = f"{type(error).__name__}: {error}"[:200]
            return f"{STAGES['not judged']}: {said}"

    def leave_out(self, error: Ended) -> bool:
        """Leave out the exercise, or else the cell, that ended the process; return whether it was
        one of these."""
        cell, name = self.cell, self.name
        self.notes.append(f"cell {cell}{f', {name}' if name else ''}: its process {error}")
        if name in self.exercises and name not in self.settled:
            self.settled.add(name)
            self.verdicts[name] = f"its process {error}"
            return True
        left = [each for each in self.cells if each[0] != cell]
        found, self.cells = len(left) < len(self.cells), left
        return found


def judge(jail: Jail, exercise: Exercise, seed: list[int], bench: _Bench) -> str:
    """Return the verdict on what was handed in. All cases are sent, unless one takes too long."""
    rng = np.random.default_rng(seed)
    cases, fill = exercise.cases(rng), random_fill(int(rng.integers(2**62)))
    call = _taken(jail, exercise, bench)
    if isinstance(call, str):
        return call
    if exercise.allowed and not exercise.kernel:  # the course's functions compile when first called
        jail.send((exercise.arguments(cases[0], fill), None, CELL / 2))
        jail.receive(CELL)
    verdict = "passed"
    for number, case in enumerate(cases, 1):
        args = exercise.arguments(case, fill)
        right = None if exercise.accept else exercise.right(*copy.deepcopy(args))
        said = _judged(exercise, run := call(args), right)
        if said and verdict == "passed":
            verdict = f"{said} (case {number} of {len(cases)})"
        if str(run.error).startswith("OutOfTime"):
            break  # the next case would take as long
    return verdict


def _judged(exercise: Exercise, run: Run, right: Any) -> str:
    try:
        symptom = judge_run(exercise, run, right)
    except Exception as error:  # a value that nobody thought of
        return f"a result that cannot be compared ({type(error).__name__})"
    if symptom is None:
        return ""
    said = str(run.error) if run.error else ""
    return f"{STAGES.get(symptom.kind, symptom.kind)}{f': {said}' if said else ''}"


def _asked(jail: Jail, *asked: Any) -> dict[str, Any]:
    jail.send(asked)
    return jail.receive(CALL)


def _run(args: tuple, message: dict[str, Any]) -> Run:
    """Return a call as `judge_run` takes it: its value is data, all else the process's word."""
    run = Run(args)
    if message.get("error") is not None:
        run.error = RuntimeError(said := str(message["error"])[:300])
        run.line = "its own" if said.startswith(OWN) else ""  # or else it is the machine's fault
        return run
    try:
        run.value = run.live = decode(message["value"])
    except Exception:
        run.error = RuntimeError("what it returned is no value")
        return run
    count = len(args)
    for name in ("changed", "shares"):
        found = message.get(name)
        kept = found if isinstance(found, list) else []
        places = tuple(n for n in kept if type(n) is int and 0 <= n < count)
        setattr(run, name, places)
    calls = message.get("calls")
    run.calls = tuple(map(str, calls))[:5] if isinstance(calls, list) else ()
    run.objection = str(message.get("objection") or "")[:300]
    run.unfinished, run.settled = bool(message.get("unfinished")), not message.get("unfinished")
    return run


def _taken(jail: Jail, exercise: Exercise, bench: _Bench) -> Callable[[tuple], Run] | str:
    """Return the function to call with a case's arguments, or the reason why there is none."""
    what = _run((), message := _asked(jail, None, None, None)).value
    if what is ...:
        return STAGES["not attempted"]
    if exercise.kernel and exercise.kernel.launch:
        return _Kernel(jail, exercise, what, bench) if isinstance(what, str) else "it is no source"
    if message.get("callable") is not True:
        return "it is no function"
    if exercise.kernel:
        return _Kernel(jail, exercise, None, bench)
    return lambda args: _run(args, _asked(jail, args, exercise.allowed, CALL / 2))


class _Bench:
    """The jail in which a notebook's kernels are compiled and run, once there is one.

    One for all of them: it first compiles the emulator, ten seconds long.
    """

    def __init__(self, until: float) -> None:
        self.until = until
        self._jail: Jail | None = None

    def run(self, *asked: Any) -> dict[str, Any]:
        """Return what became of a kernel. Raises Ended, and the next kernel has a new jail."""
        self._jail = self._jail or Jail(staged_bench(), "bench", self.until)
        try:
            self._jail.send(asked)
            return self._jail.receive(CELL)
        except Ended:
            self.stop()
            raise

    def stop(self) -> None:
        if self._jail:
            self._jail.stop()
        self._jail = None


class _Kernel:
    """CUDA C++: the notebook's jail gives the source, another one compiles and runs it."""

    def __init__(self, jail: Jail, exercise: Exercise, source: Any, bench: _Bench) -> None:
        self.jail, self.exercise, self.source, self.bench = jail, exercise, source, bench

    def __call__(self, args: tuple) -> Run:
        task = self.exercise.kernel
        if task.launch:
            source, launch = self.source, task.launch(*copy.deepcopy(args))
        else:
            plan = _run(args, _asked(self.jail, args[-1:], None, CALL / 2))
            if plan.error or plan.value is ...:
                return plan
            try:
                source, *launch = plan.value
            except (TypeError, ValueError):
                source = None
        if not isinstance(source, str):
            return _run(args, {"error": "it returned no (source, grid, block)"})
        right = np.asarray(self.exercise.right(*copy.deepcopy(args)))
        given = task.arguments(*copy.deepcopy(args))
        name = getattr(source, "name", "") or task.name
        try:
            message = self.bench.run(
                str(source), name, tuple(launch), given, right.shape, right.dtype.str
            )
        except Ended as error:
            return _run(args, {"error": f"its kernel's process {error}"})
        return _run(args, {"error": message.get("error"), "value": message.get("value")})
