"""Chapters 18 and 99: what the pictures say, beside counts made another way."""

import pytest

from convladder import ConvProblem
from convladder.bench.lenet import lenet_records
from convladder.bench.records import load_records
from convladder.core.winograd_transforms import matrices
from convladder.networks.compress import network, nvfp4, sqnr, store, weight_grid
from convladder.networks.memory import cache_bytes
from convladder.networks.scale import cost, photo_network, stages, training_memory
from convladder.networks.scale.partition import halo_rows
from convladder.teach.plots import scale_out
from convladder.teach.plots import scale_out as scaled
from convladder.teach.plots import scale_out as techniques


@pytest.mark.parametrize("workers, layers", [(2, 2), (3, 4)])
def test_rows_computed_twice(workers, layers):
    # Each cut costs a row on both sides for each layer below: 2·(0 + 1 + ... + layers-1).
    again = (workers - 1) * 2 * sum(range(layers))
    assert f": {again} rows are computed twice" in scale_out.bands_picture(workers, layers).alt
    exchanged = scale_out.bands_picture(workers, layers, halos="exchanged").alt
    assert "0 rows" in exchanged and f"{2 * (workers - 1) * (layers - 1)} messages" in exchanged


def test_a_pipeline_is_done_when_the_formula_says():
    assert "done at 7, where one worker needs 16" in scale_out.bubbles_picture(4, 4).alt


def test_predicted_speedups_go_with_the_links():
    slow = scale_out.predicted_speedups(64, "100 MB/s", "10 ms")
    fast = scale_out.predicted_speedups(64, "400 GB/s", "10 µs")
    assert set(slow) == set(cost.WAYS)
    assert all(a[7] < b[7] for a, b in zip(slow.values(), fast.values()))
    assert fast["images"][7] == pytest.approx(8, rel=0.02)
    assert max(fast["layers"]) < 4  # a layer is not cut
    assert "16 workers" in scale_out.speedup_picture().alt


RUN = {
    "predicted": {"send": 0.1, "compute": 0.4, "exchange": 0.0, "collect": 0.1},
    "seconds": [0.8, 0.9, 1.0],
}


def test_records_in_tables(monkeypatch):
    runs = [
        {"what": "digits, 1000", "gpus": n, "predicted": RUN["predicted"], "seconds": [seconds]}
        for n, seconds in ((1, 1.2), (2, 0.8))
    ]
    gpus = {
        "date": "2026-01-02",
        "card": {"gpu": "A GPU"},
        "versions": {"nccl": "2.0"},
        "link": {"latency": 1e-5, "bandwidth": 4e11},
        "runs": runs,
    }
    card = {"cpu": "A CPU", "isa": "AVX2", "cores": 2}
    teams = {
        "date": "2026-01-02",
        "machine": card,
        "images": 16,
        "teams": [{"workers": 2, "alone": [1.8, 1.8, 1.8], "runs": {"images": RUN}}],
    }
    monkeypatch.setattr(scaled, "load_records", lambda kind: [gpus, teams])
    assert scaled.several_gpus_table().cells == [["LeNet-5, 1,000 digits", "2.00", "1.50"]]
    assert scaled.teams_table().cells == [["by images", "2", "0.60 s", "0.90 s", "2.00"]]


def test_a_record_of_several_gpus_in_tables():
    timed = {"predicted": 2e-3, "seconds": [1e-3]}
    parts = {"send": 1e-3, "compute": 3e-3, "exchange": 0.0, "collect": 0.0}
    record = {
        "date": "2026-01-02",
        "card": {"gpu": "A GPU"},
        "versions": {"nccl": "2"},
        "link": {"latency": 1e-5, "bandwidth": 4e11},
        "sizes": {"photos": 8},
        "collectives": [
            {"what": name, "gpus": 2, "bytes": 4096, **timed} for name in scaled.COLLECTIVES
        ],
        "cuts": [
            {"what": "images", "type": "float32", "gpus": n, "predicted": parts, "seconds": [took]}
            for n, took in ((1, 8e-3), (2, 5e-3))
        ],
    }
    assert scaled.collectives_table(record, [4096]).cells == [
        ["4 KiB", "2", *["2.00 ms", "1.00 ms"] * 3]
    ]
    assert scaled.collective_us(record, "all-gather", 4096) == 1000
    assert scaled.gpu_cuts_table(record).cells == [
        ["by images", "float32", "2", "4.00 ms", "5.00 ms", "2.00", "1.60"]
    ]
    assert scaled.gpu_cut_gain(record, "images", "float32") == 1.6


def test_rates_and_traffic_in_tables():
    link = cost.Link(0.001, 2e9)
    assert scaled.rates_table(cost.Rates((0.1,), link, link, link, 0.002)).cells[0] == [
        "here to a worker",
        "1.00 ms",
        "2.00 GB/s",
    ]
    assert scaled.cuts_traffic_table({"images": cost.CutTraffic(100, 0, 50)}).cells == [
        ["by images", "100 bytes", "0 bytes", "50 bytes", "150 bytes"]
    ]


def test_each_says_what_it_saves_and_where_its_figure_is_from():
    for way in techniques.MAP:
        assert way.saves and set(way.saves) <= set(techniques.SAVES) and way.reach
        assert way.kind in techniques.KINDS
        assert bool(way.source) == (way.kind in ("cited", "recorded")), way.name
        assert way.chapter is not None or way.kind == "cited", way.name


def test_counted_figures_are_right():
    made = store.shipped()
    assert (made["qat2"]["test_accuracy"], made["qat3"]["test_accuracy"]) == (0.96, 0.9914)
    assert made["pruned_tenth"]["test_accuracy"] == 0.9738
    assert round(made["pruned_two_of_four"]["test_accuracy"], 3) == 0.993
    plain = ConvProblem.parse("56x56x128,3x3x128,s1,p1")
    light = (
        128 * ConvProblem.parse("56x56x1,3x3x1,s1,p1").macs
        + ConvProblem.parse("56x56x128,1x1x128").macs
    )
    assert round(plain.macs / light, 1) == 8.4
    assert (len(matrices(4, 3).BT) ** 2, (4 * 3) ** 2) == (36, 144)
    photos = photo_network()
    halves = [
        sum(w.size for w in photos.weights[run.start : run.stop])
        for run in stages([p.macs for p in photos.problems], 2)
    ]
    assert max(halves) < sum(halves)
    assert halo_rows(photos.problems[0], 2) == 2
    shared, alone = (cache_bytes(80, heads, 128, 8192) / 1e9 for heads in (8, 64))
    assert (round(shared, 1), round(alone, 1)) == (2.7, 21.5)
    held = [training_memory(7_500_000_000, 64, stage).total / 1e9 for stage in (0, 3)]
    assert (held[0], round(held[1], 1)) == (120, 1.9)
    w = network.network()[2].w
    blocks = sqnr(w, nvfp4(w)), sqnr(w, weight_grid(w, 4, group=32).round_trip(w))
    assert [round(each, 1) for each in blocks] == [20.5, 19.9]


def test_recorded_figures_are_those_of_the_newest_records():
    for kind, source in (
        ("lenet", techniques.LENET),
        ("scale", techniques.SCALE),
        ("steps", techniques.STEPS),
    ):
        day = next(
            record["date"]
            for record in load_records(kind)
            if "NVIDIA H200" in str(record.get("card", record.get("machine")))
        )
        assert source == f"NVIDIA H200, {day}"
    figures = {way.name: way.figure for way in techniques.MAP}
    best = min(times.seconds["tensor_core"] for times in lenet_records())
    assert figures["GPU"].endswith(f"in {1e3 * best:.2f} ms")
    ladder = load_records("steps")[0]["ladder"]
    gain = ladder["gpu_naive"]["seconds"] / ladder["gpu_vectorised"]["seconds"]
    assert f"1/{gain:.0f} of the time" in figures["cache optimisation"]
