"""Lab 07, exercise 6: a matrix product in tiles."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting
from .product import DONE, LOAD_A, LOAD_B, NAIVE, READY, SOURCE, SUM
from .product import with_lines as _edited
from .product_mistakes import MULTIPLIED_AND_STORED

SIDE = 16  # of a tile, and of a block
SHAPES = (2, 3, 2), (20, 17, 33), (5, 40, 9), (32, 64, 48)  # rows of a, columns of a, of b


def tiled_matmul(a, b):
    return (a.astype(np.float64) @ b).astype(np.float32)


def cases(rng):
    """Return two factors for each of SHAPES; the first ones can be followed."""
    drawn = [
        (
            rng.standard_normal((m, k), dtype=np.float32),
            rng.standard_normal((k, n), dtype=np.float32),
        )
        for m, k, n in SHAPES[1:]
    ]
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


EXERCISE = Exercise(
    name="tiled_matmul",
    lab=7,
    reference=tiled_matmul,
    task="A matrix product whose blocks load each value of their tiles once.",
    cases=cases,
    kernel=KernelTask(
        name="matmul",
        solution=SOURCE,
        arguments=arguments,
        launch=launch,
        budget=lambda a, b: {"global_load_sectors": least_sectors(a, b)},
    ),
    misconceptions=[
        *MULTIPLIED_AND_STORED,
        Misconception(
            "no tile",
            NAIVE,
            symptom="Each thread reads its row of `a` and its column of `b` from global memory.",
            concept="The 16 threads of a row of the block want the same row of `a`, and 16 "
            "threads below each other the same column of `b`. Load a slice of both once "
            "for all of them.",
            line="`__shared__ float a_tile[16][16], b_tile[16][16];`, one value of each for each "
            "thread and slice, with a barrier before a slice's sums and one behind them.",
        ),
        Misconception(
            "only one factor in a tile",
            _edited(
                (
                    SUM,
                    "sum += first + i < k && column < n\n"
                    "                ? a_tile[y][i] * b[(first + i) * n + column] : 0.0f;",
                ),
                ("        " + LOAD_B + "\n", ""),
                (", b_tile[16][16]", ""),
            ),
            symptom="One factor comes from shared memory, the other one still from global memory.",
            concept="Both are wanted 16 times: a value of `a` by a row of threads, a value of `b` "
            "by a column of threads.",
            line="Load `b_tile` beside `a_tile`, before the barrier, and sum from both.",
        ),
        Misconception(
            "no barrier before the sums",
            _edited((READY, "        for")),
            symptom="Threads read places of the tiles that others have still to fill.",
            concept="A thread fills one place of each tile, and reads 16 of each.",
            line="`__syncthreads();` between filling and summing.",
        ),
        Misconception(
            "no barrier after the sums",
            _edited((DONE, "    }")),
            symptom="With a single slice all is right. With more, a thread fills the next slice "
            "into tiles that its neighbours still read.",
            concept="In a loop, the reads of one round and the writes of the next meet as well.",
            line="A second `__syncthreads();` at the end of the loop.",
        ),
        Misconception(
            "slices rounded down",
            _edited(("first < k;", "first + 16 <= k;")),
            symptom="Where `k` is a multiple of 16 all is right; else the rest of the sum is "
            "missing.",
            concept="17 values are two slices. The second holds one, and zeros.",
            line="`for (int first = 0; first < k; first += 16)`.",
        ),
        Misconception(
            "no test while loading",
            _edited(
                (LOAD_A, "a_tile[y][x] = a[row * k + first + x];"),
                (LOAD_B, "b_tile[y][x] = b[(first + y) * n + column];"),
            ),
            symptom="Tiles that stick out of the matrices are filled with what lies beside them.",
            concept="The last tiles of rows, columns and slices are only partly there.",
            line="`row < m && first + x < k ? ... : 0.0f`, and the same for `b`.",
        ),
        Misconception(
            "the rest not cleared",
            _edited(
                (LOAD_A, "if (row < m && first + x < k) a_tile[y][x] = a[row * k + first + x];"),
                (
                    LOAD_B,
                    "if (first + y < k && column < n) b_tile[y][x] = b[(first + y) * n + column];",
                ),
            ),
            symptom="Places outside the matrices keep what was there, and are summed with the "
            "rest.",
            concept="A sum over 16 is right only if what is not there counts as zero.",
            line="Write `0.0f` where there is nothing to load.",
        ),
        Misconception(
            "only rows and columns tested",
            _edited(
                (LOAD_A, "a_tile[y][x] = row < m ? a[row * k + first + x] : 0.0f;"),
                (LOAD_B, "b_tile[y][x] = column < n ? b[(first + y) * n + column] : 0.0f;"),
            ),
            symptom="The outputs at the edge are looked after, the end of the sum is not: with "
            "`k` no multiple of 16 you load what lies behind a row of `a`, and below `b`.",
            concept="`a` ends on the right at `k`, and `b` below at `k`.",
            line="Add `first + x < k` for `a`, and `first + y < k` for `b`.",
        ),
        Misconception(
            "threads that leave early",
            _edited(
                (
                    "    float sum = 0;\n",
                    "    if (row >= m || column >= n) return;\n    float sum = 0;\n",
                )
            ),
            symptom="Threads without an output miss a barrier at which the others wait: they have "
            "returned, or it stands in a branch.",
            concept="A thread without an output may still have a value to load for the others.",
            line="No `return` before the loop: an `if` around the store.",
        ),
        Misconception(
            "always the first slice",
            _edited(
                ("first + x < k ? a[row * k + first + x]", "x < k ? a[row * k + x]"),
                (
                    "first + y < k && column < n ? b[(first + y) * n",
                    "y < k && column < n ? b[y * n",
                ),
            ),
            symptom="Up to `k` = 16 all is right; then you sum the first slice again and again.",
            concept="In round `first` the tiles begin at column `first` of `a` and row `first` of "
            "`b`.",
            line="`row < m && first + x < k ? a[row * k + first + x] : 0.0f`, and `first + y < k "
            "&& column < n ? b[(first + y) * n + column] : 0.0f`.",
        ),
        Misconception(
            "rows and columns exchanged",
            _edited(
                (
                    "int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;",
                    "int row = blockIdx.x * 16 + x, column = blockIdx.y * 16 + y;",
                ),
                (
                    LOAD_A,
                    "a_tile[x][y] = row < m && first + y < k ? a[row * k + first + y] : 0.0f;",
                ),
                (
                    LOAD_B,
                    "b_tile[x][y] = first + x < k && column < n ? b[(first + x) * n + column] "
                    ": 0.0f;",
                ),
                (SUM, "sum += a_tile[x][i] * b_tile[i][y];"),
            ),
            symptom="The launch's blocks cover columns in x and rows in y, and yours the other "
            "way round: where the result is not square you can leave some out.",
            concept="x belongs to the column, of the block as of the thread: what are neighbours "
            "in a warp should be neighbours in memory.",
            line="`column` from `blockIdx.x` and `threadIdx.x`, `row` from the `.y` of both; "
            "tiles as `[y][x]`, filled from column `first + x` of `a`, row `first + y` of "
            "`b`; `a_tile[y][i] * b_tile[i][x]` in the sum.",
        ),
        Misconception(
            "only b tested",
            _edited((LOAD_A, "a_tile[y][x] = a[row * k + first + x];")),
            symptom="The tiles of `b` are looked after; those of `a` are filled with what lies "
            "beside it.",
            concept="`a` has `m` rows of `k` values, and its tiles stick out below and on the "
            "right.",
            line="`row < m && first + x < k ? a[...] : 0.0f`.",
        ),
        Misconception(
            "lanes down the rows",
            _edited(
                ("int x = threadIdx.x, y = threadIdx.y;", "int y = threadIdx.x, x = threadIdx.y;")
            ),
            symptom="The values are right, but neighbouring threads stand on rows one below the "
            "other: each load of a warp touches 16 sectors in place of 4.",
            concept="threadIdx.x counts the lanes of a warp. What it counts should be side by side "
            "in memory: the columns.",
            line="`x = threadIdx.x` for columns, `y = threadIdx.y` for rows.",
        ),
        Misconception(
            "both tested along x",
            _edited((LOAD_B, LOAD_B.replace("first + y < k", "first + x < k"))),
            symptom="In the last slice your test for `b` lets rows pass that `b` does not have.",
            concept="Thread (x, y) loads column `first + x` of `a` and row `first + y` of `b`: "
            "these are what `k` limits.",
            line="`first + y < k` for `b`, with `<`.",
        ),
        Misconception(
            "both tested along y",
            _edited((LOAD_A, LOAD_A.replace("first + x < k", "first + y < k"))),
            symptom="In the last slice your test for `a` lets columns pass that `a` does not have.",
            concept="Thread (x, y) loads column `first + x` of `a`: that is what must be below "
            "`k`.",
            line="`first + x < k` for `a`, with `<`.",
        ),
    ],
)
