"""Every exercise proves itself: its stub, its solution, and each of its mistakes."""

import random
from functools import cache

import pytest

from convladder.exercises import exercise_names, load_exercise
from convladder.exercises.exercise import Edit
from convladder.grading.check import attempts_of, check, grade, judge, recognise
from convladder.grading.kernel import KernelCall

MOST = 6  # mistakes of an exercise
AT_A_PUSH = 2  # of them that CI proves at a push, one of a kernel; a week's run proves all


def proof_of(name):
    """Return what tells conftest.py which lab's proofs run in one process: "lab03-mec_lower"."""
    return f"lab{load_exercise(name).lab:02}-{name}"


NAMES = [pytest.param(name, id=proof_of(name)) for name in exercise_names()]


def mistakes():
    for name in exercise_names():
        exercise = load_exercise(name)
        count = len(exercise.misconceptions)
        few = 1 if exercise.kernel else min(AT_A_PUSH, count)
        chosen = random.Random(name).sample(range(count), few)
        for number in range(count):
            marks = [] if number in chosen else pytest.mark.weekly
            yield pytest.param(name, number, id=f"{proof_of(name)}-{number}", marks=marks)


@cache
def outcome_of_solution(name):
    exercise = load_exercise(name)
    solution = exercise.solution
    taken = KernelCall(exercise, solution, ours=True) if exercise.kernel else solution
    return judge(exercise, taken, None)


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_passes(name):
    assert outcome_of_solution(name).symptom is None


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_is_not_attempted(name):
    exercise = load_exercise(name)
    given = exercise.kernel and exercise.kernel.launch
    stub = "__global__ void k() {\n    ...\n}" if given else lambda *_: ...
    assert grade(exercise, stub).stage == "not attempted"
    assert check(name, ...).stage == "not attempted"


@pytest.mark.parametrize("name", NAMES)
def test_the_courses_own_solution_is_no_answer(name):
    exercise = load_exercise(name)
    if not isinstance(exercise.solution, str):
        assert grade(exercise, exercise.solution).stage == "not your own code"


@pytest.mark.parametrize("name", NAMES)
def test_names_are_unique_and_few(name):
    exercise = load_exercise(name)
    names = [mistake.name for mistake in exercise.misconceptions]
    assert len(set(names)) == len(names) <= MOST
    assert exercise.name == name
    assert all(each.shows and each.why for each in exercise.misconceptions) and exercise.mend


@pytest.mark.parametrize("name, number", list(mistakes()))
def test_a_mistake_gets_its_own_hints(name, number):
    exercise = load_exercise(name)
    for attempt in attempts_of(exercise, number):
        assert attempt.outcome.symptom is not None
        assert recognise(exercise, attempt.outcome) is exercise.misconceptions[number]


def test_an_edit_must_fit_once():
    with pytest.raises(ValueError, match="2 times"):
        Edit((("x", "y"),)).apply("x x")
