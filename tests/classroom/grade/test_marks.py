"""From a folder of notebooks to a table; and every solution through the jail. On Linux."""

import csv
import json
import os
import pickle
import shutil
from pathlib import Path

import pytest

from convladder.classroom.grade import marking, report, wire
from convladder.classroom.grade.jail import Jail, JailError
from convladder.exercises import exercise_names, load_exercise
from convladder.exercises.exercise import random_fill

from .conftest import LAB, ROOT, verdicts


def test_what_is_sent_comes_back_and_nothing_else():
    import numpy as np

    for value in (None, 3, 2.5, "x", (1, [2, {"a": (3,)}]), np.float32(3), np.eye(3, dtype="<f4")):
        again = wire.decode(json.loads(json.dumps(wire.encode(value))))
        assert type(again) is type(value) and np.all(again == value)
    assert wire.decode(wire.encode(...)) is ...
    # Without wrapping round, and without a looser rounding.
    for value in (np.uint32(2**32 - 1), np.float16(0.1), np.bool_(True)):
        assert type(wire.decode(wire.encode(value))) in (int, float, bool)
    objects = {"array": ["|O", [1], "", "C"]}
    for told in ({"list": 3}, {"array": []}, [1], {}, objects, {"x": 1, "y": 2}):
        try:
            assert type(wire.decode(told)) is object or not isinstance(told, dict)
        except (ValueError, TypeError, KeyError):
            continue


def test_a_folder_of_learners_is_read_a_file_at_a_time(tmp_path, monkeypatch):
    for learner in ("ada", "=1+1", "eve"):
        (tmp_path / "submitted" / learner).mkdir(parents=True)
    shutil.copy(LAB, tmp_path / "submitted/ada/03_mec.ipynb")
    (tmp_path / "submitted/=1+1/03_mec.ipynb").write_text("{")
    (tmp_path / "submitted/eve/03_mec.ipynb").symlink_to(tmp_path / "submitted/ada/03_mec.ipynb")
    (tmp_path / "submitted/ada.zip").write_bytes(b"PK")
    monkeypatch.setattr(report.Jail, "rehearse", lambda course: None)
    monkeypatch.setattr(report, "mark", lambda *given: ({"lowered_bytes": "passed"}, []))
    found = report.mark_all(tmp_path / "submitted", {"03_mec": LAB}, 1, lambda line: None, tmp_path)
    assert [each.learner for each in found] == ["=1+1", "ada"]
    table, page = tmp_path / "grades.csv", tmp_path / "grades.html"
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


def test_a_kernel_that_ends_its_process_leaves_the_next_one_a_new_one(monkeypatch):
    class Spent:
        def __init__(self, *given):
            self.send, self.stop = lambda asked: None, lambda: made.append("ended")
            self.fails = not made

        def receive(self, seconds):
            if self.fails:
                raise marking.Ended("ended")
            return {"value": 3}

    made = []
    monkeypatch.setattr(marking, "Jail", Spent)
    bench = marking._Bench(0.0)
    with pytest.raises(marking.Ended):
        bench.run("kill(getppid(), 9);")
    assert bench.run("x[0] = 3;") == {"value": 3} and made == ["ended"]


LABS = sorted(path.stem for path in (ROOT / "labs").glob("*.ipynb"))


@pytest.mark.weekly
@pytest.mark.parametrize("lab", LABS)
def test_every_solution_passes_and_every_untouched_lab_fails(lab):
    """Two minutes for all."""
    path = ROOT / "labs" / f"{lab}.ipynb"
    solved, notes = marking.mark(marking.code_cells(ROOT / "solutions" / path.name), path, 11)
    assert set(solved.values()) == {"passed"}, (solved, notes)
    stubs, _ = marking.mark(marking.code_cells(path), path, 11)
    assert "passed" not in stubs.values()


def test_an_unreadable_notebook_costs_nobody_else_anything(tmp_path, monkeypatch):
    shutil.copy(LAB, tmp_path / "03_mec.ipynb")
    refused = PermissionError(13, "Permission denied")
    monkeypatch.setattr(Path, "read_bytes", lambda self: (_ for _ in ()).throw(refused))
    with pytest.raises(ValueError, match="cannot be opened"):
        marking.code_cells(tmp_path / "03_mec.ipynb")


def test_a_machine_that_makes_no_jail_gives_no_marks(tmp_path, monkeypatch):
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\nexit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(JailError, match="no jail can be started here"):
        Jail.rehearse(marking.staged(LAB))


def test_values_that_no_rule_compares_pass_nothing():
    """Once they did: an unsigned place wrapped round, and a sum of infinities is NaN."""
    planner = "check('my_planner', lambda blocks: {b.name: np.uint32(2**32 - 1) for b in blocks})"
    matrices = (
        "def f(m, r, points):\n    a = m + r - 1\n    BT = np.ones((a, a)); BT[::2] = -1\n"
        "    return np.full((m, a), 1e200), np.full((a, r), 1e200), BT\n"
        "check('point_matrices', f)"
    )
    for lab, cell, name in (("17", planner, "my_planner"), ("06", matrices, "point_matrices")):
        (path,) = (ROOT / "labs").glob(f"{lab}_*.ipynb")
        cells = ["import numpy as np\nfrom convladder.teach import check", cell]
        found, _ = marking.mark(cells, path, 7, 120)
        assert found[name] != "passed" and found[name] != marking.NOTHING


def test_a_sparse_file_is_refused_before_it_is_read(tmp_path):
    """Of 150 such files a grader once made 3 GB."""
    path = tmp_path / "03_mec.ipynb"
    with path.open("wb") as file:
        file.truncate(40 << 20)
    with pytest.raises(ValueError, match="no file of 5 MB at most"):
        marking.code_cells(path)
