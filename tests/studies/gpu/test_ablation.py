"""The record of chapter 10's ideas is whole, and of kernels and plans as they are."""

from convladder.bench.records import digests
from convladder.gpu.launch import KERNELS
from convladder.teach.plots import tensor_cores as report
from convladder.teach.plots.tensor_cores import ablation_label


def test_it_says_when_kernels_have_changed():
    record = report.ablation_records()[0]
    new = dict(record, kernels=digests(KERNELS, record["kernels"]))
    assert "since changed" not in ablation_label(new)
    old = dict(record, kernels={"implicit_gemm.cu": "0"})
    assert ablation_label(old).endswith("kernels since changed")
