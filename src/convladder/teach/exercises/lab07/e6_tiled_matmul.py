"""Lab 07, exercise 6: a matrix product in tiles."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited

SIDE = 16  # of a tile, and of a block
SHAPES = (2, 3, 2), (20, 17, 33), (32, 64, 48)  # rows of a, columns of a, columns of b

NAIVE = r"""
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}
"""
SOURCE = r"""
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int first = 0; first < k; first += 16) {
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
"""
LOAD_A = "a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;"
LOAD_B = "b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;"
SUM = "sum += a_tile[y][i] * b_tile[i][x];"
READY, DONE = "        __syncthreads();\n        for", "        __syncthreads();\n    }"
STORE = "    if (row < m && column < n)\n        c[row"


def tiled_matmul(a, b):
    return (a.astype(np.float64) @ b).astype(np.float32)


def cases(rng):
    """Return two factors for each of SHAPES; the first ones can be followed."""
    drawn = [(rng.standard_normal((m, k), dtype=np.float32),
              rng.standard_normal((k, n), dtype=np.float32)) for m, k, n in SHAPES[1:]]
    (m, k, n) = SHAPES[0]
    return [(counting(m, k), counting(k, n)), *drawn]


def arguments(a, b):
    """Return what the kernel takes."""
    return a, b, OUT, *a.shape, b.shape[1]


def launch(a, b):
    """Return a block of 16 × 16 threads for each tile of c."""
    return blocks((b.shape[1], SIDE), (a.shape[0], SIDE)), (SIDE, SIDE)


def least_sectors(a, b):
    """Return the sectors if each block loads its rows of a and columns of b once, whole tiles."""
    tiles = -(-a.shape[0] // SIDE) * -(-b.shape[1] // SIDE)
    return tiles * 2 * SIDE * a.shape[1] // 8


def _edited(*exchanges):
    return edited(SOURCE, *exchanges)


EXERCISE = Exercise(
    name="tiled_matmul", lab=7, reference=tiled_matmul,
    task="A matrix product whose blocks load each value of their tiles once.",
    cases=cases,
    kernel=KernelTask(
        name="matmul", solution=SOURCE, arguments=arguments, launch=launch,
        budget=lambda a, b: {"global_load_sectors": least_sectors(a, b)}),
    misconceptions=[
        Misconception(
            "no tile", NAIVE,
            symptom="Each thread reads its row of `a` and its column of `b` from global memory.",
            concept="The 16 threads of a row of the block want the same row of `a`, and 16 "
                    "threads below each other the same column of `b`. Load a slice of both once "
                    "for all of them.",
            line="`__shared__ float a_tile[16][16], b_tile[16][16];`, one value of each for each "
                 "thread and slice."),
        Misconception(
            "only one factor in a tile", _edited(
                (SUM, "sum += first + i < k && column < n\n"
                      "                ? a_tile[y][i] * b[(first + i) * n + column] : 0.0f;"),
                ("        " + LOAD_B + "\n", ""), (", b_tile[16][16]", "")),
            symptom="One factor comes from shared memory, the other one still from global memory.",
            concept="Both are wanted 16 times: a value of `a` by a row of threads, a value of `b` "
                    "by a column of threads.",
            line="Load `b_tile` beside `a_tile`, before the barrier."),
        Misconception(
            "no barrier before the sums", _edited((READY, "        for")),
            symptom="Threads read places of the tiles that others have still to fill.",
            concept="A thread fills one place of each tile, and reads 16 of each.",
            line="`__syncthreads();` between filling and summing."),
        Misconception(
            "no barrier after the sums", _edited((DONE, "    }")),
            symptom="With a single slice all is right. With more, a thread fills the next slice "
                    "into tiles that its neighbours still read.",
            concept="In a loop, the reads of one round and the writes of the next meet as well.",
            line="A second `__syncthreads();` at the end of the loop."),
        Misconception(
            "slices rounded down", _edited(("first < k;", "first + 16 <= k;")),
            symptom="Where `k` is a multiple of 16 all is right; else the rest of the sum is "
                    "missing.",
            concept="17 values are two slices. The second holds one, and zeros.",
            line="`for (int first = 0; first < k; first += 16)`."),
        Misconception(
            "no test while loading", _edited(
                (LOAD_A, "a_tile[y][x] = a[row * k + first + x];"),
                (LOAD_B, "b_tile[y][x] = b[(first + y) * n + column];")),
            symptom="Tiles that stick out of the matrices are filled with what lies beside them.",
            concept="The last tiles of rows, columns and slices are only partly there.",
            line="`row < m && first + x < k ? ... : 0.0f`, and the same for `b`."),
        Misconception(
            "the rest not cleared", _edited(
                (LOAD_A, "if (row < m && first + x < k) a_tile[y][x] = a[row * k + first + x];"),
                (LOAD_B, "if (first + y < k && column < n) "
                         "b_tile[y][x] = b[(first + y) * n + column];")),
            symptom="Places outside the matrices keep what was there, and are summed with the "
                    "rest.",
            concept="A sum over 16 is right only if what is not there counts as zero.",
            line="Write `0.0f` where there is nothing to load."),
        Misconception(
            "only rows and columns tested", _edited(
                (LOAD_A, "a_tile[y][x] = row < m ? a[row * k + first + x] : 0.0f;"),
                (LOAD_B, "b_tile[y][x] = column < n ? b[(first + y) * n + column] : 0.0f;")),
            symptom="The outputs at the edge are looked after, the end of the sum is not: with "
                    "`k` no multiple of 16 you load the beginning of the next row.",
            concept="`a` ends on the right at `k`, and `b` below at `k`.",
            line="Add `first + x < k` for `a`, and `first + y < k` for `b`."),
        Misconception(
            "threads that leave early", _edited((
                "    float sum = 0;\n", "    if (row >= m || column >= n) return;\n"
                                        "    float sum = 0;\n")),
            symptom="Threads without an output miss a barrier at which the others wait: they have "
                    "returned, or it stands in a branch.",
            concept="A thread without an output may still have a value to load for the others.",
            line="No `return` before the loop: an `if` around the store."),
        Misconception(
            "b read by rows", _edited((SUM, "sum += a_tile[y][i] * b_tile[x][i];")),
            symptom="You multiply rows by rows: that is `a` times the transpose of each tile.",
            concept="A product takes a row of `a` and a *column* of `b`: along the column it is "
                    "the first index that moves.",
            line="`a_tile[y][i] * b_tile[i][x]`."),
        Misconception(
            "always the first slice", _edited(
                ("first + x < k ? a[row * k + first + x]", "x < k ? a[row * k + x]"),
                ("first + y < k && column < n ? b[(first + y) * n",
                 "y < k && column < n ? b[y * n")),
            symptom="Up to `k` = 16 all is right; then you sum the first slice again and again.",
            concept="In round `first` the tiles begin at column `first` of `a` and row `first` of "
                    "`b`.",
            line="`a[row * k + first + x]` and `b[(first + y) * n + column]`."),
        Misconception(
            "sum begun anew", _edited(("        __syncthreads();\n        for",
                                       "        __syncthreads();\n        sum = 0;\n        for")),
            symptom="Up to `k` = 16 all is right; then you keep the last slice's sum only.",
            concept="Each slice adds its part to the same sum.",
            line="`float sum = 0;` stands before the loop over slices."),
        Misconception(
            "width of b in a", _edited(("a[row * k + first", "a[row * n + first")),
            symptom="The first row is right, the others begin at the wrong place.",
            concept="`a` has rows of `k` values. `n` is the width of `b` and of the result.",
            line="`a[row * k + first + x]`."),
        Misconception(
            "rows and columns exchanged", _edited(
                ("int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;",
                 "int row = blockIdx.x * 16 + x, column = blockIdx.y * 16 + y;"),
                (LOAD_A, "a_tile[x][y] = row < m && first + y < k "
                         "? a[row * k + first + y] : 0.0f;"),
                (LOAD_B, "b_tile[x][y] = first + x < k && column < n ? b[(first + x) * n + column] "
                         ": 0.0f;"), (SUM, "sum += a_tile[x][i] * b_tile[i][y];")),
            symptom="Rows come from x and columns from y: the launch covers columns in x, so "
                    "where the result is not square you leave some out.",
            concept="x is the direction in which threads are neighbours in a warp: it belongs to "
                    "what is neighbours in memory, the column.",
            line="`column` from `.x`, `row` from `.y`."),
        Misconception(
            "no test before the store", _edited((STORE, "    c[row")),
            symptom="Threads beside the result write too: into the next row, or behind the end.",
            concept="The grid has whole blocks, the result has not.",
            line="`if (row < m && column < n)` before the store."),
        Misconception(
            "block forgotten", _edited(("blockIdx.x * 16 + x", "x"), ("blockIdx.y * 16 + y", "y")),
            symptom="Only the first 16 × 16 results are written, by all blocks.",
            concept="`threadIdx` counts anew in every block.",
            line="`blockIdx.x * 16 + threadIdx.x`, and the same for y."),
        Misconception(
            "only b tested", _edited((LOAD_A, "a_tile[y][x] = a[row * k + first + x];")),
            symptom="The tiles of `b` are looked after; those of `a` are filled with what lies "
                    "beside it.",
            concept="`a` has `m` rows of `k` values, and its tiles stick out below and on the "
                    "right.",
            line="`row < m && first + x < k ? a[...] : 0.0f`."),
        Misconception(
            "the last product left out", _edited(("i < 16; i++", "i < 15; i++")),
            symptom="Of every 16 products one is missing.",
            concept="A slice is 16 wide: 0 to 15.",
            line="`i < 16`."),
        Misconception(
            "only the last product", _edited(("sum += a_tile", "sum = a_tile")),
            symptom="Your values are the last product of each sum.",
            concept="A value of a product is a sum over `k`.",
            line="`sum +=`."),
        Misconception(
            "written turned", _edited(("c[row * n + column]", "c[column * m + row]")),
            symptom="The values are right, and the result is turned over its diagonal.",
            concept="`c` has `m` rows of `n` values.",
            line="`c[row * n + column]`."),
        Misconception(
            "depth for width in b", _edited(("b[(first + y) * n", "b[(first + y) * k")),
            symptom="The first row of `b` is right, the others begin at the wrong place.",
            concept="`b` has `k` rows of `n` values.",
            line="`b[(first + y) * n + column]`."),
        Misconception(
            "rows of the block forgotten", _edited(("row = blockIdx.y * 16 + y", "row = y")),
            symptom="The first 16 rows are written by all blocks, the others by none.",
            concept="`threadIdx.y` counts anew in every block.",
            line="`row = blockIdx.y * 16 + threadIdx.y`."),
        Misconception(
            "factors exchanged", _edited((SUM, "sum += b_tile[y][i] * a_tile[i][x];")),
            symptom="Within a tile you compute `b @ a`.",
            concept="A value of `c` is a row of `a` by a column of `b`: the thread's row of the "
                    "one, its column of the other.",
            line="`sum += a_tile[y][i] * b_tile[i][x];`"),
        Misconception(
            "added, not multiplied", _edited((SUM, "sum += a_tile[y][i] + b_tile[i][x];")),
            symptom="You add the values of `a` and `b` that should be multiplied.",
            concept="A value of a product is a sum of products.",
            line="`sum += a_tile[y][i] * b_tile[i][x];`, with `*`."),
    ],
)
