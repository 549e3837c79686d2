"""Chapters 18 and 99: what the pictures say, beside counts made another way."""

import pytest

from convladder.bench import gpu_cut_gain
from convladder.bench.lenet import lenet_records
from convladder.bench.records import load_records
from convladder.networks.scale import CUTS
from convladder.teach.plots import scale_out, technique_map


@pytest.mark.parametrize("workers, layers", [(2, 2), (3, 4)])
def test_rows_computed_twice(workers, layers):
    # Each cut costs a row on both sides for each layer below: 2·(0 + 1 + ... + layers-1).
    again = (workers - 1) * 2 * sum(range(layers))
    assert f": {again} rows are computed twice" in scale_out.bands_picture(workers, layers).alt
    exchanged = scale_out.bands_picture(workers, layers, halos="exchanged").alt
    assert "0 rows" in exchanged and f"{2 * (workers - 1) * (layers - 1)} messages" in exchanged


def test_predicted_speedups_go_with_the_links():
    slow = scale_out.predicted_speedups(64, "100 MB/s", "10 ms")
    fast = scale_out.predicted_speedups(64, "400 GB/s", "10 µs")
    assert set(slow) == set(CUTS)
    assert all(a[7] < b[7] for a, b in zip(slow.values(), fast.values()))
    assert fast["images"][7] == pytest.approx(8, rel=0.02)
    assert max(fast["layers"]) < 4  # a layer is not cut


def test_cuts_are_compared_with_one_gpu():
    parts = {"send": 1e-3, "compute": 3e-3, "exchange": 0.0, "collect": 0.0}
    record = {
        "date": "2026-01-02", "card": {"gpu": "A GPU"}, "versions": {"nccl": "2"},
        "link": {"latency": 1e-5, "bandwidth": 4e11}, "sizes": {"photos": 8},
        "cuts": [
            {"what": "images", "type": "float32", "gpus": n, "predicted": parts, "seconds": [took]}
            for n, took in ((1, 8e-3), (2, 5e-3))
        ],
    }  # fmt: skip
    assert scale_out.gpu_cuts_table(record).cells == [
        ["by images", "float32", "2", "4.00 ms", "5.00 ms", "2.00", "1.60"]
    ]
    assert gpu_cut_gain(record, "images", "float32") == 1.6


def test_each_says_what_it_saves_and_where_its_figure_is_from():
    for way in technique_map.MAP:
        assert way.saves and set(way.saves) <= set(technique_map.SAVES) and way.reach
        assert way.kind in technique_map.KINDS
        assert bool(way.source) == (way.kind in ("cited", "recorded")), way.name
        assert way.chapter is not None or way.kind == "cited", way.name


def test_recorded_figures_are_those_of_the_newest_records():
    for kind, source in (
        ("lenet", technique_map.LENET),
        ("scale", technique_map.SCALE),
        ("steps", technique_map.STEPS),
    ):
        day = next(
            record["date"]
            for record in load_records(kind)
            if "NVIDIA H200" in str(record.get("card", record.get("machine")))
        )
        assert source == f"NVIDIA H200, {day}"
    figures = {way.name: way.figure for way in technique_map.MAP}
    best = min(times.seconds["tensor_core"] for times in lenet_records())
    assert figures["GPU"].endswith(f"in {1e3 * best:.2f} ms")
    ladder = load_records("steps")[0]["ladder"]
    gain = ladder["gpu_naive"]["seconds"] / ladder["gpu_vectorised"]["seconds"]
    assert f"1/{gain:.0f} of the time" in figures["cache optimisation"]
