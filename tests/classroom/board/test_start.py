"""How a board begins: the plan of a day, the course's own questions, a hub's configuration."""

import os

import pytest

from convladder.classroom.board import roles, service
from convladder.classroom.board.catalogue import catalogue
from convladder.classroom.board.plan import PlanError, behind, read_plan, sentence
from convladder.cli import main
from convladder.journal import course_root

SYLLABUS = """
title = "Half a day"
about = "For a test."
[[session]]
title = "Morning"
start = "09:00"
[[session.entry]]
start = 0
minutes = 40
kind = "chapter"
chapter = "01"
title = "im2col"
[[session.entry]]
start = 40
minutes = 20
kind = "break"
title = "Break"
[[session.entry]]
start = 60
minutes = 40
kind = "lab"
chapter = "01"
title = "Build im2col"
exercises = ["gemm_size", "gemm_multiply"]
"""


@pytest.fixture
def plan(tmp_path, course):
    (tmp_path / "day.toml").write_text(SYLLABUS)
    return read_plan(tmp_path / "day.toml", course)


def test_what_is_due_and_where_somebody_is(plan):
    assert [plan.at(minute) for minute in (0, 39, 45, 70, 300)] == [
        (0, 0),
        (0, 39),
        (1, 5),
        (2, 10),
        (2, 40),
    ]
    assert plan.minute_of("gemm", "course", {"gemm-1"}, 0) == 20
    assert plan.minute_of("gemm", "labs", {"gemm_size", "gemm_lower"}, 0) == 80, "one is not asked"
    assert plan.minute_of("mec", "labs", set(), 0) is None


def test_the_pace_in_a_sentence(plan):
    assert behind(70, [10, 60, 65]) == 10
    assert sentence(plan, 70, [10, 60, 65]).endswith(
        "Build im2col, minute 10 of 40. The middle of the room is about 10 minutes behind."
    )
    assert sentence(plan, 70, [90]).endswith("20 minutes ahead.")
    assert sentence(plan, 70, [68]).endswith("The room is where the plan is.")
    assert sentence(plan, 45, [10]) == "Now: Break, minute 5 of 20."
    assert sentence(plan, 500, [10]).startswith("The plan is at its end.")


@pytest.mark.parametrize(
    "text, day, said",
    [
        ("x =", 1, "TOML"),
        ("", 1, "lacks"),
        (SYLLABUS, 2, "has 1 sessions, and no 2"),
        (SYLLABUS.replace('"01"', '"77"'), 1, "'77'"),
    ],
)
def test_a_plan_that_cannot_be_used_is_a_sentence(tmp_path, course, text, day, said):
    (tmp_path / "day.toml").write_text(text)
    with pytest.raises(PlanError, match=said):
        read_plan(tmp_path / "day.toml", course, day)


def test_the_guides_syllabi_are_plans():
    """1 s: the course is read."""
    known = catalogue(course_root())
    folder = course_root() / "classroom/guide/syllabi"
    if not folder.is_dir():
        pytest.skip("the guide has no syllabi yet")
    plans = [read_plan(path, known) for path in folder.glob("*.toml")]
    parted = [block for plan in plans for block in plan.blocks if block.part == "labs"]
    assert parted and all(block.asks for block in parted)
    asked = list(known.questions.values())
    assert len(asked) > 150 and len({each.id for each in asked}) == len(asked)
    unknown = [
        each.id
        for each in asked
        if known.question_of(
            "predicted",
            f"{each.folder}/{known.by_key[each.chapter].number}_{each.chapter}",
            each.measured_in,
            each.what,
        )
        is not each
    ]
    assert len(unknown) < 0.05 * len(asked), unknown
    guessed = [each for each in asked if each.guessed]
    twice = [
        each.id
        for each in guessed
        if known.question_of(
            "guessed",
            f"{each.folder}/{known.by_key[each.chapter].number}_{each.chapter}",
            each.guessed,
            each.asks,
        )
        is not each
    ]
    assert len(twice) < 0.05 * len(asked), twice
    assert sum(each.usual is not None for each in asked) > 0.9 * len(asked)
    (in_lab,) = [each for each in known.by_key["im2col_gemm"].questions if each.folder == "labs"]
    assert known.question_of("guessed", "labs/01_im2col_gemm", "", "MiB, I think") is in_lab
    assert known.question_of("guessed", "course/01_im2col_gemm", "", "MiB, I think") is None


def test_what_a_hubs_configuration_is_given(tmp_path):
    entry = service(tmp_path, "http://127.0.0.1:8188", names=True, plan="day.toml")
    assert (entry["name"], entry["url"]) == ("board", "http://127.0.0.1:8188")
    assert entry["command"][1:4] == ["-m", "convladder.classroom.board.hub", str(tmp_path)]
    assert "--names" in entry["command"] and os.path.isabs(entry["command"][-3])
    assert "api_token" not in entry, "the hub makes one"
    scopes = {each["name"]: each["scopes"] for each in roles()}
    assert set(scopes) == {"user", "server"}
    for each in scopes.values():
        assert "access:services!service=board" in each and "access:services" not in each
        assert not any(scope.startswith(("admin", "read", "list")) for scope in each)


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--address", "0.0.0.0"], "--unencrypted"),
        (["--port", "0"], "--port 0"),
        (["--stuck", "1"], "2 tries or more"),
        (["--certificate", "/none"], "no certificate"),
    ],
)
def test_a_board_that_should_not_begin_says_why(tmp_path, capsys, arguments, said):
    pytest.importorskip("sqlalchemy", reason="the extra `classroom` is not installed")
    assert main(["board", "--folder", str(tmp_path / "b"), *arguments]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "b").exists()
