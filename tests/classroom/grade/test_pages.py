import csv
import json
import re
from html.parser import HTMLParser

import pytest

from convladder.classroom.grade.judging import Graded, Result
from convladder.classroom.grade.pages import file_name, write_pages
from convladder.classroom.grade.room import Learner, Room
from convladder.classroom.grade.secret import Exercises
from convladder.classroom.grade.submissions import Submission
from convladder.teach.grading.stages import NOT_JUDGED, PASSED, RAISED, WRONG_VALUES
from convladder.teach.grading.verdict import Verdict

BAD = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
FIRST, SECOND = Exercises(1).of_lab(1)[:2]


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.attributes = set(), set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attributes}


def learner(name, *verdicts, stored="", notes=()):
    result = Result(
        {each.name: Graded(each, ("the bytes of workspace",), stored) for each in verdicts},
        list(notes),
        ("cell 1 " + BAD,),
    )
    return Learner(Submission(name, name), {1: result}, [BAD])


@pytest.fixture
def room():
    wrong = Verdict(
        FIRST,
        WRONG_VALUES,
        f"Your `{BAD}` is wrong.",
        BAD,
        misconception="rounded up",
        hints=("You round.", "Idea", "`//`"),
    )
    return Room(
        [
            learner(
                BAD, wrong, Verdict(SECOND, RAISED, BAD, symptom=BAD), stored="passed", notes=[BAD]
            ),
            learner("=1+1", wrong, Verdict(SECOND, NOT_JUDGED, "It could not be judged.")),
            learner("caf\udce9 \u202eevil", Verdict(FIRST, PASSED, "Right.")),
            Learner(Submission("none", "none"), {}, ["Nothing was handed in."]),
        ],
        Exercises(7),
        "user",
    )


def test_nothing_that_was_handed_in_is_markup(room, tmp_path):
    write_pages(room, tmp_path, [BAD])
    pages = [*tmp_path.glob("*.html"), *(tmp_path / "learners").glob("*.html")]
    assert len(pages) == 5
    for page in pages:
        text, tags = page.read_text(encoding="utf-8"), Tags()
        tags.feed(text)
        assert not tags.seen & {"script", "img", "iframe", "link", "svg"}
        assert not any(name.startswith("on") or name == "src" for name in tags.attributes)
        assert "default-src 'none'" in text and "\u202e" not in text


def test_the_class_s_page_says_who_passed_what_and_where_to_look(room, tmp_path):
    text = write_pages(room, tmp_path).read_text(encoding="utf-8")
    plain = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))
    assert f"01 {FIRST} 1 of 4 1 0" in plain and f"01 {SECOND} 0 of 4 2 1" in plain
    assert f"2 {FIRST} rounded up You round." in plain
    assert "✗! ✗!" in plain and "A person should look" in plain
    assert "It could not be judged." in plain and "the network is open" in plain
    assert all(f'href="learners/{file_name(each)}"' in text for each in room.learners)


def test_the_class_s_page_marks_what_a_table_of_answers_passes(room, tmp_path, monkeypatch):
    mark = "a table of the right answers passes"
    assert mark not in write_pages(room, tmp_path).read_text(encoding="utf-8")
    monkeypatch.setattr(Exercises, "known", lambda self, name: name == SECOND)
    text = write_pages(room, tmp_path).read_text(encoding="utf-8")
    assert mark in text and f"{SECOND} *" in text and f"{FIRST} *" not in text
    assert json.loads((tmp_path / "results.json").read_text())["same_cases"] == [SECOND]


def test_a_learner_s_page_has_the_hints_and_on_whose_word_a_verdict_stands(room, tmp_path):
    write_pages(room, tmp_path)
    first, _, third, _ = (tmp_path / "learners" / file_name(each) for each in room.learners)
    text = first.read_text(encoding="utf-8")
    assert all(
        words in text for words in ("You round.", "Idea", "<code>//</code>", "judged again it is")
    )
    assert "told it the bytes of workspace" in third.read_text(encoding="utf-8")


def test_the_table_holds_no_formula(room, tmp_path):
    write_pages(room, tmp_path)
    with (tmp_path / "class.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["Learner", "Passed", FIRST, SECOND] and rows[2][0] == "'=1+1"
    assert rows[4][2:] == ["not handed in"] * 2
