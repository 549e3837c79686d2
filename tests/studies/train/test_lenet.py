"""LeNet-5 in PyTorch: its weights there and back, and that training learns."""

import pytest

from convladder.bench.libraries.lenet import into_torch
from convladder.networks import lenet
from studies.train.lenet import accuracy, from_torch, train


def test_into_torch_and_back(other_weights):
    pytest.importorskip("torch")
    for there, back in zip(other_weights, from_torch(into_torch(other_weights)), strict=True):
        assert (there == back).all()


def test_training_learns(capsys):
    pytest.importorskip("torch")
    network = train(lenet.images()[:1000], lenet.labels()[:1000], epochs=3)
    assert accuracy(network) > 0.4  # by chance: 0.1
    assert "epoch 3 of 3: mean loss" in capsys.readouterr().out
