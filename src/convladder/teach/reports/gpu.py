"""What was recorded of the convolutions on a GPU: in words, and as numbers to compare with."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench import ablation
from ...bench.conv_gpu import records, seconds


def provenance(record: Mapping) -> str:
    """ "NVIDIA H200, recorded 2026-11-21"."""
    return f"{record['card']['gpu']}, recorded {record['date']}"


def newest() -> dict:
    """The newest record of all methods."""
    return records()[0]


def versions_text(record: Mapping) -> str:
    """With driver and libraries: a sentence for the top of a chapter."""
    v = record["versions"]
    return (f"{provenance(record)} (driver {record['card']['driver']}, cuDNN "
            f"{v['nvidia-cudnn-cu13']} through PyTorch {v['torch']}, CUTLASS "
            f"{v['nvidia-cutlass']}, CuPy {v['cupy-cuda13x']})")


def layer_of(record: Mapping, name: str, batch: int) -> dict:
    """One layer of a record. Raises ValueError naming what there is."""
    for run in record["runs"]:
        if run["batch"] == batch and name in run["layers"]:
            return run["layers"][name]
    there = ", ".join(f"{layer} (batch {run['batch']})" for run in record["runs"]
                      for layer in run["layers"])
    raise ValueError(f"no {name} with a batch of {batch} was recorded; there are {there}")


def speeds(record: Mapping, name: str, batch: int) -> dict[str, float]:
    """Method -> FLOP/s on a layer, multiply-adds counted as of direct convolution."""
    layer = layer_of(record, name, batch)
    return {who: layer["flops"] / seconds(layer, who) for who in layer["entries"]}


def ablation_label(record: Mapping) -> str:
    """GPU and day of a record of `gpu.ablation`, and whether its kernels are still those."""
    since = "" if record["kernels"] == ablation.kernels() else ", kernels since changed"
    return provenance(record) + since
