"""Records of compiled networks as tables: with machine and day, ours as the measure."""

from convladder.bench.compiled import WHOLE, NetworkComparison, cpu_records
from convladder.teach.plots import compilers
from convladder.teach.reports import compiled_gpu_records


def test_a_table_is_sorted_and_measured_by_ours():
    rounds = {"compiled": (4.0, 4.0), "onnxruntime": (2.0, 2.0), "torch.compile": (6.0, 6.0)}
    result = NetworkComparison(
        "skip", 1, 1, 2, rounds, dict.fromkeys(rounds, 2e-7), {"onnxruntime": "onnxruntime"}, {}
    )
    shown = compilers.compiled_table([result], "here, today")
    assert [row[1] for row in shown.cells] == ["onnxruntime", "compiled", "torch.compile"]
    assert [row[3] for row in shown.cells] == ["0.50 times ours", "", "1.50 times ours"]
    assert shown.caption == "here, today" and shown.cells[0][0] == "skip, 1 image"
    whole = NetworkComparison("lenet", 9, 3, 2, {WHOLE: (1.0,), **rounds}, {}, {}, {})
    assert compilers.subject(whole) == WHOLE


def test_what_is_shipped_says_where_and_when():
    assert cpu_records() and compiled_gpu_records()
    for where, contests in compilers.compiled_records():
        assert "recorded 20" in where and "onnxruntime " in where
        assert {c.network for c in contests} == {"lenet", "skip", "depthwise"}
        assert all(c.error[name] <= 1e-5 for c in contests for name in c.rounds)
    for name in ("lenet", "skip", "depthwise"):
        assert "NVIDIA H200, recorded 20" in compilers.compiled_gpu_table(name).caption


def test_no_record_of_a_gpu(monkeypatch):
    monkeypatch.setattr(compilers, "compiled_gpu_records", lambda: [])
    assert "No record of a GPU" in compilers.compiled_gpu_table("lenet")
