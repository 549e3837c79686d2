"""Where a GPU's compiler finds the headers that a kernel includes."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

INCLUDE = Path(__file__).with_name("include")  # the course's own: `<convladder/tensor_core.cuh>`


def include_options(source: str) -> list[str]:
    """Return the compiler's options for a source; CuPy does not find <mma.h> by itself."""
    folder = cuda_headers("crt/mma.h") if "<mma.h>" in source else None
    return [f"-I{INCLUDE}", *([f"-I{folder}"] if folder else [])]


def _cuda_folders() -> list[Path]:
    """Where CUDA's headers may be: the wheels', then a toolkit's."""
    nvidia = find_spec("nvidia")
    # Where wheels of CUDA 13 put them, then those of CUDA 12.
    roots = [
        Path(place) / part / "include"
        for place in (nvidia.submodule_search_locations if nvidia else ())
        for part in ("cu13", "cuda_runtime", "cuda_nvcc", "cuda_cccl")
    ]
    roots += [
        Path(os.environ[name]) / "include"
        for name in ("CUDA_PATH", "CUDA_HOME")
        if name in os.environ
    ]
    return [*roots, Path("/usr/local/cuda/include")]


def cuda_headers(file: str, inner: str = "") -> str | None:
    """Return the folder of CUDA's headers with `file`, in `inner` if it is there; None without."""
    places = [place / part for part in dict.fromkeys((inner, "")) for place in _cuda_folders()]
    return next((str(place) for place in places if (place / file).is_file()), None)
