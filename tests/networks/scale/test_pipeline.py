"""Stages and their schedule, beside formulas and an exhaustive search."""

from itertools import combinations, pairwise

import pytest

from convladder.networks.scale.pipeline import schedule, stages


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 9])
def test_no_other_cut_has_a_cheaper_worst_stage(workers):
    costs = [5, 1, 1, 4, 2, 6, 3]
    runs = stages(costs, workers)
    assert [layer for run in runs for layer in run] == list(range(7))
    assert len(runs) == min(workers, 7)
    worst = max(sum(costs[i] for i in run) for run in runs)
    for cuts in combinations(range(1, 7), len(runs) - 1):
        ends = (0, *cuts, 7)
        assert worst <= max(sum(costs[a:b]) for a, b in pairwise(ends))


def test_a_stage_takes_one_batch_at_a_time_and_none_before_it_is_there():
    spans = schedule([1.0, 2.0, 0.5], 4, move=0.25)
    for stage, row in enumerate(spans):
        for batch, (begin, end) in enumerate(row):
            assert batch == 0 or begin >= row[batch - 1][1]
            assert stage == 0 or begin >= spans[stage - 1][batch][1] + 0.25
            assert end > begin
