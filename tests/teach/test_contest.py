"""A contest counts every request, and shows an answer only where it passes."""

import pytest

from convladder.cuda import Report
from convladder.exercises.exercise import Edit
from convladder.exercises.lab07.e6_my_direct import my_direct
from convladder.exercises.lab14.e5_my_stage import SECTORS, my_stage
from convladder.gpu.untiled import coalesced_launch
from convladder.teach.contest import contest, contest_picture, stage_contest, stage_traffic


def test_every_request_and_conflict_is_counted_once():
    one = Report(
        global_load_requests=1,
        global_load_sectors=20,
        global_store_requests=300,
        global_store_sectors=4000,
        shared_load_requests=50_000,
        shared_store_requests=600_000,
        shared_load_conflicts=7_000_000,
    )
    two = Report(global_load_requests=10, global_load_sectors=40)
    picture = contest_picture({"one": one, "mine": two}, yours="mine")
    assert picture.alt.endswith("one 4,020 and 7,650,301; mine 40 and 10.")


def test_a_contest_shows_an_answer_only_when_it_passes():
    rivals = {"gpu_coalesced": coalesced_launch}
    passed = contest("my_direct", Edit(()).apply(my_direct), rivals)
    waiting = contest("my_direct", lambda problem: ..., rivals)
    assert "my_direct 47,104" in passed.alt and "gpu_coalesced 47,104" in passed.alt
    assert "my_direct" not in waiting.alt and "gpu_coalesced 47,104" in waiting.alt


@pytest.mark.weekly
def test_the_budget_is_the_rungs():
    assert stage_traffic("overlap_fused", 3).global_load_sectors == SECTORS


@pytest.mark.weekly
def test_a_stage_is_drawn_if_it_passes():
    assert "my_stage 1,500 and" in stage_contest(Edit(()).apply(my_stage)).alt
    assert "my_stage" not in stage_contest(lambda images: ...).alt
