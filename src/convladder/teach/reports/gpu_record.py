"""The GPU record that chapters 08 and 09 read: where it comes from, and a layer of it."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench.conv_gpu import records, seconds


def gpu_record() -> dict:
    """The newest that comes with the course. Raises LookupError where there is none."""
    found = records()
    if not found:
        raise LookupError("no GPU record: `convladder record --device gpu` makes one on a GPU")
    return found[0]


def gpu_source(record: Mapping) -> str:
    """Which GPU, when, and with which libraries, in a sentence."""
    version = record["versions"]
    return (f"{record['card']['gpu']}, recorded {record['date']} (driver "
            f"{record['card']['driver']}, CuPy {version['cupy-cuda13x']}, cuBLAS "
            f"{version['nvidia-cublas']}, PyTorch {version['torch']} with cuDNN "
            f"{version['nvidia-cudnn-cu13']}); times are graph replays")


def gpu_layers(record: Mapping, batch: int = 1) -> dict[str, Mapping]:
    """Name -> layer of the run with so many images. Raises LookupError naming those there are."""
    runs = {run["batch"]: run["layers"] for run in record["runs"]}
    if batch not in runs:
        raise LookupError(f"no run of batch {batch} in this record; it has {sorted(runs)}")
    return runs[batch]


def fastest_cudnn(layer: Mapping, precision: str = "float32") -> str:
    """The name of cuDNN's entry in the faster of its layouts."""
    names = [name for name in layer["entries"] if name.startswith(f"cudnn {precision}")]
    return min(names, key=lambda name: seconds(layer, name))
