"""The course as its files tell it."""

import json

import pytest

from convladder.journal.course_index import (
    CourseNotebook,
    chapters,
    minutes_of,
    noted_predictions,
)


@pytest.mark.parametrize(
    "text, minutes",
    [
        ("**Time** 60 to 90 minutes.", 90),
        ("**Time** about an hour. **GPU** no.", 60),
        ("**Time** some", None),
    ],
)
def test_a_time_is_read(text, minutes):
    assert minutes_of(text) == minutes


@pytest.mark.parametrize(
    "cell, found",
    [
        ("prediction = ...  # MiB", {"prediction": "MiB"}),
        (
            "prediction_a = 3  # one, or # two\nprediction_b = 1 / 2",
            {"prediction_a": "one, or # two", "prediction_b": ""},
        ),
        ("guess = 3", {}),
        ("if x:\n    prediction = 3", {}),
        ("prediction = ", {}),
    ],
)
def test_what_a_cell_predicts(cell, found):
    assert noted_predictions(cell) == found


def test_a_page_says_what_its_title_says(tmp_path):
    (tmp_path / "course").mkdir()
    cells = [
        {"cell_type": "markdown", "source": ["# 03 · MEC: the same, smaller\n", "**GPU** no."]},
        {"cell_type": "code", "source": 'check("one", f)\ncheck( "two", g)\ncheck("one", f)'},
    ]
    path = tmp_path / "course/03_mec_on_time.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    page = chapters(tmp_path)[0].page
    said = page.number, page.key, page.name, page.promise, page.gpu
    assert said == ("03", "mec_on_time", "MEC", "the same, smaller", "no")
    assert page.exercises == ["one", "two"] and chapters(tmp_path)[0].lab is None


NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": ['check("dot", 1)']}]})


@pytest.mark.parametrize(
    "content, damage",
    [
        (NOTEBOOK, ""),
        ("\ufeff" + NOTEBOOK, ""),  # as some editors of Windows write it
        ("", "it is empty"),
        (NOTEBOOK[:30], "it is cut short"),
        ("{\n<<<<<<< HEAD\n}\n=======\n>>>>>>> theirs\n", "both versions of a conflict"),
    ],
)
def test_a_file_that_is_no_notebook_says_why(tmp_path, content, damage):
    file = tmp_path / "01_a.ipynb"
    file.write_text(content, encoding="utf-8")
    page = CourseNotebook(file)
    assert damage in page.damage and bool(page.damage) == bool(damage)
    assert page.exercises == ([] if damage else ["dot"])
