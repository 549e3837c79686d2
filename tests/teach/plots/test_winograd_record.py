"""Chapter 17's words on the records."""

import pytest

from convladder.bench.conv_cpu import ConvComparison
from convladder.core.problem import PAPER, RESNET
from convladder.measure import Comparison
from convladder.teach.plots import winograd as told
from studies.gpu.winograd import LAYERS


@pytest.fixture(scope="module")
def record():
    return told.winograd_gpu_record()


def test_leads_are_of_all_layers(record):
    for batch in told.gpu_means(record):
        ahead = told.gpu_ahead(record, batch)
        assert set(ahead) == set(LAYERS)
        assert len(set(ahead["cv3"].values())) == 1  # 7×7: Winograd does not take it
    assert told.gpu_ahead(record, 32)["cv8"]["what auto takes"] > 2


def test_choices(record):
    table = told.gpu_choices_table(record, 32)
    names = [row[0] for row in table.cells]
    assert "cv8" in names and "cv1" not in names  # whose kernel is 11×11
    assert all(1 <= float(row[3]) < 1.3 for row in table.cells)
    assert all(row[3] == "1.00" for row in table.cells if row[1] == row[2])


def test_without_a_record(monkeypatch):
    monkeypatch.setattr(told, "winograd_records", lambda: [])
    with pytest.raises(LookupError, match="no record of Winograd"):
        told.winograd_gpu_record()


def by_auto(threads, torch):
    """Layers of which the microkernel takes 2 s, F(4) 1 s and PyTorch as long as told."""
    return {
        name: ConvComparison.of(
            problem,
            threads,
            Comparison.of({"microkernel": (2.0,), "F(4)": (1.0,), "NCHW": (torch,)}, threads),
            {"NCHW": "torch"},
            {},
            1e9,
            "F(4)",
        )
        for name, problem in (PAPER | RESNET).items()
    }


def test_a_processor_s_run():
    ahead = told.cpu_ahead(by_auto(1, 3.0))
    assert set(ahead) == set(PAPER | RESNET)
    assert all(row == {"microkernel": 1.5, "what auto takes": 3.0} for row in ahead.values())
