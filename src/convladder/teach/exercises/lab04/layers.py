"""What the exercises of lab 04 share: layers, chunks of rows, and what learners may call."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ..lab03 import layers
from ..lab03.layers import PADDED, PHOTO, PROBLEM, STRIDED, kernel

__all__ = [
    "PADDED",
    "PHOTO",
    "PROBLEM",
    "REHEARSAL",
    "SCRATCH",
    "STRIDED",
    "TOY",
    "chunks_of",
    "CUTS",
    "MORE_THAN_ONE",
    "image",
    "kernel",
    "remainder_lost",
    "strip",
    "submit_and_wait",
]

TOY = ConvProblem(1, 3, 6, 1, 2, 2, 1)
# The pool and the limit that the cases hand over.
REHEARSAL = ("convladder.teach.mocks.thread_pool",)
SCRATCH = 2**16  # bytes for the objects of a pool and its tasks


def image(rng: np.random.Generator, p: ConvProblem) -> np.ndarray:
    if p is TOY:
        return np.arange(1, 19, dtype=np.float32).reshape(p.input_shape)
    return layers.image(rng, p)


def chunks_of(rows, parts):
    """Return the right answer of exercise 1."""
    chunks, begin = [], 0
    for left in range(min(rows, parts), 0, -1):
        stop = begin + -(-(rows - begin) // left)
        chunks.append((begin, stop))
        begin = stop
    return tuple(chunks)


def remainder_lost(rows, parts):
    """Make a usual mistake, in three of the exercises."""
    size = rows // parts
    return tuple((i * size, (i + 1) * size) for i in range(parts))


def proportional(rows, parts):
    """Cut at rows * i // parts."""
    cuts = [rows * i // parts for i in range(parts + 1)]
    return tuple((a, b) for a, b in zip(cuts, cuts[1:]) if b > a)


def rounded_up(rows, parts):
    """Cut every -(-rows // parts) rows."""
    size = -(-rows // parts)
    return tuple((begin, min(begin + size, rows)) for begin in range(0, rows, size))


def single(rows, parts):
    """Make a chunk of each row."""
    return tuple((row, row + 1) for row in range(rows))


def strip(padded, w, p):
    return padded[:, :, p.s_w * w : p.s_w * w + p.k_w]


def submit_and_wait(pool, work, chunks):
    for future in [pool.submit(work, *chunk) for chunk in chunks]:
        future.result()


CUTS = {"cut": (proportional, rounded_up, single)}  # other ways to share rows out, all right
MORE_THAN_ONE = {"cut": CUTS["cut"][:-1]}  # rows a chunk
