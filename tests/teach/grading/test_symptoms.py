"""What is said of a wrong answer is true of it, and said of no other."""

from types import SimpleNamespace

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.teach.grading.check import grade
from convladder.teach.grading.exercise import Exercise
from convladder.teach.grading.symptoms.arrays import array_symptoms
from convladder.teach.grading.symptoms.errors import error_symptom, fault_symptom
from convladder.teach.grading.symptoms.numbers import number_symptoms, times
from convladder.teach.grading.symptoms.places import places

RNG = np.random.default_rng(3)
SIGNED = RNG.standard_normal((2, 6, 5, 3)).astype(np.float32)
SQUARE = RNG.standard_normal((2, 5, 5, 3)).astype(np.float32)
CORNERS = np.array([[7, 4], [16, 7]], np.float32)
BYTES = RNG.integers(0, 256, (7, 9))


def only(where, value=0.0, base=SIGNED):
    y = base.copy()
    y[where] = value if not callable(value) else value(y[where])
    return y


def one(x):
    return x + 1


ARRAYS = [  # expected, got, what must be said
    (SIGNED, -SIGNED, "Every value has the wrong sign."),
    (SIGNED, np.abs(SIGNED), "the negative ones came out positive"),
    (SIGNED, np.maximum(SIGNED, 0), "zero wherever they should be negative"),
    (np.maximum(SIGNED, 0), SIGNED, "only negative values, where 0 is expected"),
    (SIGNED, 4 * SIGNED, "Every value is 4 times as large as it should be."),
    (SIGNED, SIGNED / 9, "Every value is 9 times smaller than it should be."),
    (SIGNED, SIGNED + 3, "Every value is too large by 3."),
    (SIGNED, SIGNED * np.float32([3, 2, 5]), "a factor of its own"),
    (SIGNED, SIGNED + np.float32([1, 2, 5]), "an amount of its own"),
    (SIGNED, np.zeros_like(SIGNED), "All your values are zero."),
    (SIGNED, np.full_like(SIGNED, 2), "All your values are the same number."),
    (SIGNED, only(np.s_[:, -1]), "and lie only in the last place of axis 1"),
    (SIGNED, only(np.s_[-1]), "and lie only in the second of the two places of axis 0"),
    (SIGNED, only(np.s_[:, -2:], one), "Wrong values are only in the last 2 places of axis 1"),
    (SIGNED, only(np.s_[..., 0], one), "only in the first place of axis 3"),
    (SIGNED, only(np.s_[:, 1::2], one), "in every second place of axis 1, from 1 on"),
    (SIGNED, only(np.s_[:, 2], np.nan), "There is NaN only at place 2 of axis 1"),
    (SIGNED, np.full_like(SIGNED, np.nan), "Every value is NaN"),
    (SIGNED, np.repeat(SIGNED[:1], 2, 0), "Along axis 0 your values repeat"),
    (SQUARE, SQUARE.swapaxes(1, 2), "with axes 1 and 2 exchanged"),
    (SIGNED, SIGNED.swapaxes(1, 2).reshape(SIGNED.shape), "in the order of axes 1 and 2 exchanged"),
    (CORNERS, CORNERS.T, "with axes 0 and 1 exchanged"),  # which is CORNERS[::-1, ::-1] too
    (SIGNED, SIGNED[:, ::-1], "in the reverse order along axis 1."),
    (SIGNED, SIGNED[:, ::-1, ::-1], "in the reverse order along axis 1 and axis 2."),
    (SIGNED, np.roll(SIGNED, 1, 1), "1 place too far towards the end of axis 1"),
    (SIGNED, np.roll(SIGNED, -2, 2), "2 places too far towards the beginning of axis 2"),
    (SIGNED, SIGNED[:, [3, 1, 0, 2, 5, 4]], "All the right values are there, in other places"),
    (SIGNED, SIGNED.astype(np.float16).astype(np.float32), "they went through float16"),
    (SIGNED, SIGNED * np.float32(1.001) + np.float32(1e-4) * SQUARE[:, :1, :, :], "nearly right"),
    (BYTES, np.where(BYTES > 127, BYTES - 256, BYTES), "multiples of 256"),
    (BYTES, BYTES + (BYTES % 3 == 0), "all one too large"),
    (BYTES, BYTES + RNG.integers(-1, 2, BYTES.shape), "never off by more than one"),
    (np.pad(BYTES, 2) + 1, np.pad(BYTES, 2, mode="edge") + 1, "the border"),
    (
        SIGNED,
        np.broadcast_to(SIGNED.sum(0), SIGNED.shape),
        "the sum of all the right ones along axis 0",
    ),
    (SIGNED, np.broadcast_to(SIGNED.mean(1, keepdims=True), SIGNED.shape), "the mean of all"),
    (
        SIGNED,
        np.broadcast_to(SIGNED[:, :1] + 1, SIGNED.shape),
        "Along axis 1 all your values are the same",
    ),
    (10 * SIGNED, np.trunc(10 * SIGNED), "something on the way is rounded"),
    (SIGNED, SIGNED**2 / 1e6, "more than 100 times smaller"),
]


@pytest.mark.parametrize("expected, got, words", ARRAYS, ids=[each[2] for each in ARRAYS])
def test_each_symptom_is_found(expected, got, words):
    assert any(words in each for each in array_symptoms(expected, got)), array_symptoms(
        expected, got
    )


def test_of_truth_values_false_is_no_zero():
    mask = np.arange(24).reshape(4, 6) % 3 > 0
    assert array_symptoms(mask, mask & (np.arange(6) < 5))[0].startswith("Your wrong values are F")


def test_a_value_that_stands_in_the_middle_is_no_mean():
    rows = np.arange(12, dtype=np.float32).reshape(3, 4)
    said = array_symptoms(rows, np.broadcast_to(rows[1], rows.shape))
    assert said and not any("mean" in each for each in said), said


@pytest.mark.parametrize("seed", range(20))
def test_unrelated_values_have_no_symptom(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(3, 6, rng.integers(2, 5)))
    a, b = rng.standard_normal((2, *shape))
    assert array_symptoms(a, b) == []
    assert array_symptoms(a, a) == [] and array_symptoms(a, a * (1 + 1e-12)) == []


def test_a_few_in_a_row_of_values_lie_together_by_chance():
    wrong = np.arange(5) < 3
    assert places(wrong) == [] and places(np.stack([wrong, wrong])) != []
    assert places(np.arange(12) > 9) and places(np.arange(5) > 3), "not so many, and not one alone"
    ends = np.ones(60, bool)
    ends[12:15] = False
    assert not any("1th" in each for each in places(ends))
    assert " right; the rest" not in " ".join(array_symptoms(SIGNED, only(np.s_[:, 1:], one)))


@pytest.mark.parametrize("seed", range(40))
def test_places_hold_for_the_wrong_values_and_leave_others_right(seed):
    """Whatever is said of a random band of places is true of exactly that band."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 9))
    begin, end = sorted(rng.choice(size + 1, 2, replace=False))
    wrong = np.zeros((3, size), bool)
    wrong[:, begin:end] = True
    said = places(wrong)
    if end - begin == size:
        assert said == []
    elif end == size and begin != 1:
        count = end - begin
        assert f"in the last {'place' if count == 1 else f'{count} places'} of axis 1" in said[0]
    elif begin == 0 and end != size - 1:
        count = end
        assert f"in the first {'place' if count == 1 else f'{count} places'} of axis 1" in said[0]
    elif begin and end < size:
        assert f"place {begin} " in said[0] or f"places {begin} to {end - 1}" in said[0]


def test_a_part_that_comes_twice_is_no_shift():
    got = SIGNED.copy()
    got[:, 3:] = got[:, :3]
    assert not any("too far towards" in each for each in array_symptoms(SIGNED, got))


def test_factors_in_words():
    assert [times(f) for f in (2, 0.5, 0.25, 1 / 7, 3.5, -2)] == [
        "twice as large as",
        "half of what",
        "a quarter of what",
        "7 times smaller than",
        "3.5 times as large as",
        "the negative of what it should be, and twice as large as",
    ]


def said(reference, cases, answer, **more):
    """What a learner reads of `answer`."""
    exercise = Exercise("asked", 1, "a task", reference, lambda rng: cases, [], **more)
    verdict = grade(exercise, answer)
    assert not verdict.passed and verdict.hint(1) == verdict.symptom or not verdict.symptom
    return verdict.symptom


PROBLEMS = [
    (ConvProblem(*sizes),)
    for sizes in (
        (1, 4, 4, 1, 2, 2, 1),
        (1, 5, 6, 3, 2, 2, 4),
        (2, 7, 6, 2, 3, 2, 5, (2, 2)),
        (3, 7, 9, 2, 3, 3, 4, (1, 2), (1, 0)),
    )
]


def macs(problem):
    return problem.macs


@pytest.mark.parametrize(
    "answer, words",
    [
        (lambda problem: 2 * problem.macs, "Every wrong answer is twice as large as it should be."),
        (
            lambda problem: problem.macs // problem.i_n,
            "Your result is the right one if `i_n` were 1. "
            "Right are the cases with `i_n` = 1, and those with `s_h` and `s_w` both 1.",
        ),
        (lambda problem: problem.macs + problem.k_c, "too large by `k_c`"),
        (lambda problem: problem.macs + 7, "too large by 7"),
        (
            lambda problem: problem.macs / problem.k_c if problem.k_c > 1 else problem.macs,
            "the right one if `k_c` were 1",
        ),
        (lambda problem: 12, "is 12, whatever is asked"),
        (lambda problem: -problem.macs, "the wrong sign"),
        (lambda problem: 1 - problem.macs, "1 minus what it should be"),
    ],
)
def test_numbers_of_several_cases(answer, words):
    if "i_n" in words:
        words = words.split(" Right")[0]
    assert words in said(
        macs, PROBLEMS, lambda problem: int(answer(problem)), calls_allowed=("convladder.problem",)
    )


@pytest.mark.parametrize(
    "answer, rounded",
    [(lambda time: round(time, 2), True), (lambda time: round(time, 2) + 0.01, False)],
)
def test_rounded_numbers(answer, rounded):
    found = said(lambda time: time, [(1.2345,), (17.7771,), (3.14159,), (2.71828,)], answer)
    assert ("rounded to 2 digits" in found) == rounded


def test_a_flag_that_is_left_out_and_one_that_is_turned_round():
    def longer(time, beside):
        return time if beside else 2 * time

    cases = [(1.2345, False), (17.777, True), (3.14159, False), (2.71828, True)]
    assert said(longer, cases, lambda time, beside: time).startswith(
        "Your result is the right one if `beside` were True."
    )
    assert said(longer, cases, lambda time, beside: 2 * time if beside else time) == (
        "Your result is the right one if `beside` were the other way round."
    )


def test_an_argument_that_counts_only_where_it_is_large_has_an_effect():
    cases = [(1.0, 2.0), (2.0, 1.5), (1.5, 1.0), (1.2, 3.0)]
    found = said(lambda a, b: a + b, cases, lambda a, b: b if b > 8 * a else a)
    assert "`b`" not in found, found
    assert "`b`" in said(lambda a, b: a + b, cases, lambda a, b: 3 * a)


def test_of_right_numbers_in_another_type_nothing_is_said():
    assert number_symptoms([(2.0, 2.0), (3.0, 3.0)], [{}, {}]) == []


def scaled(w, scale, pair):
    return w * scale + pair[0] - 2 * pair[1]


SCALED = [
    (RNG.standard_normal((3, 4)), 2.0, (1, 2)),
    (RNG.standard_normal((2, 5)), 3.0, (4, 1)),
    (RNG.standard_normal((2, 5)), 0.5, (0, 3)),
]


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda w, scale, pair: (w[::-1], scale, pair), "for `w` reversed along axis 0"),
        (lambda w, scale, pair: (-w, scale, pair), "for `w` with the opposite sign"),
        (lambda w, scale, pair: (w, scale, pair[::-1]), "with the two numbers of `pair` exchanged"),
        (lambda w, scale, pair: (w, 1.0, pair), "if `scale` were 1"),
        (lambda w, scale, pair: (1 / w, scale, pair), "for 1 over `w`"),
        (lambda w, scale, pair: (w, 2 * scale, pair), "if `scale` were twice as much"),
        (lambda w, scale, pair: (w, scale, (pair[0], 0)), "if `pair[1]` were 0"),
        (
            lambda w, scale, pair: (w * (np.arange(len(w))[:, None] == len(w) - 1), scale, pair),
            "if only the last place of `w` along axis 0 counted",
        ),
        (
            lambda w, scale, pair: (w * (np.arange(w.shape[1]) > 0), scale, pair),
            "if the first place of `w` along axis 1 were left out (zero)",
        ),
        (
            lambda w, scale, pair: (w.reshape(w.shape[::-1]).T, scale, pair),
            "for `w` read as if axes 0 and 1 lay exchanged in memory",
        ),
    ],
)
def test_a_result_that_is_right_for_other_arguments(change, words):
    answer = lambda w, scale, pair: scaled(*change(w, scale, pair))  # noqa: E731
    assert said(scaled, SCALED, answer) == f"Your result is the right one {words}."


def test_a_result_that_is_right_for_many_other_arguments_says_nothing():
    assert "the right one" not in said(
        lambda a, b: a + b, [(1.0, 2.0), (3.0, 0.5), (5.0, 1.0)], lambda a, b: 0.0
    )


def test_what_tells_the_right_cases_from_the_wrong_ones():
    cases = [(8, 2), (7, 3), (9, 3), (11, 4), (12, 4)]
    assert said(
        lambda rows, parts: -(-rows // parts), cases, lambda rows, parts: rows // parts
    ).endswith("Right are the cases with `rows` a multiple of `parts`.")


def test_small_numbers_that_agree_by_accident_explain_nothing():
    assert "twice as much" not in said(
        lambda rows, parts: -(-rows // parts), [(7, 3), (11, 4)], lambda rows, parts: rows // parts
    )
    few = [(1, 4, 2), (3, 4, 2), (8, 4, 2), (4, 4, 1), (24, 5, 2), (5, 3, 4)]
    upside_down = said(lambda a, b, c: min(1.0, a / (b * c)), few, lambda a, b, c: b * c / a)
    assert "multiple" not in upside_down


def test_what_all_wrong_cases_have():
    cases = [(n, flag) for flag in (False, True) for n in (3, 8, 9, 11, 2, 6)]
    assert said(lambda n, flag: n * n, cases, lambda n, flag: n * n + flag * n * n * n).endswith(
        "Right are the cases with `flag` = False."
    )
    assert said(
        lambda n, flag: n * n,
        [*cases, (4, True), (5, True)],
        lambda n, flag: n * n + (flag and n != 3) * n * n * n,
    ).endswith("Wrong are only cases with `flag` = True.")


def test_one_size_for_another():
    problems = [(ConvProblem(1, h, h + 5, 2, 4, 2, 4, padding=1),) for h in (7, 12, 20)]
    assert said(
        lambda p: 8 * p.o_w * p.padded_h,
        problems,
        lambda p: 8 * p.o_w * p.o_h,
        calls_allowed=("convladder.problem",),
    ).startswith("Every wrong answer is the right one times `o_h` over `padded_h`.")


def test_words_that_are_exchanged_and_items_by_their_keys():
    assert (
        said(
            lambda n: "slow" if n > 2 else "fast",
            [(1,), (2,), (3,), (4,)],
            lambda n: "fast" if n > 2 else "slow",
        )
        == "You exchange 'slow' and 'fast'."
    )
    named = lambda n: {"rows": n, "inner": [n, n + 1], "lda": 3 * n}  # noqa: E731
    assert said(named, [(5,), (9,), (30,)], lambda n: named(n) | {"lda": 12 * n}).startswith(
        "Only item `lda` of your result is wrong. Every wrong answer is 4 times as large"
    )


def test_a_few_values_are_somewhere_by_accident():
    some = np.zeros((3, 3), bool)
    some[1, 0] = some[2, 0] = True
    assert places(some) == []
    some[0, 0] = True
    assert places(some) == [
        "in the first place of axis 1 (the columns)",
        "at the beginning of axis 1 (the columns)",
    ]


def test_items_lists_and_shapes():
    pairs = [(3, 5), (4, 9), (10, 2)]
    both = lambda a, b: (a + b, a * b)  # noqa: E731
    assert said(both, pairs, lambda a, b: (a * b, a + b)) == (
        "Your result has the right items in the reverse order."
    )
    assert said(both, pairs, lambda a, b: (a + b, a * b + 1)).startswith(
        "Only item 1 of your result is wrong. Every wrong answer is too large by 1."
    )
    assert "You return one item" in said(both, pairs, lambda a, b: a * b)
    listed = lambda n: list(range(n))  # noqa: E731
    counts = [(5,), (7,), (4,)]
    assert "Your items are right, in the reverse order" in said(
        listed, counts, lambda n: listed(n)[::-1]
    )
    assert "An item 0 is missing; the others are right" in said(
        listed, counts, lambda n: listed(n)[1:]
    )
    table = lambda n: np.arange(6 * n).reshape(2, 3, n)  # noqa: E731
    assert "only the shape is missing" in said(table, counts, lambda n: table(n).ravel())
    assert "with axes 0 and 1 exchanged" in said(table, counts, lambda n: table(n).swapaxes(0, 1))
    assert "Your result is too short by 1 along axis 2 (`n`); what both have is right" in said(
        table, counts, lambda n: table(n)[..., :-1]
    )
    assert "only their dtype is not" in said(table, counts, lambda n: table(n).astype(np.float32))


def test_a_result_that_depends_on_former_calls():
    kept = []

    def grows(x):
        kept.append(1)
        return x + len(kept)

    cases = [(RNG.standard_normal(5),), (RNG.standard_normal(5),), (RNG.standard_normal(5),)]
    assert "Called again with the same arguments" in said(lambda x: x + 1, cases, grows)

    first = {}
    assert "On case 2 you return what is right for case 1" in said(
        lambda x: 2 * x, cases, lambda x: first.setdefault("y", 2 * x).copy()
    )


RAISING = [
    (lambda: np.zeros(3)[5], "Axis 0 has 3 places, numbered from 0: there is no place 5."),
    (lambda: np.zeros((2, 3)) @ np.zeros((4, 2)), "3 on the left (its last axis), 4 on the right"),
    (lambda: np.zeros(12).reshape(5, 5), "12 values do not fill the shape [5,5]."),
    (lambda: np.zeros((2, 3)).__setitem__(0, np.zeros(4)), "the shape [4], and its place"),
    (lambda: np.zeros((2, 3)) + np.zeros(4), "shapes that do not fit: (2,3) (4,)"),
    (lambda: range(2.5), "`//` whole numbers"),
    (lambda: np.zeros(4)[:2.5], "`//` whole numbers"),
    (lambda: not_there, "`not_there` is not known here"),  # noqa: F821
    (lambda: None.shape, "Something is None"),
    (lambda: {}["y"], "The dict has no key 'y'."),
    (lambda: 1 // 0, "divided by zero"),
    (lambda: bool(np.zeros(3)), "`.any()`"),
    (lambda: len[0], "A `builtin_function_or_method` has no items"),
]


@pytest.mark.parametrize("raises, words", RAISING, ids=[each[1] for each in RAISING])
@pytest.mark.filterwarnings("ignore")
def test_exceptions_in_words(raises, words):
    with pytest.raises(Exception) as raised:
        raises()
    assert words in error_symptom(raised.value)


def test_a_kernels_first_fault_in_words():
    kinds = {
        kind: SimpleNamespace(faults=[SimpleNamespace(kind=kind, message="")])
        for kind in ("barrier", "unwritten", "endless")
    }
    assert "come to the same barrier" in fault_symptom(kinds["barrier"])
    assert "before anybody has written it" in fault_symptom(kinds["unwritten"])
    assert fault_symptom(kinds["endless"]) == fault_symptom(SimpleNamespace(faults=[])) == ""


def race(line, other_line, other_block=(0, 0, 0), source=""):
    return SimpleNamespace(
        source=source,
        faults=[
            SimpleNamespace(
                kind="race",
                line=line,
                other_line=other_line,
                block=(0, 0, 0),
                other_block=other_block,
                message="",
            )
        ],
    )


def test_a_race_is_told_by_its_lines_and_blocks():
    assert "by the same line" in fault_symptom(race(9, 9))
    assert "or one of them has nothing to do there" in fault_symptom(race(9, 9))
    assert "What line 9 and line 14 do" in fault_symptom(race(9, 14))
    assert "no barrier stands between them" in fault_symptom(race(9, 14))
    assert "no barrier orders blocks" in fault_symptom(race(9, 14, (1, 0, 0)))
    copies = race(9, 14, source="__pipeline_wait_prior(1);")
    assert "stands behind that wait" in fault_symptom(copies)


def test_an_unknown_exception_is_left_as_it_is():
    assert error_symptom(RuntimeError("own words")) == ""


class Strange:
    """An answer's result that is like nothing else."""

    def __eq__(self, other):
        raise ValueError("compared")

    __hash__ = None


@pytest.mark.parametrize(
    "result",
    [
        Strange(),
        [Strange()],
        np.array([Strange(), 1], dtype=object),
        [[1, 2], [3]],
        {1: 2, "a": 3},
        np.array(["a", "b"]),
        np.zeros(0),
        [[]],
        (),
        b"bytes",
        {1, 2},
        np.datetime64("2026-01-01"),
        np.array([1 + 2j, 0, 0]),
        range(3),
        lambda: 1,
        10**400,
        float("nan"),
        np.ma.masked,
        "text",
    ],
)
def test_nothing_that_an_answer_returns_makes_a_check_raise(result):
    for right in (np.arange(3.0), (1, 2), 5, [1, 2], {"a": 1}):
        exercise = Exercise(
            "asked", 1, "a task", lambda n, right=right: right, lambda rng: [(1,), (2,)], []
        )
        assert not grade(exercise, lambda n: result).passed


def test_huge_values_are_told_of_without_a_warning():
    """Warnings are errors in this suite, and an error here would cost the learner the symptom."""

    def last_channel_huge(x):
        y = one(x)
        y[..., -1] *= np.float32(8e37)
        return y

    exercise = Exercise("huge", 1, "Add one.", one, lambda rng: [(SIGNED,)], ())
    assert "the last place of axis 3" in grade(exercise, last_channel_huge).symptom
