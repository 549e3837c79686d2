"""A number that is not there, or not what stands beside it, is found; the course's own all hold."""

from pathlib import Path

import pytest

from tools.notebooks.links import (
    CourseNames,
    reference_findings,
    wrong,
    wrong_next,
    wrong_place,
    wrong_terms,
)

COURSE = CourseNames(
    {
        "course": ("00_start_here", "01_one", "02_two", "03_three"),
        "labs": ("01_one", "02_two"),
        "solutions": ("01_one", "02_two"),
    },
    {"00": "Start here", "01": "One and one", "03": "Three", "02": "Two"},
)


@pytest.mark.parametrize(
    "text, says",
    [
        ("Chapters 01, 02 and 09", "chapter 09"),
        ("chapters 02 to 12", "chapter 12"),
        ("**Lab\n04**", "speaks of lab 04"),
        ("../labs/03_three.ipynb", "names labs/03_three.ipynb"),
        ("chapter\n# 05 of a comment", "chapter 05"),
        ("`course/02_deux.ipynb`", "names course/02_deux.ipynb"),
        ("[chapter 01](02_two.ipynb)", "its link to 02_two.ipynb says 01"),
        ("[Lab 01 · Do](../labs/02_two.ipynb)", "says 01"),
        ("[02 Three](course/02_two.ipynb)", "its title is 'Two'"),
    ],
)
def test_what_is_wrong_is_told(text, says):
    found = list(wrong(text, COURSE))
    assert len(found) == 1 and says in found[0], found


@pytest.mark.parametrize(
    "stem, text, says",
    [
        ("01_one", "## Next\n\n**Lab 01** (here). Then, in chapter [03](03_three.ipynb):", None),
        ("01_one", "## Next\n\n**Lab 02** is next. Chapter 03", "lab 02, not to 01"),
        ("01_one", "## Next\n\nThen, in chapter 02: two", "goes on with chapter 02"),
        ("02_two", "## Next\n\nThe end. Begin again with chapter 01", None),
    ],
)
def test_what_comes_next_is_in_order(stem, text, says):
    found = list(wrong_next(stem, ["# Title", text], COURSE))
    assert [says in each for each in found] == [True] if says else found == []


@pytest.mark.parametrize(
    "name, text, right",
    [
        ("a/lab07/e2_b.py", '"""Lab 07, exercise 2: b."""', True),
        ("a/lab07/__init__.py", '"""Lab 07: all."""', True),
        ("a/lab07/e2_b.py", '"""Lab 06, exercise 2: b."""', False),
        ("a/lab07/e2_b.py", '"""Lab 07, exercise 3: b."""', False),
    ],
)
def test_an_exercise_is_where_it_says(name, text, right):
    assert (list(wrong_place(name, text)) == []) == right


def test_a_term_occurs_in_the_chapter_that_it_names():
    entry = '## <a id="ridge-line"></a>Ridge line\nWhere slopes meet (chapter {}).\n'
    chapters = {"01": "nothing", "02": "[it](glossary.md#ridge-line)", "03": "the ridge line"}
    assert [
        len(list(wrong_terms(entry.format(number), chapters)))
        for number in ("01", "02", "03", "09")
    ] == [1, 0, 0, 1]


def test_the_courses_own_references_are_right():
    root = Path(__file__).parents[3]
    course = CourseNames.of(root)
    assert course.order[:2] == ["00", "01"] and "99" not in course.order
    assert list(reference_findings(root)) == []
