"""Where recorded figures come from, in words: the machine, the day, and the versions."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench.records import digests, load_records
from ...core.text import count_text
from ...gpu.launch import KERNELS
from ...measure.cuda.gpu_info import cupy_version


def gpu_provenance(record: Mapping) -> str:
    """Return "NVIDIA H200, recorded 2026-11-21"."""
    return f"{record['card']['gpu']}, recorded {record['date']}"


def cpu_provenance(record: Mapping) -> str:
    """Return where and when: "AMD EPYC, AVX-512, 2 cores, recorded 2026-11-21"."""
    card, cores = record["machine"], record["machine"]["cores"]
    return f"{card['cpu']}, {card['isa']}, {count_text(cores, 'core')}, recorded {record['date']}"


def kernels_provenance(record: Mapping) -> str:
    """Return GPU and day, and whether the record's kernels have changed since."""
    known = record.get("kernels")
    same = known == digests(KERNELS, known or ())
    return gpu_provenance(record) + ("" if same else ", kernels since changed")


def absent(option: str = "") -> str:
    """Return the words in place of a record that no GPU has made; `option` of the command does."""
    does = f": `convladder record --{option}` does" if option else ""
    return f"No GPU has recorded this yet{does}."


def memory_steps_source() -> str:
    """Return where recorded figures come from, in a sentence; what to do where there is none."""
    records = load_records("steps")
    if not records:
        return absent("steps")
    return "; ".join(
        f"{kernels_provenance(record)} (driver {record['card']['driver']}, "
        f"CuPy {cupy_version(record['versions'])}, NVRTC {record['versions']['nvrtc']}): "
        f"{record['limits']['flops_per_s'] / 1e12:.1f} TFLOP/s, "
        f"{record['limits']['bytes_per_s'] / 1e12:.2f} TB/s"
        for record in records
    )


def versions_text(record: Mapping) -> str:
    """Return a sentence for the top of a chapter: GPU, day, driver and libraries."""
    v = record["versions"]
    return (
        f"{gpu_provenance(record)} (driver {record['card']['driver']}, cuDNN "
        f"{v['nvidia-cudnn-cu13']} through PyTorch {v['torch']}, CUTLASS "
        f"{v['nvidia-cutlass']}, CuPy {cupy_version(v)})"
    )


def gpu_source(record: Mapping) -> str:
    """Return which GPU, when, and with which libraries, in a sentence."""
    version = record["versions"]
    return (
        f"{gpu_provenance(record)} (driver "
        f"{record['card']['driver']}, CuPy {cupy_version(version)}, cuBLAS "
        f"{version['nvidia-cublas']}, PyTorch {version['torch']} with cuDNN "
        f"{version['nvidia-cudnn-cu13']}); times from replays of a CUDA graph"
    )


def gpus_provenance(record: Mapping) -> str:
    """Return which GPUs, how linked, when."""
    link = record["link"]
    return (
        f"{record['card']['gpu']}, {link['bandwidth'] / 1e9:.0f} GB/s and "
        f"{1e6 * link['latency']:.0f} µs between two through NCCL "
        f"{record['versions']['nccl']}, recorded {record['date']}"
    )
