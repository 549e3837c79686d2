"""Arrays in the emulator's global memory."""

from __future__ import annotations

import itertools
import mmap
import os
import tempfile
from pathlib import Path

import numpy as np

from ..errors import NotOnHost
from .worker_client import process

POISON = 0xFF  # every byte of memory that was never written: not a number, or -1
_numbers = itertools.count()


class DeviceArray:
    """An array that kernels see: C-contiguous, at a multiple of 256 bytes, never aliased.

    `shape`, `dtype`, `size`, `nbytes` as NumPy has them. `get()` copies to the host, `set(array)`
    from it.
    """

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype):
        self.shape, self.dtype = shape, dtype
        self.size = int(np.prod(shape, dtype=np.int64))
        self.nbytes = self.size * dtype.itemsize
        self.number = next(_numbers)
        self.known = False  # was all of it written, as far as anyone can tell?
        self._file, self.path = _file()
        pages = -(-max(self.nbytes, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        os.ftruncate(self._file, pages)
        self._map = mmap.mmap(self._file, pages)
        # As near to the end of its pages as can be, like cl_array_begin in runtime/arrays.cpp.
        self._begin = pages - -(-max(self.nbytes, 1) // 256) * 256
        self.bytes()[:] = POISON

    def bytes(self) -> np.ndarray:
        """Return its memory, byte by byte; no copy."""
        return np.frombuffer(self._map, np.uint8, self.nbytes, self._begin)

    def get(self) -> np.ndarray:
        """Return a copy in host memory."""
        return self.bytes().view(self.dtype).reshape(self.shape).copy()

    def set(self, array: np.ndarray) -> None:
        """Take the values of a host array of the same shape and dtype; raises `ValueError`."""
        array = np.asarray(array)
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(
                f"set() got {array.dtype}{list(array.shape)} for a device array of "
                f"{self.dtype}{list(self.shape)}; both must be the same"
            )
        self.bytes().view(self.dtype).reshape(self.shape)[...] = array
        self.known = True

    def __repr__(self) -> str:
        return f"DeviceArray({self.dtype}{list(self.shape)}, emulated)"

    def __array__(self, *args, **kwargs):
        raise NotOnHost("this array is in device memory; .get() copies it to the host")

    def __del__(self):
        if not hasattr(self, "_map"):
            return
        process().forget(self.number)
        self._map.close()
        os.close(self._file)
        if not self.path.startswith("/proc/"):
            Path(self.path).unlink(missing_ok=True)


def _file() -> tuple[int, str]:
    """A file in memory that the worker can open too: its descriptor and path."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("convladder")
        return file, f"/proc/{os.getpid()}/fd/{file}"
    return tempfile.mkstemp(prefix="convladder-")
