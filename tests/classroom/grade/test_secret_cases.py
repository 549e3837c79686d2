"""Any seed will do: what is right passes, what is untouched was not attempted."""

import sys
from pathlib import Path

import numpy as np
import pytest

from convladder.classroom.grade.judging import judge_notebook
from convladder.classroom.grade.notebook import parse
from convladder.classroom.grade.room import unproven
from convladder.classroom.grade.secret import ExerciseError, Exercises
from convladder.classroom.grade.walls import NAMESPACES, Limits, cache_folder, walls
from convladder.classroom.grade.wire import is_plain
from convladder.teach import exercises as course_exercises
from convladder.teach.exercises import exercise_names
from convladder.teach.grading.answer_type import answer_to
from convladder.teach.grading.check import verdict_on
from convladder.teach.grading.compare import same

from .submitted import ROOT

LABS = sorted((ROOT / "labs").glob("*.ipynb"))


@pytest.mark.parametrize("name", [
    name for name in exercise_names() if Exercises(1)[name].kernel is None])
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


@pytest.mark.weekly
def test_the_guide_says_how_many_exercises_a_table_of_answers_passes():
    """Their cases are chosen numbers, the same for every seed."""
    fixed = 0
    for name in exercise_names():
        one, other = Exercises(1)[name].seeded_cases(), Exercises(2)[name].seeded_cases()
        fixed += len(one) == len(other) and all(map(same, one, other))
    text = (ROOT / "classroom" / "grading.md").read_text(encoding="utf-8")
    assert f"In {fixed} of the {len(exercise_names())} exercises" in text


def test_no_process_is_told_a_case_or_a_reference():
    told = Exercises(1).told(exercise_names())
    assert is_plain(told) and {key for each in told.values() for key in each} == {
        "name", "parameters", "calls_allowed"}


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
    (tmp_path / "lab91" / "e1_twice.py").write_text('''
from convladder.teach.grading.exercise import Exercise
EXERCISE = Exercise(name="twice", lab=91, task="Twice.", reference=lambda x: 2 * x,
                    cases=lambda rng: [(3,), (int(rng.integers(99)),)], misconceptions=[])
''')
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
        result = judge_notebook(book, exercises.of_lab(lab), exercises, Limits(), NAMESPACES,
                                cache_folder())
        assert {name: each.verdict.stage for name, each in result.graded.items()} == dict.fromkeys(
            exercises.of_lab(lab), stage)
