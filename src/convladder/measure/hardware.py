"""A description of this machine that may be published: no names, no paths."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np

from ..core.processor import available_cores, caches, sysctl, text
from ..cpu.isa import host_isa
from ..cuda.emulator.toolchain import described
from ..cuda.errors import NoBackend

# OpenBLAS, MKL, BLIS, NumPy and Numba each have one by which they take slower kernels.
HOLDS = (
    "OPENBLAS_CORETYPE OPENBLAS_L2_SIZE OPENBLAS_BLOCK_FACTOR MKL_ENABLE_INSTRUCTIONS MKL_CBWR "
    "BLIS_ARCH_TYPE NPY_DISABLE_CPU_FEATURES NPY_ENABLE_CPU_FEATURES NUMBA_CPU_NAME "
    "NUMBA_CPU_FEATURES NUMBA_OPT"
).split()


@dataclass(frozen=True)
class Machine:
    """The machine card.

    `cores`: logical cores that this process may use. `isa`, `vector_bits`: its widest vector
    instructions. `caches`: bytes of each cache of one core, by name ("L1d", "L2", "L3"); L3 is
    mostly shared. `memory`: bytes, None where the system does not tell. `blas_kernels`: the
    processor whose kernels BLAS took, as it names it. `held_back`: the variables that keep BLAS,
    NumPy or Numba from taking this processor's, "OPENBLAS_CORETYPE=Haswell". `gpu` and `compiler`
    are None where there is none. `tier` says how CUDA chapters run: "gpu", "emulator" (the same
    source on the CPU, through a C++ compiler) or "recorded" (figures from other machines).
    """

    cpu: str
    system: str
    arch: str
    cores: int
    isa: str
    vector_bits: int
    caches: dict[str, int]
    memory: int | None
    python: str
    numpy: str
    blas: str
    blas_kernels: str | None
    held_back: str
    numba: str | None
    gpu: str | None
    compiler: str | None
    tier: str

    def as_dict(self) -> dict[str, object]:
        """Return all fields, ready for JSON."""
        return asdict(self)

    @property
    def blas_text(self) -> str:
        """Return which BLAS it is, whose kernels it took, and what holds it back."""
        kernels = f", kernels for {self.blas_kernels}" if self.blas_kernels else ""
        text = f"{self.blas}{kernels}" + f" (held back by {self.held_back})" * bool(self.held_back)
        return text + self.matrix_unit * (
            ": its matrix unit passes the vectors' peak, and it chooses its threads itself"
        )

    @property
    def matrix_unit(self) -> bool:
        """Return whether BLAS is Apple's Accelerate, which multiplies beside the vector units."""
        return "accelerate" in self.blas.lower()

    def __str__(self) -> str:
        caches = ", ".join(f"{name} {_binary(size)}" for name, size in self.caches.items())
        memory = "unknown" if self.memory is None else _binary(self.memory)
        rows = {
            "processor": f"{self.cpu}, {self.arch}, {self.system}",
            "cores": str(self.cores),
            "vectors": f"{self.isa}, {self.vector_bits} bits",
            "caches": caches or "unknown",
            "memory": memory,
            "software": f"Python {self.python}, NumPy {self.numpy}, "
            f"Numba {self.numba or 'missing'}",
            "BLAS": self.blas_text,
            "GPU": self.gpu or "none",
            "compiler": self.compiler or "none",
            "CUDA tier": self.tier,
        }
        return "\n".join(f"{name:<10} {value}" for name, value in rows.items())


@cache
def machine() -> Machine:
    """Describe this machine; looked up once per process."""
    isa, gpu, compiler = host_isa(), _gpu(), _compiler()
    return Machine(
        cpu=_cpu(),
        system=platform.system(),
        arch=platform.machine(),
        cores=available_cores(),
        isa=isa.name,
        vector_bits=isa.vector_bits,
        caches=caches(),
        memory=_memory(),
        python=platform.python_version(),
        numpy=np.__version__,
        blas=_blas(),
        blas_kernels=_blas_kernels(),
        held_back=held_back(),
        numba=_version("numba"),
        gpu=gpu,
        compiler=compiler,
        tier="gpu" if gpu else "emulator" if compiler else "recorded",
    )


def _cpu() -> str:
    if sys.platform == "darwin":
        name = sysctl().get("machdep.cpu.brand_string", "")
    elif sys.platform == "linux":
        match = re.search(r"(?m)^model name\s*:\s*(.+)$", text(Path("/proc/cpuinfo")))
        name = match[1] if match else ""
    else:
        name = platform.processor()
    if name.strip():
        return name.strip()
    import llvmlite.binding as llvm  # Linux on Arm gives no name; LLVM's is better than none

    return llvm.get_host_cpu_name()


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _blas() -> str:
    match = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return f"{match['name']} {match.get('version', '')}".strip()


def _blas_kernels() -> str | None:
    import threadpoolctl

    found = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    return next((each["architecture"] for each in found if each.get("architecture")), None)


def held_back() -> str:
    """Return the variables that keep a library from this processor's own kernels, as set; or ""."""
    return " ".join(f"{name}={os.environ[name]}" for name in HOLDS if os.environ.get(name))


def versions(packages: Iterable[str]) -> dict[str, str | None]:
    """Return versions by package; None for one that is not installed."""
    return {package: _version(package) for package in packages}


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _gpu() -> str | None:
    try:
        import cupy

        if cupy.cuda.runtime.getDeviceCount() < 1:
            return None
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"]
    except Exception:  # missing, half installed, no driver: in each case there is no GPU to use
        return None
    return name.decode() if isinstance(name, bytes) else str(name)


def _compiler() -> str | None:
    try:
        return described()
    except NoBackend:
        return None


def _binary(size: int) -> str:
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size / 2**10:.3g} KiB"
