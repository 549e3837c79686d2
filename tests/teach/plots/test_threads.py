"""Chapter 04's model keeps its own books."""

import itertools

import pytest

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


@pytest.mark.parametrize(
    "work, others, expected",
    [(12, 0, 12), (12, 1, 21), (12, 3, 39), (1, 3, 1), (3, 5, 3), (4, 1, 7)],
)
def test_the_wall_clock_counts_the_slices_of_others_in_between(work, others, expected):
    assert wall_ms(work, others) == expected
    assert wall_ms(work, others) == work + others * SLICE * len(range(SLICE, work, SLICE))
