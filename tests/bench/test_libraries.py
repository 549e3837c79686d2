"""The network in other libraries is the same network; only where they are installed."""

import numpy as np
import pytest

from convladder.bench.libraries.lenet import peers
from convladder.networks import lenet


def test_libraries_label_as_the_reference_does(noise, other_weights):
    found = peers(noise, other_weights, "cpu", 1)
    if not found:
        pytest.skip("neither PyTorch nor ONNX Runtime is installed")
    expected = lenet.logits(noise, other_weights)
    best = expected.max(axis=1)
    for peer in found:
        assert (best - expected[np.arange(len(noise)), peer.run()]).max() < 1e-3, peer.name
