"""The chip that kernels are planned for: this machine's GPU, or the emulator."""

from __future__ import annotations

from functools import cache

from .tile_choice import EMULATOR, TileChip


@cache
def chip() -> TileChip:
    """Return the current device's chip. Raises `cuda.NoBackend` where nothing runs CUDA C++."""
    from .. import cuda

    if cuda.backend() != "gpu":
        return EMULATOR
    import cupy

    device = cupy.cuda.Device()
    return TileChip(device.attributes["MultiProcessorCount"], int(device.compute_capability) >= 90)


def no_gpu(what: str) -> str | None:
    """Return why a method that needs a real GPU cannot run here, or None. `what` needs it."""
    from .. import cuda

    if cuda.gpu():
        return None
    return f"{what} runs on an NVIDIA GPU alone, and CuPy sees none here"
