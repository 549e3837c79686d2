"""Which GPU this is, and with which software."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import hardware

CUPY = {"cupy-cuda13x": 13, "cupy-cuda12x": 12}  # package: the CUDA that it is for
VERSIONS = (
    *CUPY, "torch", "nvidia-cublas", "nvidia-cudnn-cu13", "nvidia-cutlass", "numpy",
)  # fmt: skip


def gpu_info() -> dict[str, Any]:
    """Return name, memory, multiprocessors and driver of CuPy's current device, ready for JSON."""
    import cupy

    runtime, device = cupy.cuda.runtime, cupy.cuda.Device()
    properties = runtime.getDeviceProperties(device.id)
    return {
        "gpu": properties["name"].decode(),
        "capability": int(device.compute_capability) / 10,
        "multiprocessors": properties["multiProcessorCount"],
        "memory_bytes": properties["totalGlobalMem"],
        "l2_bytes": properties["l2CacheSize"],
        "driver": _driver(),
        "cuda_driver": runtime.driverGetVersion(),
        "cuda_runtime": runtime.runtimeGetVersion(),
    }


def _driver() -> str | None:
    """The driver's own version, from the file that Linux shows it in."""
    try:
        with open("/proc/driver/nvidia/version") as file:
            words = file.readline().split()
    except OSError:
        return None
    return next((word for word in words if word[:1].isdigit() and "." in word), None)


def versions() -> dict[str, str | None]:
    """Return the versions of the packages that matter, None for one that is not installed.

    Of CuPy's packages, the one that is.
    """
    found = hardware.versions(VERSIONS)
    cupy = next((package for package in CUPY if found[package]), next(iter(CUPY)))
    return {
        package: version
        for package, version in found.items()
        if package not in CUPY or package == cupy
    }


def cupy_cuda() -> int | None:
    """Return the CUDA that the installed CuPy is for, 12 or 13; None where there is none."""
    return next(
        (cuda for package, cuda in CUPY.items() if hardware.versions([package])[package]), None
    )


def cupy_version(versions: Mapping[str, str | None]) -> str | None:
    """Return CuPy's version among those of a record."""
    return next((versions[package] for package in CUPY if versions.get(package)), None)


def nvrtc_version() -> str:
    """Return the version of NVIDIA's run-time compiler, as CuPy has it."""
    import cupy

    return ".".join(map(str, cupy.cuda.nvrtc.getVersion()))


def require_gpu(why: str) -> None:
    """Raise `RuntimeError`, "there is no NVIDIA GPU here that CuPy sees, and WHY", without one."""
    from ... import cuda

    if not cuda.gpu():
        raise RuntimeError(f"there is no NVIDIA GPU here that CuPy sees, and {why}")
