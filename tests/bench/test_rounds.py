"""The one judge and the one way to take turns, which every comparison shares."""

import pytest

from convladder.bench.rounds import judge_then_time, paired_rounds
from convladder.measure import timing


@pytest.fixture(autouse=True)
def no_rest(monkeypatch):
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)


def test_every_other_round_runs_backwards():
    order, told, ended = [], [], []
    seconds = {"a": 1.0, "b": 2.0, "c": 3.0}
    times = paired_rounds(
        {name: name for name in seconds},
        3,
        progress=told.append,
        clock=lambda name: order.append(name) or seconds[name],
        after_round=lambda: ended.append(len(order)),
    )
    assert "".join(order) == "abccbaabc" and ended == [3, 6, 9]
    assert times.rounds == {"a": (1.0,) * 3, "b": (2.0,) * 3, "c": (3.0,) * 3}
    assert told == ["round 1 of 3", "round 2 of 3", "round 3 of 3"]
    assert times.ratio("c", "b") == 1.5


def test_all_are_judged_before_any_is_timed_and_only_the_right_ones():
    log = []

    def judge(name, number):
        log.append(f"judge {name}")
        return number > 0

    def time(right):
        log.append(f"time {' '.join(right)}")
        return sum(right.values())

    assert judge_then_time({"a": 1, "wrong": -1, "b": 2}, judge, time) == (3, {})
    assert log == ["judge a", "judge wrong", "judge b", "time a b"]


def test_who_may_be_absent_is_and_others_stop_it_all():
    def judge(name, error):
        if error:
            raise error
        return True

    contenders = {"ours": None, "lib": OSError("no compiler\nand more")}
    assert judge_then_time(contenders, judge, list, optional=["lib"]) == (
        ["ours"],
        {"lib": "OSError: no compiler"},
    )
    with pytest.raises(OSError, match="no compiler"):
        judge_then_time(contenders, judge, pytest.fail)
