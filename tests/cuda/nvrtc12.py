"""NVRTC of CUDA 12, opened by its path: the package's own is that of CUDA 13, and stays so."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from convladder.cuda.inspect import require
from convladder.cuda.inspect.nvrtc import INCLUDE

LIBRARY, HEADERS = "cuda_nvrtc/lib/libnvrtc.so.12", ("cuda_runtime/include", "cuda_cccl/include")


def _nvidia(part: str) -> Path | None:
    """Where a wheel put a part, None where there is no such wheel."""
    nvidia = find_spec("nvidia")
    places = [Path(place) / part for place in nvidia.submodule_search_locations] if nvidia else []
    return next((place for place in places if place.exists()), None)


def there() -> bool:
    return all(_nvidia(part) is not None for part in (LIBRARY, *HEADERS))


@cache
def _library() -> ctypes.CDLL:
    require()  # opens the package's own: who asks for it later would be given this one
    return ctypes.CDLL(str(_nvidia(LIBRARY)))


def refusal(
    source: str,
    names: Sequence[str],
    arch: str,
    options: Sequence[str] = (),
    file: str = "kernel.cu",
) -> str | None:
    """The compiler's log where it refuses these kernels for `arch`, else None."""
    nvrtc, program, size = _library(), ctypes.c_void_p(), ctypes.c_size_t()
    headers = INCLUDE, *map(_nvidia, HEADERS)
    given = [f"-arch={arch}", "-std=c++17", *(f"-I{each}" for each in headers), *options]
    assert not nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), file.encode(), 0, None, None
    )
    for name in names:
        assert not nvrtc.nvrtcAddNameExpression(program, name.encode())
    words = (ctypes.c_char_p * len(given))(*map(str.encode, given))
    failed = nvrtc.nvrtcCompileProgram(program, len(given), words)
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode() or f"error {failed}" if failed else None
