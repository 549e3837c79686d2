"""What events come to: by chapter, whatever its number; first predictions; what comes next."""

import json
from pathlib import Path

import pytest

from convladder.journal import CHECKED, OPENED, PREDICTED, Event, cell_digest, learner_progress

CHECK = 'check("{0}", {0})'


def write(path: Path, *sources: str) -> None:
    cells = [
        {"cell_type": "markdown" if source.startswith("#") else "code", "source": source}
        for source in sources
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"cells": cells}))


@pytest.fixture
def course(tmp_path):
    """Three chapters, of which two have a lab of two exercises."""
    write(
        tmp_path / "course/00_start.ipynb", "# 00 · Start\n**Time** 5 minutes", CHECK.format("toy")
    )
    for number, name, exercises in ((1, "a", ("ab", "ac")), (2, "b", ("bb", "bc"))):
        write(
            tmp_path / f"course/0{number}_{name}.ipynb",
            f"# 0{number} · {name}: what\n**Time** 40 minutes",
            "prediction = ...  # x",
            f"versus(prediction, 3)  # {name}",
        )
        write(
            tmp_path / f"labs/0{number}_{name}.ipynb",
            f"# Lab 0{number} · do\n**Time** an hour",
            *map(CHECK.format, exercises),
        )
    return tmp_path


def checked(name, stage="passed", notebook=""):
    return Event(CHECKED, notebook, exercise=name, stage=stage)


def test_nothing_yet(course):
    found = learner_progress(course, [])
    assert not found.begun and [each.text for each in found.chapters] == ["", "", ""]
    each, folder = found.next
    assert (each.chapter.page.number, folder) == ("00", "course")
    assert found.score == "No prediction yet; there are 2 to make."


def test_a_chapter_is_known_by_its_name_when_numbers_move(course):
    found = learner_progress(course, [Event(OPENED, "course/07_a")])
    assert [each.text for each in found.chapters] == ["", "opened", ""]


def test_exercises_tried_and_passed_and_what_is_left(course):
    found = learner_progress(
        course,
        [
            Event(OPENED, "labs/01_a"),
            checked("ab", "not attempted"),
            checked("ab", "wrong values"),
            checked("ac"),
            checked("ac", "wrong values"),
            checked("gone"),
        ],
    )
    of = found.chapters[1]
    assert (of.tried, of.passed, of.left) == ({"ab", "ac"}, {"ac"}, ["ab"])
    assert of.text == "1 of 2 passed" and of.lab_minutes == 30 and not of.done
    assert found.next == (of, "labs")


def test_what_comes_next_goes_on_from_the_last_and_comes_back(course):
    done = [checked("toy"), checked("ab"), checked("ac")]
    found = learner_progress(course, done)
    assert found.next == (found.chapters[2], "course") and found.chapters[1].done
    assert found.chapters[1].text == "✓ 2 of 2 passed"
    found = learner_progress(course, [checked("bb"), checked("bc"), Event(OPENED, "course/02_b")])
    assert found.next == (found.chapters[0], "course")
    found = learner_progress(
        course, [Event(OPENED, "course/01_a"), Event(OPENED, "course/00_start")]
    )
    assert found.next == (found.chapters[1], "labs"), "to look at the map is not to go back"
    found = learner_progress(course, [*done, checked("bb"), checked("bc")])
    assert found.next is None


def test_the_first_prediction_counts_and_a_cell_is_known_without_its_notebook(course):
    cell = cell_digest("versus(prediction, 3)  # a")
    found = learner_progress(
        course,
        [
            Event(PREDICTED, cell=cell, prediction=6, measured=3),
            Event(PREDICTED, "course/01_a", cell, prediction=3, measured=3),
            Event(PREDICTED, "course/02_b", "other", prediction=2.9, measured=3),
            Event(PREDICTED, "course/02_b", "other", what="else", prediction=-1, measured=3),
        ],
    )
    assert [len(each.predictions) for each in found.chapters] == [0, 1, 2]
    assert found.chapters[1].opened and found.factors == [2.0, pytest.approx(3 / 2.9)]
    assert found.score == (
        "3 of 2 predictions: 1 within 10%, 2 within a factor of 2; "
        "the middle one is off by a factor of 1.5."
    )
