"""The record of chapter 10's ideas is whole, and of kernels and plans as they are."""

import json

import pytest

from convladder.teach.plots import tensor_cores as report
from convladder.teach.plots.tensor_cores import ablation_label
from studies.gpu import ablation


@pytest.mark.parametrize(
    "record", report.ablation_records(), ids=lambda record: record["card"]["gpu"]
)
def test_the_courses_record_is_of_the_studys_layers(record):
    found = {(name, batch) for name, batch, _ in report.ablation_rows(record)}
    assert found == {(name, batch) for name in ablation.LAYERS for batch in ablation.BATCHES}
    assert set(record["kernels"]) == set(ablation.FILES)
    swept = [(entry["layer"], entry["batch"]) for entry in record["tiles"]]
    assert swept == list(ablation.SWEPT)


def test_it_says_when_kernels_have_changed():
    record = report.ablation_records()[0]
    assert "since changed" not in ablation_label(record)
    old = json.loads(json.dumps(record)) | {"kernels": {"implicit_gemm.cu": "0"}}
    assert ablation_label(old).endswith("kernels since changed")
