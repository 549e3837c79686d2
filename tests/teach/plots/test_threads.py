"""Chapter 04: the model keeps its own books, and no verdict contradicts a figure of its page."""

import itertools

import pytest

from convladder.teach.plots import threads
from convladder.teach.plots.threads import ROWS, SLICE, schedule, wall_ms


def end(*args):
    return max(span.stop for span in schedule(*args))


@pytest.mark.parametrize(
    "count, chunk, dealt, serial",
    list(itertools.product([1, 2, 3, 8], [1, 5, 6], ["beforehand", "on demand"], [0, 4])),
)
def test_every_row_is_done_once_and_nobody_does_two_things_at_a_time(count, chunk, dealt, serial):
    spans = schedule(count, chunk, dealt, serial)
    assert sorted(row for span in spans for row in span.rows or ()) == list(range(ROWS))
    assert all(span.start >= serial for span in spans if span.rows)
    for thread in range(count):
        own = sorted((span.start, span.stop) for span in spans if span.thread == thread)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(own))
    assert end(count, chunk, dealt, serial) >= serial + ROWS / count


def test_the_model_tells_what_the_chapter_says_of_it():
    assert end(4, 6, "on demand", 0) > end(4, 6, "beforehand", 0) == 12
    assert end(4, 2, "on demand", 0) < end(4, 6, "on demand", 0)
    ends = {chunk: end(2, chunk, "on demand", 0) for chunk in (6, 3, 2, 1)}
    assert min(ends, key=ends.get) == 2
    assert end(1, 6, "beforehand", 0) == ROWS


def times(lowering=4.0, gemm=10.0, low2=4.0, gemm2=5.0, whole=14.0, whole2=9.2):
    return {
        1: {"lowering": lowering, "GEMM": gemm, "im2col": whole},
        2: {"lowering": low2, "GEMM": gemm2, "im2col": whole2},
    }


@pytest.mark.parametrize(
    "best, why",
    [
        (times(), None),
        (times(low2=2.1), "lowering is one thread's work"),
        (times(low2=5.5), "lowering is one thread's work"),
        (times(gemm2=4.0), "2.50 times as fast on 2 threads"),
        (times(whole2=8.0), "1.75, above the 1.56"),
    ],
)
def test_times_that_cannot_all_be_right(best, why):
    found = threads.parts_disturbed(best, 2)
    assert found is None if why is None else why in found
    said = threads.parts_verdict(best, 2, found)
    assert said.startswith("disturbed") == (why is not None)
    assert ("of the limit" in said) == (why is None)


def test_a_reading_is_taken_until_it_is_undisturbed_and_three_times_at_most():
    readings = iter([times(whole2=8.0), times(), times(low2=1.0)])
    best, why = threads.again(lambda: next(readings), lambda best: threads.parts_disturbed(best, 2))
    assert best == times() and why is None
    count = []
    assert threads.again(lambda: count.append(1), lambda _: "no")[1] == "no" and len(count) == 3


@pytest.mark.parametrize(
    "near, far, cores, gain, said",
    [
        (40, 10, 2, 1.97, "In one line they take 4.0 times"),
        (11, 10, 2, 1.97, "disturbed: no difference"),
        (11, 10, 2, 1.05, "which share its first cache"),
        (30, 19, 2, 1.97, "disturbed: even far apart"),
        (10, 10, 1, 1.0, "One core"),
    ],
)
def test_no_verdict_on_sharing_contradicts_the_peak(near, far, cores, gain, said):
    assert said in threads.sharing_verdict({8: near, 64: far, 256: far}, 10, cores, gain)


def test_one_core_and_a_peak_above_the_cores():
    one = {1: {"lowering": 4.0, "GEMM": 10.0, "im2col": 14.0}}
    assert threads.parts_disturbed(one, 1) is None
    assert threads.parts_verdict(one, 1, None).startswith("One core")
    assert threads.peak_disturbed(1.97, 2) is None and "2.30" in threads.peak_disturbed(2.3, 2)


@pytest.mark.parametrize(
    "work, others, expected",
    [(12, 0, 12), (12, 1, 21), (12, 3, 39), (1, 3, 1), (3, 5, 3), (4, 1, 7)],
)
def test_the_wall_clock_counts_the_slices_of_others_in_between(work, others, expected):
    assert wall_ms(work, others) == expected
    assert wall_ms(work, others) == work + others * SLICE * len(range(SLICE, work, SLICE))
