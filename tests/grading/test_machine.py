"""What fails on the machine is no attempt of the learner's, wherever in a check it fails."""

import errno
import re
import sys
import tracemalloc
from dataclasses import replace
from unittest.mock import patch

import numba
import numpy as np
import pytest

from convladder import cuda
from convladder.exercises import load_exercise
from convladder.grading import check, grade
from convladder.grading.cost import _peak_line
from convladder.grading.sandbox import call, error_text
from convladder.journal import events

FAULTS = [
    OSError(errno.ENOSPC, "No space left on device"),
    RuntimeError("can't start new thread"),
    cuda.EmulatorError("kernels cannot be compiled"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault)[:20])
def test_a_fault_below_the_learners_own_line(fault):
    def answer(*args):
        raise fault

    verdict = check("output_shape", answer)
    assert verdict.stage == "could not be judged" and not verdict.hints()
    assert "Your answer may be right" in repr(verdict) and str(fault)[-8:] in repr(verdict)
    assert events() == []


def test_a_library_that_cannot_be_imported():
    def finds(*args):
        raise ModuleNotFoundError("No module named '_speedups'")

    elsewhere = {"__name__": "library"}
    exec("def load():\n    raise ImportError('libgomp.so.1: cannot open')", elsewhere)
    verdict = grade(load_exercise("output_shape"), lambda *args: elsewhere["load"]())
    assert verdict.stage == "could not be judged"
    assert grade(load_exercise("output_shape"), finds).stage == "raised an exception"


@numba.njit
def one_by_one(x):
    return np.empty_like(x), np.empty(3)


@numba.njit
def misspelt(x):
    return x.nowhere


@numba.njit
def product(x):
    return np.dot(x, x)


def test_numba_finds_what_is_poisoned_and_tells_the_cause():
    first, x = misspelt.py_func.__code__.co_firstlineno, np.ones(3)
    assert call(one_by_one, (x,)).value[0].shape == (3,)
    cause = rf"TypingError: Unknown attribute 'nowhere' .*\(line {first + 2}\)"
    assert re.match(cause, error_text(call(misspelt, (x,)).error))
    with patch.dict(sys.modules, {"scipy": None}):
        run = call(product, (x,))
    assert isinstance(run.error, ImportError) and not run.of_the_machine


@pytest.mark.parametrize("error", [FileNotFoundError(2, "x.npy"), ValueError("x"), MemoryError()])
def test_what_is_the_learners_own_stays_theirs(error):
    def answer(*args):
        raise error

    assert check("output_shape", answer).stage == "raised an exception"
    assert [event.exercise for event in events()] == ["output_shape"]


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
    assert "(in `answer`)" in _peak_line(lambda x: answer(x), (x,), 0)


def test_a_line_within_the_budget_is_not_blamed():
    def answer(x, w, problem):
        L = mec_lower(x, problem)
        rows = [partition(L, h, problem) @ w.reshape(-1, problem.k_c) for h in range(problem.o_h)]
        return np.stack(rows, axis=1)

    mec_lower, partition = (load_exercise(name).solution for name in ("mec_lower", "partition"))
    said = repr(grade(replace(load_exercise("mec_conv"), allowed=("convladder.",)), answer))
    assert "over budget" in said and "Most come" not in said
