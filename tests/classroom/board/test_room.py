"""What events come to: who is where, which mistakes are made now, what the room predicts."""

import time

import pytest

from convladder.classroom.board.histogram import bars, into, position, right
from convladder.classroom.board.room import Room
from convladder.classroom.board.view import Lesson, Showing, opened, view
from convladder.classroom.board.wire import Told

NOW = time.time()


@pytest.fixture
def room(course):
    room = Room(course)
    for name in ("ada", "bob", "eve"):
        room.enter(name, name.title())
    return room


def lesson(showing=None, plan=None, started=None):
    return Lesson("x", True, plan, started, showing or {})


def check(exercise, stage="passed", mistake="", at=NOW):
    return Told("u", "checked", at, exercise=exercise, stage=stage, misconception=mistake)


def number(kind, value, measured=None, at=NOW):
    return Told("u", kind, at, question="gemm-1", prediction=value, measured=measured)


def states(room):
    return {
        each["name"].partition("_")[2]: {
            state: names for state, names in each["who"].items() if names
        }
        for each in view(room, lesson(), "gemm", NOW)["exercises"]
    }


def test_begun_tried_stuck_and_done(room):
    room.take("ada", Told("u", "opened", NOW, "labs/01_gemm"))
    room.take("bob", check("gemm_size", "wrong values", "flipped"))
    for _ in range(3):
        room.take("eve", check("gemm_size", "wrong values", "flipped"))
    assert states(room)["size"] == {"begun": ["Ada"], "tried": ["Bob"], "stuck": ["Eve"]}
    assert states(room)["lower"] == {"begun": ["Bob", "Eve"], "not yet": ["Ada"]}
    room.take("eve", check("gemm_size"))
    room.take("bob", check("gemm_size", "not attempted"))
    assert states(room)["size"] == {"begun": ["Ada"], "tried": ["Bob"], "done": ["Eve"]}
    room.take("eve", check("gemm_size", "wrong values", "flipped"))
    assert states(room)["size"]["done"] == ["Eve"], "who has passed stays so"


def test_another_mistake_or_a_machine_that_cannot_judge_is_no_third_try(room):
    for mistake in ("flipped", "flipped", "one too few", "flipped", "flipped"):
        room.take("ada", check("gemm_size", "wrong values", mistake))
        room.take("ada", check("gemm_size", "not judged here"))
    assert states(room)["size"]["tried"] == ["Ada"]
    room.take("ada", check("gemm_size", "wrong values", "flipped"))
    assert states(room)["size"]["stuck"] == ["Ada"]


def test_the_commonest_mistakes_now_each_with_its_hint_and_a_sentence(room):
    for who in ("ada", "bob"):
        room.take(who, check("mec_lower", "wrong values", "flipped"))
    room.take("eve", check("mec_size", "wrong values", "one too few"))
    room.take("eve", check("gemm_size", "wrong values", "flipped", at=NOW - 3600))
    room.take("ada", check("mec_size", "wrong values", "one too few"))
    room.take("ada", check("mec_size"))
    found = view(room, lesson(), "", NOW)["mistakes"]
    assert [(each["exercise"], each["name"], each["count"]) for each in found] == [
        ("mec_lower", "flipped", 2),
        ("mec_size", "one too few", 1),
    ]
    assert (
        found[0]["sentence"] == "Two of you meet the same thing in `mec_lower`. The idea of "
        "flipped."
    )
    assert (found[0]["shows"], found[0]["line"]) == ("It shows flipped.", "The line of flipped.")


def question(room, showing=None):
    showing = {"gemm-1": showing or Showing()}
    room.revotes, room.revealed = opened(showing)
    return view(room, lesson(showing), "gemm", NOW)["questions"][0]


def test_neither_guesses_nor_the_value_are_sent_before_they_are_shown(room):
    for who, guess in (("ada", 8), ("bob", 80), ("eve", 7)):
        room.take(who, number("guessed", guess))
    room.take("ada", number("predicted", 8, 8.125))
    hidden = question(room)
    assert (hidden["guesses"], hidden["bars"], hidden["measured"]) == (3, [], None)
    assert "8.1" not in str(hidden) and hidden["right"] == pytest.approx(2 / 3)
    assert "discuss" in hidden["advice"]
    shown = question(room, Showing(True))
    assert [bar["first"] for bar in shown["bars"]] == [1, 1, 1] and shown["measured"] is None
    value = question(room, Showing(True, None, NOW + 1))["measured"]
    assert (value["text"], value["source"], value["right"]) == ("8.1 ×", "one learner's own", 2)


def test_without_a_measurement_the_value_is_the_courses_own(room):
    room.take("ada", number("guessed", 3))
    value = question(room, Showing(True, None, NOW + 1))["measured"]
    assert value["text"] == "8 ×" and "own output" in value["source"]


def test_a_second_vote_counts_apart_and_whoever_does_not_vote_again_keeps_the_first(room):
    room.revotes = {"gemm-1": NOW - 60}
    for who in ("ada", "bob", "eve"):
        room.take(who, number("guessed", 80, at=NOW - 120))
    room.take("ada", number("guessed", 8))
    found = question(room, Showing(True, NOW - 60))
    assert (found["guesses"], found["again"]) == (3, 1)
    assert [(bar["label"], bar["first"], bar["second"]) for bar in found["bars"]] == [
        ("8", 0, 1),
        ("80", 3, 2),
    ]


def test_what_is_written_after_measuring_or_after_the_reveal_is_no_guess(room):
    room.take("ada", number("predicted", 80, 8.0))
    room.take("ada", number("guessed", 8))
    room.revealed = {"gemm-1": NOW - 1}
    room.take("bob", number("guessed", 8))
    assert room.learners["ada"].guesses["gemm-1"].first == 80
    assert room.learners["bob"].guesses["gemm-1"].first is None


def test_the_page_follows_most_of_the_room(room):
    for who in ("ada", "bob"):
        room.take(who, Told("u", "opened", NOW, "course/02_mec"))
    room.take("eve", Told("u", "opened", NOW, "course/01_gemm"))
    found = view(room, lesson(), "", NOW)
    assert found["chapter"]["key"] == "mec" and [each["here"] for each in found["parts"]] == [1, 2]


@pytest.mark.parametrize(
    "values",
    [
        [1],
        [5, 5, 5],
        [-3, 0, 4],
        list(range(30)),
        [0.001, 1e6, 3, 4, 5, 6, 7, 8],
        [-1e90, 1e90, 1, 2, 3, 4, 5],
        [1e-90 * n for n in range(1, 12)],
        [2.5] * 29 + [1e9],
        [7.0 + n * 1e-12 for n in range(9)],
        [-50, -7, 3, 8, 20, 31, 45, 70, 99, 150],
    ],
)
def test_every_guess_is_in_one_bar_and_bars_are_few(values):
    found = bars(values)
    assert sum(bar.count for bar in found) == len(values) and 1 <= len(found) <= 12
    assert into(found, values) == [bar.count for bar in found]
    assert len({bar.label for bar in found}) == len(found) or max(values) - min(values) < 1e-9
    assert all(0 <= position(found, value) <= len(found) for value in values)


def test_bars_of_one_width_of_one_factor_and_of_single_values():
    assert [bar.label for bar in bars([3, 3, 7])] == ["3", "7"]
    even = bars(list(range(0, 100, 5)))
    assert {round(bar.high - bar.low, 6) for bar in even} == {20.0}
    wide = bars([1, 3, 10, 30, 100, 300, 1000, 3000])
    assert all(1.8 < bar.high / bar.low < 5 for bar in wide)
    assert position(bars([3, 3, 7]), 3) == 0.5 and position(bars([3, 7]), 100) == 2
    assert bars([]) == []


@pytest.mark.parametrize(
    "guess, truth, answer",
    [
        (8, 10, True),
        (7.9, 10, False),
        (12.5, 10, True),
        (12.6, 10, False),
        (-8, -10, True),
        (8, -10, False),
        (0, 0, True),
        (0, 1, False),
        (0.0001, 0, False),
    ],
)
def test_right_is_within_a_quarter(guess, truth, answer):
    assert right(guess, truth) is answer
