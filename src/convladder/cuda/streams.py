"""Work side by side: streams, page-locked memory, copies that do not wait, graphs.

On the emulator everything is done at once and in order, which any order of streams allows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .backend import backend
from .errors import NoBackend


class Stream:
    """A queue of the device. In `with stream:` copies and kernels go to it, one after the other."""

    def __init__(self, queue: Any = None):
        if queue is None and backend() == "gpu":
            import cupy

            queue = cupy.cuda.Stream(non_blocking=True)
        self._queue = queue  # CuPy's; None on the emulator

    def __enter__(self) -> Stream:
        if self._queue is not None:
            self._queue.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._queue is not None:
            self._queue.__exit__(*error)

    def after(self, other: Stream) -> None:
        """Let all put on this stream from now on wait for all that was put on `other` so far."""
        if self._queue is not None:
            self._queue.wait_event(other._queue.record())

    def synchronize(self) -> None:
        """Wait until all that was put on it is done."""
        if self._queue is not None:
            self._queue.synchronize()


def stream() -> Stream:
    """Return a new stream, which waits for no other one."""
    return Stream()


def current() -> Stream:
    """Return the stream of the innermost `with stream:`, or the default one."""
    if backend() != "gpu":
        return Stream()
    import cupy

    return Stream(cupy.cuda.get_current_stream())


class CudaGraph:
    """Copies and kernels recorded once, with what waits for what; `launch` starts all at once.

    `work()` puts them on the current stream, and on others between `other.after(current())` and
    `current().after(other)`. It is run once before it is recorded.
    """

    def __init__(self, work: Callable[[], None]):
        self._work, self._recorded = work, None
        queue = Stream()
        with queue:
            work()  # compiles and loads what recording must not
            queue.synchronize()
            if queue._queue is not None:
                queue._queue.begin_capture()
                try:
                    work()
                finally:
                    self._recorded = queue._queue.end_capture()

    def launch(self) -> None:
        """Put it on the current stream; it does not wait."""
        if self._recorded is not None:
            self._recorded.launch()
        else:
            self._work()


def device_seconds(work: Callable[[], None]) -> float:
    """Return the seconds, by the device's own clock, that what `work()` puts on the stream takes.

    It is done twice: the first keeps the device busy while the host puts the second behind it.
    Raises `NoBackend` on the emulator, whose times are not a GPU's.
    """
    if backend() != "gpu":
        raise NoBackend("the emulator's times say nothing about a GPU; measure on one")
    import cupy

    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    with Stream():
        work()
        begin.record()
        work()
        end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end) / 1e3


def pinned(shape: int | tuple[int, ...], dtype: object = np.float32) -> np.ndarray:
    """Return host memory that the system never moves: the GPU copies from and to it itself.

    Its content is arbitrary. On the emulator it is ordinary memory.
    """
    if backend() == "gpu":
        import cupyx

        return cupyx.empty_pinned(shape, dtype)
    return np.empty(shape, dtype)


def upload(target, source: np.ndarray) -> None:
    """Copy host memory to a device array of the same size, in order with the stream's other work.

    Returns at once if `source` is pinned; it must stay as it is until the copy is done. Raises
    `ValueError` where shapes or types differ.
    """
    _alike(target, source)
    if backend() != "gpu":
        target.set(source)
        return
    from cupy.cuda import get_current_stream, runtime

    runtime.memcpyAsync(
        target.data.ptr,
        source.ctypes.data,
        source.nbytes,
        runtime.memcpyHostToDevice,
        get_current_stream().ptr,
    )


def download(target: np.ndarray, source) -> None:
    """Copy a device array to host memory, likewise: `target` holds it after a synchronise."""
    _alike(source, target)
    if backend() != "gpu":
        target[...] = source.get()
        return
    from cupy.cuda import get_current_stream, runtime

    runtime.memcpyAsync(
        target.ctypes.data,
        source.data.ptr,
        target.nbytes,
        runtime.memcpyDeviceToHost,
        get_current_stream().ptr,
    )


def _alike(device, host: np.ndarray) -> None:
    if host.shape != device.shape or host.dtype != device.dtype or not host.flags.c_contiguous:
        raise ValueError(
            f"the host's {host.dtype}{list(host.shape)} must be contiguous and match the device's "
            f"{device.dtype}{list(device.shape)}"
        )
