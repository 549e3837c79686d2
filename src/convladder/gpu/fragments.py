"""One instruction of a tensor core: which lane holds which value, and what comes out.

mma.m16n8k16 multiplies a[16,16] by b[16,8] and adds c[16,8]. The layouts lead from (lane, register)
to a place in the matrix, counted down its columns (b: down those of its transpose). Source: PTX
ISA, "Matrix fragments for mma.m16n8k16", and CUTLASS's include/cute/atom/mma_traits_sm80.hpp.
"""

from __future__ import annotations

import numpy as np

from .layout_algebra import Layout

M, N, K = 16, 8, 16
LANES = 32
A = Layout(((4, 8), (2, 2, 2)), ((32, 1), (16, 8, 128)))  # place m + 16·k
B = Layout(((4, 8), (2, 2)), ((16, 1), (8, 64)))  # place n + 8·k
C = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))  # place m + 16·n
ROWS = {"a": M, "b": N, "c": M}  # of a column, in the order of places


def holder(name: str) -> np.ndarray:
    """Return `[places, 2]`: lane and register of each place of matrix "a", "b" or "c"."""
    layout = {"a": A, "b": B, "c": C}[name]
    held = np.empty((layout.size, 2), int)
    for lane in range(LANES):
        for value in range(layout.size // LANES):
            held[layout(lane, value)] = lane, value
    return held


def load(matrix: np.ndarray, layout: Layout) -> np.ndarray:
    """Return `registers[lane, value]` of a matrix whose columns are counted down: a, b transposed,
    c.
    """
    flat = matrix.ravel(order="F")
    return np.array(
        [
            [flat[layout(lane, value)] for value in range(layout.size // LANES)]
            for lane in range(LANES)
        ]
    )


def store(registers: np.ndarray, layout: Layout, rows: int) -> np.ndarray:
    """Return the matrix of `rows` rows that the lanes hold."""
    flat = np.empty(layout.size, registers.dtype)
    for lane, values in enumerate(registers):
        for value, number in enumerate(values):
            flat[layout(lane, value)] = number
    return flat.reshape(-1, rows).T


def mma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return the instruction's result for the registers of 32 lanes: a[32,8], b[32,4] float16,
    c[32,4].

    Products and sums are float32, as the instruction promises at least.
    """
    left, right = store(a, A, M).astype(np.float32), store(b, B, N).astype(np.float32)
    return load(left @ right.T + store(c, C, M), C)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return `a @ b`, float32, by way of the registers of 32 lanes: a[16,16], b[16,8] float16."""
    zeros = np.zeros((M, N), np.float32)
    return store(mma(load(a, A), load(b.T, B), load(zeros, C)), C, M)
