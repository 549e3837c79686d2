"""What a verdict on a kernel offers to watch, and where it offers nothing."""

import pytest

from convladder.exercises import load_exercise
from convladder.grading.check import grade


def verdict(mistake: str):
    exercise = load_exercise("transpose")
    wrong = next(each for each in exercise.misconceptions if each.name == mistake)
    return grade(exercise, wrong.answers(exercise.solution)[0])


def test_a_race_is_shown_with_both_accesses_one_step_after_the_opening():
    found = verdict("no barrier")
    trace = found.replay().trace
    step = trace["scenes"][0]["steps"][trace["poster"] + 1]
    assert step["event"] == "fault" and "no barrier between" in step["say"]
    (label,) = [label for _, _, label in step["marks"]]
    assert " reads" in label and " writes" in label
    assert "Watch it happen" in found._repr_html_()


@pytest.mark.parametrize(
    "mistake, said",
    [("stores down the columns", "turn 5 of 8"), ("a column in one bank", "pass 17 of 32")],
)
def test_a_budget_opens_in_the_request_that_takes_longest(mistake, said):
    trace = verdict(mistake).replay().trace
    assert said in trace["scenes"][0]["steps"][trace["poster"]]["say"]


def test_right_answers_and_those_that_do_not_run_offer_nothing():
    exercise = load_exercise("transpose")
    for answer in (exercise.solution, "no kernel", ...):
        found = grade(exercise, answer)
        assert found.replay() is None and "Watch it happen" not in found._repr_html_()
