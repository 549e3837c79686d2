"""The tile's code on several processors, its rate here, and the pictures of both."""

import pytest

from convladder import ConvProblem
from convladder.cpu.simd.blocking import tile_for
from convladder.measure.register_tile import PROCESSORS, known_isas, tile_code, tile_rate

from ..sampling import sampled


@pytest.mark.parametrize("isa", sampled([*PROCESSORS], 1, str))
def test_a_tile_that_fits_keeps_its_sums_in_registers_and_one_that_is_too_large_spills(isa):
    if isa not in known_isas():
        pytest.skip("this LLVM was built without it")
    code = tile_code(4, 2, isa)
    assert code.needed == 11
    assert code.loop.accumulators == code.accumulators == 8
    assert len(code.loop.multiply_adds) == 8 * code.steps and code.steps in (1, 2, 4)
    assert code.spills == 0 and code.loads_per_fma == 6 / 8
    assert code.loop.bits == PROCESSORS[isa][0].vector_bits
    assert tile_code(16, 4, isa).spills > 0
    largest = tile_for(ConvProblem(1, 9, 9, 8, 3, 3, 512), PROCESSORS[isa][0])
    code = tile_code(largest.pixels, largest.vectors, isa)
    assert code.spills == 0 and code.loop.accumulators == code.accumulators
    # Loads, pointers and the loop's own counting come on top, but no more than that.
    arithmetic = len(code.loop.multiply_adds) * (1 if code.loop.fused else 2)
    overhead = 6 * largest.pixels + largest.vectors + 8
    assert len(code.loop.lines) <= arithmetic + overhead * code.steps


@pytest.mark.parametrize(("pixels", "vectors", "lines"), [(3, 2, 2), (3, 4, 0)])
def test_weights_from_far_off_are_asked_for_ahead(pixels, vectors, lines):
    """A line for each vector in each step; not in wide tiles, whose weights stay near."""
    code = tile_code(pixels, vectors, "AVX-512")
    asked = sum(line.startswith("prefetcht0") for line in code.loop.lines)
    assert asked == lines * code.steps


@pytest.mark.parametrize("apart", [None, 3])
def test_a_rate_is_of_a_right_sum(apart):
    assert tile_rate(2, 1, 16, apart) > 0  # raises where the sums are wrong
