"""Every exercise proves itself: its stub, its solution, and each of its mistakes."""

import random

import pytest

from convladder.exercises import exercise_names, load_exercise
from convladder.grading.check import Attempt, attempts_of, check, grade, recognise
from convladder.grading.kernel import KernelCall

MOST = 6  # mistakes of an exercise, of which CI proves one at a push; a week's run proves all


def proof_of(name):
    """Return what tells conftest.py which lab's proofs run in one process: "lab03-mec_lower"."""
    return f"lab{load_exercise(name).lab:02}-{name}"


NAMES = [pytest.param(name, id=proof_of(name)) for name in exercise_names()]
# To recognise a mistake, a kernel of every other one is compiled too: few exercises at a push.
KERNELS = [name for name in exercise_names() if load_exercise(name).kernel]
LATER = set(random.Random(str(KERNELS)).sample(KERNELS, 2 * len(KERNELS) // 3))


def mistakes():
    for name in exercise_names():
        count = len(load_exercise(name).misconceptions)
        chosen = random.Random(name).randrange(count)
        for number in range(count):
            marks = [] if number == chosen and name not in LATER else pytest.mark.weekly
            yield pytest.param(name, number, id=f"{proof_of(name)}-{number}", marks=marks)


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_passes(name):
    exercise = load_exercise(name)
    solution = exercise.solution
    taken = KernelCall(exercise, solution, ours=True) if exercise.kernel else solution
    assert Attempt(exercise, taken, None).outcome.symptom is None


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_is_not_attempted(name):
    exercise = load_exercise(name)
    given = exercise.kernel and exercise.kernel.launch
    stub = "__global__ void k() {\n    ...\n}" if given else lambda *_: ...
    assert grade(exercise, stub).stage == "not attempted"
    assert check(name, ...).stage == "not attempted"


@pytest.mark.parametrize("name", NAMES)
def test_its_names_are_unique_and_its_own_solution_is_no_answer(name):
    exercise = load_exercise(name)
    names = [mistake.name for mistake in exercise.misconceptions]
    assert len(set(names)) == len(names) <= MOST and exercise.name == name
    assert all(each.shows and each.why for each in exercise.misconceptions) and exercise.mend
    if not isinstance(exercise.solution, str):
        assert grade(exercise, exercise.solution).stage == "not your own code"


@pytest.mark.parametrize("name, number", list(mistakes()))
def test_a_mistake_gets_its_own_hints(name, number):
    exercise = load_exercise(name)
    for attempt in attempts_of(exercise, number):
        assert attempt.outcome.symptom is not None
        assert recognise(exercise, attempt.outcome)[0] is exercise.misconceptions[number]
