"""Ceilings, registers and excerpts of chapter 07."""

import pytest

from convladder import ConvProblem, cuda
from convladder.bench.steps import LAYER
from convladder.core.reference import random_arrays
from convladder.cuda import Line, Report, Traffic
from convladder.cuda.inspect import require
from convladder.cuda.memory_model import ceiling, clocks_of
from convladder.gpu import tiled
from convladder.gpu.variants import OWN, VARIANTS, Variant
from convladder.teach.plots.gpu_memory import (
    RECORDED_REGISTERS,
    compiled_registers,
    occupancy_of,
    registers_table,
)
from convladder.teach.source import excerpt

SMALL = ConvProblem.parse("9x9x8,3x3x64")


def test_the_largest_count_sets_the_ceiling():
    loads = ceiling(
        Report(
            global_load_requests=50,
            shared_load_requests=10,
            shared_load_conflicts=2,
            shared_store_requests=1,
        ),
        1000,
    )
    assert loads.requests == 63 and loads.limit == "requests"
    assert loads.share == pytest.approx(1000 / 128 / 63)
    sectors = ceiling(Report(global_load_sectors=300, global_store_sectors=20), 1000)
    assert sectors.sectors == 80 and sectors.limit == "sectors"
    assert ceiling(Report(), 1000).share == 1 and ceiling(Report(), 1000).limit == "arithmetic"
    with pytest.raises(ValueError, match="macs=0"):
        ceiling(Report(), 0)


def test_a_wide_request_takes_a_clock_for_each_128_bytes():
    wide = Traffic(shared_load_requests=10, shared_load_bytes=10 * 512, shared_load_conflicts=3)
    idle = Traffic(global_store_requests=10, global_store_bytes=4)
    assert clocks_of(wide) == 43 and clocks_of(idle) == 10
    report = Report(
        shared_load_requests=20,
        shared_load_bytes=5124,
        lines=[Line(1, "", wide), Line(2, "", idle)],
    )
    assert ceiling(report, 1000).requests == 53


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


def test_the_table_has_a_column_for_each_gpu():
    run = {variant.name: 1e-3 for variant in VARIANTS}
    table = registers_table(LAYER, {"a GPU": run, "another": run})
    assert table.columns[-2:] == ["a GPU", "another"]
    assert [row[0] for row in table.cells] == list(RECORDED_REGISTERS)


def test_an_excerpt_says_where_it_is_from():
    text = excerpt("naive.cu", "int h = i % o_h", "int n =").text.splitlines()
    assert text[0].startswith("// naive.cu, lines ") and text[1].startswith("int h")
    assert len(text) == 5
    with pytest.raises(ValueError, match="no line with 'nowhere'"):
        excerpt("naive.cu", "nowhere", "int n =")
