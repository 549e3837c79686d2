"""Cooperative groups, memory orders and asynchronous copies: with a fault, and without."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .case import KERNELS, Broken, Case, Fresh
from .patterns import ramp

BROKEN, SOUND = KERNELS / "broken_cooperation.cu", KERNELS / "sound_cooperation.cu"
RACECHECK = "racecheck"  # of compute-sanitizer; some of these it calls warnings
FEW, PAIR = ramp(64), ramp(128)
WHOLE = (np.arange(128) * 37 % 101).astype(np.int32)
HALVES = (np.arange(64) % 5 - 2).astype(np.float16)
X = np.arange(64)


def _one(dtype: type = np.int32) -> np.ndarray:
    return np.zeros(1, dtype)


def broken() -> Iterator[Broken]:
    """Yield cases each of which must be caught, for its own fault.

    Of most compute-sanitizer says nothing, and of flags in shared memory the same whether they
    release or not: these are judged by what CUDA's guide promises.
    """
    floats = Fresh((64,)), FEW
    pair = Fresh((128,)), PAIR
    warp = Fresh((32,)), FEW[:32].copy()
    grid = {"grid": (2,)}
    last = Fresh((1,), np.int32), Fresh((40,), np.int32), _one(), WHOLE[:40].copy()
    for kernel, kind, arguments, launch, *tool in (
        ("tile_without_sync", "races", floats, {}, RACECHECK),
        ("tile_too_small", "races", floats, {}, RACECHECK),
        ("reduce_for_a_barrier", "races", warp, {"block": (32,)}, RACECHECK),
        ("reduce_in_a_branch", "lanes", warp, {"block": (32,)}),
        ("block_sync_in_a_branch", "barriers", floats, {}),
        ("copy_without_wait", "copies", floats, {}, RACECHECK),
        ("copy_without_commit", "copies", floats, {}, RACECHECK),
        ("wait_for_too_few", "copies", (Fresh((64,)), PAIR), {}, RACECHECK),
        ("copy_that_nobody_awaits", "copies", floats, {}),
        ("wait_without_barrier", "races", floats, {}, RACECHECK),
        ("refill_too_early", "races", pair, {}, RACECHECK),
        ("flag_set_relaxed", "races", (Fresh((1,)), FEW), {}),
        ("flag_seen_relaxed", "races", (Fresh((1,)), FEW), {}),
        ("block_scope_for_a_grid", "races", (_one(), WHOLE), grid),
        ("block_atomics_for_a_grid", "races", (_one(), WHOLE), grid),
        ("last_block_relaxed", "races", last, {"grid": (40,), "block": (1,)}),
        ("count_read_plainly", "races", (_one(), _one()), {"grid": (4,)}),
        ("sum_of_halves", "races", (_one(np.float16), HALVES), {}),
        ("arrival_for_a_wait", "races", floats, {}, RACECHECK),
        ("barrier_never_set_up", "barriers", floats, {}),
        ("barrier_for_too_many", "barriers", floats, {}),
    ):
        case = Case(
            kernel.replace("_", " "),
            BROKEN,
            kernel,
            launch.get("grid", (1,)),
            launch.get("block", (64,)),
            arguments,
            {},
        )
        yield Broken(case, kind, *tool or (None,))


def sound() -> Iterator[Case]:
    """Yield cases of which none may be accused, and each gives its results."""
    floats = Fresh((64,)), FEW
    rows = FEW.reshape(4, 16).sum(1)
    branch = np.where(np.arange(32) < 10, FEW[:10].sum(), FEW[:32])
    many = int((WHOLE > 3).sum())
    places = (np.arange(128) < many).astype(np.int32)
    total = WHOLE.sum(keepdims=True, dtype=np.int32)
    turned = PAIR.reshape(2, 64)[:, ::-1].ravel()
    for kernel, arguments, results, launch in (
        ("tile_with_sync", floats, {0: FEW[X ^ 7]}, {}),
        ("sums_of_groups", (Fresh((5,)), FEW), {0: np.append(FEW.sum(), rows)}, {}),
        (
            "reduce_of_those_in_a_branch",
            (Fresh((32,)), FEW[:32].copy()),
            {0: branch},
            {"block": (32,)},
        ),
        (
            "places_handed_out",
            (np.zeros(128, np.int32), _one(), WHOLE),
            {0: places, 1: np.array([many], np.int32)},
            {"grid": (2,)},
        ),
        ("one_copy_each", floats, {0: FEW}, {}),
        ("tiles_refilled", (Fresh((128,)), PAIR), {0: turned}, {}),
        ("flag_released", (Fresh((1,)), FEW), {0: FEW[:1]}, {}),
        ("flag_fenced", (Fresh((1,)), FEW), {0: FEW[:1]}, {}),
        (
            "block_scope_for_a_block",
            (_one(), np.zeros(2, np.int32), WHOLE),
            {0: total},
            {"grid": (2,)},
        ),
        (
            "last_block_ordered",
            (Fresh((1,), np.int32), Fresh((40,), np.int32), _one(), WHOLE[:40].copy()),
            {0: WHOLE[:40].sum(keepdims=True, dtype=np.int32)},
            {"grid": (40,), "block": (1,)},
        ),
        (
            "lock_in_a_block",
            (_one(), _one(), WHOLE[:64].copy()),
            {0: WHOLE[:64].sum(keepdims=True, dtype=np.int32)},
            {},
        ),
        ("halves_added", (_one(np.float16), HALVES), {0: HALVES.sum(keepdims=True)}, {}),
        ("arrival_and_wait", (Fresh((128,)), PAIR), {0: PAIR + turned}, {}),
    ):
        yield Case(
            kernel.replace("_", " "),
            SOUND,
            kernel,
            launch.get("grid", (1,)),
            launch.get("block", (64,)),
            arguments,
            results,
        )
