"""Tables on made-up records, and the ledger."""

import pytest

from convladder.bench import languages
from convladder.teach import reports
from convladder.teach.plots import gpu_memory, tensor_cores
from convladder.teach.reports import Ledger, percent

CARD = {"card": {"gpu": "a GPU"}, "date": "today"}


def test_languages_are_compared_with_cuda(monkeypatch):
    run = {
        **CARD,
        "layer": "a layer",
        "flops": 2e9,
        "absent": {"CuTe DSL": "no module"},
        "issue": {"CUDA C++": 1e-5, languages.BEST: 4e-4},
        "seconds": {"CUDA C++": {"seconds": 1e-3}, languages.BEST: {"seconds": 5e-4}},
    }
    monkeypatch.setattr(languages, "here", lambda: run)
    monkeypatch.setattr(tensor_cores, "load_records", lambda kind: [run])
    shown = reports.languages_table(reports.languages_run())
    assert shown.cells[0][1:] == ["1.00 ms", "2.00", "1.00"]
    assert shown.cells[1][0] == "chapter 10's implicit GEMM, at most"
    assert shown.cells[1][3] == "0.50"
    assert shown.cells[2][:2] == ["CuTe DSL", "not installed here"]
    assert "convladder record --languages" in str(reports.languages_table(None))


def test_small_kernels_have_a_share_of_a_copy(monkeypatch):
    found = {"warps": {"seconds": 1e-3, "bytes": 1_000_000_000}}
    record = {**CARD, "bytes_per_s": 4e12, "sums": found}
    monkeypatch.setattr(gpu_memory, "load_records", lambda kind: [record])
    assert reports.small_kernels_table("sums").cells == [["warps", "1.00 ms", "1,000 GB/s", "25%"]]
    found["slow"] = {"seconds": 1.0, "bytes": 1_000_000_000}
    found["warps"]["bytes"] = 1_000_000  # nothing here is about memory any more
    assert reports.small_kernels_table("sums").cells[1] == ["slow", "1.00 s", "1000.00"]
    monkeypatch.setattr(gpu_memory, "load_records", lambda kind: [])
    assert "No GPU has recorded this" in str(reports.small_kernels_table("sums"))
    with pytest.raises(ValueError, match="'sum' is no group; there are sums, histograms"):
        reports.small_kernels_table("sum")


def test_claims_hold_or_get_a_reason():
    ledger = Ledger("the text", "we")
    ledger.claim("a", 3, 3)
    ledger.claim("b", "1.00 %", percent(1, 100))
    ledger.claim("c", 1000, 1210, "a round number")
    ledger.claim("d", 9, 8.84, "holds: below 9")
    with pytest.raises(AssertionError, match="e: 1 is not 2"):
        ledger.claim("e", 1, 2)
    assert ledger.held == 3 and str(ledger) == "4 claims checked, 3 hold"
    assert "4 claims: 3 hold, 1 need a word" in repr(ledger.table())
    assert list(ledger.rows[0]) == ["claim", "the text", "we", "verdict"]
