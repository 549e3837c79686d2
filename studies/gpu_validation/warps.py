"""Warps whose lanes take different ways, and access patterns of shared memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .case import KERNELS, Case, Fresh
from .patterns import ramp

FLOW, SHARED = KERNELS / "flow.cu", KERNELS / "shared.cu"
N = 96  # threads of a flow case, in two blocks


def _flow(name: str, kernel: str, arrays: tuple, result: np.ndarray, *numbers, n: int = N) -> Case:
    fresh = Fresh(result.shape)
    return Case(
        name,
        FLOW,
        kernel,
        (2,),
        (n // 2,),
        (fresh, *arrays, *numbers),
        {0: result.astype(np.float32)},
    )


def flow() -> Iterator[Case]:
    """Yield branches, loops of unequal length, lanes that leave early."""
    i = np.arange(N)
    a, c = ramp(N * 32), ramp(N * 2)[::-1].copy()
    rows = a.reshape(32, N)
    yield _flow("branches", "branches", (a, c), np.where(i % 2, a[i] + 1, 2 * c[i]))
    for lanes in (1, 8, 31):
        yield _flow(
            f"{lanes} lanes of a warp",
            "few_lanes",
            (a,),
            np.where(i % 32 < lanes, a[i], np.nan),
            lanes,
        )
    j = np.arange(32)[:, None]
    yield _flow("unequal trips", "unequal_trips", (a,), np.where(j < i % 32, rows, 0).sum(0), N)
    j = j[:8]
    yield _flow("late starts", "late_starts", (a,), np.where(j >= i % 4, rows[:8], 0).sum(0), N)
    yield _flow(
        "every third turn", "every_third", (a,), np.where((i + j) % 3 == 0, rows[:8], 0).sum(0), N
    )
    positive = np.abs(rows)
    signed = np.where(np.arange(32)[:, None] == i * 5 % 9, -positive, positive)
    before = np.cumsum(signed[:8] < 0, axis=0) == 0
    yield _flow(
        "until a negative value",
        "until_negative",
        (signed.ravel(),),
        np.where(before, signed[:8], 0).sum(0),
        N,
        8,
    )
    total = sum(
        np.where((outer < 1 + i % 3) & (inner < 1 + i % 2), rows[2 * outer + inner], 0)
        for outer in range(3)
        for inner in range(2)
    )
    yield _flow("nested loops", "nested", (a,), total, N)
    yield _flow("early return", "early_return", (a, c), np.where(a[i] < 0, np.nan, a[i] + c[i]))
    line = a[:N]
    right, left = np.append(line[1:], 0), np.insert(line[:-1], 0, 0)
    yield _flow("edges", "edges", (line.copy(),), right - left, N)
    yield _flow(
        "called from two places",
        "called",
        (line.copy(),),
        line**2 + np.where(i % 4 == 0, line[::-1] ** 2, 0),
        N,
    )
    yield Case(
        "grid stride",
        FLOW,
        "grid_stride",
        (2,),
        (64,),
        (Fresh((300,)), a, 300),
        {0: a[:300].copy()},
    )


def _one_warp(name: str, kernel: str, a: np.ndarray, result: np.ndarray, *numbers) -> Case:
    fresh = Fresh(result.shape, result.dtype.type)
    return Case(name, SHARED, kernel, (1,), (32,), (fresh, a, *numbers), {0: result})


def banks() -> Iterator[Case]:
    """Yield one warp, or one block, and which banks it asks."""
    x, a = np.arange(32), ramp(4096)
    for stride in (1, 2, 3, 4, 8, 16, 32, 33):
        yield _one_warp(f"words stride {stride}", "words", a, a[:32].copy(), stride)
    yield Case(
        "words stride 2, 20 lanes",
        SHARED,
        "words",
        (1,),
        (20,),
        (Fresh((20,)), a, 2),
        {0: a[:20].copy()},
    )
    yield Case(
        "one word",
        SHARED,
        "one_word",
        (1,),
        (128,),
        (Fresh((128,)), a),
        {0: a[5] + np.repeat(a[:4], 32)},
    )
    for apart in (1, 16, 32):
        yield _one_warp(f"two words {apart} apart", "two_words", a, a[x % 2 * apart], apart)
    for kind, dtype, lanes in (
        ("unsigned char", np.uint8, 1),
        ("short", np.int16, 1),
        ("float2", np.float32, 2),
        ("float4", np.float32, 4),
        ("double", np.float64, 1),
    ):
        for stride in (1, 2, 4):
            items = np.abs(ramp(32 * lanes)).astype(dtype)
            result = items.reshape(-1, lanes)[::-1].ravel().copy()
            yield _one_warp(
                f"{kind} stride {stride} in shared memory", f"items<{kind}>", items, result, stride
            )
    rows = ramp(4 * 32 * 4).reshape(4, 32, 4)
    for pitch in (32, 33, 36, 34):
        result = rows[x // 8, x % 8 // 4].sum(1)
        yield Case(
            f"vectors of 4 rows, pitch {pitch}",
            SHARED,
            "vector_rows",
            (1,),
            (32,),
            (Fresh((32,)), rows.ravel(), pitch),
            {0: result},
            16 * 4 * 36,
        )


def tiles() -> Iterator[Case]:
    """Yield transposes, sums and a stencil by way of shared memory."""
    a = ramp(64 * 64)
    turned = a.reshape(64, 64).T.ravel().copy()
    for kernel in ("transposed_tile<32>", "transposed_tile<33>", "swizzled_tile"):
        yield Case(
            kernel.replace("_", " "),
            SHARED,
            kernel,
            (2, 2),
            (32, 8),
            (Fresh(a.shape), a, 64),
            {0: turned},
        )
    square = a[:256]
    yield Case(
        "square tile",
        SHARED,
        "square",
        (1,),
        (16, 16),
        (Fresh((256,)), square.copy()),
        {0: square.reshape(16, 16).T.ravel().copy()},
    )
    for kernel in ("halved_sums", "spread_sums"):
        yield Case(
            kernel.replace("_", " "),
            SHARED,
            kernel,
            (4,),
            (128,),
            (Fresh((4,)), a[:512]),
            {0: a[:512].reshape(4, 128).sum(1)},
            4 * 128,
        )
    line = a[:256].copy()
    padded = np.pad(line, 1)
    yield Case(
        "stencil with halo",
        SHARED,
        "stencil",
        (4,),
        (64,),
        (Fresh((256,)), line, 256),
        {0: padded[:-2] + line + padded[2:]},
    )
