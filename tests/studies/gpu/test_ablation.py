"""The record of chapter 10's ideas is whole, and of kernels and plans as they are."""

import json

from convladder.teach.plots import tensor_cores as report
from convladder.teach.plots.tensor_cores import ablation_label


def test_it_says_when_kernels_have_changed():
    record = report.ablation_records()[0]
    assert "since changed" not in ablation_label(record)
    old = json.loads(json.dumps(record)) | {"kernels": {"implicit_gemm.cu": "0"}}
    assert ablation_label(old).endswith("kernels since changed")
