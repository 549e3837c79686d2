"""Lab 09, exercise 4: bias, ReLU and a pool in the kernel that makes the sums."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, edited
from .fused_pool_mistakes import MISTAKES
from .pooled import SOURCE

BLOCK = (32, 4)


def fused_pool(x, w, bias):
    sums = np.maximum(x.astype(np.float64) @ w + bias, 0)
    h, v = x.shape[0] // 2, x.shape[1] // 2
    pairs = sums[: 2 * h, : 2 * v].reshape(h, 2, v, 2, -1)
    return pairs.max(axis=(1, 3)).astype(np.float32)


def _launch(x, w, bias):
    pooled = (x.shape[0] // 2) * (x.shape[1] // 2)
    return blocks((w.shape[1], BLOCK[0]), (pooled, BLOCK[1])), BLOCK


def _budget(x, w, bias):
    """Allow each warp four sectors of w and one of each of four pixels a step, four of the bias
    and of y.
    """
    warps = (x.shape[0] // 2) * (x.shape[1] // 2) * w.shape[1] // 32
    return {"global_load_sectors": warps * (8 * x.shape[2] + 4), "global_store_sectors": 4 * warps}


def _cases(rng: np.random.Generator) -> list[tuple]:
    toy = (
        np.array([[[1], [2]], [[-3], [1]]], np.float32),
        np.array([[1, -1]], np.float32),
        np.array([0, -4], np.float32),
    )
    drawn = [toy]
    for i_h, i_w, i_c, k_c in ((5, 7, 3, 40), (2, 6, 5, 3), (8, 6, 16, 64)):
        drawn.append(
            tuple(
                rng.standard_normal(shape, dtype=np.float32)
                for shape in ((i_h, i_w, i_c), (i_c, k_c), (k_c,))
            )
        )
    return drawn


EXERCISE = Exercise(
    name="fused_pool",
    lab=9,
    reference=fused_pool,
    task="A pointwise convolution with bias, ReLU and a 2 x 2 pool in one kernel.",
    cases=_cases,
    kernel=KernelTask(
        name="fused_pool",
        solution=SOURCE,
        budget=_budget,
        launch=_launch,
        arguments=lambda x, w, bias: (x, w, bias, OUT, *x.shape, w.shape[1]),
    ),
    misconceptions=[
        *MISTAKES,
        Misconception(
            "x and y of the launch exchanged",
            edited(
                SOURCE,
                ("blockIdx.x * blockDim.x + threadIdx.x", "BLOCK_Y"),
                ("blockIdx.y * blockDim.y + threadIdx.y", "blockIdx.x * blockDim.x + threadIdx.x"),
                ("BLOCK_Y", "blockIdx.y * blockDim.y + threadIdx.y"),
            ),
            symptom="You count channels along y of the launch, and pixels along x: most values are "
            "left out where there are many channels.",
            concept="The launch is given: x goes along the channels, 32 in a block, y along the "
            "pooled pixels.",
            line="`n` from `blockIdx.x`, `q` from `blockIdx.y`.",
        ),
        Misconception(
            "lower pixels a pooled row further",
            edited(
                SOURCE,
                ("at[i_w * i_c + c]", "at[o_w * i_c + c]"),
                ("at[(i_w + 1) * i_c + c]", "at[(o_w + 1) * i_c + c]"),
            ),
            symptom="The lower two of each four pixels are taken `i_w / 2` pixels after the upper "
            "two.",
            concept="`x` is the image before the pool: its rows have `i_w` pixels, twice as many "
            "as those of `y` or one more than that.",
            line="`at[i_w * i_c + c]` for the lower left pixel, `at[(i_w + 1) * i_c + c]` for the "
            "lower right one.",
        ),
        Misconception(
            "the last channel left out",
            edited(SOURCE, ("c < i_c", "c < i_c - 1")),
            symptom="The last input channel is missing from your sums.",
            concept="Channels are numbered from 0 to `i_c - 1`.",
            line="`c < i_c`.",
        ),
    ],
)
