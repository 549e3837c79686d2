"""The network in other libraries is the same network; only where they are installed."""

import numpy as np
import pytest

from convladder import lenet
from convladder.bench.libraries.lenet import peers


def test_into_torch_and_back(other_weights):
    pytest.importorskip("torch")
    from convladder.lenet.train import from_torch, into_torch

    for there, back in zip(other_weights, from_torch(into_torch(other_weights)), strict=True):
        assert (there == back).all()


def test_libraries_label_as_the_reference_does(noise, other_weights):
    found = peers(noise, other_weights, "cpu", 1)
    if not found:
        pytest.skip("neither PyTorch nor ONNX Runtime is installed")
    expected = lenet.logits(noise, other_weights)
    best = expected.max(axis=1)
    for peer in found:
        assert (best - expected[np.arange(len(noise)), peer.run()]).max() < 1e-3, peer.name


def test_training_learns(capsys):
    pytest.importorskip("torch")
    from convladder.lenet.train import accuracy, train

    network = train(lenet.images()[:1000], lenet.labels()[:1000], epochs=3)
    assert accuracy(network) > 0.4  # by chance: 0.1
    assert "epoch 3 of 3: mean loss" in capsys.readouterr().out
