"""What was recorded of the convolutions on a GPU: in words, and as numbers to compare with."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench.conv_gpu import recorded, seconds
from ...measure.cuda.gpu_info import cupy_version
from .ablation import kernels_changed


def gpu_record() -> dict:
    """Return the newest record with all that the chapters show.

    Raises LookupError where there is none.
    """
    for record in recorded():
        if "workspace" in record:
            return record
    raise LookupError("no GPU record with cuBLAS's workspace comes with this copy")


def gpu_provenance(record: Mapping) -> str:
    """Return "NVIDIA H200, recorded 2026-11-21"."""
    return f"{record['card']['gpu']}, recorded {record['date']}"


def versions_text(record: Mapping) -> str:
    """Return a sentence for the top of a chapter: GPU, day, driver and libraries."""
    v = record["versions"]
    return (
        f"{gpu_provenance(record)} (driver {record['card']['driver']}, cuDNN "
        f"{v['nvidia-cudnn-cu13']} through PyTorch {v['torch']}, CUTLASS "
        f"{v['nvidia-cutlass']}, CuPy {cupy_version(v)})"
    )


def layer_of(record: Mapping, name: str, batch: int) -> dict:
    """Return one layer of a record. Raises ValueError naming what there is."""
    for run in record["runs"]:
        if run["batch"] == batch and name in run["layers"]:
            return run["layers"][name]
    there = ", ".join(
        f"{layer} (batch {run['batch']})" for run in record["runs"] for layer in run["layers"]
    )
    raise ValueError(f"no {name} with a batch of {batch} was recorded; there are {there}")


def speeds(record: Mapping, name: str, batch: int) -> dict[str, float]:
    """Return method -> FLOP/s on a layer, multiply-adds counted as of direct convolution."""
    layer = layer_of(record, name, batch)
    return {who: layer["flops"] / seconds(layer, who) for who in layer["entries"]}


def ablation_label(record: Mapping) -> str:
    """Return GPU and day of an ablation record, and whether its kernels have changed since."""
    since = ", kernels since changed" if kernels_changed(record) else ""
    return gpu_provenance(record) + since


def gpu_source(record: Mapping) -> str:
    """Return which GPU, when, and with which libraries, in a sentence."""
    version = record["versions"]
    return (
        f"{record['card']['gpu']}, recorded {record['date']} (driver "
        f"{record['card']['driver']}, CuPy {cupy_version(version)}, cuBLAS "
        f"{version['nvidia-cublas']}, PyTorch {version['torch']} with cuDNN "
        f"{version['nvidia-cudnn-cu13']}); times are graph replays"
    )


def gpu_layers(record: Mapping, batch: int = 1) -> dict[str, Mapping]:
    """Return name -> layer of the run with so many images.

    Raises LookupError naming those there are.
    """
    runs = {run["batch"]: run["layers"] for run in record["runs"]}
    if batch not in runs:
        raise LookupError(f"no run of batch {batch} in this record; it has {sorted(runs)}")
    return runs[batch]


def fastest_cudnn(layer: Mapping, precision: str = "float32") -> str:
    """Return the name of cuDNN's entry in the faster of its layouts."""
    names = [name for name in layer["entries"] if name.startswith(f"cudnn {precision}")]
    return min(names, key=lambda name: seconds(layer, name))
