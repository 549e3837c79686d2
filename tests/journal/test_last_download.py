"""Which course a command is for."""

import pytest

from convladder.cli import main
from convladder.journal import course_root, last_download, remember
from convladder.journal.course_index import COPY, START
from convladder.teach import progress


def a_course(folder):
    (folder / START).parent.mkdir(parents=True, exist_ok=True)
    (folder / START).write_text("{}")
    return folder


def test_the_nearest_course_is_taken_first(tmp_path, monkeypatch, journal):
    monkeypatch.setattr(last_download, "CHECKOUT", tmp_path / "checkout")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with pytest.raises(LookupError, match="no course in .*; `.*convladder get` writes one there"):
        course_root()
    remember(a_course(tmp_path / "written"))
    assert course_root() == tmp_path / "written"
    assert a_course(tmp_path / "checkout") == course_root()
    assert a_course(elsewhere / COPY) == course_root()
    a_course(tmp_path / "own")
    (tmp_path / "own" / "labs").mkdir()
    monkeypatch.chdir(tmp_path / "own" / "labs")
    assert course_root() == tmp_path / "own"


def test_a_copy_that_is_gone_is_no_course(tmp_path, monkeypatch, journal):
    monkeypatch.setattr(last_download, "CHECKOUT", tmp_path / "checkout")
    monkeypatch.chdir(tmp_path)
    remember(tmp_path / "gone")
    with pytest.raises(LookupError):
        course_root()


def test_a_folder_that_is_gone(tmp_path, monkeypatch, capsys):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert (course_root() / START).is_file()  # that of this checkout
    assert "chapters opened" in str(progress()) or "Nothing is kept" in str(progress())
    assert main(["progress"]) == 2
    assert "the folder that you are in was deleted" in capsys.readouterr().err
