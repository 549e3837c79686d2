"""The tile's code on several processors, its rate here, and the pictures of both."""

import numpy as np
import pytest

from convladder.cpu.isa import host_isa
from convladder.measure.register_tile import PROCESSORS, known_isas, tile_code, tile_rate
from convladder.teach.plots import microkernel as pictures

from ..teach.artists import drawn


def words(picture):
    return " ".join(text.get_text() for text in picture.figure.axes[0].texts)


every_processor = pytest.mark.parametrize("isa", known_isas())


def test_this_machine_s_own_kind_is_known():
    assert known_isas()


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


@pytest.mark.weekly
def test_every_state_of_the_widget_has_a_picture_of_its_own():
    states = {(p, 2, known_isas()[0]) for p in (4, 5, 11, 18)}  # each is compiled
    states |= {(4, v, known_isas()[0]) for v in (1, 2, 3, 4)}
    states |= {(18, 4, isa) for isa in known_isas()}
    assert len({drawn(pictures.tile_picture(*state)) for state in states}) == len(states)


def test_a_processor_that_is_not_known_is_named():
    with pytest.raises(ValueError, match="VAX"):
        pictures.tile_picture(1, 1, "VAX")


def test_every_state_of_the_rows_has_a_picture():
    states = {(3, 3, 3, pixel) for pixel in range(4)} | {(n, 3, 3, 0) for n in (1, 2)}
    states |= {(3, n, 3, 0) for n in (1, 2)} | {(3, 3, n, 0) for n in (1, 2)}
    assert len({drawn(pictures.row_picture(*state)) for state in states}) == len(states)


def test_the_other_pictures_say_what_they_show():
    chains = pictures.chains_picture({1: 1e9, 2: 2e9, 8: 4e9})
    shares = {(p, v): 0.5 for p in (1, 20) for v in (1, 2)}
    shapes = pictures.tile_shapes_picture(shares, host_isa())
    layers = pictures.layer_shares_picture([("cv1", 0.9, "25 pixels")])
    assert "knee: 4.0 chains" in words(pictures.chains_picture({1: 1e9, 4: 4e9}))
    assert "knee" in chains.alt and "1 to 20 pixels" in shapes.alt and "cv1" in layers.alt
    assert all(np.frombuffer(p.png, np.uint8).size for p in (chains, shapes, layers))
