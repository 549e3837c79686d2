"""The record of chapter 10's ideas is whole, and of kernels and plans as they are."""

from convladder.bench.records import digests, newest
from convladder.gpu.launch import KERNELS
from convladder.teach.plots.provenance import kernels_provenance


def test_it_says_when_kernels_have_changed():
    record = newest("ablation")
    new = dict(record, kernels=digests(KERNELS, record["kernels"]))
    assert "since changed" not in kernels_provenance(new)
    old = dict(record, kernels={"implicit_gemm.cu": "0"})
    assert kernels_provenance(old).endswith("kernels since changed")
