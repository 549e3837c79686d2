"""What fails on the machine is no attempt of the learner's, wherever in a check it fails."""

import errno
import json
import sys
import tracemalloc

import numpy as np
import pytest

from convladder import cuda
from convladder.core.machine_error import MachineError
from convladder.exercises import load_exercise
from convladder.grading import check, grade
from convladder.grading.cost import _peak_line
from convladder.journal import VARIABLE

FAULTS = [
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EROFS, "Read-only file system"),
    RuntimeError("can't start new thread"),
    MachineError("there is no room for threads"),
    cuda.NoBackend("there is no C++ compiler"),
    cuda.EmulatorError("kernels cannot be compiled"),
]


@pytest.fixture
def journal(monkeypatch, tmp_path):
    file = tmp_path / "progress.jsonl"
    monkeypatch.setenv(VARIABLE, str(file))
    return file


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault)[:20])
def test_a_fault_below_the_learners_own_line(fault, journal):
    def answer(*args):
        raise fault

    verdict = check("output_shape", answer)
    assert verdict.stage == "could not be judged" and not verdict.hints()
    assert "Your answer may be right" in repr(verdict) and str(fault)[-8:] in repr(verdict)
    assert not journal.exists()


def test_a_library_that_cannot_be_imported():
    def answer(*args):
        import json.broken_library  # noqa: F401

    def finds(*args):
        raise ModuleNotFoundError("No module named '_speedups'")

    assert grade(load_exercise("output_shape"), answer).stage == "raised an exception"
    elsewhere = {"__name__": "library"}
    exec("def load():\n    raise ImportError('libgomp.so.1: cannot open')", elsewhere)
    verdict = grade(load_exercise("output_shape"), lambda *args: elsewhere["load"]())
    assert verdict.stage == "could not be judged"
    assert grade(load_exercise("output_shape"), finds).stage == "raised an exception"


@pytest.mark.parametrize("error", [FileNotFoundError(2, "x.npy"), ValueError("x"), MemoryError()])
def test_what_is_the_learners_own_stays_theirs(error, journal):
    def answer(*args):
        raise error

    assert check("output_shape", answer).stage == "raised an exception"
    assert json.loads(journal.read_text())["exercise"] == "output_shape"


def test_a_reference_that_cannot_run_here(monkeypatch):
    def fails(*_):
        raise MachineError("nothing compiles")

    monkeypatch.setattr(sys.modules[grade.__module__], "expected", fails)
    exercise = load_exercise("output_shape")
    own = {}
    exec(f"def answer({', '.join(exercise.parameters)}): return 1, 1", own)
    assert grade(exercise, own["answer"]).stage == "could not be judged"


def test_the_line_that_takes_most_is_the_same_with_tracing_on():
    def answer(x):
        padded = np.pad(x, 2)
        many = padded.repeat(4, 0)
        return many[:3].copy()

    x = np.ones((300, 300))
    once = _peak_line(answer, (x,), 0)
    tracemalloc.start()
    try:
        assert _peak_line(answer, (x,), 0) == once
    finally:
        tracemalloc.stop()
    assert "padded.repeat" in once
