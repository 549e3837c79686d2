"""Lab 07, exercise 3: a convolution tiled under a budget of sectors."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ....reference import conv2d_float64
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited
from .blur import COLUMNS, FROM_TILE, INSIDE, NAIVE, ROWS, SOURCE
from .blur_mistakes import WEIGHTS_AND_ROWS

BLOCK = 32, 8
SECTORS = 850  # loads on the last case, 36 rows of 68 pixels, 8 blocks


def blur(x, w):
    p = ConvProblem(1, *x.shape, 1, *w.shape, 1)
    y = conv2d_float64(x[None, :, :, None], w[:, :, None, None], p)
    return y[0, :, :, 0].astype(np.float32)


def _arguments(x, w):
    return x, w, OUT, *x.shape


def _launch(x, w):
    return blocks((x.shape[1] - 4, 32), (x.shape[0] - 4, 8)), BLOCK


def _case(rng, *shape):
    x = counting(*shape) if shape == (5, 7) else rng.standard_normal(shape, dtype=np.float32)
    return x, rng.standard_normal((5, 5), dtype=np.float32).round(1)


EXERCISE = Exercise(
    name="tiled_blur",
    lab=7,
    reference=blur,
    task="A convolution of 5 × 5 that reads each pixel of a tile once, under a budget of sectors.",
    cases=lambda rng: [_case(rng, *shape) for shape in ((5, 7), (20, 41), (36, 68))],
    kernel=KernelTask(
        name="blur",
        solution=SOURCE,
        arguments=_arguments,
        launch=_launch,
        budget=lambda x, w: {"global_load_sectors": SECTORS},
    ),
    misconceptions=[
        Misconception(
            "no tile",
            NAIVE,
            symptom="Every pixel is read once for each of the windows that it is in, up to 25.",
            concept="The 256 windows of a block lie in an area of 12 × 36 pixels. Read these once "
            "into shared memory, and let all windows take them from there.",
            line="`__shared__ float tile[8 + K - 1][32 + K - 1];`, and the weights in an array of "
            "their own: both filled by all threads together, then `__syncthreads()`, then "
            "the `return`.",
        ),
        Misconception(
            "weights from global memory",
            edited(
                SOURCE,
                ("* weights[a * K + b]", "* w[a * K + b]"),
                ("    if (t < K * K)\n        weights[t] = w[t];\n", ""),
            ),
            symptom="The pixels are read once, but 25 weights are loaded by each warp.",
            concept="A load that is the same for all lanes is one sector, and still a request: "
            "8 warps of 25 weights are 200 of them a block, more than the tile itself.",
            line="25 threads copy the weights into `__shared__ float weights[K * K]`, before the "
            "barrier, and the sums take them from there.",
        ),
        Misconception(
            "one thread fills the tile",
            edited(
                SOURCE,
                (
                    "    for (int r = threadIdx.y; " + ROWS,
                    "    if (threadIdx.x == 0 && threadIdx.y == 0)\n"
                    "    for (int r = 0; r < 8 + K - 1; r++",
                ),
                ("int q = threadIdx.x; " + COLUMNS, "int q = 0; q < 32 + K - 1; q++"),
            ),
            symptom="Your loads bring 32 bytes for each value of the tile: as if every pixel had "
            "a request of its own.",
            concept="32 lanes that load neighbours share a request of 4 sectors. One thread alone "
            "moves 32 bytes for each 4.",
            line="All threads, with no `if`: the loops begin at `threadIdx.y` and `threadIdx.x`, "
            "and go on by 8 and 32.",
        ),
        Misconception(
            "the halo from global memory",
            edited(
                SOURCE,
                (ROWS, "r < 8; r += 8"),
                (COLUMNS, "q < 32; q += 32"),
                (
                    FROM_TILE,
                    "(threadIdx.y + a < 8 && threadIdx.x + b < 32\n"
                    "                    ? tile[threadIdx.y + a][threadIdx.x + b]\n"
                    "                    : x[(h + a) * i_w + v + b])",
                ),
            ),
            symptom="The tile has the pixels of the block's own outputs, and all else is read from "
            "global memory again.",
            concept="Windows of 5 × 5 reach 4 rows and 4 columns beyond. This halo is read by many "
            "windows too.",
            line="Load `8 + K - 1` rows of `32 + K - 1` columns, and sum from the tile alone.",
        ),
        Misconception(
            "no halo",
            edited(SOURCE, (ROWS, "r < 8; r += 8"), (COLUMNS, "q < 32; q += 32")),
            symptom="The tile is filled only as far as the block's own outputs: windows at its "
            "edge read what nobody wrote.",
            concept="A block of 8 × 32 outputs needs 12 × 36 pixels. There are more pixels than "
            "threads, so some threads load twice.",
            line="Two loops: rows to `8 + K - 1` in steps of 8, columns to `32 + K - 1` in steps "
            "of 32.",
        ),
        Misconception(
            "zeros for a halo",
            edited(
                SOURCE,
                (ROWS, "r < 8; r += 8"),
                (COLUMNS, "q < 32; q += 32"),
                (FROM_TILE, f"(threadIdx.y + a < 8 && threadIdx.x + b < 32 ? {FROM_TILE} : 0)"),
            ),
            symptom="Only the last 4 rows and columns of each block's outputs are wrong: for them "
            "pixels of the next block are missing.",
            concept="What lies beyond the tile is the image still, and not 0. Windows at the "
            "tile's lower and right edge need it.",
            line="A tile of `8 + K - 1` rows and `32 + K - 1` columns, filled by two loops, and "
            "sums from all of it: no test of the place, no 0.",
        ),
        Misconception(
            "half a halo",
            edited(SOURCE, (COLUMNS, "q < 32; q += 32")),
            symptom="The rows below are there; columns on the right are missing.",
            concept="The halo is on two sides here: 4 rows below, and 4 columns on the right.",
            line="Each row as far as `32 + K - 1`: `for (int q = threadIdx.x; q < 32 + K - 1; "
            "q += 32)`. A place `i` of the whole tile is column `i % 36` of row `i / 36`.",
        ),
        Misconception(
            "the other half of the halo",
            edited(SOURCE, (ROWS, "r < 8; r += 8")),
            symptom="The columns on the right are there; rows below are missing.",
            concept="The halo is on two sides here: 4 columns on the right, and 4 rows below.",
            line="All `8 + K - 1` rows: `for (int r = threadIdx.y; r < 8 + K - 1; r += 8)`.",
        ),
        Misconception(
            "no test while loading",
            edited(SOURCE, (INSIDE, "")),
            symptom="The last blocks load pixels that the image does not have.",
            concept="The last tiles stick out of the image. Places that are not filled are read "
            "by threads without an output only, and these return.",
            line="`if (top + r < i_h && left + q < i_w)` around the load.",
        ),
        Misconception(
            "no barrier",
            edited(SOURCE, ("    __syncthreads();\n", "")),
            symptom="Threads read shared memory before others have put there what they need.",
            concept="What one thread writes to shared memory, others see after a barrier.",
            line="`__syncthreads();` between loading and summing.",
        ),
        Misconception(
            "threads that leave early",
            edited(
                SOURCE,
                (
                    "    for (int r = threadIdx.y;",
                    "    int h = top + threadIdx.y, v = left + threadIdx.x;\n"
                    "    if (h >= o_h || v >= o_w) return;\n    for (int r = threadIdx.y;",
                ),
                (
                    "    __syncthreads();\n    int h = top + threadIdx.y, v = left + threadIdx.x;\n"
                    "    if (h >= o_h || v >= o_w) return;\n",
                    "    __syncthreads();\n",
                ),
            ),
            symptom="Threads without an output miss the barrier at which the others wait: they "
            "have returned before it, or it stands in a branch.",
            concept="First all threads load, then all wait; only then those without an output may "
            "go.",
            line="Move the `return` below `__syncthreads()`.",
        ),
        Misconception(
            "the image's place in the tile",
            edited(SOURCE, (FROM_TILE, "tile[h + a][v + b]")),
            symptom="The first block is right; others look for their pixels outside of the tile.",
            concept="`h` and `v` count in the image. The tile begins at row 0 in every block.",
            line="`tile[threadIdx.y + a][threadIdx.x + b]`.",
        ),
        Misconception(
            "the tile's place forgotten",
            edited(SOURCE, ("x[(top + r) * i_w + left + q]", "x[r * i_w + q]")),
            symptom="The first block is right, and all others compute the same.",
            concept="`r` and `q` count within the tile. The tile itself begins at row `top`, "
            "column `left`.",
            line="`x[(top + r) * i_w + left + q]`.",
        ),
        Misconception(
            "no room for the halo",
            edited(SOURCE, ("tile[8 + K - 1][32 + K - 1]", "tile[8][32]")),
            symptom="The array holds the block's own outputs, and you load more than that into it.",
            concept="8 × 32 outputs need 12 × 36 pixels: the tile and its halo.",
            line="`__shared__ float tile[8 + K - 1][32 + K - 1];`",
        ),
        Misconception(
            "all weights by all threads",
            edited(
                SOURCE,
                (
                    "    if (t < K * K)\n        weights[t] = w[t];",
                    "    for (int i = 0; i < K * K; i++)\n        weights[i] = w[i];",
                ),
            ),
            symptom="Places of shared memory are written by many threads, all with the same "
            "value: a race all the same.",
            concept="One thread for each place is enough, of the weights as of the tile.",
            line="`if (t < K * K) weights[t] = w[t];` with `t` the thread's number in the block. "
            "The tile: columns from `threadIdx.x` on by 32, rows from `threadIdx.y` on by 8, "
            "or all places from `t` on by 256.",
        ),
        Misconception(
            "pitch of x for y",
            edited(SOURCE, ("y[h * o_w + v]", "y[h * i_w + v]")),
            symptom="The first row is right, the others lie too far apart.",
            concept="Without padding `y` is narrower than `x`: its rows have `o_w` values.",
            line="`y[h * o_w + v]`.",
        ),
        Misconception(
            "outputs one too far",
            edited(SOURCE, ("h >= o_h || v >= o_w", "h > o_h || v > o_w")),
            symptom="Your test lets threads pass that stand one beyond the output.",
            concept="Rows are counted from 0: row `o_h` is outside already.",
            line="`h >= o_h || v >= o_w`, with `>=` twice.",
        ),
        *WEIGHTS_AND_ROWS,
        Misconception(
            "no corner",
            edited(
                SOURCE,
                (
                    "if (top + r < i_h && left + q < i_w)",
                    "if (top + r < i_h && left + q < i_w && (r < 8 || q < 32))",
                ),
            ),
            symptom="The halo below and the halo on the right are there; the corner between them "
            "is not.",
            concept="The window of the last output reaches down *and* to the right.",
            line="The rows from 8 on need columns from 32 on too: 4 × 4 pixels.",
        ),
        Misconception(
            "tiles a halo apart",
            edited(
                SOURCE,
                (
                    "left = blockIdx.x * 32, top = blockIdx.y * 8",
                    "left = blockIdx.x * 36, top = blockIdx.y * 12",
                ),
            ),
            symptom="The first block is right; the others begin a halo too far on.",
            concept="Tiles overlap: a block has 8 × 32 outputs of its own, and the next block "
            "begins behind these.",
            line="`blockIdx.x * 32` and `blockIdx.y * 8`.",
        ),
        Misconception(
            "a halo of 3",
            edited(
                SOURCE,
                ("r < 8 + K - 1; r += 8", "r < 8 + K - 2; r += 8"),
                ("q < 32 + K - 1; q += 32", "q < 32 + K - 2; q += 32"),
            ),
            symptom="The last column of the tile is never filled, or its last row, or both.",
            concept="A window of 5 reaches 4 pixels beyond its first one.",
            line="`r < 8 + K - 1`, `q < 32 + K - 1`.",
        ),
        Misconception(
            "begun two pixels before",
            edited(
                SOURCE,
                (
                    "left = blockIdx.x * 32, top = blockIdx.y * 8",
                    "left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2",
                ),
                (INSIDE, ""),
                (
                    "tile[r][q] = x[(top + r) * i_w + left + q];",
                    "tile[r][q] = top + r >= 0 && top + r < i_h && left + q >= 0\n"
                    "                && left + q < i_w "
                    "? x[(top + r) * i_w + left + q] : 0.0f;",
                ),
                (
                    "int h = top + threadIdx.y, v = left + threadIdx.x",
                    "int h = top + 2 + threadIdx.y, v = left + 2 + threadIdx.x",
                ),
            ),
            symptom="Your tile begins two pixels above and to the left of its windows, as if "
            "there were padding.",
            concept="Without padding window (h, v) begins at pixel (h, v): the halo is below and "
            "on the right alone.",
            line="`left = blockIdx.x * 32`, `top = blockIdx.y * 8`, nothing subtracted; `h` and "
            "`v` are `top` and `left` plus the thread's y and x.",
        ),
        Misconception(
            "steps exchanged",
            edited(SOURCE, (ROWS, "r < 8 + K - 1; r += 32"), (COLUMNS, "q < 32 + K - 1; q += 8")),
            symptom="Your loops go on by 32 rows and by 8 columns: places are filled several "
            "times, and rows from 8 on never.",
            concept="A block has 32 threads in x, along the columns, and 8 in y.",
            line="Rows by 8, columns by 32.",
        ),
    ],
)
