"""check() against results that nobody means to hand in: each is a verdict in a sentence."""

import time

import numpy as np
import pytest

from convladder.teach.exercises import load_exercise
from convladder.teach.grading import time_limit
from convladder.teach.grading import stages
from convladder.teach.grading.check import check, grade


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Unwritten:
    def __repr__(self):
        raise RuntimeError("no words")


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def within_itself():
    value = []
    value.append(value)
    return value


def raises(error):
    def answer(image, kernel, stride, padding):
        raise error

    return answer


@pytest.mark.parametrize(
    "value, words",
    [
        (nested(5000), "returned lists within lists"),
        (within_itself(), "or one that holds itself"),
        ([[[1]]], "a list of 1 item,"),
        (10**5000, "a whole number of more than 300 digits"),
        (Unwritten(), "a value of type Unwritten"),
        ([Unwritten()] * 2, "type Unwritten as item 0"),
        ({"a": {"a": nested(40)}}, "returned lists within lists"),
    ],
    ids=["deep", "itself", "one item", "long", "wordless", "wordless items", "deep in a dict"],
)
def test_a_result_that_cannot_be_written_is_a_verdict(value, words):
    verdict = check("output_shape", lambda image, kernel, stride, padding: value)
    assert not verdict.passed and words in verdict.message, verdict


def test_what_has_no_words_is_named_by_its_type():
    assert "raised an exception" in check("output_shape", raises(Wordless())).message
    assert "Wordless" in check("output_shape", raises(Wordless())).message
    assert "a value of type Unwritten" in check("output_shape", Unwritten()).message
    assert check("output_shape", nested(5000)).stage == stages.WRONG_SHAPE


def test_what_a_mask_hides_is_judged():
    exercise = load_exercise("mec_lower")

    def hidden(x, problem):
        right = exercise.reference(x, problem)
        return np.ma.masked_array(np.full_like(right, 7), mask=np.ones(right.shape, bool))

    def shown(x, problem):
        return np.ma.masked_array(exercise.reference(x, problem))

    assert grade(exercise, hidden, watch=False).stage == stages.WRONG_VALUES
    assert grade(exercise, shown, watch=False).passed


def test_what_is_printed_is_no_workspace():
    exercise = load_exercise("faster_lower")

    def chatty(*args):
        print("a line\n" * 10_000, end="")
        print("another")
        return exercise.reference(*args)

    verdict = grade(exercise, chatty, watch=False)
    lines = 10_001 * len(exercise.seeded_cases())
    assert verdict.passed and f"printed {lines:,} lines" in verdict.message, verdict


@pytest.mark.weekly
@pytest.mark.parametrize(
    "late, stage, words",
    [
        (lambda: [][3], stages.RAISED, "but called once more it raised an exception"),
        (lambda: time.sleep(9), stages.TOO_LONG, "but called once more it was still running"),
    ],
    ids=["raises", "never ends"],
)
def test_what_fails_when_it_is_measured_is_told(monkeypatch, late, stage, words):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    exercise = load_exercise("faster_lower")
    calls = []

    def answer(*args):
        calls.append(1)
        if len(calls) > len(exercise.seeded_cases()):
            late()
        return exercise.reference(*args)

    verdict = grade(exercise, answer, watch=False)
    assert verdict.stage == stage and words in verdict.message, verdict


def test_a_large_result_of_a_wrong_shape_is_told_at_once():
    tried = []

    def answer(image, kernel, stride, padding):
        tried.append(1)
        return np.zeros((2**13, 2**11), np.float32)

    assert "[8192, 2048]" in check("output_shape", answer).message
    # Once for each case: it is not compared with itself.
    assert len(tried) == len(load_exercise("output_shape").seeded_cases())
