"""What a verdict on a kernel offers to watch, and where it offers nothing."""

from dataclasses import replace

import pytest

from convladder.exercises import load_exercise
from convladder.grading.check import grade


def verdict(mistake: str, name: str = "transpose"):
    exercise = replace(load_exercise(name), allowed=("convladder.",))  # the edit calls the course
    wrong = next(each for each in exercise.misconceptions if each.name == mistake)
    return grade(exercise, wrong.answers(exercise.solution)[0])


def opened(found) -> tuple[list, dict, list]:
    """Return the steps before the fault, the fault, at which it opens, and the source."""
    trace = found.replay().trace
    (scene,) = trace["scenes"]
    *before, last = scene["steps"]
    assert last["event"] == "fault" and trace["poster"] == len(before)
    return before, last, scene.get("source", [])


def test_a_race_opens_with_both_accesses():
    found = verdict("no barrier")
    trace = found.replay().trace
    step = trace["scenes"][0]["steps"][trace["poster"]]
    assert step["event"] == "fault" and "no barrier in between" in step["say"]
    (label,) = [label for _, _, label in step["marks"]]
    assert " reads" in label and " writes" in label
    assert "Watch it happen" in found._repr_html_()


def test_a_kernel_that_hangs_opens_at_the_wait():
    found = verdict("the same phase for both barriers", "phase_bit")
    _, last, source = opened(found)
    assert "filled(slice)" in source[last["line"] - 1]
    assert "Line 36: thread" in repr(found) and "that never come" in last["say"]


@pytest.mark.parametrize(
    "mistake, said",
    [("stores down the columns", "turn 5 of 8"), ("a column in one bank", "pass 17 of 32")],
)
def test_a_budget_opens_in_the_request_that_takes_longest(mistake, said):
    trace = verdict(mistake).replay().trace
    assert said in trace["scenes"][0]["steps"][trace["poster"]]["say"]


def test_right_answers_and_those_that_do_not_run_offer_nothing():
    for answer in ((exercise := load_exercise("transpose")).solution, "no kernel", ...):
        found = grade(exercise, answer)
        assert found.replay() is None and "Watch it happen" not in found._repr_html_()


@pytest.mark.parametrize(
    "name, mistake, said",
    [
        ("window_columns", "windows counted down the image", "has image[1, 0] here; it needs"),
        ("lower_windows", "padding on one side", "has 0 here; it needs x[0, 0, 0, 0]."),
        ("pack_weights", "lanes never written", "has NaN here; it needs 0."),
    ],
)
def test_a_wrong_copy_is_shown_with_the_value_it_has_and_the_one_it_needs(name, mistake, said):
    right, wrong, _ = opened(verdict(mistake, name))
    assert wrong["say"].startswith(f"Your result {said}")
    assert not any("event" in step for step in right)


@pytest.mark.parametrize(
    "name, mistake, said, names",
    [
        ("convolve_gemm", "a flipped kernel", "0] meets x[0, 0, 1, 0]; it should meet x[0, 0", 2),
        ("convolve_gemm", "weights reshaped with the filters first", "1] meets x[0, 0, 1, 0]", 1),
        ("my_mec", "every band written to the top", "0] meets x[0, 8, 0, 0]; it should meet x", 2),
        ("direct_conv", "pixels from the other side", "0] meets x[0, 0, 0, 0]; it should", 1),
    ],
)
def test_a_wrong_sum_opens_at_the_first_weight_with_a_wrong_value(name, mistake, said, names):
    _, wrong, _ = opened(verdict(mistake, name))
    assert f"w[0, 0, 0, {said}" in wrong["say"]
    assert sum(label in ("yours", "needed") for _, _, label in wrong["marks"]) == names


@pytest.mark.parametrize(
    "name, mistake",
    [
        ("window_columns", "windows in rows"),
        ("edge_strength", "one direction only"),
        ("edge_strength", "a division by zero"),
        ("output_shape", "rounded up"),
    ],
)
def test_a_result_of_neither_copies_nor_products_cannot_be_watched(name, mistake):
    assert verdict(mistake, name).replay() is None
