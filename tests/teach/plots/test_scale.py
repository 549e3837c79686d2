"""What the pictures of chapter 16 say, beside counts made another way."""

import math

import pytest

from convladder.networks.scale import cost
from convladder.teach.plots import scale_out
from convladder.teach.plots import scale_out as scaled


@pytest.mark.parametrize("workers, layers", [(2, 2), (3, 4)])
def test_rows_computed_twice(workers, layers):
    # Each cut costs a row on both sides for each layer below: 2·(0 + 1 + ... + layers-1).
    again = (workers - 1) * 2 * sum(range(layers))
    assert f": {again} rows are computed twice" in scale_out.bands_picture(workers, layers).alt
    exchanged = scale_out.bands_picture(workers, layers, halos="exchanged").alt
    assert "0 rows" in exchanged and f"{2 * (workers - 1) * (layers - 1)} messages" in exchanged


def test_a_pipeline_is_done_when_the_formula_says():
    assert "done at 7, where one worker needs 16" in scale_out.bubbles_picture(4, 4).alt


def test_the_four_ways_are_drawn():
    assert "bands of rows" in scale_out.ways_picture(3).alt


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


def test_a_contest_is_drawn():
    found = {"workers": 2, "alone": [1.0, 1.1, 1.2], "runs": {"images": RUN}}
    assert "images on 2 workers" in scale_out.cuts_race_picture(found, 16).alt
    assert (
        "over photos" in scale_out.gain_curve_picture([(1, 0.5, 0.4), (2, 1.2, 1.1)], "photos").alt
    )


def test_records_in_tables(monkeypatch):
    monkeypatch.setattr(scaled, "load_records", lambda kind: [])
    assert "no record" in repr(scaled.several_gpus_table("digits")) + repr(scaled.teams_table())
    assert "no record" in scaled.several_gpus_picture().alt
    assert math.isnan(scaled.several_gpus_gain("LeNet-5, 1,000 digits", 2))
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
    assert scaled.several_gpus_table("digits").cells[1] == [
        "LeNet-5, 1,000 digits",
        "2",
        "600.000 ms",
        "800.000 ms",
        "2.00",
        "1.50",
    ]
    assert round(scaled.several_gpus_gain("LeNet-5, 1,000 digits", 2), 6) == 1.5
    with pytest.raises(ValueError, match="on 4 GPUs was not recorded"):
        scaled.several_gpus_gain("LeNet-5, 1,000 digits", 4)
    assert "1 kinds of work" in scaled.several_gpus_picture().alt
    assert scaled.teams_table().cells == [["by images", "2", "0.60 s", "0.90 s", "2.00"]]


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
