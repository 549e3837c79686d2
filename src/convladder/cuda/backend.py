"""Where CUDA kernels run here: on a GPU through CuPy, or on the emulator."""

from __future__ import annotations

import operator
from functools import cache

import numpy as np

_limits = {"seconds": 60.0}
_order: dict[str, int | None] = {"seed": None}


@cache
def backend() -> str:
    """Return "gpu" if CuPy sees a device, else "emulator"; raise `NoBackend` without a compiler."""
    if gpu():
        return "gpu"
    from .emulator.toolchain import compiler

    compiler()
    return "emulator"


@cache
def gpu() -> bool:
    """Return whether CuPy is installed and sees a device."""
    try:
        import cupy

        return cupy.cuda.runtime.getDeviceCount() > 0
    except Exception:  # CuPy without a driver fails in ways of its own
        return False


def chosen(asked: str) -> str:
    """Return the backend that "auto" is here; "gpu" and "emulator" are themselves."""
    if asked not in ("auto", "gpu", "emulator"):
        raise ValueError(f'backend={asked!r}; "auto", "gpu" and "emulator" are possible')
    return backend() if asked == "auto" else asked


def native(array: np.ndarray) -> np.ndarray:
    """Return the array with its bytes in the processor's order, which is every GPU's too."""
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def to_device(array: np.ndarray, backend: str = "auto"):
    """Copy a host array to device memory, C-contiguous. `backend`: as of the `Kernel`."""
    array = native(np.asarray(array))
    if array.dtype.kind not in "fiub":
        raise ValueError(f"dtype {array.dtype} is not for kernels; use floats, integers or bool")
    if chosen(backend) == "gpu":
        import cupy

        return cupy.ascontiguousarray(cupy.asarray(array))
    made = empty(array.shape, array.dtype, "emulator")
    made.set(array)
    return made


def empty(shape: int | tuple[int, ...], dtype: object = np.float32, backend: str = "auto"):
    """Return memory that nothing has written yet; the emulator notices who reads it too early."""
    sides = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
    if any(side < 0 for side in sides):
        raise ValueError(f"shape={shape!r} has a negative side")
    if chosen(backend) == "gpu":
        import cupy

        return cupy.empty(sides, dtype)
    from .emulator.arrays import DeviceArray

    return DeviceArray(tuple(map(int, sides)), np.dtype(dtype))


def synchronize() -> None:
    """Wait until all that was launched is done. The emulator is never behind."""
    if backend() == "gpu":
        import cupy

        cupy.cuda.Device().synchronize()


def time_limit(seconds: float | None = None) -> float:
    """Return the seconds after which the emulator stops a launch; set them if given."""
    if seconds is not None:
        if not seconds > 0:
            raise ValueError(f"seconds={seconds!r}: give a time above 0")
        _limits["seconds"] = float(seconds)
    return _limits["seconds"]


def shuffle_blocks(seed: int | None) -> None:
    """Have the emulator run the blocks of all further launches in another order.

    The same `seed` gives the same order; None, the order of their numbers again. A GPU promises no
    order, so a kernel whose results change with the seed depends on luck. A GPU has no such switch:
    there nothing happens. Raises `ValueError` for what is no seed.
    """
    if seed is not None and not 0 <= operator.index(seed) < 2**32:
        raise ValueError(f"seed={seed!r}: give a whole number from 0 to 2**32 - 1, or None")
    _order["seed"] = None if seed is None else operator.index(seed)


def block_seed() -> int | None:
    """Return the last seed of `shuffle_blocks`."""
    return _order["seed"]
