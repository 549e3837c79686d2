import itertools
import types

import pytest
import threadpoolctl

from convladder.measure import Comparison, available_cores, compare, quick, timed, timing
from convladder.measure.timing import timed_block


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when a fake function says so, so that no test waits or flickers."""
    time = types.SimpleNamespace(now=0.0, rests=[], spinning_until=0.0, used=0.0)

    def sleep(seconds):
        time.rests.append(seconds)
        time.used += 1e-4 + max(0.0, min(seconds, time.spinning_until - time.now))
        time.now += seconds

    monkeypatch.setattr(timing, "perf_counter", lambda: time.now)
    monkeypatch.setattr(timing, "process_time", lambda: time.used)
    monkeypatch.setattr(timing, "sleep", sleep)
    time.shares = itertools.repeat(1.0)
    monkeypatch.setattr(
        timing,
        "Section",
        lambda threads: types.SimpleNamespace(
            end=lambda: types.SimpleNamespace(share=next(time.shares))
        ),
    )

    def lasting(*durations):
        """A function whose calls last so long in turn, the last one for ever; it counts."""
        left = itertools.chain(durations, itertools.repeat(durations[-1]))

        def fn():
            fn.calls += 1
            time.now += next(left)

        fn.calls, fn.rests = 0, time.rests
        return fn

    lasting.time = time
    return lasting


def test_median_and_quartiles(clock):
    found = timed(clock(9.0, 0.1, 0.2, 0.3, 0.4, 0.5), budget=1.5, threads=1)
    assert (found.low, found.median, found.high) == pytest.approx((0.2, 0.3, 0.4))
    assert (found.runs, found.threads) == (5, 1)


def test_runs_follow_the_budget(clock):
    # A sum of tenths is never quite the budget, so it lies between two numbers of runs.
    assert timed(clock(0.01), budget=0.095, threads=1).runs == 10
    assert timed(clock(0.01), budget=0.995, threads=1).runs == 100
    assert timed(clock(0.2), budget=0.3, threads=1).runs == 3, "at least three"
    assert timed(slow := clock(2.0), budget=0.3, threads=1).runs == 1, "it outlasts the budget"
    assert slow.calls == 2  # with the warm-up
    both = compare({"a": clock(0.1), "b": clock(0.3)}, budget=1.1, threads=1)  # for each
    assert both.timings["a"].runs == both.timings["b"].runs == 6
    cold, warm = clock(0.1), clock(0.1)
    compare({"cold": cold}, budget=0.25, threads=1)
    compare({"warm": warm}, budget=0.25, threads=1, warm=False)
    assert (cold.calls, warm.calls) == (4, 3)


def test_one_round_is_enough_on_request(clock, monkeypatch):
    monkeypatch.setenv(quick.VARIABLE, "1")
    assert timed(clock(0.02), budget=0.3, threads=1).runs == 1
    assert compare({"a": clock(0.4), "b": clock(0.1)}, budget=0.3, threads=1).timings["b"].runs == 1
    assert [quick.fewer(rounds) for rounds in (1, 2, 7)] == [1, 1, 1]
    assert [quick.smaller(count) for count in (1, 4, 12, 40)] == [1, 4, 4, 10]
    slow = clock(0.5)
    assert timed_block(slow).seconds == pytest.approx(0.5) and slow.calls == 1
    assert slow.rests == [pytest.approx(quick.SHARE * timing.NAP_SECONDS)] * len(slow.rests)
    fast = clock(0.0005)
    assert timed_block(fast).seconds == pytest.approx(0.0005) and fast.calls == 1 + 3  # not 20


@pytest.mark.parametrize("measure", [timed, lambda fn, **how: compare({"fn": fn}, **how)])
def test_threads_are_held_from_the_first_call_on(measure):
    seen = []
    with threadpoolctl.threadpool_limits(2):
        measure(
            lambda: seen.extend(lib["num_threads"] for lib in threadpoolctl.threadpool_info()),
            budget=0.001,
            threads=1,
        )
    assert set(seen) <= {1}


def test_rounds_are_paired_and_turn_about(clock):
    order, last = [], {"slow": clock(0.2), "quick": clock(0.1)}
    calls = {name: lambda name=name: (order.append(name), last[name]()) for name in last}
    comparison = compare(calls, budget=0.44, threads=1)
    assert order[2:] == ["slow", "quick", "quick", "slow", "slow", "quick"]
    assert list(comparison.timings) == ["slow", "quick"]
    assert comparison.ratio("slow", "quick") == pytest.approx(2)


def test_a_turn_rests_and_then_settles(clock):
    """The threads of a neighbour spin on for a while, and this one's have to wake up."""
    woken = clock(0.02, 0.001, 0.005, 0.02, 0.006)
    assert timed_block(woken).seconds == pytest.approx(0.0055)  # of what came after the first call
    assert woken.rests == [timing.NAP_SECONDS]
    assert woken.calls == 1 + 4
    long = clock(timing.BLOCK_SECONDS)
    assert timed_block(long).seconds == pytest.approx(timing.BLOCK_SECONDS) and long.calls == 1
    waking = clock(0.004, 0.004, 0.004, 0.02)  # calls until it has settled do not count
    assert timed_block(waking).seconds == pytest.approx(0.02)
    assert waking.calls == 3 + timing.FEWEST_CALLS  # though two of them last long enough


def test_a_rest_lasts_until_the_threads_sleep(clock):
    clock.time.spinning_until = 0.103
    assert timing.rest() == pytest.approx(0.14)  # six naps in which they spin, and one of quiet
    assert timing.rest() == pytest.approx(timing.NAP_SECONDS)
    clock.time.spinning_until = float("inf")  # it isn't waited for
    assert timing.rest() == pytest.approx(timing.LONGEST_REST, abs=timing.NAP_SECONDS)


@pytest.mark.skipif(available_cores() < 2, reason="needs two cores")
def test_several_threads_are_compared_by_turns(clock):
    a, b = clock(0.01), clock(0.02)
    comparison = compare({"a": a, "b": b}, budget=0.12, threads=2)
    # A rest before all and before each; a turn of 0.03 s counts as such though a call is shorter.
    assert len(a.rests) == 1 + 2 * 4
    assert comparison.ratio("b", "a") == pytest.approx(2)


def test_the_ratio_is_of_rounds_not_of_medians(clock):
    # A busy machine slows both contestants of one round: the paired ratio does not see it.
    a, b = clock(0, 1.0, 10.0, 2.0), clock(0, 0.5, 5.0, 1.0)
    comparison = compare({"a": a, "b": b}, budget=1.0, threads=1)
    assert comparison.spread("a", "b") == pytest.approx((2, 2))
    # Here the medians, 3 and 2, would give 1.5.
    unlike = Comparison({}, {"a": (1.0, 3.0, 8.0), "b": (1.0, 4.0, 2.0)})
    assert unlike.ratio("a", "b") == 1.0
    assert unlike.spread("a", "b") == pytest.approx((0.875, 2.5))


@pytest.mark.parametrize(
    "wrong, told",
    [
        ({"budget": float("nan")}, "budget=nan .* seconds above 0"),
        ({"threads": 10**6}, "threads=1000000"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(wrong, told):
    for measure in (timed, lambda fn, **how: compare({"a": fn}, **how)):
        with pytest.raises(ValueError, match=told):
            measure(pytest.fail, **wrong)
    with pytest.raises(ValueError, match="empty; give at least one"):
        compare({})
    with pytest.raises(ValueError, match="'c' was not compared; there are a"):
        Comparison({}, {"a": (1.0,)}).ratio("a", "c")
