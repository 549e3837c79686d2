"""The vector instructions that this processor offers for float32."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from functools import cache


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


@cache
def host_isa() -> Isa:
    """Return the widest instruction set of this machine, or that Numba is held to."""
    return isa_of(platform.machine(), host_features())


@cache
def host_features() -> dict[str, bool]:
    """Return LLVM's names of what this processor can do, or of what Numba is held to.

    Numba's own variables hold it: `NUMBA_CPU_FEATURES=+avx2,+fma,...`, or `NUMBA_CPU_NAME=generic`
    for the oldest processor of this architecture.
    """
    held = os.environ.get("NUMBA_CPU_FEATURES")
    if held is None and os.environ.get("NUMBA_CPU_NAME", "").lower() == "generic":
        held = ""
    if held is not None:
        return {word[1:]: word[0] == "+" for word in held.split(",") if word}
    import llvmlite.binding as llvm

    try:
        return llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM cannot tell on every system
        return {}


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
