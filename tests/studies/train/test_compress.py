"""Training with rounding in the loop: what PyTorch computes is what the integers will."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from convladder.networks.compress.grids import fake_quantise, grid

torch = pytest.importorskip("torch", reason="needs the extra train")

IMAGES = lenet.images()[:200]


@pytest.fixture(scope="module")
def train():
    from studies.train import compress as train

    return train


def test_fake_rounds_forward_and_passes_the_slope_back():
    x = torch.linspace(-1, 2, 301, requires_grad=True)
    made = grid(0, 1, 4)
    y = fake_quantise(x, float(made.scale), 0, 15)
    np.testing.assert_allclose(y.detach(), made.round_trip(x.detach().numpy()), atol=1e-6)
    y.sum().backward()
    inside = (x > 0) & (x < 1)
    assert (x.grad[inside] == 1).all() and (x.grad[(x < 0) | (x > 1)] == 0).all()


@pytest.mark.parametrize("bits", [8, 4])
def test_rounding_in_training_is_that_of_the_integers(train, bits):
    from studies.train.networks_in_torch import into_torch

    layers = nets.network()
    found = quantised.ranges(layers, IMAGES, "entropy", bits)
    integers = quantised.logits(quantised.quantise(layers, found, bits=bits), IMAGES)
    x = torch.from_numpy(nets.pixels(IMAGES)).permute(0, 3, 1, 2)
    with torch.inference_mode():
        ours = train.quantised_forward(into_torch(layers), x, found, bits).numpy()
    assert (ours.argmax(1) == integers.argmax(1)).mean() > 0.99
    # The bias is rounded too, and what lies between two steps may go either way.
    assert np.abs(ours - integers).mean() < 0.01 * (9 - bits) * np.abs(ours).mean()
