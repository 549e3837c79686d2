"""What makes a case right by accident is not said to be why it is wrong."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.teach.grading.check import grade
from convladder.teach.grading.exercise import Exercise
from convladder.teach.grading.symptoms.arguments import told_apart
from convladder.teach.grading.symptoms.common import in_common
from convladder.teach.grading.symptoms.errors import error_symptom

RNG = np.random.default_rng(7)


def said(reference, cases, answer):
    verdict = grade(
        Exercise(
            "asked",
            1,
            "a task",
            reference,
            lambda rng: cases,
            [],
            calls_allowed=("convladder.problem",),
        ),
        answer,
    )
    assert not verdict.passed
    return verdict.symptom


def test_a_padding_that_makes_all_parts_full_is_not_why_the_last_one_is_missing():
    def rows(x, p):
        return (np.arange(1, p.o_h + 1) * x.sum(dtype=float)).astype(np.float32)

    def whole_parts(x, p):
        y = rows(x, p)
        y[p.o_h // 4 * 4 :] = 0
        return y

    layers = [
        ConvProblem(1, 9, 8, 2, 2, 2, 1, (1, 1), padding) for padding in ((0, 0), (1, 1), (1, 2))
    ]
    cases = [(RNG.standard_normal(p.input_shape).astype(np.float32), p) for p in layers]
    assert "come out right" not in said(rows, cases, whole_parts)


def test_a_length_of_1_is_not_why_where_one_less_is_right_as_well():
    cases = [(RNG.standard_normal((size, 2)),) for size in (5, 8, 6)]
    assert "If" not in said(
        lambda w: np.pad(w, ((0, -len(w) % 4), (0, 0))),
        cases,
        lambda w: np.pad(w, ((0, 4 - len(w) % 4), (0, 0))),
    )


def test_one_row_that_is_right_by_accident_does_not_stand_for_all():
    cases = [(RNG.standard_normal((3, 4)) / 4,) for _ in range(3)]
    for (x,) in cases:
        x[1:, 2] = 2
    assert "If" not in said(lambda x: x * 3, cases, lambda x: np.where(x > 1.5, x, x * 3))


def test_a_number_that_is_as_large_as_a_length_by_chance_is_not_named():
    cases = [(RNG.standard_normal((size, 3)), size) for size in (2, 4, 5)]
    assert "If `x.shape[0]` is 1, " in said(
        lambda x, k: x * k,
        cases,
        lambda x, k: (x + np.cumsum(x[:, :1], 0) - x[:1, :1]) * k * (1 + (len(x) > 1)),
    )


def test_of_two_reasons_of_which_one_has_many_values_neither_is_named():
    cases = [(9, 1, 2), (20, 2, 3), (9, 3, 5), (30, 1, 4)]
    assert "If" not in said(
        lambda size, step, n: 100 * size + step + n,
        cases,
        lambda size, step, n: 1 / 0 if n > size // step else 100 * size + step + n,
    )


def test_small_numbers_are_right_not_only_0_and_1():
    cases = [(np.abs(RNG.standard_normal(9)) * 300,) for _ in range(3)]
    assert "everywhere" not in said(
        lambda x: (np.minimum(x, 200).astype(np.uint8), 0.37),
        cases,
        lambda x: (np.minimum(x.astype(int).astype(np.uint8), 200), 0.37),
    )


def test_a_word_stays_the_same_for_many_arguments():
    def mistake(a, b, c):
        return "slow" if a > b else "large" if c > 10 else "small"

    cases = [(1.0, 2.0, 30.0), (1.0, 2.0, 5.0), (1.0, 2.0, 4.0), (2.0, 2.0, 20.0)]
    assert (
        said(mistake, cases, lambda a, b, c: "slow" if a >= b else "large" if c > 10 else "small")
        == ""
    )


class Picky:
    """Objects to be used otherwise than in the case that it was made for."""

    def __init__(self, uses):
        self.uses, self.used = uses, uses

    def __eq__(self, other):
        return isinstance(other, Picky) and self.uses == other.uses

    def objection(self):
        return None if self.used == self.uses else "had more to do."


def test_what_a_stand_in_objects_to_is_of_the_case_as_it_was():
    def answer(stand_in, n, step):
        stand_in.used = n * step
        return 10 * n + step if step == 1 else 10 * n - step

    cases = [(Picky(n * step), n, step) for n, step in ((7, 1), (12, 3), (25, 2), (31, 5))]
    assert "If `step` is 1, cases 2 and 3 come out right." in said(
        lambda stand_in, n, step: 10 * n + step, cases, answer
    )


def test_few_places_that_are_missing_are_explained_by_nothing():
    cases = [(np.abs(RNG.standard_normal((9, 4, 3))) / 4,) for _ in range(2)]
    for (images,) in cases:
        images[2, 1, 0] = images[4, 0, 1] = images[5, 3, 2] = 9
    assert "counted" not in said(
        lambda images: np.flatnonzero((images > 1).any((1, 2))),
        cases,
        lambda images: np.flatnonzero((images[..., 2] > 1).any(1)),
    )


@pytest.mark.parametrize(
    "right, wrong, words",
    [
        ([(2, 2), (8, 4)], [(2, 12), (4, 6), (3, 22)], ""),
        (
            [(4, 2), (6, 3), (5, 1)],
            [(8, 3), (7, 3)],
            "Right are the cases with `a` a multiple of `b`.",
        ),
    ],
)
def test_a_multiple_is_not_told_from_what_is_only_not_smaller(right, wrong, words):
    assert told_apart(*([{"a": a, "b": b} for a, b in pairs] for pairs in (right, wrong))) == words


def test_an_item_that_is_not_the_only_wrong_one_elsewhere():
    def pair(a, b):
        return (a, "x"), (b, "y")

    symptom = said(pair, [(3, 2), (2, 2)], lambda a, b: pair(a - (a < b), b - (a > b)))
    assert symptom == "On case 1, item 1 is the first wrong one: (1, 'y') in place of (2, 'y')."


def test_values_of_a_dict_have_no_places():
    right, fewer = {2: 5.5, 4: 6.25, 6: 7.75, 8: 9.0}, {2: 5.5, 4: 6.25, 6: 7.75}
    seen = [(each, each | {2: 1.5, 4: 9.0}) for each in (right, fewer)]
    assert "place" not in in_common(seen, [{}, {}])
    assert in_common(seen[:1], [{}]) == "Only items `2`, `4` of your result are wrong."


def test_by_how_much_a_list_of_places_is_too_short_is_true_of_short_ones_too():
    assert in_common(
        [(np.arange(7), np.arange(4)), (np.array([3, 8]), np.array([8]))], [{}, {}]
    ).startswith("Your result is too short.")


@pytest.mark.parametrize(
    "wrong, words",
    [
        (
            lambda: np.arange(160).reshape(1, 6, -1, 4),
            "160 values do not fill the shape [1,6,-1,4].",
        ),
        (lambda: range(np.arange(3)), "or an array, stands where one whole number belongs."),
        (lambda: np.arange(3)["a"], "or something else."),
        (lambda: np.array([[1, 2], [3]]), "different lengths"),
        (lambda: range(np.float64(2)), "A place or a count is a float"),
    ],
)
def test_what_is_said_of_an_exception_holds_whatever_raised_it(wrong, words):
    with pytest.raises(Exception) as raised:
        wrong()
    assert words in error_symptom(raised.value)
