"""Loop nests as replays: which cells, which lines of the cache, what is refused."""

import numpy as np
import pytest

from convladder.replay import ReplayError, loops, trace_loops
from convladder.replay.loops import MISS


def by_rows(a, total):
    for i in range(4):
        for j in range(8):
            total[0] += a[i, j]


def by_columns(a, total):
    for j in range(8):
        for i in range(4):
            total[0] += a[i, j]


def arrays():
    return {"a": np.arange(32).reshape(4, 8), "total": np.zeros(1, int)}


def test_a_step_is_one_line_in_one_round():
    given = arrays()
    scene = trace_loops(by_rows, given).trace["scenes"][0]
    assert given["total"][0] == 496
    assert len(scene["steps"]) == 32
    assert scene["steps"][9] == {
        "say": "i = 1, j = 1",
        "read": [[1, "0"], [0, "9"]],
        "write": [[1, "0", None, [45]]],
        "line": 4,
        "tally": {"accesses": 30},
    }
    assert scene["source"][3].strip() == "total[0] += a[i, j]"


@pytest.mark.parametrize("order, misses", [(by_rows, 8), (by_columns, 32)])
def test_a_small_cache_keeps_rows_and_forgets_columns(order, misses):
    replay = trace_loops(order, arrays(), cache=(3, 4))
    steps = replay.trace["scenes"][0]["steps"]
    assert f"{misses + 1} misses" in replay.trace["alt"]  # one of total
    assert sum(each.get("turns", 1) for each in steps) == 32 + MISS * (misses + 1)
    assert sum(len(each.get("fetch", ())) for each in steps) == misses + 1
    assert sum(len(each.get("drop", ())) for each in steps) == misses + 1 - 3


def test_both_orders_run_on_one_clock_and_open_where_the_faster_is_done():
    rows, columns = (trace_loops(f, arrays(), cache=(3, 4)) for f in (by_rows, by_columns))
    both = columns.beside(rows, alt="Rows reuse a line, columns miss.")
    assert both.trace["poster"] == rows.scenes[0].turns < columns.scenes[0].turns


def endless(a, total):
    while True:
        total[0] = 1


def slices(a, total):
    total[0] = a[0, :]


@pytest.mark.parametrize(
    "wrong, said", [(endless, "stopped after 1,000 accesses"), (slices, "write the loop out")]
)
def test_what_cannot_be_followed_is_refused(wrong, said, monkeypatch):
    monkeypatch.setattr(loops, "MOST_ACCESSES", 1000)
    with pytest.raises(ReplayError, match=said):
        trace_loops(wrong, arrays())


def test_steps_beyond_those_asked_for_are_counted():
    scene = trace_loops(by_rows, arrays(), steps=10).trace["scenes"][0]
    assert scene["left_out"] == "The first 10 of 32 steps are shown."


@pytest.mark.parametrize(
    "more, said",
    [
        ({"steps": 2**31}, "2,147,483,648 cannot be shown; 1 to 4,000 can"),
        ({"steps": "5"}, "steps='5' is not a whole number"),
        ({"opens_at": 1.5}, "opens_at=1.5 is not a whole number"),
        ({"title": 5}, "title is 5; it must be a text"),
        ({"cache": 3}, r"cache=3 is no cache; write \(lines, values per line\)"),
        ({"cache": (0, 4)}, "1 or more of each"),
        ({"cache": ("2", "2")}, "cache='2' is not a whole number"),
        ({"arrays": [np.zeros(3)]}, 'write arrays={"a": a}'),
        ({"arrays": {"a": [1, 2], "total": [0]}}, r"a is \[1, 2\]; pass a NumPy array"),
        ({"arrays": {"a": np.array(["x"])}}, "pass a NumPy array of real numbers"),
        ({"function": "by_rows"}, "'by_rows' is no function"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(more, said):
    with pytest.raises(ReplayError, match=said):
        trace_loops(**{"function": by_rows, "arrays": arrays()} | more)
