"""Networks on the package's kernels: the same logits as the definition; whom the race times."""

import numpy as np
import pytest

from convladder.bench import int8 as speed
from convladder.networks import lenet
from convladder.networks.compress import lowrank, quantised, scores, store
from convladder.networks.compress import network as nets
from convladder.networks.compress.executor import FloatNetwork, Int8Network

IMAGES = lenet.images()[:60]


@pytest.mark.parametrize(
    "make",
    [lambda: store.float_network("pruned_channels"), lambda: lowrank.low_rank(nets.network(), 0.9)],
    ids=["fewer channels", "low rank"],
)
def test_float32_of_any_sizes(make):
    network = make()
    expected = nets.run(network, nets.pixels(IMAGES))
    np.testing.assert_allclose(FloatNetwork(network, 20).logits(IMAGES), expected, atol=1e-4)


@pytest.mark.parametrize("bits", [8, 4, 2])
def test_grids_of_fewer_bits_give_the_same_logits(bits):
    network = store.quantised_network(f"qat{bits}")
    np.testing.assert_array_equal(
        Int8Network(network, 20).logits(IMAGES), quantised.logits(network, IMAGES)
    )


def test_a_rest_of_images_is_refused():
    with pytest.raises(ValueError, match="60 images are not a multiple of the batch, 50"):
        FloatNetwork(nets.network()).logits(IMAGES)


def test_what_has_no_kernel_is_not_timed(monkeypatch):
    assert speed.labeller("qat4", 50) is None
    found = speed.compare_techniques(["qat4", "qat8", "student_told"], 50, budget=0.001)
    assert list(found.timings) == ["float32", "qat8", "student_told"]
    logits = speed.labeller("qat8", 50)()
    assert (logits.argmax(1) == lenet.labels()[:50]).mean() > 0.9


def test_every_technique_is_built_with_its_figures():
    made = scores.build("pruned_channels")
    assert [layer.w.shape[3] for layer in made.network] == [3, 8, 60, 42, 10]
    assert made.macs < lenet.MACS / 3 and made.bytes < 4 * nets.params(nets.network()) / 3
    assert scores.build("qat8").arithmetic == "int8"
    with pytest.raises(ValueError, match="no technique 'int5'"):
        scores.build("int5")
