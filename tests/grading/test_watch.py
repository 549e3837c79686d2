"""What a verdict on a kernel offers to watch, and where it offers nothing."""

import pytest

from convladder.exercises import load_exercise
from convladder.grading.check import grade


def verdict(mistake: str, name: str = "transpose"):
    exercise = load_exercise(name)
    wrong = next(each for each in exercise.misconceptions if each.name == mistake)
    return grade(exercise, wrong.answers(exercise.solution)[0])


def test_a_race_is_shown_with_both_accesses_one_step_after_the_opening():
    found = verdict("no barrier")
    trace = found.replay().trace
    step = trace["scenes"][0]["steps"][trace["poster"] + 1]
    assert step["event"] == "fault" and "no barrier in between" in step["say"]
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


@pytest.mark.parametrize(
    "name, mistake, said",
    [
        ("window_columns", "windows counted down the image", "has image[1, 0] here; it needs"),
        ("lower_windows", "padding on one side", "has 0 here; it needs x[0, 0, 0, 0]."),
    ],
)
def test_a_wrong_copy_is_shown_with_the_value_it_has_and_the_one_it_needs(name, mistake, said):
    trace = verdict(mistake, name).replay().trace
    (scene,) = trace["scenes"]
    *right, wrong = scene["steps"]
    assert wrong["event"] == "fault" and wrong["say"].startswith(f"Your result {said}")
    assert {"needed"} <= {label for _, _, label in wrong["marks"]}
    assert trace["poster"] == max(0, len(right) - 1)
    assert not any("event" in step for step in right)


@pytest.mark.parametrize(
    "name, mistake",
    [("window_columns", "windows in rows"), ("convolve_gemm", None), ("output_shape", None)],
)
def test_a_result_that_copies_nothing_cannot_be_watched(name, mistake):
    exercise = load_exercise(name)
    found = verdict(mistake or exercise.misconceptions[0].name, name)
    assert found.replay() is None
