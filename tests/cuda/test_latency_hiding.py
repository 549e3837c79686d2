"""Who works when: warps of a scheduler, and slices in stages."""

import pytest

from convladder.cuda.latency_hiding import ARITHMETIC, LOAD, issue_share, issue_slots, staged


@pytest.mark.parametrize(
    "warps, wait, arithmetic",
    [(3, 16, 3), (5, 16, 3), (16, 32, 1), (2, 0, 1)],
)
def test_slots_used_in_the_long_run(warps, wait, arithmetic):
    clocks, warm = 900, 200
    told = issue_slots(warps, wait, arithmetic, warm + clocks)
    used = sum(
        any(row[clock] in (LOAD, ARITHMETIC) for row in told)
        for clock in range(warm, warm + clocks)
    )
    assert used / clocks == pytest.approx(issue_share(warps, wait, arithmetic), abs=0.02)


def test_one_instruction_a_clock_and_none_before_its_value():
    told = issue_slots(4, 8, 2, 200)
    for clock in range(200):
        assert sum(row[clock] in (LOAD, ARITHMETIC) for row in told) <= 1
    for row in told:
        loads = [clock for clock, state in enumerate(row) if state == LOAD]
        assert all(ARITHMETIC not in row[at + 1 : at + 9] for at in loads)
        issued = [state for state in row if state in (LOAD, ARITHMETIC)]
        assert issued[:6] == [LOAD, ARITHMETIC, ARITHMETIC] * 2


@pytest.mark.parametrize(
    "stages, copy, compute", [(2, 4, 2), (3, 4, 2), (4, 6, 2), (2, 1, 3), (5, 8, 1)]
)
def test_the_longer_of_arithmetic_and_the_shared_wait_sets_the_pace(stages, copy, compute):
    """A slice is asked for `stages - 1` slices ahead."""
    done = staged(stages, copy, compute, 80)
    pace = (done[-1].ends - done[-41].ends) / 40
    assert pace == pytest.approx(max(compute, copy / (stages - 1)), rel=0.05)


def test_a_slice_is_there_before_it_is_used_and_its_place_is_free():
    for stages in (1, 2, 3):
        done = staged(stages, 5, 2)
        for number, each in enumerate(done):
            assert each.begins >= each.there == each.issued + 5
            if number >= stages:
                assert each.issued >= done[number - stages].ends
