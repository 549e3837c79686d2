"""Tables of launch costs: one column or row for each machine, named with its day."""

from math import isnan

import pytest

from convladder.teach.plots import first_kernels

QUARTILES = [1e-6, 2e-6, 3e-6]
KERNEL = {"returns": QUARTILES, "done": [9e-6] * 3, "events": [4e-6] * 3, "bytes": 8_000_000}
RECORD = {
    "date": "2026-11-21",
    "card": {"gpu": "NVIDIA Test"},
    "first": 0.25,
    "empty": {"returns": QUARTILES, "done": [8e-6] * 3, "in_a_row": 1.5e-6, "waiting": 6.9e-6},
    "copy_bytes_per_s": 4e12,
    "kernels": dict.fromkeys(("im2col's lowering", "MEC's lowering"), KERNEL),
}


@pytest.fixture
def runs(monkeypatch):
    monkeypatch.setattr("convladder.cuda.gpu", lambda: False)
    monkeypatch.setattr(first_kernels, "load_records", lambda kind: [RECORD])
    return first_kernels.launch_runs()


def test_a_record_carries_machine_and_day(runs):
    assert list(runs) == ["NVIDIA Test, recorded 2026-11-21"]


def test_a_live_run_comes_first_and_is_told_apart(monkeypatch):
    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr("convladder.gpu.first_kernels.report_kernels", dict)
    monkeypatch.setattr(first_kernels, "measure", lambda: RECORD)
    monkeypatch.setattr(first_kernels, "load_records", lambda kind: [RECORD])
    assert list(first_kernels.launch_runs()) == [
        "NVIDIA Test, here",
        "NVIDIA Test, recorded 2026-11-21",
    ]


def test_costs(runs):
    cells = first_kernels.costs_table(runs).cells
    assert [row[1] for row in cells] == ["2.00 µs", "8.00 µs", "1.50 µs", "6.90 µs", "250 ms"]
    assert first_kernels.microseconds(runs, "the call returns after") == 2.0


def test_stopwatches_and_rates(runs):
    assert first_kernels.stopwatch_table(runs).cells[0][2:] == ["2.00 µs", "9.00 µs", "4.00 µs"]
    assert first_kernels.lowering_table(runs).cells[1][2:] == [
        "7.63 MiB",
        "4.00 µs",
        "2,000 GB/s",
        "50%",
    ]


def test_overhead(runs):
    told = first_kernels.overhead_sentence(runs, launches=2, seconds=0.690e-3)
    assert "13.8 µs, 2.0% of 690 µs" in told


def test_without_any_record_each_says_so():
    for made in (
        first_kernels.costs_table,
        first_kernels.stopwatch_table,
        first_kernels.lowering_table,
    ):
        assert made({}).caption == first_kernels.absent("launches")
    assert first_kernels.overhead_sentence({}, 2, 1e-3) == first_kernels.absent("launches")
    assert isnan(first_kernels.microseconds({}, "the call returns after"))
