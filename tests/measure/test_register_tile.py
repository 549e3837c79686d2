"""The tile's code on several processors, its rate here, and the pictures of both."""

import pytest

from convladder.measure.register_tile import PROCESSORS, known_isas, tile_code, tile_rate
from convladder.teach.plots import microkernel as pictures

every_processor = pytest.mark.parametrize("isa", known_isas())


@every_processor
def test_a_tile_that_fits_keeps_its_sums_in_registers(isa):
    code = tile_code(4, 2, isa)
    assert code.needed == 11
    assert code.loop.accumulators == code.accumulators == 8
    assert len(code.loop.multiply_adds) == 8 * code.steps and code.steps in (1, 2, 4)
    assert code.spills == 0 and code.loads_per_fma == 6 / 8
    assert code.loop.bits == PROCESSORS[isa][0].vector_bits


@every_processor
def test_a_tile_that_is_too_large_spills(isa):
    assert tile_code(16, 4, isa).spills > 0


def test_a_small_tile_s_loop_takes_several_steps_and_is_counted_for_one():
    code = tile_code(1, 1, known_isas()[0])
    assert code.steps >= 1 and code.loads_per_fma == 2


@pytest.mark.parametrize("apart", [None, 1, 3])
def test_a_rate_is_of_a_right_sum(apart):
    assert tile_rate(2, 1, 16, apart) > 0  # raises where the sums are wrong


def test_a_processor_that_is_not_known_is_named():
    with pytest.raises(ValueError, match="VAX"):
        pictures.tile_picture(1, 1, "VAX")
