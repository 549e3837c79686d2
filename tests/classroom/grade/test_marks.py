"""From a folder of notebooks to a table; and every solution through the jail. On Linux."""

import csv
import json
import pickle
import shutil

import pytest

from convladder.classroom.grade import marking, report, wire
from convladder.exercises import exercise_names, load_exercise
from convladder.exercises.exercise import random_fill

from .conftest import LAB, ROOT, verdicts


def test_what_is_sent_comes_back_and_nothing_else():
    import numpy as np

    for value in (None, 3, 2.5, "x", (1, [2, {"a": (3,)}]), np.float32(3), np.eye(3, dtype="<f4")):
        again = wire.back(json.loads(json.dumps(wire.plain(value))))
        assert type(again) is type(value) and np.all(again == value)
    assert wire.back(wire.plain(...)) is ...
    for told in (
        {"list": 3},
        {"array": []},
        [1],
        {},
        {"array": ["|O", [1], "", "C"]},
        {"x": 1, "y": 2},
    ):
        try:
            assert type(wire.back(told)) is object or not isinstance(told, dict)
        except (ValueError, TypeError, KeyError):
            continue


def test_a_folder_of_learners_is_read_a_file_at_a_time(tmp_path, monkeypatch):
    for learner in ("ada", "=1+1", "eve"):
        (tmp_path / "submitted" / learner).mkdir(parents=True)
    shutil.copy(LAB, tmp_path / "submitted/ada/03_mec.ipynb")
    (tmp_path / "submitted/=1+1/03_mec.ipynb").write_text("{")
    (tmp_path / "submitted/eve/03_mec.ipynb").symlink_to(tmp_path / "submitted/ada/03_mec.ipynb")
    (tmp_path / "submitted/ada.zip").write_bytes(b"PK")
    monkeypatch.setattr(report, "mark", lambda *given: ({"lowered_bytes": "passed"}, []))
    found = report.mark_all(tmp_path / "submitted", {"03_mec": LAB}, 1, lambda line: None)
    assert [each.learner for each in found] == ["=1+1", "ada"]
    table, page = report.write(found, tmp_path)
    rows = list(csv.reader(table.read_text().splitlines()))
    assert rows[-1] == ["ada", "03_mec", "lowered_bytes", "1", "passed"]
    assert rows[1][0] == "'=1+1" and "no notebook" in rows[1][4] and "<h2>" in page.read_text()


def test_the_arguments_of_all_exercises_can_go_into_a_jail():
    for name in exercise_names():
        exercise = load_exercise(name)
        for case in exercise.seeded_cases:
            pickle.dumps(exercise.arguments(case, random_fill()))


def test_a_fault_of_the_grader_costs_no_other_exercise(monkeypatch):
    def judge(jail, exercise, *given):
        raise pickle.PicklingError("a lambda")

    monkeypatch.setattr(marking, "judge", judge)
    found, _ = verdicts("check('lowered_bytes', len)")
    assert found["lowered_bytes"] == "could not be judged: PicklingError: a lambda"


LABS = sorted(path.stem for path in (ROOT / "labs").glob("*.ipynb"))


@pytest.mark.weekly
@pytest.mark.parametrize("lab", LABS)
def test_every_solution_passes_and_every_untouched_lab_fails(lab):
    """Ten minutes for all."""
    path = ROOT / "labs" / f"{lab}.ipynb"
    solved, notes = marking.mark(marking.code_cells(ROOT / "solutions" / path.name), path, 11)
    assert set(solved.values()) == {"passed"}, (solved, notes)
    stubs, _ = marking.mark(marking.code_cells(path), path, 11)
    assert "passed" not in stubs.values()
