"""`convladder` itself: how it begins, what it meant, and that it spares a learner's work."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

import convladder
from convladder.cli import COMMANDS, get, main

from ..python import python
from . import SMALL, told


def test_alone_it_says_how_to_begin(capsys, monkeypatch, tmp_path):
    def none():
        raise LookupError

    code, out, _ = told(capsys)
    assert code == 0 and out.splitlines()[-1].endswith("convladder lab")
    monkeypatch.setattr("convladder.cli.course_root", none)
    assert told(capsys)[1].splitlines()[-1].endswith("convladder get")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_says_what_it_takes(capsys, name):
    code, out, _ = told(capsys, name, "--help")
    assert code == 0 and f"usage: convladder {name} " in out and COMMANDS[name] in out


@pytest.mark.parametrize(
    "word, said",
    [
        ("progres", "did you mean progress?"),
        ("labs", "did you mean lab?"),
        ("fly", "there are get, "),
    ],
)
def test_another_word_is_told_what_it_may_have_meant(capsys, word, said):
    code, out, err = told(capsys, word)
    assert (code, out) == (2, "") and f"there is no command '{word}'; {said}" in err


def test_what_a_command_does_not_take_is_told_by_the_command(capsys):
    code, _, err = told(capsys, "progress", "--rest")
    assert code == 2 and "progress takes no --rest; `convladder progress --help`" in err


def test_as_a_module_it_tells_its_version(tmp_path):
    said = python("-m", "convladder", "--version", folder=tmp_path).stdout
    assert said == f"convladder {convladder.__version__}\n"


def edited(folder: Path) -> dict[str, bytes]:
    """A course with one's own work in every lab, and notes."""
    get.get(folder)
    for path in [*folder.glob("labs/*.ipynb"), folder / "labs/notes.txt"]:
        path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


HARMLESS = [
    "get",
    "lab --port 99999",
    "progress --reset",
    "progress --export labs/notes.txt",
    f"ladder conv --shape {SMALL} --methods im2col --json labs/03_mec.ipynb",
    "ladder lenet --device cpu --images 10 --json labs/03_mec.ipynb",
    "record labs/03_mec.ipynb",
    "grade labs --out labs",
    "slides 98 --out labs",
]


def test_no_command_changes_a_learners_work(capsys, monkeypatch, tmp_path, journal):
    folder = tmp_path / "course"
    before = edited(folder)
    monkeypatch.chdir(folder)
    for words in HARMLESS:
        code, _, err = told(capsys, *words.split())
        assert {name: Path(name).read_bytes() for name in before} == before, words
        if ".ipynb" in words or ".txt" in words:
            assert code == 2 and "is there already; name another file" in err, words


UNREAD = {"progress | true": "141 0", "get --help | true": "141", "get --help >/dev/full": "2"}


@pytest.mark.parametrize("words, codes", UNREAD.items())
def test_output_that_nobody_can_read(words, codes, monkeypatch):
    """The help of `argparse` is written when its exit was raised already."""
    monkeypatch.setenv("CONVLADDER_PROGRESS", "/tmp/no/such/file")
    monkeypatch.setenv("PYTHONUNBUFFERED", "")
    program = f'"$0" -m convladder {words}; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", program, sys.executable], capture_output=True, text=True)
    said = "convladder: there is no room left on the disk\n" * (codes == "2")
    assert done.stdout.strip() in codes.split() and done.stderr == said


def test_a_terminal_of_ascii_gets_letters_for_signs(monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(
        "convladder.cli.doctor._doctor", lambda args: print("3 µs, 2×3, one’s, Ω") or 0
    )
    assert main(["doctor"]) == 0
    assert out.buffer.getvalue() == b"3 us, 2x3, one's, \\u03a9\n"


@pytest.mark.weekly
def test_a_home_that_takes_nothing_is_told_in_a_sentence(tmp_path, monkeypatch):
    for name in ("CONVLADDER_PROGRESS", "PYTEST_VERSION", "PYTEST_CURRENT_TEST"):
        monkeypatch.delenv(name, raising=False)

    def run(*words, folder=tmp_path / "convladder-course"):
        nowhere = {"HOME": "/proc/none", "CI": "", "XDG_DATA_HOME": ""}
        return python("-m", "convladder", *words, folder=folder, **nowhere)

    assert run("get", folder=tmp_path).returncode == 0
    assert run("progress").returncode == 0
    for words in (["progress", "--reset"], ["doctor"]):
        assert "Traceback" not in run(*words).stderr
    told = run("lab").stderr
    assert "export HOME=FOLDER" in told and "Traceback" not in told
