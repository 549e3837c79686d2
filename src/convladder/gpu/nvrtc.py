"""Kernels compiled by NVRTC with options of their own, kept on disk.

CuPy's RawModule compiles for sm_90, not for sm_90a with Hopper's own instructions, and puts its own
copy of CCCL before any other.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


def built(
    text: str, arch: str, options: Sequence[str] = (), name: str | None = None
) -> tuple[bytes, str]:
    """Return machine code of `text` for `arch` ("sm_90a"), and its name for the instance `name`.

    From the disk if it was built before. Raises `RuntimeError` with the compiler's words.
    """
    from cupy_backends.cuda.libs import nvrtc

    from ..cuda.emulator import compile_cache

    given = [f"-arch={arch}", "-std=c++17", *options]
    facts = repr((text, given, name, nvrtc.getVersion())).encode()
    path = compile_cache.folder() / f"{hashlib.sha256(facts).hexdigest()[:24]}.cubin"
    if path.is_file():
        first, _, code = path.read_bytes().partition(b"\n")
        return code, first.decode()
    program = nvrtc.createProgram(text, "kernel.cu", (), ())
    if name:
        nvrtc.addNameExpression(program, name)
    try:
        nvrtc.compileProgram(program, given)
    except nvrtc.NVRTCError as error:
        log = nvrtc.getProgramLog(program)
        raise RuntimeError(f"NVRTC refuses it for {arch}: {log[:2000]}") from error
    code = nvrtc.getCUBIN(program)
    lowered: str = nvrtc.getLoweredName(program, name) if name else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(lowered.encode() + b"\n" + code)
    part.replace(path)  # so that no other process reads half of it
    return code, lowered


def module(code: bytes):
    """Load machine code on the current device."""
    import cupy

    loaded = cupy.cuda.function.Module()
    loaded.load(code)
    return loaded


def allow_shared(function, size: int) -> None:
    """Let a function have `size` bytes of dynamic shared memory, beyond the 48 KiB of old."""
    from cupy_backends.cuda.api import driver

    driver.funcSetAttribute(function.ptr, DYNAMIC_SHARED, size)
