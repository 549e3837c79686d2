"""What runs beside what: streams, page-locked memory, copies that do not wait, graphs.

On the emulator everything is done at once and in order, which any order of streams allows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np

from .backend import backend


class Stream:
    """A queue of the device. In `with stream:` copies and kernels go to it, one after the other."""

    def __init__(self):
        self._stream = None
        if backend() == "gpu":
            import cupy

            self._stream = cupy.cuda.Stream(non_blocking=True)
        self._queue = self._stream or nullcontext()

    def __enter__(self) -> Stream:
        self._queue.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._queue.__exit__(*error)

    def after(self, other: Stream) -> None:
        """What is put on this stream from now on waits for all that was put on `other` so far."""
        if self._stream is not None:
            self._stream.wait_event(other._stream.record())

    def synchronize(self) -> None:
        """Wait until all that was put on it is done."""
        if self._stream is not None:
            self._stream.synchronize()


class Graph:
    """Copies and kernels recorded once, with what waits for what; `launch` starts all at once."""

    def __init__(self, work: Callable[[Stream], None]):
        self.stream = Stream()
        self._work, self._recorded = work, None
        with self.stream:
            work(self.stream)  # compiles and loads what recording must not
        self.stream.synchronize()
        if self.stream._stream is not None:
            self._recorded = self._record()

    def _record(self):
        queue = self.stream._stream
        with self.stream:
            queue.begin_capture()
            try:
                self._work(self.stream)
            finally:
                recorded = queue.end_capture()
        return recorded

    def launch(self) -> None:
        """Start it. It does not wait; `stream.synchronize()` does."""
        if self._recorded is not None:
            self._recorded.launch(self.stream._stream)
        else:
            self._work(self.stream)


def stream() -> Stream:
    """A new stream, which waits for no other one."""
    return Stream()


def graph(work: Callable[[Stream], None]) -> Graph:
    """A graph of what `work(stream)` puts on that stream, and on others that are `after` it.

    The stream it was given must be `after` those in the end. `work` is run once before.
    """
    return Graph(work)


def pinned(shape: int | tuple[int, ...], dtype: object = np.float32) -> np.ndarray:
    """Host memory that the system never moves: the GPU copies from and to it by itself.

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
    import cupy

    target.data.copy_from_host_async(
        source.ctypes.data, source.nbytes, cupy.cuda.get_current_stream()
    )


def download(target: np.ndarray, source) -> None:
    """Copy a device array to host memory, likewise: `target` holds it after a synchronise."""
    _alike(source, target)
    if backend() != "gpu":
        target[...] = source.get()
        return
    import cupy

    source.data.copy_to_host_async(
        target.ctypes.data, target.nbytes, cupy.cuda.get_current_stream()
    )


def _alike(device, host: np.ndarray) -> None:
    if host.shape != device.shape or host.dtype != device.dtype or not host.flags.c_contiguous:
        raise ValueError(
            f"the host's {host.dtype}{list(host.shape)} is no contiguous match for the device's "
            f"{device.dtype}{list(device.shape)}"
        )
