"""Chapter 08: requests, ceilings, registers and contests, as counted."""

import numpy as np
import pytest

from convladder import ConvProblem, cuda
from convladder.bench.steps import LAYER
from convladder.core.reference import random_arrays
from convladder.cuda import Report
from convladder.cuda.inspect import require
from convladder.exercises.exercise import Edit
from convladder.exercises.lab07.e6_my_direct import my_direct
from convladder.exercises.lab14.e5_my_stage import SECTORS, my_stage
from convladder.gpu import probes, tiled
from convladder.gpu.untiled import coalesced_launch
from convladder.gpu.variants import OWN, VARIANTS, Variant
from convladder.teach.plots import gpu_memory as traffic
from convladder.teach.plots.gpu_memory import (
    RECORDED_REGISTERS,
    compiled_registers,
    contest,
    contest_picture,
    occupancy_of,
    readers,
    stage_contest,
    stage_traffic,
)


def test_a_picture_counts_sectors_as_the_emulator_does():
    report = probes.strided(stride=3, offset=1).profile()
    each = report.global_load_sectors // report.global_load_requests
    assert each == 12
    assert f"touch {each} sectors" in traffic.warp_picture(report, "b[i] = a[").alt
    stored = traffic.warp_picture(report, "b[i] = a[", number=1)
    assert stored.alt.startswith("A warp's store to b") and "touch 4 sectors" in stored.alt


def test_windows_are_counted_where_they_overlap():
    counts = readers(4, 3)
    assert counts.shape == (6, 6) and counts.max() == 9 and counts[0, 0] == 1
    assert counts.sum() == 16 * 9
    brute = np.zeros((7, 7), int)
    for row, column in np.ndindex(3, 3):
        brute[row : row + 5, column : column + 5] += 1
    assert (readers(3, 5) == brute).all()


SMALL = ConvProblem.parse("9x9x8,3x3x64")


def test_the_emulator_counts_the_bytes_of_shared_requests():
    report = tiled.vectorised_launch(SMALL).profile(
        *map(cuda.to_device, random_arrays(SMALL)), cuda.empty(SMALL.output_shape)
    )
    assert report.shared_load_bytes == 512 * report.shared_load_requests


@pytest.mark.weekly
def test_recorded_registers_are_what_the_compiler_gives():
    try:
        require()
    except cuda.errors.MissingPackages:
        pytest.skip("the extra inspect is not installed")
    assert {variant.name: compiled_registers(variant) for variant in VARIANTS} == RECORDED_REGISTERS


def test_a_bound_on_blocks_is_in_the_source_and_holds():
    assert "__launch_bounds__(THREADS, 6)" in Variant(8, 6).source
    for variant in VARIANTS:
        fits = occupancy_of(variant, LAYER)
        assert fits.blocks == (variant.blocks or fits.blocks)
        assert "__launch_bounds__(THREADS" in variant.source
    assert occupancy_of(Variant(8, OWN), LAYER).warps == 12


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
