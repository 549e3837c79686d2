"""Rungs on the processor: all images, odd counts, other weights, every width of vector."""

import numba
import numpy as np
import pytest

from convladder.cpu.isa import Isa
from convladder.networks import lenet
from convladder.networks.lenet.cpu import lanes
from convladder.networks.lenet.rungs import get_rung, rungs

from ...cpu.test_microkernel import ALL_ISA
from ...sampling import sampled
from .conftest import behind

pytestmark = pytest.mark.usefixtures("compiled", "poisoned_buffers")
RUNGS = rungs("cpu")
SLOW = ("lowered", "compiled")


@pytest.fixture(params=sampled(ALL_ISA, 1))
def isa(request, monkeypatch) -> Isa:
    """Tiles of another processor's; LLVM makes this one's instructions of them."""
    monkeypatch.setattr(lanes, "host_isa", lambda: request.param)
    return request.param


@pytest.mark.parametrize(
    "rung",
    [
        pytest.param(rung, id=rung.name, marks=[pytest.mark.weekly] * (rung.name in SLOW))
        for rung in RUNGS
    ],
)
def test_all_images(rung):
    before = lenet.images().copy()
    judgement = lenet.judge(rung.run(lenet.images()), rung.precision)
    assert judgement.ok, judgement.reason
    assert judgement.accuracy >= 0.989
    assert (lenet.images() == before).all()


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
@pytest.mark.parametrize("count", [1, 31, 155])
def test_other_images_and_weights(rung, count, noise, other_weights):
    images = noise[-count:].copy()
    labels = rung.run(images, other_weights)
    assert labels.shape == (count,)
    assert behind(labels, images, other_weights) < rung.precision


def test_lanes_of_every_width(isa, noise, other_weights):
    labels = get_rung("lanes").run(noise, other_weights)
    assert behind(labels, noise, other_weights) < 1e-3


def test_one_image_more_than_the_shipped():
    images = np.concatenate([lenet.images(), lenet.images()[:1]])
    labels = get_rung("lanes").run(images)
    assert labels.shape == (10_001,) and labels[-1] == labels[0]
    assert lenet.judge(labels[:-1], 1e-3).ok


def test_lanes_on_one_thread():
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        assert lenet.judge(get_rung("lanes").run(lenet.images()), 1e-3).ok
    finally:
        numba.set_num_threads(before)


def test_scratch_holds_what_a_block_writes():
    """The values that `label` counts up to, and the last logit is the last of them."""
    session = lanes.Lanes(lenet.images(), lenet.weights())
    room = lanes.aligned(session.sizes.scratch + 1000)
    room[:] = np.nan
    labels = np.empty(session.sizes.images, np.uint8)
    session._label(1, session.images.ctypes.data, room, labels.ctypes.data)
    written = session.sizes.scratch
    assert np.isfinite(room[:written]).all() and np.isnan(room[written:]).all()


def test_unknown_rungs_are_refused_and_known_ones_refuse_what_is_no_image():
    with pytest.raises(ValueError, match="no rung 'lane'; there are lowered, compiled"):
        get_rung("lane")
    for rung in RUNGS:
        with pytest.raises(TypeError, match="float64"):
            rung.session(lenet.images() / 255)
