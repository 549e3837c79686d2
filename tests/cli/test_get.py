"""A learner's own copy of the course: written, worked in, brought up to date."""

import json
import sys
from pathlib import Path

import pytest

from convladder.cli import get as module
from convladder.cli.get import get
from convladder.cli.lab import START
from convladder.cli.terminal import CommandError
from convladder.core.install import command_text
from convladder.journal import course_root, last_download

from . import told

ROOT = Path(__file__).parents[2]


@pytest.fixture
def release(tmp_path, monkeypatch):
    """What a version ships: a function that writes its notebooks."""
    source = tmp_path / "release"
    monkeypatch.setattr(module, "SHIPPED", source)

    def write(**sources: str) -> None:
        for folder in ("course", "labs", "solutions", "docs"):
            (source / folder).mkdir(parents=True, exist_ok=True)
        (source / "docs" / "sources.md").write_text("# Sources\n")
        for name, text in {"00_start_here": "begin", **sources}.items():
            code = {"cell_type": "code", "source": [text], "outputs": ["seen"]}
            notebook = {"cells": [{**code, "execution_count": 3}]}
            folder = "labs" if name.startswith("lab") else "course"
            (source / folder / f"{name}.ipynb").write_text(json.dumps(notebook))

    return write


def edit(path, text: str, outputs=()) -> None:
    notebook = json.loads(path.read_text())
    notebook["cells"][0] |= {"source": text, "outputs": list(outputs)}
    path.write_text(json.dumps(notebook))


def source_of(path) -> str:
    return "".join(json.loads(path.read_text())["cells"][0]["source"])


def test_a_new_copy_has_no_outputs_and_the_code_that_is_linked(release, tmp_path):
    release(one="see [this](../src/convladder/core/text.py) and [that](../docs/sources.md)")
    first = get(tmp_path / "mine")
    assert first.new == [
        "course/00_start_here.ipynb",
        "course/one.ipynb",
        "docs/sources.md",
        "src/convladder/core/text.py",
    ]
    cell = json.loads((tmp_path / "mine/course/one.ipynb").read_text())["cells"][0]
    assert cell["outputs"] == [] and cell["execution_count"] is None
    again = get(tmp_path / "mine")
    assert (again.new, again.corrected, again.kept) == ([], [], [])
    assert "has the course" in next(again.lines())


def test_corrections_come_and_work_stays(release, tmp_path):
    release(one="old", lab1="def f(): ...", lab2="def g(): ...", lab3="fine")
    mine = tmp_path / "mine"
    get(mine)
    edit(mine / "course/one.ipynb", "old", outputs=["run, not changed"])
    edit(mine / "labs/lab1.ipynb", "def f(): return 1")
    edit(mine / "labs/lab3.ipynb", "my notes")
    (mine / "labs/lab2.ipynb").unlink()
    release(one="corrected", lab1="def f(x): ...", lab2="def g(): ...", lab3="fine")
    again = get(mine)
    assert (again.corrected, again.kept, again.new) == (
        ["course/one.ipynb"],
        ["labs/lab1.ipynb"],
        ["labs/lab2.ipynb"],
    )
    assert source_of(mine / "labs/lab1.ipynb") == "def f(): return 1"
    assert source_of(mine / "course/one.ipynb") == "corrected"
    assert "1 file left as you changed it: labs/lab1.ipynb." in list(again.lines())[-1]
    assert get(mine).kept == ["labs/lab1.ipynb"]  # and it is said as long as it is so


def test_what_was_there_before_is_the_learners(release, tmp_path):
    release(one="ours")
    (tmp_path / "mine/course").mkdir(parents=True)
    (tmp_path / "mine/course/one.ipynb").write_text("not even a notebook")
    (tmp_path / "mine" / module.MEMORY).write_text("damaged")
    assert get(tmp_path / "mine").kept == ["course/one.ipynb"]
    assert (tmp_path / "mine/course/one.ipynb").read_text() == "not even a notebook"


def test_places_that_cannot_be(release, tmp_path, monkeypatch):
    release()
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot write to .*file: .*; name another folder"):
        get(tmp_path / "file")
    release()
    (tmp_path / "release" / "pyproject.toml").write_text("")
    with pytest.raises(CommandError, match="is a checkout"):
        get(tmp_path / "release")
    for name in ("SHIPPED", "CHECKOUT"):
        monkeypatch.setattr(module, name, tmp_path / "nowhere")
    with pytest.raises(CommandError, match="holds no notebooks; install it again"):
        get(tmp_path / "other")


def test_get_writes_the_course_and_says_how_to_open_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = told(capsys, "get")
    assert (code, err) == (0, "")
    assert (tmp_path / "convladder-course" / START).is_file()
    last = out.splitlines()[-1]
    assert last == f"Open it with: cd {tmp_path}/convladder-course && {command_text()} lab"
    monkeypatch.chdir(tmp_path / "convladder-course" / "labs")
    _, out, _ = told(capsys, "get")
    assert out.startswith(f"{tmp_path}/convladder-course has the course of version")
    monkeypatch.chdir(tmp_path / "convladder-course")
    assert told(capsys, "get", ".")[1].splitlines()[-1] == f"Open it with: {command_text()} lab"
    code, _, err = told(capsys, "get", str(ROOT))
    assert code == 2 and "is a checkout" in err


def test_what_get_wrote_last_is_opened_from_anywhere(capsys, tmp_path, monkeypatch, journal):
    monkeypatch.setattr(last_download, "CHECKOUT", tmp_path / "none")
    monkeypatch.chdir(tmp_path)
    assert told(capsys, "lab", "--no-browser")[0] == 2  # nothing yet
    assert told(capsys, "get", str(tmp_path / "course 1"))[0] == 0
    assert course_root() == tmp_path / "course 1"
    assert "Begin with: 00" in told(capsys, "progress")[1]
    (tmp_path / "course 1" / START).unlink()
    code, _, err = told(capsys, "lab", "--no-browser")
    assert code == 2
    assert f"no course in {Path.cwd()}; `{command_text()} get` writes one there" in err


def test_off_the_path_a_command_is_told_that_runs_in_the_folder_of_the_copy(
    capsys, tmp_path, monkeypatch
):
    program = tmp_path / "my clone" / ".venv/bin/convladder"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "my clone" / ".venv"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path / "my clone")
    assert command_text() == ".venv/bin/convladder"
    _, out, _ = told(capsys, "get", "copy")
    assert out.endswith(f"Open it with: cd copy && '{program}' lab\n")
    monkeypatch.chdir(tmp_path)
    assert command_text() == f"'{program}'"
    program.unlink()  # used from its sources
    assert command_text() == "convladder"
