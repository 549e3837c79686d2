"""The replays of two workers: who waits, and for how long."""

import pytest

from convladder.teach.replays import double_buffer_replay, false_sharing_replay


@pytest.mark.parametrize("rounds", [1, 5])
def test_counters_in_one_line_take_turns(rounds):
    own, one = false_sharing_replay(rounds).scenes
    assert own.turns == 6 + rounds and one.turns == 2 * rounds * 7
    for scene in (own, one):
        assert scene.steps[-1]["tally"]["additions"] == 2 * rounds


@pytest.mark.parametrize("tiles", [1, 6])
def test_two_buffers_copy_while_they_compute(tiles):
    two, one = double_buffer_replay(tiles).scenes
    assert one.turns == 8 * tiles and two.turns == 4 * (tiles + 1)
    overlapped = [step for step in two.steps if len(step["bars"]) == 2]
    assert len(overlapped) == 4 * (tiles - 1) and not any(len(s["bars"]) > 1 for s in one.steps)
    for step in overlapped:  # never in the same buffer
        copied, used = (int(step[kind][0][1].split(",")[0]) // 8 for kind in ("write", "read"))
        assert copied != used
