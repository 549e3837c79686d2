"""Access patterns of global memory, each the smallest launch that shows it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .case import KERNELS, Case, Fresh

SOURCE = KERNELS / "global.cu"
THREADS = 128


def ramp(size: int, dtype: type = np.float32) -> np.ndarray:
    """Return distinct values, none of them zero, of both signs."""
    return ((np.arange(size) * 7 + 3) % 97 - 48.5).astype(dtype)


def _line(
    name: str, kernel: str, before: tuple, result: np.ndarray, *numbers, block=(THREADS,), grid=(1,)
) -> Case:
    """A kernel `(b, a..., numbers...)` of one row of threads, that fills `b`."""
    fresh = Fresh(result.shape, result.dtype.type)
    return Case(name, SOURCE, kernel, grid, block, (fresh, *before, *numbers), {0: result})


def _holes(size: int, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    result = np.full(size, np.nan, np.float32)
    result[places] = values
    return result


def lines() -> Iterator[Case]:
    """Yield one load and one store of 4 bytes a thread."""
    i = np.arange(THREADS)
    a = ramp(THREADS * 33)
    for stride in (1, 2, 3, 8, 32):
        yield _line(f"load stride {stride}", "strided", (a,), a[i * stride], stride)
    for stride in (2, 8, 32):
        result = _holes(THREADS * stride, i * stride, a[i])
        yield _line(f"store stride {stride}", "strided_store", (a,), result, stride)
    for start, to in ((1, 0), (4, 0), (8, 0), (17, 0), (0, 1), (3, 5)):
        result = _holes(THREADS + to, i + to, a[i + start])
        yield _line(f"offset {start} to {to}", "offset", (a,), result, start, to)
    yield _line("reversed", "reversed", (a[:THREADS],), a[:THREADS][::-1].copy(), THREADS)
    yield _line("broadcast", "broadcast", (a,), np.repeat(a[:2], 64), block=(64,), grid=(2,))
    for lanes in (2, 4, 16):
        yield _line(f"shared by {lanes} lanes", "shared_by", (a,), a[i // lanes * 8], lanes)
    order = np.random.default_rng(6).permutation(THREADS).astype(np.int32)
    yield _line("gathered", "gathered", (a, order), a[order])
    yield _line("scattered", "scattered", (a, order), _holes(THREADS, order, a[i]))
    for n, block in ((100, 64), (33, 96), (45, 45), (1, 1)):
        grid = -(-n // block)
        yield _line(
            f"{n} values, blocks of {block}",
            "bounded",
            (a,),
            a[:n].copy(),
            n,
            block=(block,),
            grid=(grid,),
        )
    b = ramp(THREADS)[::-1].copy()
    yield Case("accumulated", SOURCE, "accumulated", (1,), (THREADS,), (b, a), {0: b + a[:THREADS]})
    yield _line("neighbours", "neighbours", (a,), a[i] + 2 * a[i + 1] + a[i + 2])
    yield _line("read only", "read_only", (a,), a[i] + a[0])


def widths() -> Iterator[Case]:
    """Yield items of 1 to 16 bytes."""
    i = np.arange(THREADS)
    for kind, dtype, lanes in (
        ("unsigned char", np.uint8, 1),
        ("uchar4", np.uint8, 4),
        ("short", np.int16, 1),
        ("int", np.int32, 1),
        ("int4", np.int32, 4),
        ("float2", np.float32, 2),
        ("float4", np.float32, 4),
        ("double", np.float64, 1),
        ("double2", np.float64, 2),
    ):
        for stride in (1, 2):
            a = np.abs(ramp(THREADS * stride * lanes)).astype(dtype)
            result = a.reshape(-1, lanes)[i * stride].ravel()
            yield _line(f"{kind} stride {stride}", f"copied<{kind}>", (a,), result, stride)
    a = ramp(THREADS * 4 + 8)
    t = a[: THREADS * 3].reshape(-1, 3)
    yield _line("triples", "triples", (a,), t[:, 0] + t[:, 1] * t[:, 2])
    for start in (4, 8):
        result = a[start : start + THREADS * 4].reshape(-1, 4).sum(1)
        yield _line(f"float4 from {start}", "vectors_of_floats", (a,), result, start)


def blocks() -> Iterator[Case]:
    """Yield blocks of two and three dimensions, whole and cut at the edges."""
    for width, height, block in (
        (32, 16, (32, 4)),
        (32, 16, (16, 8)),
        (32, 16, (8, 8)),
        (33, 9, (16, 16)),
        (20, 7, (4, 8)),
    ):
        a = ramp(width * height)
        grid = -(-width // block[0]), -(-height // block[1])
        yield Case(
            f"plane {width}x{height}, blocks of {block[0]}x{block[1]}",
            SOURCE,
            "plane",
            grid,
            block,
            (Fresh((width * height,)), a, width, height),
            {0: a},
        )
    a = ramp(64 * 64)
    turned = a.reshape(64, 64).T.ravel().copy()
    yield Case(
        "transposed", SOURCE, "transposed", (2, 8), (32, 8), (Fresh((64 * 64,)), a, 64), {0: turned}
    )
    yield Case(
        "transposed, blocks of 8x32",
        SOURCE,
        "transposed",
        (8, 2),
        (8, 32),
        (Fresh((64 * 64,)), a, 64),
        {0: turned},
    )
    yield Case(
        "columns first",
        SOURCE,
        "columns_first",
        (2, 8),
        (32, 8),
        (Fresh((64 * 64,)), a, 64),
        {0: a},
    )
    for volume in ((4, 4, 4), (5, 3, 6), (16, 2, 4)):
        a = ramp(volume[0] * volume[1] * volume[2])
        yield Case(
            "volume {}x{}x{}".format(*volume),
            SOURCE,
            "volume",
            (1,),
            volume,
            (Fresh(a.shape), a, *volume[:2]),
            {0: 3 * a},
        )
