"""Rungs beside libraries, and the command that prints them."""

import numpy as np
import pytest

from convladder import cuda
from convladder.bench import lenet as bench
from convladder.bench.lenet import (
    ARITHMETIC,
    LenetComparison,
    compare_rungs,
)
from convladder.bench.libraries import Library
from convladder.networks.lenet.rungs import get_rung


def right(count: int) -> np.ndarray:
    return get_rung("lanes").run(bench.images()[:count])


@pytest.fixture
def libraries(monkeypatch):
    """One that is right, one that is quick, one that is broken."""

    def broken():
        raise RuntimeError("no compiler\nand more")

    found = [
        Library("torch, broken", "torch", broken),
        Library("torch, right", "torch", lambda: right(100)),
        Library("torch, wrong", "torch", lambda: np.zeros(100, np.int64)),
    ]
    monkeypatch.setattr(bench, "peers", lambda *args: found)


def test_what_is_wrong_is_not_timed(libraries):
    result = compare_rungs([get_rung("lanes")], count=100, threads=1, with_peers=True, budget=0.01)
    assert result.wrong == ("torch, wrong",) and "torch, right" in result.judged
    assert set(result.comparison.timings) == {"lanes", "torch, right", ARITHMETIC}
    assert result.libraries == {"torch, right": "torch", "torch, wrong": "torch"}
    assert result.absent == {"torch, broken": "RuntimeError: no compiler"}
    seconds = result.comparison.timings["lanes"].median
    assert result.flops_per_s("lanes") == pytest.approx(2 * 281_640 * 100 / seconds)
    assert result.share_of_peak("lanes") == result.comparison.ratio(ARITHMETIC, "lanes")


def test_the_emulator_judges_and_times_nothing():
    if cuda.gpu():
        pytest.skip("there is a GPU")
    result = compare_rungs([get_rung("bytes")], count=20, with_peers=True)
    assert not result.wrong and "20 images" in result.judged["bytes"]
    assert (result.seconds, result.comparison) == ({}, None)
    assert (result.device_seconds, result.libraries) == ({}, {})


def test_the_best_way_is_the_quickest_there_or_on_the_device():
    seconds, on_device = {"x": 2.0, "y": 1.0, "mine": 0.5}, {"x": 0.1, "y": 0.2}
    of_torch = dict.fromkeys("xyz", "torch")
    times = LenetComparison("a", "gpu", 1, seconds, on_device, libraries=of_torch)
    assert times.best_of("torch") == "y" and times.best_of("torch", on_device=True) == "x"
