"""NVIDIA's driver and its GPUs, asked without CuPy: what could run here, if the right packages were
installed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

LIBRARIES = ("libcuda.so.1", "libcuda.so")  # come with the driver
MAJOR, MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
LEAST_CAPABILITY = (7, 5)  # NVRTC of CUDA 13 compiles for no older one
CUDA_13, CUDA_12 = (13, 0), (12, 0)  # what a driver must know for the extras gpu and gpu12
NEWEST, OLDER = "580", "525"  # drivers that know them
NAME_BYTES = 256


@dataclass(frozen=True)
class Driver:
    """A driver: the newest CUDA that it knows, (major, minor), and its GPUs by name and compute
    capability.
    """

    cuda: tuple[int, int]
    gpus: tuple[tuple[str, tuple[int, int]], ...]

    @property
    def best(self) -> tuple[str, tuple[int, int]]:
        """Return the GPU with the highest compute capability."""
        return max(self.gpus, key=lambda gpu: gpu[1])

    @property
    def extra(self) -> str | None:
        """Return the extra of pyproject.toml that fits, None where no GPU or driver is enough."""
        if not self.gpus or self.best[1] < LEAST_CAPABILITY or self.cuda < CUDA_12:
            return None
        return "gpu" if self.cuda >= CUDA_13 else "gpu12"

    @property
    def objection(self) -> str | None:
        """Return why this course cannot use it, in a sentence without its end, or None."""
        if not self.gpus:
            return "NVIDIA's driver is installed, and sees no GPU"
        name, (major, minor) = self.best
        if self.best[1] < LEAST_CAPABILITY:
            return (
                f"{name} has compute capability {major}.{minor}, and the course needs "
                f"{LEAST_CAPABILITY[0]}.{LEAST_CAPABILITY[1]} (Turing, of 2018) or newer"
            )
        if self.cuda < CUDA_12:
            return (
                f"{name}: its driver knows CUDA {_text(self.cuda)}, and the course needs "
                f"12.0; install NVIDIA's driver {NEWEST} or newer ({OLDER} will do)"
            )
        return None


def driver(load: Callable[[str], object] = ctypes.CDLL) -> Driver | None:
    """Return NVIDIA's driver, None where there is none. `load` opens a library."""
    for name in LIBRARIES:
        try:
            library = load(name)
        except OSError:
            continue
        return _asked(library)
    return None


def _asked(library) -> Driver | None:
    number = ctypes.c_int()
    if library.cuDriverGetVersion(ctypes.byref(number)):
        return None
    cuda = divmod(number.value // 10, 100)
    gpus: list[tuple[str, tuple[int, int]]] = []
    if library.cuInit(0) == 0 and library.cuDeviceGetCount(ctypes.byref(number)) == 0:
        gpus = [_gpu(library, each) for each in range(number.value)]
    return Driver(cuda, tuple(gpus))


def _gpu(library, number: int) -> tuple[str, tuple[int, int]]:
    name, value = ctypes.create_string_buffer(NAME_BYTES), ctypes.c_int()
    library.cuDeviceGetName(name, NAME_BYTES, number)
    capability = []
    for attribute in (MAJOR, MINOR):
        library.cuDeviceGetAttribute(ctypes.byref(value), attribute, number)
        capability.append(value.value)
    major, minor = capability
    return name.value.decode(), (major, minor)


def missing_gpu_extra(found: Driver | None, installed: int | None) -> tuple[str, str | None]:
    """Return why CuPy uses no GPU here, in words, and the extra that would mend it, if one would.

    `found`: what `driver` returned. `installed`: the CUDA that CuPy is for, 12 or 13, None where
    there is no CuPy.
    """
    if found is None:
        return "none: there is no NVIDIA driver", None
    if found.objection:
        return found.objection, None
    name = found.best[0]
    if installed is None:
        return f"{name}, and no CuPy to use it with", found.extra
    if installed > found.cuda[0]:
        return (
            f"{name}: its driver knows CUDA {_text(found.cuda)}, which is too old for the CuPy "
            f"of CUDA {installed} that is installed; take that of CUDA 12, or install NVIDIA's "
            f"driver {NEWEST} or newer"
        ), found.extra
    return f"{name}, which CuPy cannot open: `python -c 'import cupy; cupy.show_config()'`", None


def _text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
