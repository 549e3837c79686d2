"""The vector instructions that this processor offers for float32."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from functools import cache

from ..core.processor import arm_features


@dataclass(frozen=True)
class Isa:
    """An instruction set: register width in bits, registers, and whether it fuses a·b + c."""

    name: str
    vector_bits: int
    registers: int
    fused: bool

    @property
    def lanes(self) -> int:
        """Return how many float32 values one vector register holds."""
        return self.vector_bits // 32


@dataclass(frozen=True)
class Extension:
    """Instructions that some processors have, `feature` in LLVM's words, of `arch` x86 or Arm.

    `macs`: multiply-adds of one instruction with the widest registers that it comes with; `sums`:
    what they are added up in. `since`: the first processors, and their year.
    """

    name: str
    arch: str
    feature: str
    values: str
    sums: str
    macs: int
    since: str


# Intel, "Architecture Instruction Set Extensions Programming Reference"; AMD, "Software
# Optimization Guide for Zen 4"; Arm, "Architecture Reference Manual for A-profile".
EXTENSIONS = (
    Extension("AVX-512", "x86", "avx512f", "float32", "float32", 16, "Skylake-SP 2017, Zen 4 2022"),
    Extension(
        "AVX512-VNNI", "x86", "avx512vnni", "bytes", "int32", 64, "Cascade Lake 2019, Zen 4 2022"
    ),
    Extension(
        "AVX512-BF16",
        "x86",
        "avx512bf16",
        "bfloat16",
        "float32",
        32,
        "Cooper Lake 2020, Zen 4 2022",
    ),
    Extension("AVX512-FP16", "x86", "avx512fp16", "float16", "float16", 32, "Sapphire Rapids 2023"),
    Extension(
        "AMX-INT8", "x86", "amx-int8", "bytes", "int32", 16 * 16 * 64, "Sapphire Rapids 2023"
    ),
    Extension(
        "AMX-BF16", "x86", "amx-bf16", "bfloat16", "float32", 16 * 16 * 32, "Sapphire Rapids 2023"
    ),
    Extension("NEON", "Arm", "neon", "float32", "float32", 4, "all of 64 bits"),
    Extension("dot product", "Arm", "dotprod", "bytes", "int32", 16, "Armv8.2, 2017"),
    Extension("half precision", "Arm", "fullfp16", "float16", "float16", 8, "Armv8.2, 2017"),
    Extension("i8mm", "Arm", "i8mm", "bytes", "int32", 32, "Armv8.6, Neoverse V1 2021"),
    Extension("bf16", "Arm", "bf16", "bfloat16", "float32", 16, "Armv8.6, Neoverse V1 2021"),
    Extension("SME", "Arm", "sme", "float32", "float32", 16 * 16, "Apple M4 2024"),
)


def host_extensions() -> dict[Extension, bool]:
    """Return EXTENSIONS, and whether this processor has each, or Numba is held not to use it.

    NEON is there on every 64-bit Arm.
    """
    arch = {"arm64": "Arm", "aarch64": "Arm", "x86_64": "x86", "amd64": "x86"}.get(
        platform.machine().lower()
    )
    features = {"neon": True} | host_features()
    return {each: each.arch == arch and bool(features.get(each.feature)) for each in EXTENSIONS}


@cache
def host_isa() -> Isa:
    """Return the widest instruction set of this machine, or that Numba is held to."""
    return isa_of(platform.machine(), host_features())


@cache
def host_features() -> dict[str, bool]:
    """Return LLVM's names of what this processor can do, or of what Numba is held to.

    On Arm the system tells more than LLVM, and `core.jit` has Numba use it. Numba's own variables
    hold it: `NUMBA_CPU_FEATURES=+avx2,+fma,...`, or `NUMBA_CPU_NAME=generic` for the oldest
    processor of this architecture.
    """
    held = os.environ.get("NUMBA_CPU_FEATURES")
    if held is None and os.environ.get("NUMBA_CPU_NAME", "").lower() == "generic":
        held = ""
    if held is not None:
        return {word[1:]: word[0] == "+" for word in held.split(",") if word}
    import llvmlite.binding as llvm

    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM cannot tell on every system
        features = {}
    return features | arm_features()


def isa_of(arch: str, features: dict[str, bool]) -> Isa:
    """Return the widest instruction set of an architecture with LLVM's `features`."""
    if arch.lower() in ("arm64", "aarch64"):
        return Isa("NEON", 128, 32, fused=True)
    if arch.lower() not in ("x86_64", "amd64"):
        return Isa("generic", 128, 16, fused=False)
    if features.get("avx512f"):
        return Isa("AVX-512", 512, 32, fused=True)
    if features.get("avx2") and features.get("fma"):
        return Isa("AVX2", 256, 16, fused=True)
    if features.get("avx"):
        return Isa("AVX", 256, 16, fused=False)
    return Isa("SSE2", 128, 16, fused=False)
