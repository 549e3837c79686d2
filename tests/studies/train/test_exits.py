"""Training the heads of the second way out."""

import json

import numpy as np
import pytest

from convladder.networks import lenet
from studies.train import exits


def test_training_learns(tmp_path, monkeypatch):
    """On test images, so as to need nothing else: a head gets better than chance, and is saved."""
    pytest.importorskip("torch")
    monkeypatch.setattr(exits, "EPOCHS", 1)
    for name, array in (
        ("train-images-idx3-ubyte", lenet.images()[:3000]),
        ("train-labels-idx1-ubyte", lenet.labels()[:3000]),
    ):
        head = bytes((0, 0, 8, array.ndim)) + np.array(array.shape, ">i4").tobytes()
        (tmp_path / name).write_bytes(head + array.tobytes())
    exits.main([str(tmp_path), str(tmp_path)])
    how = json.loads((tmp_path / "exits.json").read_text())
    assert min(how["test_accuracy"].values()) > 0.5
    assert np.load(tmp_path / "exits.npz")["w1"].shape == (864, 10)
