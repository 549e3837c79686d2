"""What counts as the same result."""

from collections import namedtuple

import numpy as np
import pytest

from convladder.exercises import load_exercise
from convladder.grading.check import check, grade
from convladder.grading.compare import difference

Size = namedtuple("Size", "height width")


@pytest.mark.parametrize("sequence", [tuple, np.array, lambda pair: Size(*pair)])
def test_any_sequence_will_do_for_a_tuple(sequence):
    def output_shape(image, kernel, stride, padding):
        return sequence(
            [(i + 2 * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding)]
        )

    def one_too_many(*given):
        return sequence([each + 1 for each in output_shape(*given)])

    assert check("output_shape", output_shape).passed
    assert check("output_shape", one_too_many).stage == "wrong values"


def test_a_mistake_is_recognised_in_any_sequence():
    rounded_up = load_exercise("output_shape").misconceptions[1]
    wrong = rounded_up.wrong.apply(load_exercise("output_shape").solution)
    verdict = grade(load_exercise("output_shape"), lambda *given: np.array(wrong(*given)))
    assert verdict.misconception == rounded_up.name == "rounded up"


@pytest.mark.parametrize("expected", [[], [3, 4], ((0, 2), (2, 3)), (np.ones(2), np.zeros(3))])
def test_lists_and_tuples_are_alike(expected):
    assert difference(expected, list(expected)) is None is difference(expected, tuple(expected))
    assert difference((3, 4), range(3, 5)) is None


@pytest.mark.parametrize(
    "expected, got, kind",
    [
        (np.ones(2, np.float32), [1.0, 1.0], "type"),  # an array is an array
        ((3, 4), {3, 4}, "type"),
        ((3, 4), np.array(3), "type"),
        ((3, 4), "34", "type"),
        ((3, 4), np.array([3.0, 4.0]), "type"),  # counts are whole
        ((3, 4), range(3, 10**12), "length"),
        (((0, 2), (2, 3)), np.array([[0, 2]]), "length"),
        ([3, 4], np.array([3, 5]), "value"),
        ({"a": 1}, {"b": 1}, "keys"),
    ],
)
def test_what_is_not_the_same(expected, got, kind):
    assert difference(expected, got).kind == kind
