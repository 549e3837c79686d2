"""Syllabi: their minutes are the chapters' own, and what they name is there."""

import re
from functools import cache
from pathlib import Path

import pytest

from tools.notebooks.notebook import read
from tools.notebooks.reading_time import minutes_of_sections, sections
from convladder.classroom import syllabus
from convladder.classroom.syllabus import SyllabusError
from convladder.outline import Page

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "classroom" / "guide" / "syllabi"
PLANS = sorted(FOLDER.glob("*.toml"))
LONGEST = 100  # minutes without a break

each_plan = pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)


@cache
def notebook(folder: str, chapter: str):
    (path,) = (ROOT / folder).glob(f"{chapter}_*.ipynb")
    return Page(path), read(path)


def by_the_rule(entry: syllabus.Entry) -> int:
    """Return what a chapter or lab takes: its box, or the rule's minutes of the sections named."""
    page, nb = notebook("course" if entry.kind == "chapter" else "solutions", entry.chapter)
    if not entry.sections and not entry.exercises:
        return page.minutes
    of = [
        next(
            name
            for name, cells in sections(nb).items()
            if any(f'check("{exercise}"' in cell.source for cell in cells)
        )
        for exercise in entry.exercises
    ]  # a later section may check it once more
    return minutes_of_sections(nb, dict.fromkeys([*entry.sections, *of]))


@each_plan
def test_minutes_are_those_of_the_chapters(path):
    for session in syllabus.read(path).sessions:
        for entry in (*session.entries, *session.home):
            if entry.chapter:
                assert entry.minutes == by_the_rule(entry), (session.title, entry)
            else:
                assert entry.kind in ("break", "discussion") and 5 <= entry.minutes <= 60


@each_plan
def test_nobody_sits_too_long_without_a_break(path):
    for session in syllabus.read(path).sessions:
        stretch = 0
        for entry in session.entries:
            stretch = 0 if entry.kind == "break" else stretch + entry.minutes
            assert stretch <= LONGEST, (session.title, entry)


@each_plan
def test_its_page_is_what_it_gives(path):
    """`python -m convladder.classroom.syllabus` writes it anew."""
    assert path.with_suffix(".md").read_text(encoding="utf-8") == syllabus.page(syllabus.read(path))


def test_there_are_four_of_the_lengths_that_they_promise():
    plans = {path.stem: syllabus.read(path) for path in PLANS}
    assert sorted(plans) == ["half_day", "one_day", "term", "two_days"]
    assert [len(plans[name].sessions) for name in sorted(plans)] == [1, 1, 14, 2]
    assert plans["half_day"].sessions[0].minutes <= 4 * 60
    assert all(
        session.minutes <= 8 * 60
        for name in ("one_day", "two_days")
        for session in plans[name].sessions
    )
    assert all(session.minutes <= 3 * 60 for session in plans["term"].sessions)


def test_a_term_takes_every_chapter():
    taught = {
        entry.chapter
        for session in syllabus.read(FOLDER / "term.toml").sessions
        for entry in session.entries
        if entry.kind == "chapter"
    }
    assert taught == {path.name[:2] for path in (ROOT / "course").glob("*.ipynb")}


PLAN = """title = "A plan"
about = "For a test."
[[session]]
title = "Morning"
start = "09:50"
[[session.entry]]
start = 0
minutes = 25
kind = "chapter"
chapter = "00"
[[session.entry]]
start = 25
minutes = 15
kind = "break"
"""


def test_a_session_knows_what_is_to_happen_when(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    (session,) = syllabus.read(tmp_path / "plan.toml").sessions
    assert [session.at(minute) and session.at(minute).kind for minute in (-1, 0, 24.9, 25, 40)] == [
        None,
        "chapter",
        "chapter",
        "break",
        None,
    ]
    assert session.minutes == 40 and session.clock(25) == "10:15"


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("start = 25\n", "start = 30\n", "begins in minute 30, and what is before it ends in 25"),
        ('kind = "break"', 'kind = "pause"', "'pause' is none of chapter, lab, break, discussion"),
        ("minutes = 15\n", "", "'minutes'"),
        ("minutes = 15\n", "minutes = 15\nroom = 3\n", "room"),
        ('about = "For a test."\n', "", "lacks 'about'"),
        ("[[session]]", "[[session", "no TOML"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, old, new, said):
    assert old in PLAN
    (tmp_path / "plan.toml").write_text(PLAN.replace(old, new))
    with pytest.raises(SyllabusError, match=re.escape(said)):
        syllabus.read(tmp_path / "plan.toml")


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(SyllabusError, match="cannot be read: No such file"):
        syllabus.read(tmp_path / "plan.toml")
