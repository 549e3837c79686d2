"""The course as a repository: what is in it, and that a pull leaves a learner's work alone."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from convladder.classroom import release as releasing
from convladder.classroom.release import ReleaseError, git_config, links, pull_path, release

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def notebook(*sources):
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "id": source[:8],
                    "metadata": {},
                    "source": source,
                    "outputs": [],
                    "execution_count": None,
                }
                for source in sources
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
    ).encode()


COURSE = {
    "course/00_start_here.ipynb": notebook("a", "b", "c"),
    "labs/01_x.ipynb": notebook("a", "b", "c"),
    "solutions/01_x.ipynb": notebook("one"),
    "solutions/02_y.ipynb": notebook("two"),
}


@pytest.fixture
def course(monkeypatch):
    """The files of a small course, to be changed by the test."""
    files = dict(COURSE)
    monkeypatch.setattr(releasing, "course_files", lambda: iter(files.items()))
    return files


def git(folder, *arguments, config=None):
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": str(config or os.devnull),
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_history(repository):
    return set(git(repository, "log", "--all", "--format=", "--name-only").split())


def test_solutions_are_nowhere_before_they_are_released_and_stay(tmp_path, course):
    done = release(tmp_path)
    assert done.solutions == () and len(done.changed) == 3  # two notebooks, .gitattributes
    assert not [name for name in in_history(done.repository) if "solutions" in name]
    objects = git(done.repository, "cat-file", "--batch-all-objects", "--batch-check")
    assert "blob" in objects
    for line in objects.splitlines():
        name, kind, _ = line.split()
        assert kind != "blob" or '"one"' not in git(done.repository, "cat-file", "blob", name)
    assert release(tmp_path, ["02"]).solutions == ("02",)
    again = release(tmp_path)
    assert again.solutions == ("02",) and again.changed == ()
    assert "solutions/01_x.ipynb" not in in_history(done.repository)
    assert release(tmp_path, ["all"]).solutions == ("01", "02")


def test_a_number_that_no_solution_has(tmp_path, course):
    with pytest.raises(ReleaseError, match="no solution 73; there are: 01, 02, or all"):
        release(tmp_path, ["73"])
    assert not list(tmp_path.iterdir())


def test_others_read_the_repository_and_cannot_write_it(tmp_path, course):
    old = os.umask(0o077)
    try:
        repository = release(tmp_path).repository
    finally:
        os.umask(old)
    for path in (repository, *repository.rglob("*")):
        mode = path.stat().st_mode
        assert mode & 0o004 and not mode & 0o022, path


def test_without_git_or_a_place_to_write_there_is_a_sentence(tmp_path, course, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ReleaseError, match="Not a directory|File exists"):
        release(file)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReleaseError, match="git is not installed"):
        release(tmp_path / "there")


def test_solutions_that_are_closed_to_this_user(tmp_path, monkeypatch):
    def closed():
        raise PermissionError(13, "Permission denied", "/opt/convladder/solutions")

    monkeypatch.setattr(releasing, "course_files", closed)
    with pytest.raises(ReleaseError, match="solutions is closed to you.*checkout of your own"):
        release(tmp_path)


@pytest.fixture
def pulled(tmp_path, course):
    """A learner's copy, and what pulls a correction into it as nbgitpuller does."""
    release(tmp_path)
    config = git_config(tmp_path)
    config.write_text(config.read_text() + f"[user]\n\tname = {os.getpid()}\n\temail = a@b\n")
    mine = tmp_path / "mine"
    git(
        tmp_path,
        "clone",
        "--quiet",
        "--depth",
        "1",
        f"file://{tmp_path}/course.git",
        str(mine),
        config=config,
    )

    def pull():
        release(tmp_path)
        git(mine, "fetch", "--quiet", config=config)
        git(mine, "commit", "--quiet", "--all", "--allow-empty", "-m", "mine", config=config)
        git(mine, "merge", "--quiet", "-Xours", "origin/main", config=config)

    return mine, pull


def sources(path):
    return [cell["source"] for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def test_a_correction_meets_a_notebook_that_was_run_and_one_that_was_changed(pulled, course):
    mine, pull = pulled
    chapter, lab = mine / "course" / "00_start_here.ipynb", mine / "labs" / "01_x.ipynb"
    ran = json.loads(chapter.read_text())
    for number, cell in enumerate(ran["cells"], 1):  # outputs in lines beside each source
        cell["execution_count"] = number
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": f"{number}\n"}]
    chapter.write_text(json.dumps(ran, indent=1))
    lab.write_bytes(notebook("a", "my answer", "c", "my note"))
    course["course/00_start_here.ipynb"] = notebook("a", "b, corrected", "c")
    course["labs/01_x.ipynb"] = notebook("a, corrected", "b", "c")
    pull()
    assert sources(chapter) == ["a", "b, corrected", "c"]
    assert [len(cell["outputs"]) for cell in json.loads(chapter.read_text())["cells"]] == [1, 0, 1]
    assert sources(lab) == ["a, corrected", "my answer", "c", "my note"]
    course["labs/01_x.ipynb"] = notebook("a, corrected", "b, corrected", "c")
    pull()
    assert sources(lab) == ["a, corrected", "my answer", "c", "my note"]
    beside = lab.with_name("01_x.corrected.ipynb")
    assert sources(beside) == ["a, corrected", "b, corrected", "c"]


def test_links_pull_and_open_a_page(course):
    found = dict(links("http://hub:8000/", Path(__file__).parents[2], "file:///srv/course.git"))
    assert any(title.startswith("Chapter 03 · MEC") for title in found)
    assert any(title.startswith("Lab 03 · ") for title in found)
    link = next(link for title, link in found.items() if title.startswith("Lab 03"))
    assert link == (
        "http://hub:8000/hub/user-redirect/git-pull?repo=file%3A%2F%2F%2Fsrv%2F"
        "course.git&branch=main&targetPath=convladder-course&urlpath=lab%2Ftree%2F"
        "convladder-course%2Flabs%2F03_mec.ipynb"
    )
    assert "{" not in pull_path("file:///srv/course.git")  # JupyterHub would fill it in


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/eve.git", "ssh://127.0.0.1:1/eve.git"])
def test_a_link_to_another_repository_brings_nothing(tmp_path, course, address):
    release(tmp_path)
    with pytest.raises(AssertionError, match="transport '.*' not allowed"):
        git(tmp_path, "clone", address, "mine", config=git_config(tmp_path))
    assert not (tmp_path / "mine").exists()
