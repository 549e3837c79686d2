"""Labs for nbgrader: its markers, and cells that fail where a check does not pass."""

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import nbformat
import pytest

from tools.notebooks.labs import stub
from tools.notebooks.notebook import find, read
from convladder.classroom.grade.nbgrader import CONFIG, export, marked
from convladder.classroom.grade.secret import Exercises
from convladder.cli import main

from .submitted import ROOT

SOLUTIONS = find(ROOT, "solutions")
NBGRADER = os.environ.get("CONVLADDER_NBGRADER", "") or shutil.which("nbgrader")


def graded(book):
    return [cell for cell in book.cells if cell.metadata.get("nbgrader", {}).get("grade")]


# At a push three: plain, with checks in the solutions' own cells, and with kernels.
@pytest.mark.parametrize(
    "path",
    [
        path
        if path.stem[:2] in ("01", "02", "06")
        else pytest.param(path, marks=pytest.mark.weekly)
        for path in SOLUTIONS
    ],
    ids=lambda path: path.stem,
)
def test_each_exercise_has_a_graded_cell_and_each_solution_its_mark(path):
    book = marked(read(path))
    nbformat.validate(book)
    names = [cell.metadata.nbgrader.grade_id.removeprefix("check-") for cell in graded(book)]
    assert names == Exercises(1).of_lab(int(path.stem[:2]))
    for cell in book.cells:
        solved = cell.cell_type == "code" and stub(cell.source) != cell.source
        assert solved == cell.metadata.get("nbgrader", {}).get("solution", False)
    ids = [cell.metadata.nbgrader.grade_id for cell in book.cells if "nbgrader" in cell.metadata]
    assert len(set(ids)) == len(ids) and all(len(each) <= 64 for each in ids)


@pytest.mark.parametrize("solved", [True, False])
def test_a_graded_cell_fails_unless_the_check_passes(solved):
    space, failed, book = {"display": lambda *a: None}, [], marked(read(SOLUTIONS[0]))
    last = book.cells.index(graded(book)[1])
    for cell in book.cells[: last + 1]:
        try:
            if cell.cell_type == "code":
                exec(cell.source if solved else stub(cell.source), space)
        except AssertionError as error:
            failed.append(cell.metadata.nbgrader.grade_id)
            assert "not attempted" in str(error)
    assert failed == ([] if solved else ["check-output_shape", "check-window_columns"])


def test_the_command_writes_a_course(tmp_path, capsys):
    assert main(["grade", "--nbgrader", str(tmp_path / "course"), "--labs", "1", "3"]) == 0
    assert sorted(path.parent.name for path in (tmp_path / "course").rglob("*.ipynb")) == [
        "lab01",
        "lab03",
    ]
    assert main(["grade", "--nbgrader", str(tmp_path / "course"), "--labs", "99"]) == 2
    assert main(["grade", str(tmp_path), "--nbgrader", str(tmp_path)]) == 2
    (tmp_path / "course" / "nbgrader_config.py").write_text("mine")
    assert main(["grade", "--nbgrader", str(tmp_path / "course")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


@pytest.mark.weekly
@pytest.mark.skipif(
    not NBGRADER,
    reason="needs nbgrader in an environment with this package: "
    "CONVLADDER_NBGRADER=/path/bin/nbgrader",
)
@pytest.mark.parametrize("lab", [1, 3, 6])
def test_nbgrader_itself_gives_all_points_to_a_solution_and_none_to_a_stub(tmp_path, lab):
    def nbgrader(*words):
        done = subprocess.run(
            [NBGRADER, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": f"{Path(NBGRADER).parent}:{os.environ['PATH']}"},
        )
        assert done.returncode == 0, done.stderr[-3000:]

    (path,) = export(tmp_path, [lab])
    assignment = path.parent.name
    assert (tmp_path / "nbgrader_config.py").read_text() == CONFIG
    nbgrader("generate_assignment", assignment)
    released = tmp_path / "release" / assignment / path.name
    kept = [cell.source for cell in read(ROOT / "labs" / path.name).cells]
    assert all(
        cell.source in kept
        for cell in read(released).cells
        if not cell.metadata.get("nbgrader", {}).get("grade")
    )
    for user, source in (("ana", path), ("ben", released)):
        folder = tmp_path / "submitted" / user / assignment
        folder.mkdir(parents=True)
        book = json.loads(released.read_text())
        answers = {cell["id"]: cell for cell in json.loads(source.read_text())["cells"]}
        for cell in book["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("solution"):
                cell["source"] = answers[cell["id"]]["source"]
        (folder / path.name).write_text(json.dumps(book))
    nbgrader("autograde", assignment)
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        points = dict(
            database.execute("""
            select s.student_id, sum(coalesce(g.manual_score, g.auto_score)) from grade g
            join submitted_notebook n on n.id = g.notebook_id
            join submitted_assignment s on s.id = n.assignment_id group by s.student_id""")
        )
    assert points == {"ana": len(Exercises(1).of_lab(lab)), "ben": 0}
