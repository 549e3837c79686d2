"""Kernels with one fault each, and others that only look like them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import cooperation, races
from .case import KERNELS, Broken, Case, Fresh
from .patterns import ramp

BROKEN, SOUND = KERNELS / "broken.cu", KERNELS / "sound.cu"
X = np.arange(64)
A = ramp(256)


def _case(
    source,
    kernel: str,
    block: tuple,
    arguments: tuple,
    results=None,
    grid=(1,),
    shared=0,
    name: str | None = None,
) -> Case:
    name = name or kernel.replace("_", " ")
    return Case(name, source, kernel, grid, block, arguments, results or {}, shared)


def _broken(
    kernel: str, kind: str, tool: str, block: tuple, *arguments, grid=(1,), shared=0, thread=None
) -> Broken:
    where = None if thread is None else ((0, 0, 0), thread)
    return Broken(
        _case(BROKEN, kernel, block, arguments, grid=grid, shared=shared), kind, tool, where
    )


def broken() -> Iterator[Broken]:
    """Yield cases each of which must be caught, for its own fault."""
    fresh = Fresh((64,))
    few = ramp(64)

    def race(kernel: str, *arguments, block: tuple = (64,)) -> Broken:
        return _broken(kernel, "races", "racecheck", block, *arguments)

    yield race("unsynchronised_reversal", fresh, few)
    yield race("tile_overwritten", Fresh((256,)), A, 4)
    yield race("all_write_one_word", fresh, few)
    yield race("halving_without_barrier", Fresh((1,)), A[:128].copy(), block=(128,))
    yield race("halo_before_barrier", fresh, A[:65].copy())
    yield race("warp_barrier_for_a_block", fresh, few)
    yield race("scan_in_place", fresh, few)
    yield race("plain_counters", Fresh((8,), np.int32), (X * 5 % 8).astype(np.int32))
    yield race("turned_without_barrier", Fresh((256,)), A, block=(16, 16))

    def outside(kernel: str, thread, *arguments, **launch) -> Broken:
        launch = {"block": (64,), **launch}
        return _broken(
            kernel,
            "out_of_bounds",
            "memcheck",
            launch.pop("block"),
            *arguments,
            thread=thread,
            **launch,
        )

    yield Broken(
        _case(BROKEN, "no_bound", (32,), (Fresh((128,)), A[:100].copy()), grid=(4,)),
        "out_of_bounds",
        "memcheck",
        ((3, 0, 0), (4, 0, 0)),
    )
    yield outside("stores_past_the_end", (50, 0, 0), Fresh((50,)), few, 50)
    yield outside("before_the_start", (0, 0, 0), fresh, few)
    yield outside("exchanged_sides", (5, 0, 0), Fresh((5 * 8,)), ramp(5 * 8), 8, 5, block=(8, 8))
    yield outside("window_over_the_edge", (31, 0, 0), Fresh((33,)), ramp(33), ramp(3), 33)
    yield outside("past_a_shared_array", (63, 0, 0), fresh, few, shared=256)
    yield outside("far_away", (0, 0, 0), fresh, few, 3)

    def unwritten(kernel: str, thread, *arguments) -> Broken:
        return _broken(kernel, "uninitialised", "initcheck", (64,), *arguments, thread=thread)

    yield unwritten("adds_to_nothing", (0, 0, 0), fresh, few)
    yield unwritten("half_filled", (32, 0, 0), fresh, few)
    yield unwritten("sum_from_nothing", (0, 0, 0), fresh, few)

    def crooked(kernel: str, thread, *arguments) -> Broken:
        return _broken(kernel, "misaligned", "memcheck", (32,), *arguments, thread=thread)

    yield crooked("odd_vectors", (0, 0, 0), Fresh((128,)), A, 1)
    yield crooked("odd_pairs", (0, 0, 0), Fresh((67,)), few, 3)
    yield crooked("rows_of_three", (1, 0, 0), Fresh((32,)), A)

    def apart(kernel: str, *arguments) -> Broken:
        return _broken(kernel, "barriers", "synccheck", (64,), *arguments)

    yield apart("barrier_for_odd_lanes", fresh, few)
    yield apart("return_before_barrier", Fresh((50,)), few, 50)
    yield apart("barrier_in_unequal_loop", fresh, few)

    for name, block, shared in (
        ("too much shared memory", 64, 300 * 1024),
        ("block too large", 2048, 8192),
    ):
        arguments = Fresh((block,)), ramp(block)
        case = _case(BROKEN, "dynamic", (block,), arguments, shared=shared, name=name)
        yield Broken(case, "limits", "memcheck")
    yield from races.broken()
    yield from cooperation.broken()


def _sound(kernel: str, block: tuple, result: np.ndarray, *arguments, grid=(1,)) -> Case:
    fresh = Fresh(result.shape, result.dtype.type)
    return _case(SOUND, kernel, block, (fresh, *arguments), {0: result}, grid)


def sound() -> Iterator[Case]:
    """Yield cases of which none may be accused, and each gives its results."""
    few, tiles = ramp(64), A.reshape(4, 64)
    yield _sound("reversal", (64,), few[::-1].copy(), few)
    for kernel in ("tiles_in_turn", "two_buffers"):
        yield _sound(kernel, (64,), tiles[:, ::-1].ravel().copy(), A, 4)
    yield _sound("one_writes_all_read", (64,), np.full(64, few[63]), few)
    yield _sound("halving", (128,), A[:128].sum(keepdims=True), A[:128].copy())
    yield _sound("own_words", (64,), sum(2**j * tiles[j] for j in range(4)), A, 64)
    yield _sound("within_a_warp", (64,), few[X ^ 1], few)
    yield _sound("scan", (64,), np.cumsum(few), few)
    picks = (X * 5 % 8).astype(np.int32)
    counts = np.bincount(picks, minlength=8).astype(np.int32)
    yield _sound("atomic_counters", (64,), counts, picks)
    yield _case(
        SOUND,
        "global_counters",
        (32,),
        (np.zeros(8, np.int32), picks[:50].copy(), 50),
        {0: np.bincount(picks[:50], minlength=8).astype(np.int32)},
        (2,),
    )
    yield _sound("warp_sums", (64,), np.repeat(few.reshape(2, 32).sum(1), 32), few)
    yield _sound("counted_barrier", (64,), np.full(64, (few > 0).sum(), np.int32), few)
    yield _sound("turned", (16, 16), A.reshape(16, 16).T.ravel().copy(), A)
    kernel = ramp(3)
    yield _sound(
        "padded_window",
        (32,),
        np.convolve(few[:33], kernel[::-1], "same"),
        few[:33].copy(),
        kernel,
        33,
        grid=(2,),
    )
    yield _sound("odd_plane", (8, 8), A[:77].copy(), A[:77].copy(), 7, 11, grid=(1, 2))
    half = np.concatenate([tiles[:2, ::-1], tiles[2:]]).ravel()
    yield _sound("barrier_in_a_common_branch", (64,), half, A, 2, grid=(4,))
    padded = np.append(A[:100], np.zeros(28, np.float32))
    yield _sound(
        "idle_blocks",
        (64,),
        (padded - padded[np.arange(128) ^ 1])[:100],
        A[:100].copy(),
        100,
        grid=(4,),
    )
    yield _sound("vectors_from_the_fourth", (32,), A[4:132].copy(), A)
    signed = np.where(np.arange(128) < 64, A[:128], -A[:128])
    yield _sound("two_phases", (128,), signed + signed[::-1] + A[127::-1], A[:128].copy())
    yield from races.sound()
    yield from cooperation.sound()
