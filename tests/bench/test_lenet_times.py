"""Records of the ladder: what ships, what was published, what a comparison becomes."""

import json

import pytest

from convladder.bench.lenet import compare_rungs
from convladder.bench.lenet_times import (
    ARITHMETIC,
    BYTES,
    COPY,
    LenetComparison,
    Times,
    recorded,
    rtx_2060,
    rtx_2060_profile,
)  # fmt: skip
from convladder.networks.lenet.rungs import get_rung, rungs
from convladder.teach.plots.lenet import SURPRISES

# nvprof's tables give each row's share; ours are made from its times. First rows, in order.
SHARES = [0.5243, 0.4680, 0.5716, 0.3665, 0.3544, 0.4111, 0.4447, 0.4250]


def test_a_gpu_has_timed_the_rungs_of_chapter_11():
    times = recorded()[0]
    names = set(SURPRISES)
    assert names <= set(times.seconds) and names <= set(times.device_seconds)
    for name in names:
        assert times.device_seconds[name] < times.seconds[name] < times.seconds["baseline"] * 1.01
        assert "99.29% right, 0 labels differ" in times.judged[name]
    assert times.seconds[BYTES] < times.seconds[COPY] < times.seconds["one_kernel_floats"]
    assert times.libraries[times.best_of("torch")] == "torch"
    assert times.best_of("onnxruntime") is None


def test_the_best_way_is_the_quickest_there_or_on_the_device():
    times = Times(
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


def test_a_folder_of_records(tmp_path):
    def write(name, date, device):
        (tmp_path / f"{name}.json").write_text(json.dumps({
            "date": date, "device": device, "images": 5, "machine": {"cpu": "C", "gpu": "G"},
            "rounds": {"lanes": [3.0, 1.0, 2.0]}, "device_seconds": {}, "libraries": {},
            "judged": {}}))  # fmt: skip

    write("old", "2026-01-01", "cpu")
    write("new", "2026-02-01", "cpu")
    write("other", "2026-03-01", "gpu")
    assert [times.label for times in recorded("cpu", tmp_path)] == [
        "C, recorded 2026-02-01",
        "C, recorded 2026-01-01",
    ]
    assert recorded("gpu", tmp_path)[0].label == "G, recorded 2026-03-01"
    assert recorded("cpu", tmp_path)[0].seconds == {"lanes": 2.0}


def test_a_comparison_as_times():
    result = compare_rungs([get_rung("lowered")], count=20, threads=1, budget=0.01)
    times = Times.of(result, "here")
    timings = result.comparison.timings
    assert times.seconds == {name: timings[name].median for name in ("lowered", ARITHMETIC)}
    assert times.label == "here" and times.images == 20 and "20 images" in times.judged["lowered"]


def test_what_was_not_timed_has_no_times():
    with pytest.raises(ValueError, match="nothing is timed on the emulator"):
        Times.of(LenetComparison("gpu", 3, {}, None, {}, {}, {}), "here")
