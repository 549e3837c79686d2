"""Rungs beside libraries, and the command that prints them."""

import numpy as np
import pytest

from convladder import cuda
from convladder.bench import lenet as bench
from convladder.bench.lenet import (
    ARITHMETIC,
    LenetComparison,
    compare_rungs,
    rtx_2060,
    rtx_2060_profile,
)
from convladder.bench.libraries import Library
from convladder.networks.lenet.rungs import get_rung, rungs


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
    assert (
        not result.seconds
        and result.comparison is None
        and not result.device_seconds
        and not result.libraries
    )


# nvprof's tables give each row's share; ours are made from its times. First rows, in order.
SHARES = [0.5243, 0.4680, 0.5716, 0.3665, 0.3544, 0.4111, 0.4447, 0.4250]


def test_the_best_way_is_the_quickest_there_or_on_the_device():
    times = LenetComparison(
        "a",
        "gpu",
        1,
        {"x": 2.0, "y": 1.0, "mine": 0.5},
        {"x": 0.1, "y": 0.2},
        libraries={"x": "torch", "y": "torch", "z": "torch"},
    )
    assert times.best_of("torch") == "y" and times.best_of("torch", on_device=True) == "x"


def test_the_rtx_2060s_profiles_are_its_tables():
    found = [rung.name for rung in rungs("gpu")][:8]
    for name, share in zip(found, SHARES, strict=True):
        profile = rtx_2060_profile(name)
        assert profile.share(profile.device[0].name) == pytest.approx(share, abs=6e-5)
        assert profile.wall[1] == rtx_2060().seconds[name]
        kinds = [row.kind for row in profile.device]
        assert kinds.count("upload") == kinds.count("download") == 1
        assert {row.kind for row in profile.calls} == {"call"}
    calls = rtx_2060_profile("baseline").calls
    (launches,) = (row for row in calls if row.name == "cudaLaunchKernel")
    assert launches.calls == 70_000 and launches.mean == pytest.approx(5.225e-6, rel=1e-3)
    with pytest.raises(ValueError, match="no profile of 'graph'; there is baseline"):
        rtx_2060_profile("graph")
