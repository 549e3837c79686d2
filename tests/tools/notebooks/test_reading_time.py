"""A chapter's box says what a first reading leaves out, and how long the rest takes."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.notebooks.reading_time import minutes_left, path_findings, skipped, with_path

NAME = "course/01_a.ipynb"


def chapter(box, first="text", words=4500):
    """Three sections of half an hour each, by the rule."""
    nb = new_notebook()
    nb.cells = [new_markdown_cell(f"# 01\n\n> **Time** 90 minutes. {box}")]
    nb.cells += [
        new_markdown_cell(f"## {title}\n\n{start} {'word ' * words}")
        for title, start in (("One thing at a time", "text"), ("Two", first), ("Three", "text"))
    ]
    nb.cells.append(new_code_cell("x = 1"))
    return nb


@pytest.mark.parametrize(
    "box, first, found",
    [
        (
            '*Skip on first reading:* "One thing" and "Three". That leaves 30 minutes.',
            "text",
            ["One thing at a time", "Three"],
        ),
        (
            "On first reading, skip what is marked. That leaves 60 minutes.",
            "*Skip on first reading.*",
            ["Two"],
        ),
        ("That leaves 60 minutes.", "*Extra.*", ["Two"]),
        ("That leaves 90 minutes.", "You can *skip on first reading.* what follows", []),
        ('"Three" is the best one. That leaves 90 minutes.', "text", []),
    ],
)
def test_what_is_skipped_and_what_is_left(box, first, found):
    nb = chapter(box, first)
    assert skipped(nb) == found
    assert minutes_left(nb) == 90 - 30 * len(found)
    assert not list(path_findings(nb, NAME))


@pytest.mark.parametrize(
    "box, what",
    [
        ('*Skip on first reading:* "Four". That leaves 90 minutes.', "no section is called so"),
        (
            '*Skip on first reading:* "Two". That leaves 45 minutes.',
            "45 minutes are left, the rule 60",
        ),
        ('*Skip on first reading:* "Two".', "does not say how long a first reading takes"),
    ],
)
def test_a_box_that_says_otherwise_is_found(box, what):
    ((found, remedy),) = path_findings(chapter(box), NAME)
    assert what in found
    of_a_lab = list(path_findings(chapter(box), "solutions/01_a.ipynb"))
    assert of_a_lab == ([] if "does not say" in what else [(found, remedy)])


def test_the_time_that_is_left_is_written():
    nb = chapter('*Skip on first reading:* "Two". That leaves 45 minutes.')
    assert "leaves 60 minutes" in with_path(nb).cells[0].source
    near = chapter('*Skip on first reading:* "Two". That leaves 55 minutes.')
    assert "leaves 55 minutes" in with_path(near).cells[0].source
