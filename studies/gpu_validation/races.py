"""Kernels that race, most of them in global memory, and their twins that do not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .case import KERNELS, Broken, Case, Fresh
from .patterns import ramp

BROKEN, SOUND = KERNELS / "broken_races.cu", KERNELS / "sound_races.cu"
RACECHECK = "racecheck"  # sees shared memory only
# In order by fences and atomics, of which racecheck takes no notice.
FENCED = ("last warp", "flag released", "flag fenced")
A = ramp(1024)
FEW, PAIR = ramp(64), ramp(128)
PICKS = (np.arange(1536) * 5 % 8).astype(np.int32)
BINS = np.bincount(PICKS, minlength=8).astype(np.int32)
MANY = (np.arange(256) * 37 % 101).astype(np.int32)
HIGH = (PICKS[:256] > 3).astype(np.int32)
TILES = ramp(62 * 3 + 2)
IMAGE, WEIGHTS = ramp(20 * 20).reshape(20, 20), ramp(9).reshape(3, 3)
BITS = np.packbits(FEW > 0, bitorder="little").view(np.uint32)
SQUARE = A.reshape(32, 32)


def _blurred(a: np.ndarray) -> np.ndarray:
    inner = (a[:-2] + a[1:-1] + a[2:]) / np.float32(3)
    return np.concatenate([a[:1], inner, a[-1:]])


def _haloed() -> np.ndarray:
    whole = np.convolve(TILES, np.ones(3, np.float32), "same")
    whole[[0, -1]] = 0
    return whole.astype(np.float32)


def _convolved() -> np.ndarray:
    windows = np.lib.stride_tricks.sliding_window_view(IMAGE, (3, 3))
    return np.einsum("hwij,ij->hw", windows, WEIGHTS).ravel().astype(np.float32)


def _zeros(size: int, dtype: type = np.float32) -> np.ndarray:
    return np.zeros(size, dtype)


def _launches() -> Iterator[tuple]:
    """Both of a pair, or one that has no twin: kernels, grid, block, arguments, results by place,
    and the tool that sees the fault.
    """
    fresh = Fresh((64,))
    flag = {0: np.ones(1, np.int32)}
    ones = np.where(np.arange(256) < HIGH.sum(), 1, 0).astype(np.int32)
    yield (
        "sum_into_one",
        "sum_by_atomics",
        (8,),
        (128,),
        (_zeros(1), A, 1000),
        {0: A[:1000].sum(dtype=np.float64).astype(np.float32)[None]},
        None,
    )
    yield (
        "plain_histogram",
        "atomic_histogram",
        (6,),
        (256,),
        (_zeros(8, np.int32), PICKS, 1536),
        {0: BINS},
        None,
    )
    yield (
        "volatile_counter",
        "",
        (1,),
        (64,),
        (_zeros(1, np.int32), PICKS[:64].copy()),
        {0: HIGH[:64].sum(keepdims=True, dtype=np.int32)},
        None,
    )
    yield (
        "greatest_by_hand",
        "greatest_by_atomics",
        (4,),
        (64,),
        (_zeros(1, np.int32), MANY),
        {0: MANY.max(keepdims=True)},
        None,
    )
    yield (
        "plain_ticket",
        "atomic_ticket",
        (4,),
        (64,),
        (_zeros(256, np.int32), PICKS[:256].copy(), _zeros(1, np.int32)),
        {0: ones, 2: HIGH.sum(keepdims=True, dtype=np.int32)},
        None,
    )
    yield (
        "bits_of_a_word",
        "bits_by_atomics",
        (1,),
        (64,),
        (_zeros(2, np.uint32), FEW),
        {0: BITS},
        None,
    )
    yield "", "bits_by_ballot", (1,), (64,), (_zeros(2, np.uint32), FEW), {0: BITS}, None
    yield (
        "all_raise_the_flag",
        "flag_raised_atomically",
        (2,),
        (32,),
        (_zeros(1, np.int32), FEW),
        flag,
        None,
    )

    blurred = _blurred(A[:1000])
    yield "blur_in_place", "", (8,), (128,), (A[:1000].copy(), 1000), {0: blurred}, None
    blurred = np.concatenate([[0], blurred[1:-1], [0]]).astype(np.float32)
    yield (
        "",
        "blur_into_another",
        (8,),
        (128,),
        (_zeros(1000), A[:1000].copy(), 1000),
        {0: blurred},
        None,
    )
    yield "", "own_value_in_place", (8,), (128,), (A,), {0: 2 * A + 1}, None
    yield (
        "turned_in_place",
        "pairs_turned_in_place",
        (4, 4),
        (8, 8),
        (A, 32),
        {0: SQUARE.T.ravel().copy()},
        None,
    )
    yield (
        "rows_of_weights_apart",
        "rows_of_weights_added",
        (3, 3),
        (128,),
        (_zeros(18 * 18), IMAGE, WEIGHTS, 20, 3, 18, 18),
        {0: _convolved()},
        None,
    )
    yield (
        "tiles_that_overlap",
        "tiles_with_a_halo",
        (3,),
        (64,),
        (_zeros(TILES.size), TILES),
        {0: _haloed()},
        None,
    )
    lanes = np.concatenate([np.repeat(FEW[:8], 4), FEW[8:32]])
    yield "", "vector_beside_vectors", (1,), (32,), (Fresh((56,)), FEW), {0: lanes}, None
    lanes = np.repeat(FEW[:16], 4)
    lanes[3::4] = FEW[16:32]
    yield "vector_over_a_scalar", "", (1,), (64,), (fresh, FEW), {0: lanes}, None
    small = (np.arange(300) % 200).astype(np.uint8)
    yield (
        "",
        "bytes_side_by_side",
        (3,),
        (100,),
        (Fresh((300,), np.uint8), small),
        {0: small + np.uint8(1)},
        None,
    )
    yield (
        "",
        "triples_side_by_side",
        (1,),
        (40,),
        (Fresh((120,)), A[:120].copy()),
        {0: A[:120].copy()},
        None,
    )
    yield from _orders()
    yield from _last_blocks()


def _orders() -> Iterator[tuple]:
    """Threads that wait for one another, or do not."""
    fresh, places = Fresh((64,)), np.arange(64)
    yield (
        "neighbour_too_early",
        "neighbour_after_a_barrier",
        (1,),
        (64,),
        (fresh, fresh, FEW),
        {0: FEW[places ^ 32]},
        None,
    )
    both = Fresh((128,))
    yield (
        "barrier_for_two_blocks",
        "",
        (2,),
        (64,),
        (both, both, PAIR),
        {0: PAIR[::-1].copy()},
        None,
    )
    yield (
        "",
        "barrier_within_each_block",
        (2,),
        (64,),
        (both, both, PAIR),
        {0: PAIR.reshape(2, 64)[:, ::-1].ravel().copy()},
        None,
    )
    yield (
        "lanes_by_luck",
        "lanes_that_wait",
        (1,),
        (64,),
        (fresh, fresh, FEW),
        {0: FEW[places ^ 1]},
        None,
    )
    warp, few = Fresh((32,)), FEW[:32].copy()
    yield (
        "half_a_warp_waits",
        "",
        (1,),
        (32,),
        (warp, few),
        {0: np.concatenate([few[16:], few[16:]])},
        RACECHECK,
    )
    yield (
        "",
        "half_a_warp_for_itself",
        (1,),
        (32,),
        (warp, few),
        {0: np.concatenate([few[15::-1], few[16:]])},
        None,
    )
    yield (
        "shuffle_for_a_barrier",
        "",
        (1,),
        (32,),
        (warp, few),
        {0: 2 * few[np.arange(32) ^ 1]},
        RACECHECK,
    )
    seen = np.where(np.isin(places, (0, 5, 40)), FEW[0], np.nan).astype(np.float32)
    seen[63] = FEW[2]
    yield "three_readers", "", (1,), (64,), (fresh, FEW), {0: seen}, RACECHECK
    yield (
        "all_read_one_stores",
        "all_read_one_stores_later",
        (1,),
        (64,),
        (fresh, FEW),
        {0: np.full(64, FEW[0])},
        RACECHECK,
    )
    picks = PICKS[:64].copy()
    yield (
        "",
        "union_of_two_uses",
        (1,),
        (64,),
        (fresh, FEW, picks),
        {0: FEW[::-1] + picks[places ^ 1]},
        None,
    )


def _last_blocks() -> Iterator[tuple]:
    """What one block knows of the others."""
    one, sums, count = Fresh((1,)), Fresh((64,)), _zeros(1, np.int32)
    total = {0: FEW.sum(keepdims=True)}
    for kernel in ("last_block_without_fence", "last_block_with_a_small_fence"):
        yield kernel, "", (64,), (1,), (one, sums, count, FEW), total, None
    yield "", "last_block", (64,), (1,), (one, sums, count, FEW), total, None
    columns = {0: A.reshape(16, 64).sum(0)}
    many = Fresh((64,)), Fresh((1024,)), count, A
    yield (
        "last_block_without_barrier",
        "last_block_fenced_by_all",
        (16,),
        (64,),
        many,
        columns,
        None,
    )
    unsigned = *many[:2], _zeros(1, np.uint32), A
    yield "", "last_block_of_many_threads", (16,), (64,), unsigned, columns, None
    yield (
        "",
        "last_warp",
        (1,),
        (128,),
        (Fresh((32,)), PAIR),
        {0: PAIR.reshape(4, 32).sum(0)},
        None,
    )
    yield "", "sum_under_a_lock", (64,), (1,), (_zeros(1), count, FEW), total, None
    flag = _zeros(1, np.int32)
    yield (
        "counter_read_plainly",
        "counter_read_atomically",
        (4,),
        (64,),
        (flag, count),
        {0: np.ones(1, np.int32), 1: np.full(1, 256, np.int32)},
        None,
    )
    yield ("counter_reset_plainly", "", (4,), (64,), (count,), {0: np.full(1, 256, np.int32)}, None)


def broken() -> Iterator[Broken]:
    """Yield cases that must be caught; `results` are those of the same kernel without the race."""
    for kernel, _, grid, block, arguments, results, tool in _launches():
        if kernel:
            case = Case(kernel.replace("_", " "), BROKEN, kernel, grid, block, arguments, results)
            yield Broken(case, "races", tool)


def sound() -> Iterator[Case]:
    """Yield cases of which none may be accused, and each gives its results."""
    for _, kernel, grid, block, arguments, results, _ in _launches():
        if kernel:
            yield Case(kernel.replace("_", " "), SOUND, kernel, grid, block, arguments, results)
