"""The proof of every exercise: its stub, its solution, and each of its misconceptions."""

import pickle
import subprocess
import sys

import pytest

from convladder.teach.exercises import exercise_names, load_exercises
from convladder.teach.grading import stages
from convladder.teach.grading.check import grade

from ...sampling import sampled

EXERCISES = list(load_exercises().values())
MISTAKES = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.misconceptions]
FEWEST_MISTAKES = 25  # over all labs


def named(exercise):  # processes take a lab each: see conftest.py at the root
    return f"lab{exercise.lab:02}-{exercise.name}"


every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=named)


def proved(exercise, push):
    """All mistakes of an exercise, of which a push proves a part: of kernels a smaller one, since
    each is compiled and several are measured."""
    pairs = [(exercise, mistake) for mistake in exercise.misconceptions]
    some = max(1, len(pairs) // (8 if exercise.kernel else 5)) if push else 0
    return sampled(pairs, some, lambda pair: f"{named(exercise)}-{pair[1].name}")


# A push takes some of the exercises: of each, all mistakes are run to recognise the first.
every_mistake = pytest.mark.parametrize(
    "exercise, mistake",
    [
        case
        for parameter in sampled(EXERCISES, len(EXERCISES) // 3, named)
        for case in proved(*parameter.values, push=not parameter.marks)
    ],
)
FAMILIES = [
    (exercise, mistake, number)
    for exercise, mistake in MISTAKES
    if mistake.choices
    for number in range(1, len(list(mistake.family)))
]


def stub(exercise):
    """What an untouched lab hands to check."""
    if exercise.cases is None or exercise.kernel and exercise.kernel.launch:
        return ...
    if exercise.kernel:
        return lambda problem: ...
    return eval(f"lambda {', '.join(exercise.parameters)}: ...")


def answer(exercise, function):
    """`function` as a learner would hand it in: called, where the exercise asks for a value."""
    return function() if exercise.cases is None else function


def test_there_is_something_to_prove():
    assert {exercise.lab for exercise in EXERCISES} >= set(range(1, 8))
    assert len(MISTAKES) >= FEWEST_MISTAKES


def test_an_exercise_is_called_as_its_file_in_the_folder_of_its_lab():
    files = [
        name.split(".")[-2:]
        for name, module in sys.modules.items()
        if name.startswith("convladder.teach.exercises.lab") and hasattr(module, "EXERCISE")
    ]
    assert {(lab, file.split("_", 1)[1]) for lab, file in files} == {
        (f"lab{exercise.lab:02}", exercise.name) for exercise in EXERCISES
    }
    assert [exercise.name for exercise in EXERCISES] == exercise_names()
    assert [exercise.lab for exercise in EXERCISES] == sorted(each.lab for each in EXERCISES)


LIGHT = """
import sys
from convladder.teach import check
from convladder.teach.exercises import exercise_names, load_exercise
loaded = [name for name in sys.modules if name.startswith("convladder.teach.exercises.lab")]
assert not loaded, loaded
assert check("mec_lower", lambda x, problem: x[:0]).misconception is None
for name in exercise_names():
    load_exercise(name)
heavy = {"matplotlib", "ipywidgets", "IPython", "numba", "cupy", "torch"} & set(sys.modules)
assert not heavy, f"imported before anything is drawn or compiled: {heavy}"
"""


def test_exercises_and_a_check_need_no_library_that_draws_or_compiles():
    subprocess.run([sys.executable, "-c", LIGHT], check=True)


@every_exercise
def test_stub_is_not_attempted(exercise):
    assert grade(exercise, stub(exercise)).stage == stages.NOT_ATTEMPTED


@every_exercise
def test_solution_passes(exercise):
    verdict = grade(exercise, answer(exercise, exercise.solution), watch=False)
    assert verdict.passed, verdict


@every_exercise
def test_reference_handed_in_is_not_yours(exercise):
    if exercise.cases is not None and exercise.kernel is None:
        assert grade(exercise, exercise.reference).stage == stages.NOT_YOURS


@every_exercise
def test_task_and_hints_are_written(exercise):
    assert exercise.task.strip() and exercise.misconceptions
    assert all(hint.strip() for mistake in exercise.misconceptions for hint in mistake.hints)
    # The third may: one right line mends several mistakes.
    hints = [hint for mistake in exercise.misconceptions for hint in mistake.hints[:2]]
    assert len(set(hints)) == len(hints), "two hints read the same"


@every_mistake
def test_mistake_is_recognised_as_itself(exercise, mistake):
    verdict = grade(exercise, answer(exercise, mistake.wrong), watch=False)
    assert not verdict.passed
    assert name_of(verdict) == mistake.name, verdict
    assert "NameError" not in verdict.message, "it should fail by what it means to do"
    assert verdict.hints[1:] == mistake.hints[1:]
    assert verdict.likely or verdict.hints[0] == mistake.hints[0]


@pytest.mark.parametrize(
    "exercise, mistake, number",
    sampled(
        FAMILIES, min(3, len(FAMILIES)), lambda each: f"{named(each[0])}-{each[1].name}-{each[2]}"
    ),
)
def test_each_of_a_family_is_recognised_as_the_mistake(exercise, mistake, number):
    member = list(mistake.family)[number]
    verdict = grade(exercise, member, watch=False)
    assert verdict.passed or name_of(verdict) == mistake.name, (member, verdict)


def name_of(verdict):
    """Return the mistake that was recognised, or the likely one where few numbers say little."""
    return verdict.misconception or verdict.likely


def test_a_list_is_recognised_as_the_mistake_that_returns_a_tuple():
    def split(rows, parts):
        size = rows // parts
        return [[i * size, (i + 1) * size] for i in range(parts)]

    assert grade(load_exercises()["split"], split).misconception == "remainder lost"


@pytest.mark.parametrize(
    "exercise", [each for each in load_exercises().values() if each.use], ids=lambda each: each.name
)
def test_what_use_hands_over_can_go_to_another_process(exercise):
    """Where submissions are graded, answers are there, and exercises are not."""

    def answer(*args):
        assert b"teach.exercises" not in pickle.dumps(args)
        return exercise.reference(*args)

    assert exercise.use(answer) is None
