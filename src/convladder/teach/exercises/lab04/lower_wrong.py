"""Lowerings in threads as lab 04's learners write them wrongly: exercise 2."""

from __future__ import annotations

import numpy as np

from ....cpu.im2col import pad
from .layers import chunks_of, strip, submit_and_wait


def empty_lowered(p):
    return np.full((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.nan, np.float32)


def lower_with(chunks, strips, share):
    """Make a lowering of `chunks(o_w, n)`, each by `strips(L, padded, begin, stop, p)`.

    `share(pool, work, chunks)` hands the work out.
    """

    def lowered(x, problem, n, pool, cut=chunks):
        p, padded = problem, pad(x, problem)
        L = empty_lowered(p)
        share(pool, lambda begin, stop: strips(L, padded, begin, stop, p), cut(p.o_w, n))
        return L

    return lowered


def write(L, padded, begin, stop, p):
    for w in range(begin, stop):
        L[:, w] = strip(padded, w, p)


def write_all_but_last(L, padded, begin, stop, p):
    write(L, padded, begin, stop - 1, p)


def write_from_the_first_strip(L, padded, begin, stop, p):
    for w in range(begin, stop):
        L[:, w] = strip(padded, w - begin, p)


def write_without_stride(L, padded, begin, stop, p):
    for w in range(begin, stop):
        L[:, w] = padded[:, :, p.s_w * begin + (w - begin) :][:, :, : p.k_w]


def alone(pool, work, chunks):
    for chunk in chunks:
        work(*chunk)


def first_by_itself(pool, work, chunks):
    futures = [pool.submit(work, *chunk) for chunk in chunks[1:]]
    work(*chunks[0])
    for future in futures:
        future.result()


def fewer_tasks(x, problem, n, pool, alone=False):
    """Keep the first chunk for the own thread; or make a chunk less than there are threads."""
    chunks = (lambda strips, n: chunks_of(strips, max(1, n - 1))) if alone else chunks_of
    share = submit_and_wait if alone else first_by_itself
    return lower_with(chunks, write, share)(x, problem, n, pool)


def never_wait(pool, work, chunks):
    for chunk in chunks:
        pool.submit(work, *chunk)


def wait_for_the_last(pool, work, chunks):
    futures = [pool.submit(work, *chunk) for chunk in chunks]
    futures[-1].result()


def wait_in_the_loop(pool, work, chunks):
    for chunk in chunks:
        pool.submit(work, *chunk).result()


def rows_for_strips(x, problem, n, pool):
    """Share out the rows of the padded image, and take their numbers for strips."""
    p, padded = problem, pad(x, problem)
    L = empty_lowered(p)
    submit_and_wait(
        pool, lambda begin, stop: write(L, padded, begin, stop, p), chunks_of(p.padded_h, n)
    )
    return L


def images_for_strips(x, problem, n, pool, chunks=chunks_of):
    """Share out the images of the batch, each with all of its strips."""
    p, padded = problem, pad(x, problem)
    L = empty_lowered(p)
    submit_and_wait(
        pool,
        lambda begin, stop: write(L[begin:stop], padded[begin:stop], 0, p.o_w, p),
        chunks(p.i_n, n),
    )
    return L


def image_by_image(images, n):
    return [(i, i + 1) for i in range(images)]


def call_at_once(pool, work, chunks):
    for future in [pool.submit(work(*chunk)) for chunk in chunks]:
        future.result()


def bind_late(pool, work, chunks):
    futures = []
    for begin, stop in chunks:
        futures.append(pool.submit(lambda: work(begin, stop)))  # noqa: B023, the mistake itself
    for future in futures:
        future.result()


def join_parts(x, problem, n, pool, cut=chunks_of):
    p, padded = problem, pad(x, problem)

    def part(begin, stop):
        return np.stack([strip(padded, w, p) for w in range(begin, stop)], axis=1)

    futures = [pool.submit(part, *chunk) for chunk in cut(p.o_w, n)]
    return np.concatenate([future.result() for future in futures], axis=1)


def padded_in_each(x, problem, n, pool, copies=3):
    own = [pad(x, problem).copy() for _ in range(copies - 1)]
    L = lower_with(chunks_of, write, submit_and_wait)(x, problem, n, pool)
    del own
    return L


def rows_unpadded(x, problem, n, pool):
    p = problem
    padded = np.pad(x, ((0, 0), (0, 0), (p.p_w,) * 2, (0, 0)))
    L = np.full((p.i_n, p.o_w, p.i_h, p.k_w, p.i_c), np.nan, np.float32)
    submit_and_wait(pool, lambda begin, stop: write(L, padded, begin, stop, p), chunks_of(p.o_w, n))
    return L


def stop_included(L, padded, begin, stop, p):
    write(L, padded, begin, stop + 1, p)


def in_float64(x, problem, n, pool):
    return lower_with(chunks_of, write, submit_and_wait)(x, problem, n, pool).astype(np.float64)


def no_first_strip(x, problem, n, pool, items="array"):
    """Cut the strips into `n` parts, some of them empty, and ask each for its first."""
    p, padded = problem, pad(x, problem)
    L = empty_lowered(p)
    parts = np.array_split(np.arange(p.o_w), n)
    if items == "step":
        parts = [
            range(begin, min(begin + p.o_w // n, p.o_w)) for begin in range(0, p.o_w, p.o_w // n)
        ]
    if items == "list":
        parts = [part.tolist() for part in parts]
    submit_and_wait(
        pool,
        lambda begin, stop: write(L, padded, begin, stop, p),
        [(part[0], part[-1] + 1) for part in parts],
    )
    return L
