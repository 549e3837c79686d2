"""What is said of an answer that was asked again with other arguments."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.teach.exercises import load_exercise
from convladder.teach.grading.check import grade
from convladder.teach.grading.exercise import Exercise
from convladder.teach.grading.symptoms.arrays import array_symptoms
from convladder.teach.grading.symptoms.axes import axes_named, with_names
from convladder.teach.grading.symptoms.settings import settable, settings

RNG = np.random.default_rng(5)


def said(reference, cases, answer):
    """What a learner reads of `answer`."""
    exercise = Exercise(
        "asked",
        1,
        "a task",
        reference,
        lambda rng: cases,
        [],
        calls_allowed=("convladder.problem",),
    )
    verdict = grade(exercise, answer)
    assert not verdict.passed
    return verdict.symptom


LAYERS = [
    (ConvProblem(*sizes),)
    for sizes in (
        (1, 9, 8, 1, 2, 2, 1),
        (1, 15, 16, 3, 2, 2, 4),
        (2, 17, 16, 2, 3, 2, 5, (2, 3), (2, 1)),
        (3, 17, 19, 2, 3, 3, 4, (1, 2), (1, 3)),
    )
]


def outputs(p):
    return 1000 * p.o_h * p.o_w + p.k_c


@pytest.mark.parametrize(
    "answer, words",
    [
        (lambda p: outputs(p) + 3 * p.p_w, "If `p_w` is 0, cases 3 and 4 come out right."),
        (lambda p: outputs(p) + 7 * (p.s_w - 1), "If `s_w` is 1, cases 3 and 4 come out right."),
        (
            lambda p: outputs(p) + 7 * (p.s_w - p.s_h),
            "If `s_w` is `s_h`, cases 3 and 4 come out right.",
        ),
        (
            lambda p: outputs(p) - p.k_c + 7 + p.i_n,
            "other values of `k_c` were tried: your result stays the same, and should not.",
        ),
    ],
)
def test_a_layer_set_otherwise_shows_what_is_wrong(answer, words):
    assert words in said(outputs, LAYERS, answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda p: outputs(p) + 3 * p.p_w + 11 * (p.i_c == 5),  # wrong with a p_w of 0 too
        lambda p: outputs(p) + (p.k_c > 1) * (p.i_n > 1),  # with either of two
        lambda p: outputs(p) + 5 * (p.o_h < 9),  # with a kernel of one row, and with a larger image
    ],
)
def test_what_makes_a_case_right_by_luck_is_not_why(answer):
    layers = [*LAYERS, (ConvProblem(1, 12, 13, 5, 2, 2, 3),)]
    assert "come out right" not in said(outputs, layers, answer), said(outputs, layers, answer)


def test_of_rounded_numbers_no_argument_is_asked():
    symptom = grade(
        load_exercise("speedup"), lambda serial, n: round(1 / (serial + (1 - serial) / n), 3)
    ).symptom
    assert "rounded to 3" in symptom and "right." not in symptom


def test_two_numbers_that_must_both_be_1_are_named_together():
    cases = [(97, (2, 3)), (83, (1, 2)), (90, (3, 1)), (71, (1, 1)), (55, (2, 1))]
    assert "If both numbers of `stride` are 1, cases 1 and 2 come out right." in said(
        lambda n, stride: 100 * (n // stride[0]) + n // stride[1],
        cases,
        lambda n, stride: n // (stride[0] * stride[1]) * 101,
    )


def test_a_value_is_not_why_where_another_does_as_well():
    def shared(units, places):
        each, rest = divmod(units, places)
        return [(i * (each + (i < rest)), each + (i < rest)) for i in range(places)]

    def begun(units, places):
        return [
            (i * (units // places) + min(i, units % places), n)
            for i, (_, n) in enumerate(shared(units, places))
        ]

    assert "right" not in said(begun, [(48, 5), (70, 12), (36, 7), (96, 2)], shared)


def weighted(x, bias, bits):
    return (np.abs(x) + 1) @ np.ones((x.shape[1], len(bias))) * bits + bias


WEIGHTED = [(RNG.standard_normal((3, 6)), RNG.standard_normal(4), bits) for bits in (8, 4, 2, 8)]


@pytest.mark.parametrize(
    "answer, words",
    [
        (
            lambda x, bias, bits: weighted(x, bias**2, bits),
            "If `bias` is 0 everywhere, or if `bias` is 1",
        ),
        (lambda x, bias, bits: weighted(x, bias, 8), "other values of `bits` were tried"),
        (
            lambda x, bias, bits: weighted(x, bias, bits) + (x < 0).sum(1)[:, None],
            "If `x` has no negative number, cases 1 and 2 come out right.",
        ),
        (
            lambda x, bias, bits: (
                weighted(x, bias, bits) * (1 + (len(x) > 1) * RNG.random((len(x), 4)))
            ),
            "Called again",
        ),
        (
            lambda x, bias, bits: weighted(x, bias, bits) + np.cumsum(x[:, :1] - x[0, 0], 0),
            "If `x.shape[0]` is 1, cases 1 and 2 come out right.",
        ),
        (
            lambda x, bias, bits: 1 / 0 if bits != 8 else weighted(x, bias, bits),
            "Something is divided by zero.",
        ),
    ],
)
def test_numbers_and_arrays_set_otherwise(answer, words):
    assert words in said(weighted, WEIGHTED, answer)


def test_no_argument_has_an_effect_where_nothing_was_written():
    assert "stays the same" not in said(
        weighted, WEIGHTED, lambda x, bias, bits: np.full((3, 4), np.nan)
    )


@pytest.mark.weekly
def test_an_answer_that_hangs_on_other_arguments_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("convladder.teach.grading.symptoms.probes.SECONDS", 0.2)

    def hangs(x, bias, bits):
        while (x > 0).all():
            pass
        return -weighted(x, bias, bits)

    assert said(weighted, WEIGHTED[:2], hangs) == "Every value has the wrong sign."


def test_a_layer_with_arrays_that_do_not_follow_is_left_as_it_is():
    problem = ConvProblem(1, 4, 4, 1, 2, 2, 1)
    names = "L", "problem"
    follows, lowered = np.zeros(problem.input_shape), np.zeros((1, 3, 4, 2, 1))
    assert any(
        "p_h" in each.of for each in settings(names, [(follows, problem)], (follows, problem))
    )
    assert not any(
        "p_h" in each.of for each in settings(names, [(lowered, problem)], (lowered, problem))
    )


def test_what_is_as_long_in_every_case_is_cut_together():
    names = "a", "b", "length", "other"
    cases = [(np.ones((n, 3)), np.ones((2, n)), n, n + (n > 9)) for n in (7, 9, 64)]
    changed = [each.change(cases[2]) for each in settings(names, cases, cases[2])]
    assert all(len(a) == b.shape[1] for a, b, *_ in changed)
    assert {len(a) for a, *_ in changed} == {64, 63, 4, 3, 2, 1}
    assert {length for *_, length, _ in changed} == {64, 63, 4, 3, 2, 1}
    assert any(len(a) == 1 and length == 64 for a, _, length, _ in changed), "by chance as large"
    assert {other for *_, other in changed} > {1, 65, 66}, "not as long in every case: by itself"


def test_what_is_right_where_an_array_is_as_wide_as_high():
    def rows_apart(x):
        flat = np.zeros(4 * x.size, x.dtype)
        for h, w in np.ndindex(x.shape):
            flat[h * x.shape[0] + w] = x[h, w]
        return flat[: x.size].reshape(x.shape)

    cases = [(RNG.standard_normal(shape),) for shape in ((3, 5), (6, 4), (4, 4))]
    assert "If `x.shape[1]` is `x.shape[0]`" in said(lambda x: x.copy(), cases, rows_apart)


def test_values_that_are_wrong_because_of_their_size():
    x = RNG.permutation(40).reshape(5, 8) - 10.0
    for got, words in (
        (np.minimum(x, 22.5), "Wrong are only large values: those that should be above 22."),
        (np.where(x < 0, x + 100, x), "Wrong values are only where a negative one is expected."),
        (np.where(x % 3 == 0, 1e-38, x), "practically zero"),
        (np.where(x % 3 == 0, 5.0, x), "All your wrong values are the same number, 5."),
    ):
        assert any(words in each for each in array_symptoms(x, got)), array_symptoms(x, got)
    zeros = np.where(x > 8, x, 0)
    assert "Only what should be zero is right in your wrong results." in array_symptoms(
        zeros, zeros * 1.1 + (zeros > 0) * RNG.random(zeros.shape)
    )


def test_axes_have_the_names_of_what_gives_their_length():
    shapes, numbers = (
        [(2, 5, 7), (2, 6, 9)],
        [
            {"rows": 5, "k": 7, "w.shape[0]": 2, "n": 2},
            {"rows": 6, "k": 9, "w.shape[0]": 2, "n": 2},
        ],
    )
    names = axes_named(shapes, numbers)
    assert names == {1: "rows", 2: "k"}, "an axis that is always as long may be named by accident"
    assert with_names("only in the last place of axis 2 (the last one), axes 0 and 1", names) == (
        "only in the last place of axis 2 (`k`), axes 0 and 1 (`rows`)"
    )


def test_a_tuple_of_right_values_is_told_to_be_one_array():
    cases = [(RNG.standard_normal((3, 4)),), (RNG.standard_normal((2, 5)),)]
    assert said(lambda x: 2 * x, cases, lambda x: tuple(2 * x)) == (
        "Your values are right; they are to be in one array."
    )


def test_what_is_rounded_to_large_pieces_is_not_deaf_to_what_changes_little():
    def peak_bytes(problem, which):  # in pieces of 512 values, not bytes
        def pieces(values):
            return 2048 * -(-values // 512)

        return pieces(problem.mec_bytes(1)) + pieces(problem.pixels * problem.k_c) * (
            2 if which == "A" else 1
        )

    verdict = grade(load_exercise("peak_bytes"), peak_bytes, watch=False)
    assert not verdict.passed and "stays the same" not in verdict.symptom, verdict


def test_what_is_said_of_every_wrong_number_is_true_of_every_one():
    def by_span(low, high, step):
        return high - low + 3

    tried = Exercise(
        "touched",
        1,
        "a task",
        lambda low, high, step: (high - low) // step + 1,
        lambda rng: [(3, 11, 2), (5, 400, 79), (1, 61, 3)],
        [],
    )
    symptom = grade(tried, by_span).symptom
    assert "too large, by a factor of 2.2 to a factor of 66.3" in symptom, symptom


def test_a_kernels_layer_can_be_set_otherwise_though_its_image_has_no_batch():
    layer = ConvProblem(1, 6, 7, 3, 2, 3, 4, stride=(2, 1))
    args = (np.zeros(layer.input_shape[1:]), np.zeros(layer.kernel_shape), layer)
    assert settable(args)
    changed = {each.words: each.change(args) for each in settings("xwp", [args], args)}
    assert changed["`i_c` is 1"][0].shape == (6, 7, 1)
    assert changed["`s_h` is 1"][2].stride == (1, 1)
