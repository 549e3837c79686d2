"""Threaded convolutions as lab 04's learners write them wrongly, and a right one: exercise 5."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from ....cpu import mec
from ....cpu.im2col import pad
from ....problem import ConvProblem
from ....exercises.mocks.thread_pool import RehearsalPool
from .layers import chunks_of, strip, submit_and_wait

THREADS = 4  # on the large layer: of so many, two are at work together whatever else runs


def banded(chunks=chunks_of, first_row=lambda p, begin: p.s_h * begin, halo=True, row=None):
    """Lower in each thread the image rows of its own output rows, and multiply them."""

    def run(x, w, problem, n, cut=chunks):
        p, padded = problem, pad(x, problem)
        weights = w.reshape(p.window, p.k_c)
        y = np.full(p.output_shape, np.nan, np.float32)

        def band(begin, stop):
            height = p.s_h * (stop - begin - 1) + p.k_h
            top = first_row(p, begin)
            rows = padded[:, top : top + (height if halo else p.s_h * (stop - begin))]
            L = np.zeros((p.i_n, p.o_w, height, p.k_w, p.i_c), np.float32)
            for at in range(p.o_w):
                L[:, at, : rows.shape[1]] = strip(rows, at, p)
            strips = L.reshape(p.i_n, p.o_w, -1)
            for h in range(stop - begin):
                at = (row or p.s_h) * h * p.k_w * p.i_c
                np.matmul(strips[:, :, at : at + p.window], weights, out=y[:, begin + h])

        with ThreadPoolExecutor(n) as pool:
            submit_and_wait(pool, band, cut(p.o_h, n))
        return y

    return run


def rows_from_0(x, w, problem, n, left=np.nan, cut=chunks_of):
    y = banded()(x, w, problem, n)
    wrong = np.full_like(y, left)
    for begin, stop in cut(problem.o_h, n):
        wrong[:, : stop - begin] = y[:, begin:stop]
    return wrong


def memory_in_each(x, w, problem, n, more=THREADS - 1, each=("L",)):
    """Hold, beside one lowering, what each of `more` threads at work has made for itself."""
    p, weights, padded = problem, w.reshape(problem.window, problem.k_c), pad(x, problem)
    makes = {
        "image": lambda: padded.copy(),
        "L": lambda: mec.lower(x, p),
        "result": lambda: np.zeros(p.output_shape, np.float32),
    }
    L, own = mec.lower(x, p), [makes[what]() for _ in range(more) for what in each]
    y = np.empty(p.output_shape, np.float32)
    for h in range(p.o_h):
        np.matmul(mec.partition(L, h, p), weights, out=y[:, h])
    del own
    return y


def filters_lost(y, p, n, left=np.nan):
    y[..., p.k_c // n * n :] = left
    return y


def no_first_row(x, w, problem, n, items="array"):
    """Cut the output rows into `n` parts, some of them empty, and ask each for its first."""
    p = problem
    parts = np.array_split(np.arange(p.o_h), n)
    if items == "step":
        parts = [range(begin, begin + p.o_h // n) for begin in range(0, p.o_h, p.o_h // n)]
    if items == "ends":
        size = -(-p.o_h // n)
        ends = [(i * size, min(p.o_h, (i + 1) * size)) for i in range(n)]
        return banded(chunks=lambda *_: ends)(x, w, p, n)
    if items == "list":
        parts = [part.tolist() for part in parts]
    chunks = [(int(part[0]), int(part[-1]) + 1) for part in parts]
    return banded(chunks=lambda *_: chunks)(x, w, p, n)


def nobody_waits_between(x, w, problem, n):
    """Multiply while others still lower: wrong now and then, and always where it is rehearsed."""
    p, padded, L = problem, pad(x, problem), np.full_like(mec.lower(x, problem), np.nan)
    weights, y = w.reshape(p.window, p.k_c), np.empty(p.output_shape, np.float32)

    def lower(begin, stop):
        for at in range(begin, stop):
            L[:, at] = strip(padded, at, p)

    def multiply(begin, stop):
        for h in range(begin, stop):
            np.matmul(mec.partition(L, h, p), weights, out=y[:, h])

    with ThreadPoolExecutor(2 * n) as pool:
        waiting = [pool.submit(lower, *chunk) for chunk in chunks_of(p.o_w, n)]
        if not isinstance(pool, RehearsalPool):
            wait(waiting)
        submit_and_wait(pool, multiply, chunks_of(p.o_h, n))
    return y


def nobody_waits(x, w, problem, n):
    """Return at once: wrong now and then, and always where it is rehearsed."""
    pool = ThreadPoolExecutor(n)
    if not isinstance(pool, RehearsalPool):
        return banded()(x, w, problem, n)
    y = np.full(problem.output_shape, np.nan, np.float32)
    pool.submit(y.fill, 0)
    return y


def changed(change):
    """Make an answer that changes the right result: `change(y, problem, n)`."""

    def run(x, w, problem, n, **how):
        return change(banded()(x, w, problem, n), problem, n, **how)

    return run


def first_chunk_only(y, p, n, left=np.nan, cut=chunks_of):
    y[:, cut(p.o_h, n)[0][1] :] = left
    return y


def same_rows(y, p, n, cut=chunks_of):
    """Fill every chunk with the rows of the first."""
    right = y.copy()
    for begin, stop in cut(p.o_h, n)[1:]:
        y[:, begin:stop] = right[:, : stop - begin]
    return y


def last_row_of_each(y, p, n, left=np.nan, cut=chunks_of):
    for _, stop in cut(p.o_h, n):
        y[:, stop - 1] = left
    return y


def images_shared_out(y, p, n, left=np.nan):
    """Cut the batch where the rows should be cut: with more threads than images."""
    y[len(y) // n * n :] = left
    return y


def unpadded(x, w, problem, n):
    return banded()(x, w, ConvProblem.from_arrays(x, w, stride=problem.stride), n)
