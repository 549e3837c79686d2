"""What of a request is kept: nothing but what the course itself has."""

import time

import pytest

from convladder.classroom.board.limits import Buckets
from convladder.classroom.board.names import free, new_key, pseudonym, who_is
from convladder.classroom.board.wire import cleaned, shown_name

from .conftest import checked, told

NOW = time.time()


def test_an_event_of_the_course_is_kept_whole(course):
    found = cleaned(checked("gemm_size", "wrong values", "flipped"), course, NOW + 9)
    assert (found.exercise, found.stage, found.misconception) == (
        "gemm_size",
        "wrong values",
        "flipped",
    )
    found = cleaned(
        told(
            "predicted", notebook="course/02_mec", what="matrix of all", prediction=3, measured=4.5
        ),
        course,
        NOW + 9,
    )
    assert (found.question, found.prediction, found.measured) == ("mec-2", 3.0, 4.5)
    assert (
        cleaned(
            told("guessed", notebook="course/09_mec", what="times faster", prediction=3),
            course,
            NOW,
        ).question
        == "mec-1"
    ), "numbers of chapters may move"


def test_a_question_that_two_chapters_ask_is_known_by_its_chapter_or_its_cell(course):
    same = told("guessed", what="times faster", prediction=3)
    assert cleaned(same, course, NOW) is None
    assert cleaned({**same, "notebook": "course/01_gemm"}, course, NOW).question == "gemm-1"


@pytest.mark.parametrize(
    "change",
    [
        {"uid": ""},
        {"uid": "x" * 32},
        {"uid": "a" * 65},
        {"uid": 3},
        {"kind": "told"},
        {"kind": None},
        {"exercise": "no_such"},
        {"exercise": ["gemm_size"]},
        {"stage": "great"},
        {"stage": "<script>"},
        {"cell": "code of mine"},
        {"what": "w" * 201},
    ],
)
def test_what_the_course_does_not_have_is_refused(course, change):
    assert cleaned({**checked("gemm_size"), **change}, course, NOW) is None


@pytest.mark.parametrize(
    "change",
    [
        {"prediction": None},
        {"prediction": "3"},
        {"prediction": float("nan")},
        {"prediction": True},
        {"prediction": 10**400},
        {"prediction": 1e200},
        {"measured": None},
        {"measured": float("inf")},
        {"what": "a word of mine"},
    ],
)
def test_a_number_that_is_none_is_refused(course, change):
    event = told("predicted", notebook="course/01_gemm", what="gain", prediction=3, measured=4)
    assert cleaned(event, course, NOW) and cleaned({**event, **change}, course, NOW) is None


@pytest.mark.parametrize("data", [None, 3, "x", [], [["uid", "a"]], {}])
def test_what_is_no_event_is_refused(course, data):
    assert cleaned(data, course, NOW) is None


def test_a_mistake_or_a_notebook_of_ones_own_naming_is_left_out(course):
    found = cleaned(
        {**checked("gemm_size", "wrong values", "<b>I am here</b>"), "notebook": "labs/01_<img>"},
        course,
        NOW,
    )
    assert (found.misconception, found.notebook) == ("", "")


@pytest.mark.parametrize("when", ["", "yesterday", "2999-01-01T00:00:00+00:00", "9" * 400])
def test_nothing_happens_after_it_was_received(course, when):
    assert cleaned({**checked("gemm_size"), "time": when}, course, NOW).at == NOW


@pytest.mark.parametrize(
    "text, shown",
    [
        ("Ada", "Ada"),
        ("  Ada \n Lovelace\t", "Ada Lovelace"),
        ("A\u202edrawkcab", "A drawkcab"),
        ("李小龍", "李小龍"),
        ("x" * 99, "x" * 40),
        ("\x00\u200b", ""),
        (None, "None"),
    ],
)
def test_a_name_is_one_line_without_tricks(text, shown):
    assert shown_name(text) == shown


def test_names_in_a_room_differ():
    assert [free("Ada", taken) for taken in (set(), {"Ada"}, {"Ada", "Ada (2)"})] == [
        "Ada",
        "Ada (2)",
        "Ada (3)",
    ]
    assert free("", set()) == "somebody"


def test_a_pseudonym_needs_the_lessons_key():
    one, other = new_key(), new_key()
    assert who_is(one, "ada") == who_is(one, "ada") != who_is(other, "ada") != who_is(other, "bob")
    assert len({pseudonym(who_is(one, f"l{n}")) for n in range(300)}) > 220


def test_a_flood_waits_and_others_do_not():
    clock = [0.0]
    buckets = Buckets(10, 2.0, lambda: clock[0])
    assert [buckets.take("a", 4) for _ in range(3)] == [0, 0, 1.0]
    assert buckets.take("b", 4) == 0
    clock[0] += 1.0
    assert buckets.take("a", 4) == 0 and buckets.take("a", 1) > 0
    clock[0] += 99
    assert buckets.take("a", 99) == 0, "more than a bucket holds goes with a full one"
