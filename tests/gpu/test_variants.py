"""Registers of the last rung's variants, and how many blocks of each fit."""

import pytest

from convladder import cuda
from convladder.bench.steps import LAYER
from convladder.cuda.inspect import require
from convladder.gpu.variants import (
    OWN,
    RECORDED_REGISTERS,
    VARIANTS,
    Variant,
    compiled_registers,
    occupancy_of,
)


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
