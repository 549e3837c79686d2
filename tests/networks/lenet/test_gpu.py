"""Rungs on the GPU, or on the emulator: labels, logits, faults, and the traffic that each saves."""

import sys
from functools import cache
from itertools import product

import numpy as np
import pytest

from convladder import cuda
from convladder.networks import lenet
from convladder.networks.lenet.gpu import one_kernel, session
from convladder.networks.lenet.reference import logits
from convladder.networks.lenet.rungs import get_rung, rungs

from ...sampling import sampled
from .conftest import behind

pytestmark = pytest.mark.usefixtures("poisoned_buffers")
RUNGS = [rung for rung in rungs("gpu") if rung.emulated or cuda.gpu()]


@cache
def reports(name: str) -> list[cuda.Report]:
    """Of two images, which the emulator watches: a chunk each where there are chunks."""
    return get_rung(name).session(lenet.images()[:2]).traffic()


@pytest.mark.parametrize("rung", sampled(RUNGS, 8))
def test_labels_and_logits(rung):
    count = 3 if rung.name == "baseline" else 200
    some = lenet.images()[:count].copy()
    session = rung.session(some)
    first = session.run().copy()
    judgement = lenet.judge(first, rung.precision, some, lenet.labels()[:count])
    assert judgement.ok, judgement.reason
    assert judgement.accuracy > 0.95
    if session.answers.ndim == 2:
        assert np.abs(session.answers - logits(some, lenet.weights())).max() < 1e-4
    np.testing.assert_array_equal(session.run(), first)


@pytest.mark.parametrize(
    "rung, count", sampled([*product(RUNGS, (1, 35))], 8, "{0[0].name}-{0[1]}".format)
)
def test_other_images_and_weights(rung, count, noise, other_weights):
    images = noise[-count:].copy()
    assert behind(rung.run(images, other_weights), images, other_weights) < rung.precision


@pytest.mark.parametrize("rung", sampled([rung for rung in RUNGS if rung.emulated], 5))
def test_no_kernel_has_a_fault(rung):
    found = [fault for report in reports(rung.name) for fault in report.faults]
    assert not found, found[0]


def test_images_are_uploaded_anew_in_each_run():
    session = get_rung("one_kernel").session(lenet.images()[:20])
    before = session.run()
    session.host[...] = lenet.images()[20:40]
    after = session.run()
    assert (before == lenet.labels()[:20]).all() and (after == lenet.labels()[20:40]).all()


def sectors(name: str, kernels: slice = slice(None)) -> int:
    """Of global memory, read by so many kernels of a rung."""
    return sum(report.global_load_sectors for report in reports(name)[kernels])


CONVOLUTIONS = slice(0, 4, 2)


def test_a_tuned_convolution_reads_a_tenth():
    assert sectors("conv_tuned", CONVOLUTIONS) < sectors("batched", CONVOLUTIONS) / 10


def test_fused_layers_keep_their_maps_to_themselves():
    stored = [
        sum(report.global_store_sectors for report in reports(name))
        for name in ("fc_coalesced", "overlap_fused", "one_kernel")
    ]
    assert stored[1] < stored[0] / 4 and stored[2] <= 2
    assert len(reports("overlap_fused")) == 2 * 3 and len(reports("one_kernel")) == 2


@pytest.mark.weekly
def test_bytes_are_a_quarter_of_floats():
    loads = [reports(name)[0].global_load_bytes for name in ("one_kernel_floats", "one_kernel")]
    assert loads[0] - loads[1] == 3 * 784  # bytes saved for an image


@pytest.mark.parametrize("name", ["baseline", "bytes"])
def test_bad_images_are_refused(name):
    with pytest.raises(ValueError, match=r"\[count, 28, 28\]"):
        get_rung(name).session(np.zeros((2, 32, 32), np.uint8))


@pytest.mark.weekly
@pytest.mark.skipif(sys.platform != "linux", reason="NVIDIA's compiler is there for Linux only")
def test_two_blocks_of_the_one_kernel_share_a_multiprocessor():
    code = session.kernel("one_kernel.cu", "lenet<unsigned char>").inspect("sm_90")
    assert code.spill_bytes == 0
    assert code.occupancy(one_kernel.THREADS, one_kernel.BLOCK_SHARED_BYTES).blocks == 2
