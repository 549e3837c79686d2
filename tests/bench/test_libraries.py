"""The network in other libraries is the same network; only where they are installed."""

import logging
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from convladder.bench.libraries import pytorch
from convladder.bench.libraries.lenet import peers
from convladder.networks import lenet


def speak(what: str) -> None:
    """In each way in which PyTorch's compiler tells of its search."""
    print(what, file=sys.stderr)
    logging.getLogger("torch").error(what)
    os.write(2, what.encode())
    subprocess.run(["sh", "-c", f"echo {what} >&2"], check=True)


def test_what_a_compiler_says_is_not_heard(capfd, monkeypatch):
    def compiled(network, mode):
        def call(x):
            speak(f"noise {mode}")
            return network(x)

        return call

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(compile=compiled))
    call = pytorch.compiled(lambda x: x + 1, mode="loud")
    assert call(1) == 2 and "noise" not in capfd.readouterr().err
    assert call(2) == 3, "only the first call searches; later ones may speak"
    assert capfd.readouterr().err.count("noise loud") >= 3


def test_libraries_label_as_the_reference_does(noise, other_weights):
    found = peers(noise, other_weights, "cpu", 1)
    if not found:
        pytest.skip("neither PyTorch nor ONNX Runtime is installed")
    expected = lenet.logits(noise, other_weights)
    best = expected.max(axis=1)
    for peer in found:
        assert (best - expected[np.arange(len(noise)), peer.run()]).max() < 1e-3, peer.name
