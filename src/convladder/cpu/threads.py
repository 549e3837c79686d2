"""im2col and MEC by the same threads: each lowers and multiplies its own part.

BLAS is held to one thread meanwhile. A library that splits a small product among threads spends
its time waiting, and the copy before it stays on one core.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..core.problem import ConvProblem
from ..core.registry import method
from . import im2col
from .workers import workers

LEAST = 400_000  # multiply-adds of a thread: 4 µs, in which another one has just woken up
forked_late = False  # in a child of a process whose threads ran already: they are not there


def threads_now() -> int:
    """Return how many threads Numba may use now: the one number for all threaded methods.

    One in a child that was forked after its parent used threads, where Numba can start none.
    """
    return 1 if forked_late else _numba().get_num_threads()


@cache
def _numba() -> Any:
    from ..core.jit import numba  # half a second: only for those who run threads

    return numba


def worth(macs: int, threads: int) -> int:
    """Return how many of `threads` have enough to do in so many multiply-adds."""
    return max(1, min(threads, macs // LEAST))


def _after_fork() -> None:
    global forked_late
    workers.cache_clear()
    numba = sys.modules.get("numba")
    try:
        forked_late = forked_late or numba is not None and bool(numba.threading_layer())
    except ValueError:  # Numba has started no threads
        pass


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@cache
def _blas():
    import threadpoolctl

    # Kept, since finding the libraries takes a millisecond.
    return threadpoolctl.ThreadpoolController().select(user_api="blas").lib_controllers


@contextmanager
def blas_alone() -> Iterator[None]:
    """Hold BLAS to one thread, so that several may call it side by side."""
    before = [library.num_threads for library in _blas()]
    try:
        for library in _blas():
            library.set_num_threads(1)
        yield
    finally:
        for library, number in zip(_blas(), before, strict=True):
            library.set_num_threads(number)


def _part(count: int, thread: int, threads: int) -> slice:
    return slice(count * thread // threads, count * (thread + 1) // threads)


def _lines(problem: ConvProblem, thread: int, threads: int) -> Iterator[tuple[int, slice]]:
    """A thread's rows of the output: of each image that it has a part in, which."""
    part = _part(problem.i_n * problem.o_h, thread, threads)
    for n in range(problem.i_n):
        first = max(part.start - n * problem.o_h, 0)
        last = min(part.stop - n * problem.o_h, problem.o_h)
        if first < last:
            yield n, slice(first, last)


@method(name="im2col_threads", chapter=4, rung=1, workspace_bytes=im2col.lowered_bytes)
def im2col_threads(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by one GEMM a thread and image.

    Threads around the products, not inside them: each lowers and multiplies its own rows, so the
    copy is shared too and BLAS never waits for a neighbour.
    """
    p, threads = problem, threads_now()
    y = np.empty(p.output_shape, np.float32)
    kernel = w.reshape(p.window, p.k_c)
    windows = sliding_window_view(im2col.pad(x, p), (p.k_h, p.k_w), axis=(1, 2))
    windows = windows[:, :: p.s_h, :: p.s_w].transpose(0, 1, 2, 4, 5, 3)  # the channel innermost
    # A 1×1 kernel with stride 1 has windows of one pixel: the image is the matrix already.
    pointwise = p.kernel_shape[:2] == p.stride == (1, 1)
    L = windows if pointwise else np.empty(windows.shape, np.float32)

    def work(thread: int) -> None:
        for n, rows in _lines(p, thread, threads):
            if not pointwise:
                L[n, rows] = windows[n, rows]
            matrix, result = L[n, rows].reshape(-1, p.window), y[n, rows].reshape(-1, p.k_c)
            np.matmul(matrix, kernel, out=result)

    with blas_alone():
        workers(threads).together(work)
    return y


@method(name="mec_threads", chapter=4, rung=2, workspace_bytes=ConvProblem.mec_bytes)
def mec_threads(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by one GEMM per output row, straight into its place.

    The same threads on MEC's smaller matrix. They lower it together, then each multiplies its own
    rows of the output.
    """
    p, threads = problem, threads_now()
    y = np.empty(p.output_shape, np.float32)
    kernel = w.reshape(p.window, p.k_c)
    L = np.empty((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)
    L[:, :, : p.p_h] = 0
    L[:, :, p.p_h + p.i_h :] = 0
    # `mec.partition` for each row: a window onto the lowered matrix every s_h rows of the image.
    partitions = sliding_window_view(L.reshape(p.i_n, p.o_w, -1), p.window, axis=2)
    partitions = partitions[:, :, :: p.s_h * p.k_w * p.i_c].swapaxes(1, 2)

    def lower(thread: int) -> None:
        rows = _part(p.i_h, thread, threads)
        _lower_rows(x[:, rows], L[:, :, p.p_h + rows.start : p.p_h + rows.stop], p)

    def multiply(thread: int) -> None:
        for n, rows in _lines(p, thread, threads):
            # One call for all rows: threads would queue for the interpreter's lock between calls.
            np.matmul(partitions[n, rows], kernel, out=y[n, rows])

    with blas_alone():
        workers(threads).together(lower)
        workers(threads).together(multiply)  # a window reaches into another thread's rows
    return y


def _lower_rows(x: np.ndarray, L: np.ndarray, problem: ConvProblem) -> None:
    """`mec.lower` for some rows of the images, `x[i_n,rows,i_w,i_c]`, into their part of `L`."""
    p = problem
    first = -(-p.p_w // p.s_w)  # windows from here on begin inside the image
    stop = max(first, (p.i_w + p.p_w - p.k_w) // p.s_w + 1)  # and before here they end in it
    if stop > first:
        windows = sliding_window_view(x, p.k_w, axis=2)[:, :, p.s_w * first - p.p_w :: p.s_w]
        L[:, first:stop] = windows[:, :, : stop - first].transpose(0, 2, 1, 4, 3)
    for v in (*range(min(first, p.o_w)), *range(stop, p.o_w)):  # cut to what exists
        left = p.s_w * v - p.p_w
        begin, end = max(left, 0), min(left + p.k_w, p.i_w)
        L[:, v] = 0
        if begin < end:
            L[:, v, :, begin - left : end - left] = x[:, :, begin:end]
