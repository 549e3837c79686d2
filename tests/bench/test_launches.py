"""Launch costs: refused without a GPU, and records complete."""

import json

import pytest

from convladder import cuda
from convladder.bench import launches
from convladder.bench.records import load_records


@pytest.mark.skipif(cuda.gpu(), reason="there is a GPU here")
def test_without_a_gpu_nothing_is_timed():
    with pytest.raises(RuntimeError, match="no NVIDIA GPU here"):
        launches.measure({})


def test_records_come_newest_first(tmp_path):
    for name, date in (("a", "2026-01-02"), ("b", "2026-11-21"), ("c", "2025-12-31")):
        (tmp_path / f"{name}.json").write_text(json.dumps({"date": date}))
    dates = [record["date"] for record in load_records(tmp_path)]
    assert dates == ["2026-11-21", "2026-01-02", "2025-12-31"]


def test_the_courses_records_are_complete_and_possible():
    for record in launches.recorded():
        assert record["card"]["gpu"] and record["date"] >= "2026-11-21"
        for cost in (record["empty"], record["cupy"], *record["kernels"].values()):
            for low, median, high in (cost["returns"], cost["done"]):
                assert 0 < low <= median <= high
            assert cost["returns"][1] < cost["done"][1]
        assert record["first"] > record["empty"]["done"][1]
        assert set(record["kernels"]) == {
            "im2col's lowering",
            "MEC's lowering",
            "direct, down the image",
            "direct, along the channel",
        }
