"""What several GPUs do, rehearsed by processes on the CPU; where torch is installed."""

import numpy as np
import pytest

from convladder.networks.scale import cost, photo_network
from studies.gpu import several_gpus as record
from studies.gpu.cuts import CUTS, Layers
from studies.gpu.group import run

SMALL = record.RunSizes(arrays=(4, 4 * 1001), photos=5, side=20, methods=(("im2col", "float32"),))


def cut_by_all(group):
    """Return the largest difference from the whole, of each cut."""
    import torch

    layers = Layers(photo_network(20), 5, "im2col", torch.float32, group)
    x = np.random.default_rng(1).standard_normal((5, 20, 20, 3), np.float32)
    x = None if group.rank else torch.from_numpy(x)
    found = {name: cut(group, layers, x) for name, cut in CUTS.items()}
    if group.rank == 0:
        right = layers.all(x)
        return {name: float((y - right).abs().max()) for name, y in found.items()}


def wrong_sum(group):
    """Judge a collective that gives this process another piece than its own."""
    group.rank = 0
    record.collective("reduce-scatter", group, 4004)


@pytest.fixture(autouse=True)
def torch():
    return pytest.importorskip("torch")


@pytest.mark.parametrize("count", [1, 3])
def test_every_cut_gives_what_one_process_does(count):
    found = run(cut_by_all, count, backend="gloo")[0]
    assert set(found) == set(CUTS) and max(found.values()) < 1e-5


def test_a_wrong_piece_is_found():
    with pytest.raises(RuntimeError, match="reduce-scatter of 4,004 bytes is wrong"):
        run(wrong_sum, 2, backend="gloo")


def test_a_wrong_value_is_found(torch):
    right = torch.ones(2, 3)
    assert record._judge("it", "float32", right, right) == 0
    for spoiled in (1.002, float("nan")):
        with pytest.raises(RuntimeError, match="times the error"):
            record._judge("it", "float32", right * spoiled, right)


def test_predictions_from_one_gpu_and_a_link():
    link, layers = cost.Link(0.0, 1e6), [1.0] * 6
    photo = 4 * 3 * 20 * 20
    images = record.predicted("images", "float32", SMALL, 2, layers, link)
    assert images.compute == pytest.approx(6 * 3 / 5)
    assert images.send == pytest.approx(5 * photo / 2 / 1e6)
    half = record.predicted("channels", "float16", SMALL, 2, layers, link)
    assert half.send == pytest.approx(5 * photo / 2 / 1e6)  # all of it, at half the bytes
    pairs = record.predicted("alternating channels", "float32", SMALL, 2, layers, link)
    assert pairs.compute == pytest.approx(3.0)
    assert pairs.exchange == pytest.approx(5 * 4 * (10 * 10 * 64 + 5 * 5 * 128) / 1e6)
