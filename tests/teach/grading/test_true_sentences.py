"""What is said of a wrong answer must be true of that very answer: where it once was not."""

import numpy as np
import pytest

from convladder.teach.exercises import load_exercise
from convladder.teach.grading.check import grade
from convladder.teach.grading.symptoms.arrays import array_symptoms
from convladder.teach.grading.symptoms.common import in_common
from convladder.teach.grading.symptoms.errors import error_symptom
from convladder.teach.grading.symptoms.first_item import first_wrong_item
from convladder.teach.grading.symptoms.numbers import number_symptoms
from convladder.teach.grading.symptoms.unwritten import COMPUTED, FILLED, WRITTEN

RNG = np.random.default_rng(3)
SIGNED = RNG.standard_normal((2, 6, 5, 3)).astype(np.float32)


def said(*pair):
    return " ".join(array_symptoms(*pair))


def told(name, answer):
    verdict = grade(load_exercise(name), answer, watch=False)
    return f"{verdict.symptom} {' '.join(verdict.hints)}"


def test_a_number_of_another_sign_is_off_by_no_factor():
    pairs = [(1.5, -10.0), (4.0, -21.0)]
    assert number_symptoms(pairs, [{}, {}])[0] == "Every wrong answer is too small."
    assert "-0" not in number_symptoms([(1.0, -0.0), (2.0, -0.0)], [{}, {}])[0]


def test_of_items_that_differ_in_type_alone_none_is_said_to_follow():
    assert first_wrong_item((3, 4), (3.0, 4.0), 1) == ""


def test_all_zero_in_one_case_and_zero_in_a_part_of_another():
    part = SIGNED.copy()
    part[1] = 0
    assert in_common([(SIGNED, part * 0), (SIGNED, part)], [{}, {}]).startswith(
        "Every wrong value is zero"
    )


@pytest.mark.parametrize(
    "got, never",
    [
        (np.concatenate([SIGNED[:, :2]] * 2 + [SIGNED[:, 4:]], 1)[:, :4], "too far"),
        (SIGNED * np.float32([1, 2, 5]), "a factor of its own"),
        (SIGNED + np.float32([0, 2, 5]), "an amount of its own"),
        (np.where(SIGNED == SIGNED.max(), SIGNED, SIGNED + 9), "Wrong are only small"),
    ],
)
def test_what_is_right_in_its_place_is_not_said_to_be_off(got, never):
    expected = SIGNED[:, : got.shape[1]]
    assert never not in said(expected, got)


def test_the_first_place_may_be_wrong_before_nan():
    got = SIGNED + 1
    got[:, 1:] = np.nan
    assert "is right" not in said(SIGNED, got) and "NaN only behind" in said(SIGNED, got)


def test_numbers_in_a_row_that_are_moved_are_off_by_no_amount():
    even = np.arange(24, dtype=np.float32).reshape(4, 6)
    told = said(even, even + 1)
    assert "too large by" not in told and "one too large" not in told


def test_each_value_upside_down():
    assert "1 over what it should be" in said(SIGNED, 1 / SIGNED)


def test_an_axis_of_no_place_or_of_one():
    for size, words in ((0, "Axis 0 is empty"), (1, "Axis 0 has one place"), (2, "has 2 places")):
        error = IndexError(f"index 3 is out of bounds for axis 0 with size {size}")
        assert words in error_symptom(error)


@pytest.mark.parametrize(
    "name, answer, never",
    [
        (
            "share_of_peak",
            lambda chains, latency, per_cycle: min(1.0, chains / per_cycle),
            "multiplied by the throughput",
        ),
    ],
)
def test_cases_tell_mistakes_apart(name, answer, never):
    verdict = grade(load_exercise(name), answer, watch=False)
    assert not verdict.passed and never not in (verdict.misconception, verdict.likely)


@np.errstate(over="ignore", invalid="ignore")  # as where it is called
def test_only_what_nobody_began_is_told_as_that():
    begun = "nothing was assigned"
    for lowest, so in ((FILLED, True), (-3.4028235e38, False), (-np.inf, False), (-2e38, False)):
        assert (begun in said(SIGNED, np.where(SIGNED < 0, np.float32(lowest), SIGNED))) == so
    assert begun not in said(SIGNED, np.where(SIGNED < 0, -np.inf, SIGNED + np.float32(FILLED)))


def test_zero_is_not_left_out_where_zeros_are_expected():
    missing = np.where(np.arange(SIGNED.size).reshape(SIGNED.shape) % 7 == 3, 0, SIGNED)
    assert "left out" in said(SIGNED, missing)
    behind_a_relu = said(np.maximum(SIGNED, 0), np.maximum(missing, 0))
    assert "zero" in behind_a_relu and "left out" not in behind_a_relu
    assert "left out" not in in_common([([64, 9, 128, 7], [64, 0, 0, 0])], [{}])


def test_places_of_one_case_are_told_as_that_cases():
    late = SIGNED.copy()
    late[:, 4:] += 1.5
    assert in_common([(SIGNED, late)], [{}]).startswith("On the case that is shown, wrong values")
    assert in_common([(SIGNED, late), (SIGNED + 1, late + 1)], [{}, {}]).startswith("Wrong values")


def test_an_array_of_few_values_speaks_against_too_large_as_well():
    grown, few = np.abs(SIGNED) * RNG.random(SIGNED.shape), np.array([0.5, 2.0])
    cases = [(grown, grown + 1 + RNG.random(grown.shape)), (few, few - 0.25)]
    assert "too large" in in_common(cases[:1], [{}])
    assert "too large" not in in_common(cases, [{}, {}])


def test_right_values_in_one_array_are_not_to_be_put_into_one():
    parts = np.array([1.5, 2.5]), np.array([3.5, 4.5])
    assert in_common([(parts, np.stack(parts))], [{}]) == (
        "Your values are right, but all in one array."
    )
