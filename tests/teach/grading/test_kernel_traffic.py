"""A learner's stage stands beside those of the rungs, counted on the same images."""

import pytest

from convladder.teach.exercises import load_exercise
from convladder.teach.exercises.lab12.e5_my_stage import SECTORS
from convladder.teach.exercises.lab12.stage import PLAIN, plan
from convladder.teach.grading.kernel_traffic import stage_contest, stage_traffic


def test_the_budget_is_the_rungs():
    assert stage_traffic("overlap_fused", 3).global_load_sectors == SECTORS


@pytest.mark.weekly
def test_a_stage_is_drawn_if_it_passes():
    solution = load_exercise("my_stage").solution
    assert "my_stage 1,500 and" in stage_contest(solution).alt
    assert "my_stage" not in stage_contest(lambda images: ...).alt
    assert "my_stage" not in stage_contest(plan(PLAIN, 128, lambda images: 2 * images)).alt
