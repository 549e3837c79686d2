"""Chapter 17's words on the record of a GPU: what was missed is named, what was reached is not."""

import copy

import pytest

from convladder.bench.conv_cpu import ConvComparison
from convladder.core.problem import PAPER, RESNET
from convladder.measure import Comparison
from convladder.teach.plots import winograd as told
from studies.gpu.winograd import LAYERS


@pytest.fixture(scope="module")
def record():
    return told.winograd_gpu_record()


def test_leads_and_goals_are_of_the_same_layers(record):
    for batch in told.GPU_GOALS:
        ahead = told.gpu_ahead(record, batch)
        assert set(ahead) == set(told.gpu_layer_goals(batch)) == set(LAYERS)
        assert len(set(ahead["cv3"].values())) == 1  # 7×7: Winograd does not take it
    assert told.gpu_ahead(record, 32)["cv8"]["what auto takes"] > 2


def slower(record, factor):
    """The same, with a cuDNN that takes `factor` of its time."""
    other = copy.deepcopy(record)
    for run in other["runs"]:
        for layer in run["layers"].values():
            for name, entry in layer["entries"].items():
                if name.startswith("cudnn"):
                    entry["graph"] = [factor * time for time in entry["graph"]]
    return other


def test_what_was_missed(record):
    assert told.gpu_missed(slower(record, 10)) == []
    words = "; ".join(told.gpu_missed(slower(record, 0.1)))
    assert "32 images: the mean is" in words and "1 image: the mean is" in words
    assert all(f"{name} is" in words for name in (*PAPER, *RESNET))
    means = told.gpu_means(record)
    named = [word for word in told.gpu_missed(record) if "the mean" in word]
    assert len(named) == sum(means[batch] < told.GPU_GOALS[batch].mean for batch in means)


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
    goals = told.cpu_layer_goals(by_auto(2, 3.0))
    assert goals["cv8"] == pytest.approx(0.9 * 2.2) and goals["cv12"] == pytest.approx(0.9 * 1.1)
    assert not {"cv1", "cv3", "cv5"} & set(goals)  # of other kernels or strides
    assert told.cpu_auto_missed(by_auto(1, 3.0)) == []
    missed = told.cpu_auto_missed(by_auto(1, 1.9))
    assert "torch takes on cv8: 1.90 (goal: at least 2.2)" in missed
    assert not any("cv11:" in each for each in missed)
