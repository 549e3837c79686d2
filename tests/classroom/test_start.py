"""What is said before a hub starts, and what is ended with it."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from convladder.classroom import refusals, start, stopping
from convladder.classroom import release as releasing
from convladder.classroom.settings import HubError, Place, Settings

pytest.importorskip("psutil")


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    """What `prepare` says, with all of a hub there but a hub."""
    monkeypatch.setattr(start, "find_spec", lambda name: True)
    monkeypatch.setattr(releasing, "course_files", lambda: iter([("course/a.ipynb", b"{}")]))
    monkeypatch.setattr(refusals, "node", lambda: "node")
    monkeypatch.setattr(refusals, "proxy", lambda folder: folder)
    monkeypatch.setattr(refusals, "refuse_ports", lambda settings: None)
    monkeypatch.setattr(refusals, "refuse_unreachable", lambda *paths: None)
    monkeypatch.setattr(refusals, "close", lambda root: [])
    place = Place(tmp_path / "hub")

    def prepare(**settings):
        return "\n".join(start.prepare(Settings(**settings), place, Path(__file__).parents[2]))

    prepare.place = place
    yield prepare
    shutil.rmtree(place.sockets, ignore_errors=True)


def test_a_class_is_told_its_code_and_a_rehearsal_that_it_is_one(prepared, tmp_path, monkeypatch):
    names = tmp_path / "class.txt"
    names.write_text("ana\nbo\n", encoding="utf-8")
    monkeypatch.setattr(refusals, "is_root", lambda: False)
    said = prepared(names=str(names))
    assert f"the code {prepared.place.code('class')}, 2 names of" in said
    assert said.startswith("A REHEARSAL: learners are one user")
    monkeypatch.setattr(refusals, "is_root", lambda: True)
    said = prepared()
    assert "REHEARSAL" not in said and "with any name" in said
    assert prepared(rehearsal=True).startswith("A REHEARSAL")
    assert "not encrypted" in prepared(host="0.0.0.0", without_tls=True)
    page = (prepared.place.run / "links.html").read_text(encoding="utf-8")
    assert page.count("<li>") > 30 and "Lab 03" in page and "git-pull?repo=file" in page


def test_what_is_refused_leaves_nothing_behind(prepared, tmp_path):
    names = tmp_path / "class.txt"
    names.write_text("ana\nana\n", encoding="utf-8")
    with pytest.raises(HubError, match="line 2.*in line 1 already"):
        prepared(names=str(names))
    with pytest.raises(HubError, match="without TLS"):
        prepared(host="0.0.0.0")
    assert not prepared.place.root.exists()


def test_without_the_extra_there_is_a_sentence(prepared, monkeypatch):
    monkeypatch.setattr(start, "find_spec", lambda name: None)
    with pytest.raises(HubError, match="not installed.*make hub"):
        prepared()


def sleeper(cwd, home):
    return subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(60)"], cwd=cwd, env={"HOME": str(home)}
    )


def test_a_hub_that_was_killed_leaves_no_proxy_and_keeps_its_learners(tmp_path):
    place = Place(tmp_path / "hub")
    place.make()
    (place.homes / "ana").mkdir()
    proxy, learner, other = (
        sleeper(cwd, home)
        for cwd, home in (
            (place.run, "/root"),
            ("/", place.homes / "ana"),
            (tmp_path, f"{place.homes}-of-others"),
        )
    )
    try:
        time.sleep(0.1)
        assert stopping.end_orphans(place) == 1
        proxy.wait(10)
        assert learner.poll() is None
        assert stopping.stop(place) == 1
        learner.wait(10)
        assert other.poll() is None
        stopping.refuse_second(place)
    finally:
        for process in (proxy, learner, other):
            process.kill()
            process.wait()
