"""Any seed will do: what is right passes, what is untouched was not attempted."""

import copy
import sys
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from convladder.classroom.grade.judging import judge_notebook
from convladder.classroom.grade.notebook import parse
from convladder.classroom.grade.room import unproven
from convladder.classroom.grade.secret import ExerciseError, Exercises, alike
from convladder.classroom.grade.walls import NAMESPACES, Limits, cache_folder, walls
from convladder.classroom.grade.wire import is_plain
from convladder.teach import exercises as course_exercises
from convladder.teach.exercises import exercise_names, load_exercise, load_exercises
from convladder.teach.grading.answer_type import answer_to
from convladder.teach.grading.check import verdict_on

from ...sampling import sampled
from .submitted import ROOT

# Judged on what they do with a stand-in as well: an answer that has the values alone never passes.
DOING = (
    "run_all",
    "row_major",
    "mec_gemms",
    "my_gemms",
    "my_product",
    "overlapped",
    "my_plan",
    "my_cut",
    "four_products",
)
LONG = ("two_in_strips",)  # its reference goes through 224 × 224 pixels
LABS = sorted((ROOT / "labs").glob("*.ipynb"))


@pytest.mark.parametrize(
    "name", [name for name, exercise in load_exercises().items() if exercise.kernel is None]
)
@pytest.mark.weekly
def test_solutions_pass_on_cases_of_any_seed(name):
    for seed in range(3):
        exercise = Exercises(seed)[name]
        answer = answer_to(exercise, exercise.solution, watch=False)
        assert verdict_on(answer, exercise.seeded_cases()).passed, seed


def test_seeds_give_cases_of_their_own_and_the_same_again():
    def first(seed):
        return Exercises(seed)["lower_windows"].seeded_cases()[1][0]

    assert np.array_equal(first(1), first(1)) and not np.array_equal(first(1), first(2))
    exercises = Exercises(1)
    assert exercises["mec_lower"] is exercises["mec_lower"]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.weekly)])
def test_the_answers_that_everybody_can_know_are_not_right_for_another_seed(seed):
    exercises = Exercises(seed)
    assert [name for name in exercise_names() if exercises.known(name)] == []


@cache
def exercises_of_today():
    """Return the same for all mistakes: those that they are compared with are then run once."""
    return Exercises(date.today().toordinal())


MISTAKES = [
    (name, mistake.name)
    for name, exercise in load_exercises().items()
    if exercise.kernel is None
    for mistake in exercise.misconceptions
]


@pytest.mark.parametrize("name, mistake", sampled(MISTAKES, 8, "-".join))
def test_usual_mistakes_are_told_apart_on_cases_of_any_seed(name, mistake):
    exercise = exercises_of_today()[name]
    (wrong,) = (each.wrong for each in exercise.misconceptions if each.name == mistake)
    verdict = verdict_on(answer_to(exercise, wrong, watch=False), exercise.seeded_cases())
    assert mistake in (verdict.misconception, verdict.likely), verdict


def replayed(exercise, cases):
    """Return a function that has the answers to these cases, and knows what it is asked by them."""
    stored = [exercise.reference(*copy.deepcopy(args)) for args in cases]
    calls = count()

    def answer(*args):
        number = next(calls) % len(cases)
        known = next((at for at, case in enumerate(cases) if alike(args, case)), number)
        return copy.deepcopy(stored[known])

    return answer


@pytest.mark.parametrize(
    "name",
    sampled(
        [
            name
            for name, exercise in load_exercises().items()
            if not (exercise.kernel or exercise.code or exercise.use or name in DOING + LONG)
        ],
        12,
        str,
    ),
)
def test_a_table_of_the_right_answers_passes_check_and_nothing_else(name):
    public, secret = load_exercise(name), Exercises(3)[name]
    answer = replayed(public, public.seeded_cases())
    for exercise, passes in (public, True), (secret, False):
        verdict = verdict_on(
            answer_to(replace(exercise, workspace=None), answer, watch=False),
            exercise.seeded_cases(),
        )
        assert verdict.passed == passes, verdict


TABLE = """extern "C" __global__ void grey(const float *x, float *y, int i_h, int i_w)
{{
    const float known[][{most}] = {{{rows}}};
    int w = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h < i_h && w < i_w) y[h * i_w + w] = known[i_h == 2 ? 0 : i_h == 9 ? 1 : 2][h * i_w + w];
}}"""


@pytest.mark.weekly
def test_a_kernel_that_has_the_right_answers_passes_check_and_nothing_else():
    public, secret = load_exercise("grey"), Exercises(3)["grey"]
    answers = [public.reference(*args).ravel().tolist() for args in public.seeded_cases()]
    source = TABLE.format(
        most=max(map(len, answers)),
        rows=", ".join(f"{{{', '.join(f'{each:.9e}f' for each in row)}}}" for row in answers),
    )
    for exercise, stage in (public, "passed"), (secret, "wrong values"):
        assert verdict_on(answer_to(exercise, source), exercise.seeded_cases()).stage == stage


def test_no_process_is_told_a_case_or_a_reference():
    told = Exercises(1).public(exercise_names())
    assert is_plain(told) and {key for each in told.values() for key in each} == {
        "name",
        "parameters",
        "calls_allowed",
    }


@pytest.fixture
def course_alone(monkeypatch):
    """What a test adds to the course's exercises is gone after it."""
    monkeypatch.setattr(course_exercises, "__path__", [*course_exercises.__path__])
    yield
    for name in [name for name in sys.modules if ".exercises.lab91" in name]:
        del sys.modules[name]


@pytest.mark.usefixtures("course_alone")
def test_exercises_of_one_s_own_are_found(tmp_path):
    (tmp_path / "lab91").mkdir()
    (tmp_path / "lab91" / "e1_twice.py").write_text("""
from convladder.teach.grading.exercise import Exercise
EXERCISE = Exercise(name="twice", lab=91, task="Twice.", reference=lambda x: 2 * x,
                    cases=lambda rng: [(3,), (int(rng.integers(99)),)], misconceptions=[])
""")
    exercises = Exercises(1, tmp_path)
    assert exercises.of_lab(91) == ["twice"] and exercises["twice"].parameters == ("x",)
    (tmp_path / "lab01").mkdir()
    with pytest.raises(ExerciseError, match="give yours another number"):
        Exercises(1, tmp_path)
    with pytest.raises(ExerciseError, match="holds no exercise"):
        Exercises(1, tmp_path / "lab01")


@pytest.mark.weekly
@pytest.mark.skipif(walls() != NAMESPACES, reason="needs namespaces")
@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_every_solution_passes_behind_walls_and_every_lab_was_not_attempted(path: Path):
    exercises, lab = Exercises(5), int(path.stem[:2])
    assert unproven(lab, exercises, Limits(), NAMESPACES, cache_folder()) == set()
    for folder, stage in (("solutions", "passed"), ("labs", "not attempted")):
        book = parse((ROOT / folder / path.name).read_bytes())
        result = judge_notebook(
            book, exercises.of_lab(lab), exercises, Limits(), NAMESPACES, cache_folder()
        )
        assert {name: each.verdict.stage for name, each in result.graded.items()} == dict.fromkeys(
            exercises.of_lab(lab), stage
        )
