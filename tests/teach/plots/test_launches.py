"""Chapter 07: what a launch costs."""

from math import isnan

from convladder.teach.plots import launches

KERNEL = {"returns": [2e-6] * 3, "done": [9e-6] * 3, "events": [4e-6] * 3, "bytes": 8_000_000}
RECORD = {
    "date": "2026-11-21",
    "card": {"gpu": "NVIDIA Test"},
    "empty": {"returns": [2e-6] * 3, "done": [8e-6] * 3, "in_a_row": 1.5e-6, "waiting": 6.9e-6},
    "copy_bytes_per_s": 4e12,
    "kernels": dict.fromkeys(("im2col's lowering", "MEC's lowering"), KERNEL),
}


def test_a_live_run_comes_first_and_is_told_apart(monkeypatch):
    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr("convladder.gpu.first_kernels.report_kernels", dict)
    monkeypatch.setattr(launches, "measure", lambda: RECORD)
    monkeypatch.setattr(launches, "load_records", lambda kind: [RECORD])
    assert list(launches.launch_runs()) == [
        "NVIDIA Test, here",
        "NVIDIA Test, recorded 2026-11-21",
    ]


def test_shares_of_time_and_of_a_copy():
    runs = {"a GPU": RECORD}
    told = launches.overhead_sentence(runs, launches=2, seconds=0.690e-3)
    assert "13.8 µs, 2.0% of 690 µs" in told
    assert launches.lowering_table(runs).cells[0][2:] == [
        "7.63 MiB", "4.00 µs", "2,000 GB/s", "50%",
    ]  # fmt: skip


def test_without_any_record_each_says_so():
    for made in (
        launches.costs_table,
        launches.stopwatch_table,
        launches.lowering_table,
    ):
        assert made({}).caption == launches.absent("launches")
    assert launches.overhead_sentence({}, 2, 1e-3) == launches.absent("launches")
    assert isnan(launches.microseconds({}, "the call returns after"))
