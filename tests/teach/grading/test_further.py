"""What is said of a wrong answer is tried on cases on which it was not found."""

import re
import statistics
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.cuda.faults import Fault
from convladder.teach.exercises import load_exercise
from convladder.teach.grading import kernel_budget, time_limit
from convladder.teach.grading.answer_type import answer_to
from convladder.teach.grading.check import check, grade
from convladder.teach.grading.compare import same
from convladder.teach.grading.written import is_written_whole, written
from convladder.teach.grading.exercise import Exercise, Misconception
from convladder.teach.grading.faults import UNLIKE, FaultyKernel
from convladder.teach.grading.judge import judge
from convladder.teach.grading.symptoms.arrays import array_symptoms
from convladder.teach.grading.symptoms.first_item import first_wrong_item
from convladder.teach.grading.symptoms.common import in_common
from convladder.teach.grading.symptoms.places import places
from convladder.teach.grading.time_limit import OutOfTime, limited


def exercise(reference, cases, wrong=()):
    return Exercise(
        "tried",
        1,
        "a task",
        reference,
        cases,
        [
            Misconception(function.__name__, function, "What shows.", "Why.", "Where.")
            for function in wrong
        ],
        calls_allowed=("convladder.problem",),
    )


def test_nothing_is_not_the_right_result_for_no_rows():
    assert "were 0" not in check("split", lambda rows, parts: []).symptom


def test_what_makes_a_case_right_does_so_beside_other_arguments_too():
    layers = [
        (ConvProblem(1, *sizes, 1, *kernel, 2),)
        for sizes, kernel in (
            ((5, 5), (2, 2)),
            ((8, 9), (3, 3)),
            ((11, 9), (2, 3)),
            ((9, 12), (2, 4)),
        )
    ]
    tried = exercise(lambda p: 1000 * p.o_h + p.o_h, lambda rng: layers)
    symptom = grade(tried, lambda p: 1000 * p.o_w + p.o_w).symptom
    assert symptom and "come out right" not in symptom and "comes out right" not in symptom


def test_few_things_are_no_reason_why_a_case_comes_out_right():
    def cases(rng):
        return [(rng.integers(1, 99, 6).tolist(),) for _ in range(4)]

    tried = exercise(lambda items: [1000.0 * sum(items)], cases)
    symptom = grade(tried, lambda items: [1000.0 * items[0]]).symptom
    assert "first item, case" not in symptom and "first item, on case" not in symptom, symptom


def test_a_border_is_wrong_at_the_ends_of_both_axes():
    frame, rows = np.ones((7, 7), bool), np.zeros((7, 7), bool)
    frame[2:5, 2:5], rows[[0, 1, 5]] = False, True
    assert "on the border" in places(frame)[0] and places(rows) == []


def test_one_negative_value_is_not_what_nothing_cuts_off():
    expected = np.maximum(np.arange(-12.0, 12.0), 0)
    for negative, said in ((np.arange(-12.0, 12.0), True), (np.full(24, -1.0), False)):
        found = array_symptoms(expected, np.where(expected == 0, negative, expected))
        assert any("nothing cuts them off" in each for each in found) == said, found


def test_all_too_large_by_chance_is_not_said():
    def cases(rng):
        return [(rng.standard_normal(8).astype(np.float32),) for _ in range(4)]

    tried = exercise(lambda x: float(x.sum()), cases)
    for place in range(8):
        symptom = grade(tried, lambda x, place=place: float(x.sum() - 2 * x[place])).symptom
        assert "too large" not in symptom and "too small" not in symptom, symptom
    assert grade(tried, lambda x: float(x.sum() + abs(x[0]))).symptom.startswith(
        "Every wrong answer is too large"
    )


def test_two_choices_that_agree_by_chance_are_told_apart_by_others():
    def mistake(read, device, copied, copy_seconds, wire):
        return load_exercise("mistake").reference(
            [read[0], *[statistics.median(read[2:])] * 4], device, copied, copy_seconds, wire
        )

    verdict = grade(load_exercise("mistake"), mistake, watch=False)
    assert not verdict.passed and verdict.misconception != "the mean", verdict


def test_few_numbers_are_enough_where_further_cases_bear_them_out():
    def cases(rng):
        return [(n, 3) for n in (4, 6, 9)]

    def twice(n, m):
        return 2 * n * m

    def always_24(n, m):
        return {4: 24, 6: 36, 9: 54}.get(n, 7)

    tried = exercise(lambda n, m: n * m, cases, [twice])
    assert grade(tried, lambda n, m: n * m + m * n).misconception == "twice"
    assert grade(tried, always_24).misconception is None


def test_what_further_cases_warn_of_reaches_nobody():
    def upside_down(x):
        return np.array([1 / x.max(), 1 / x.sum(), 2.0])

    tried = exercise(
        lambda x: np.array([1 / x.max(), 1 / x.sum(), 1.0]),
        lambda rng: [(rng.random(3),), (rng.random(4),)],
        [upside_down],
    )
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        assert grade(tried, lambda x: upside_down(x)).misconception == "upside_down"
        assert grade(tried, lambda x: upside_down(x) * 3).misconception is None


@pytest.mark.parametrize(
    "expected, got, words",
    [
        (
            [(0, 1), (1, 2)],
            [(0, 1), (1, 3)],
            "On case 3, item 1 is the first wrong one: (1, 3) in place of (1, 2).",
        ),
        (
            [[(1, 2)] * 9, [(5, 6)] * 9],
            [[(1, 2)] * 9, [(5, 6)] * 8 + [(0, 0)]],
            "On case 3, item 1 is the first wrong one: ",
        ),
        ([1, 2], [1, 2, 3], "On case 3, the first 2 items are right, and 1 more follows."),
        ([1], [1, 2, 3], "On case 3, the first item is right, and 2 more follow."),
        ([], [4, 5], "On case 3, there should be no item, and there are 2 of yours."),
        ([[1], [2]], [[1]], "On case 3, what you return is right, and ends after 1 of 2 items."),
        (
            {"a": (0, 1), "b": (1, 2)},
            {"b": (1, 3), "a": (0, 1)},
            "On case 3, item `b` is the first wrong one: (1, 3) in place of (1, 2).",
        ),
        ((1, 2.0), (1, 2), ""),
        (1.0, 2.0, ""),
    ],
)
def test_the_first_wrong_item_of_a_list(expected, got, words):
    said = first_wrong_item(expected, got, 3)
    assert said.startswith(words) if words else said == ""


def test_large_numbers_and_truth_values_ran_over_nowhere():
    expected = np.arange(12, dtype=np.float32).reshape(3, 4)
    for least, over in ((-3e38, False), (2.0**16 + 10, True)):
        got = np.where(expected == 10, np.float32(least), expected)
        with np.errstate(all="ignore"):
            found = array_symptoms(expected, got)
        assert any("ran over" in each for each in found) == over, found
    mask = expected > 4
    assert not [each for each in array_symptoms(mask, mask | (expected < 2)) if "one too" in each]


# What threads raise

DOUBLED = exercise(lambda x: 2 * x, lambda rng: [(np.ones(3),), (np.arange(1.0, 40),)])


def in_threads(x):
    y = np.zeros_like(x)

    def fill(i):
        y[i] = 2 * x[i + 1]

    threads = [threading.Thread(target=fill, args=(i,)) for i in range(len(x))]
    [each.start() for each in threads]
    [each.join() for each in threads]
    return y


def in_a_pool(x):
    y = np.zeros_like(x)
    with ThreadPoolExecutor(2) as pool:
        for i in range(len(x)):
            pool.submit(lambda i: y.__setitem__(i, 2 * x[i + 1]), i)
    return y


@pytest.mark.parametrize("answer", [in_threads, in_a_pool])
def test_what_a_thread_raises_is_said(answer):
    hook = threading.excepthook
    message = grade(DOUBLED, answer).message
    assert re.search(
        r"In a thread, or a task, an exception was raised at line \d+, .*: "
        "IndexError: index 3 is out of bounds",
        message,
    ), message
    assert "printed" not in message and threading.excepthook is hook
    assert "raised" not in grade(DOUBLED, lambda x: 2 * x).message


def test_what_a_thread_raises_behind_its_work_is_said_of_a_right_answer_too():
    def answer(x):
        y = np.zeros_like(x)

        def fill(i):
            y[i] = 2 * x[i]
            raise ValueError("behind its work")

        threads = [threading.Thread(target=fill, args=(i,)) for i in range(len(x))]
        [each.start() for each in threads]
        [each.join() for each in threads]
        return y

    verdict = grade(DOUBLED, answer)
    assert verdict.passed
    assert "ValueError: behind its work" in verdict.message


# Time that a compiler takes


def test_the_clock_stands_still_while_something_is_compiled(monkeypatch):
    monkeypatch.setattr(time_limit, "COMPILERS", "/its/own/")
    names = {"time": __import__("time")}
    exec(
        compile("def compiles(): time.sleep(0.3); return 5", "/its/own/compiler.py", "exec"), names
    )
    assert limited(names["compiles"], seconds=0.1) == 5
    monkeypatch.setattr(time_limit, "COMPILING", 0.05)
    with pytest.raises(OutOfTime):
        limited(names["compiles"], seconds=0.1)


# What a kernel's faults and counts tell


def changed(name, *replaced):
    source = load_exercise(name).solution
    for old, new in replaced:
        assert old in source
        source = source.replace(old, new)
    return check(name, source)


def test_threads_that_write_one_place_are_no_missing_barrier():
    verdict = changed("row_blur", ("if (t == TILE - 1)", ""))
    assert verdict.misconception is None and "by the same line" in verdict.symptom, verdict


def test_what_no_thread_has_written_is_not_of_numpy():
    verdict = changed("grey", ("w >= i_w) return", "w >= i_h) return"))
    assert "what no thread has written is NaN here" in verdict.symptom
    assert "np.empty" not in verdict.symptom


def from_the_worst(images):
    worst = images.max(axis=(1, 2, 3))
    return np.array(sorted(np.flatnonzero(worst > 1), key=lambda at: -worst[at]))


def test_a_case_that_is_not_shown_whole_can_be_had():
    asked = load_exercise("unscaled")
    verdict = grade(asked, from_the_worst)
    assert verdict.symptom and "float32 array [7, 4, 3, 1]" in verdict.detail
    says, lines = verdict.hint(2).split("\n", 1)
    assert "too large to be shown whole" in says
    exec(lines, found := {})
    assert same(found["images"], asked.seeded_cases()[1][0])
    # A grader's cases are nobody else's.
    assert "all the check can tell" in grade(replace(asked), from_the_worst).hint(2)


def off_in_a_column(a, b, multiply):
    """Return a product that is wrong in a part of its columns, by no usual mistake."""

    def parts(x):
        large = (x.view(np.uint32) + np.uint32(0x8000) & np.uint32(0xFFFF0000)).view(np.float32)
        return large, x - large

    y = sum(multiply(one, other, "bfloat16") for one in parts(a) for other in parts(b))
    y[:, 3:5] *= 1.01
    return y


def test_where_nothing_shows_the_case_can_be_had_all_the_same():
    asked = load_exercise("my_product")
    verdict = grade(asked, off_in_a_column)
    assert not verdict.symptom and not verdict.hints
    at = int(verdict.detail.split()[1]) - 1
    exec(verdict.hint(1).split("\n", 1)[1], found := {})
    assert same(found["a"], asked.seeded_cases()[at][0])
    assert "all the check can tell" in verdict.hint(2)


@pytest.mark.parametrize(
    "value, whole",
    [
        (np.zeros((6, 6)), True),
        (np.zeros((6, 7)), False),
        (np.zeros((0, 9)), True),
        (3.5, True),
        (("a", (1, 2)), True),
        ({"w": np.zeros(2)}, False),
        (("layer",) * 30, False),
    ],
)
def test_what_a_case_shows_whole(value, whole):
    assert is_written_whole(value) == whole


def test_small_numbers_are_shown_as_such_and_rounding_is_not():
    assert written(np.float32([3e-7, 0])) == "[3.e-07 0.e+00]"
    assert written(np.float32([0.1, 3e-7])) == "[0.1 0. ]"
    assert written(np.float32([0.01, -0.5])) == "[ 0.01 -0.5 ]"


def test_hints_of_what_shows_go_on():
    verdict = changed("grey", ("w >= i_w) return", "w >= i_h) return"))
    first, second, third = map(verdict.hint, (1, 2, 3))
    assert first == verdict.symptom and verdict.detail in second
    assert "all the check can tell" in third


def test_what_is_stored_more_than_once_is_no_case_for_vectors():
    whole = "0.299f * x[3 * at] + 0.587f * x[3 * at + 1] + 0.114f * x[3 * at + 2]"
    message = changed("grey", (f"y[at] = {whole}", f"y[at] = 0.0f; y[at] += {whole}")).message
    assert "the same places are written again and again" in message and "float4" not in message


def test_blocks_of_half_a_warp_are_why_sectors_are_too_many():
    counts = dict.fromkeys((*kernel_budget.COUNTS, "global_load_bytes"), 0) | {
        "global_load_requests": 36,
        "global_load_sectors": 54,
        "global_load_bytes": 36 * 64,
    }
    line = SimpleNamespace(number=7, traffic=SimpleNamespace(**counts))
    report = SimpleNamespace(lines=[line], **counts)
    used = kernel_budget.measured({"global_load_sectors": 45}, report, str)
    said = kernel_budget.cause(report, used, held=100, made=100)
    assert said.startswith("A request of line 7 loads 64 bytes, where a warp"), said


def test_to_read_where_nothing_is_is_no_mistake_in_writing():
    kernel = SimpleNamespace(source="", parameters=[])

    def faulty(kind, message):
        return FaultyKernel("", [Fault(kind, message, 1, (0, 0, 0), (0, 0, 0))], kernel, None)

    reads, writes = (
        faulty("out of bounds", f"{done} tile[45], outside tile") for done in ("reads", "writes")
    )
    assert reads.like(reads) and not reads.like(writes)
    early = faulty("copy", "reads tile[0] while a copy is still on its way there")
    assert not early.like(faulty("copy", "copies 2 bytes asynchronously; 4, 8 and 16 are possible"))


def test_of_kernels_that_fault_alike_the_nearest_faults_as_often():
    kernel = SimpleNamespace(source="", parameters=[])

    def faulty(count):
        fault = Fault(
            "unwritten",
            "reads tile[0, 32], which nothing has written",
            1,
            (28, 0, 0),
            (0, 0, 0),
            count=count,
        )
        return FaultyKernel("", [fault], kernel, np.full(3, count))

    assert 1 <= faulty(800).distance(faulty(790)) < faulty(800).distance(faulty(90)) < UNLIKE
    assert faulty(800).distance(faulty(800)) == 0


def test_what_is_said_of_a_list_is_so_of_lists_that_are_too_short_to_show_it():
    missing, extra = ([0, 160, 320], [0, 160]), ([0], [0, 16])
    assert in_common([missing], [{}]) == "An item 320 is missing; the others are right."
    assert in_common([extra, missing], [{}] * 2) == ""
    assert in_common([([3], [4]), ([1, 5, 11], [2, 6, 12])], [{}] * 2).startswith("Every value is")
    tile = [[(0, 0, 4), (1, 0, 2)], [(1, 2, 4)]], [[(0, 0, 4), (1, 0, 3)], [(1, 2, 4)]]
    assert in_common([tile, ([[(0, 0, 4)]], [[(0, 0, 5)]])], [{}] * 2) == ""


def test_what_is_so_of_one_other_case_is_no_symptom():
    y = np.arange(-12.0, 12).reshape(6, 4) + 0.5
    low = np.where(np.arange(6)[:, None] > 3, y**2 % 7 - 9, y)  # only the last two rows are wrong
    mixed = np.where(np.arange(24).reshape(6, 4) % 7 == 2, y * [2, 3, -4, 9] + [1, -8, 5, 2], y)
    assert in_common([(y, mixed), (y, low), (y, low)], [{}] * 3) == ""
    assert in_common([(y[:1] * 0, y[:1]), (y, low), (y, mixed)], [{}] * 3) == ""
    assert in_common([(y, low), (y, mixed)], [{}] * 2).startswith("On the case that is shown, ")


def test_a_kernel_is_asked_with_other_arguments_too():
    verdict = changed(
        "conv_relu_pool",
        ("sum[1] = sum[2] = sum[3] = sum[0];", "sum[1] = sum[2] = sum[0]; sum[3] = 0;"),
    )
    assert "If `bias` is 0 everywhere" in verdict.symptom, verdict


def test_a_few_wrong_values_bear_out_that_all_are_too_small():
    y = np.arange(1.0, 25)
    many, few = y - (np.arange(24) % 5 == 0), y - (np.arange(24) == 11)
    small = "Your wrong values are all too small."
    assert in_common([(y, many), (y, few)], [{}] * 2) == small
    assert in_common([(y, many), (y, 2 * y - few)], [{}] * 2) != small
    assert in_common([(y, few), (y, many)], [{}] * 2) != small


def test_one_word_in_place_of_another_is_said():
    assert in_common([("right", "wrong")] * 2, [{}] * 2) == (
        "Every wrong answer is 'wrong', where 'right' is right."
    )
    assert in_common([("right", "wrong"), ("left", "wrong")], [{}] * 2) == ""


def test_two_missing_barriers_are_told_apart_by_what_threads_do(monkeypatch):
    from convladder.teach.grading import misconceptions

    tried, barrier = load_exercise("histogram"), "__syncthreads();"
    last = tried.solution.rindex(barrier)
    source = tried.solution[:last] + tried.solution[last + len(barrier) :]
    assert check("histogram", source).misconception == "added before all have counted"
    others = [
        each
        for each in misconceptions.mistakes_of(tried)
        if each.misconception.name != "added before all have counted"
    ]
    monkeypatch.setattr(misconceptions, "mistakes_of", lambda _: others)
    assert check("histogram", source).misconception is None, "and not as the other barrier"


def test_what_a_right_case_refutes_is_not_why():
    tried = Exercise(
        "shares",
        1,
        "a task",
        lambda cores, workers: (cores // workers,),
        lambda rng: [(6, 4), (16, 3), (48, 8)],
        [],
    )
    found = grade(tried, lambda cores, workers: (round(cores / workers),))
    assert not found.passed and "one less" not in found.symptom, found
