"""Lab 08, exercise 6: a matrix product in tiles."""

import numpy as np

from ..draws import wholes
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SIDE = 16  # of a tile, and of a block

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
PRODUCT = "a_tile[y][i] * b_tile[i][x]"
READY = "        __syncthreads();\n        for"
DONE = "        __syncthreads();\n    }"


def product(a, b):
    return (a.astype(np.float64) @ b).astype(np.float32)


def operands(fill, m, k, n):
    return fill(m, k), -fill(k, n)[::-1].copy()


def arguments(a, b):
    return a, b, OUT, *a.shape, b.shape[1]


def launch(a, b):
    """A block of 16 × 16 threads for each tile of c."""
    return (-(-b.shape[1] // SIDE), -(-a.shape[0] // SIDE)), (SIDE, SIDE)


def least_sectors(a, b):
    """Sectors if each block loads its rows of a and columns of b once, whole tiles."""
    tiles = -(-a.shape[0] // SIDE) * -(-b.shape[1] // SIDE)
    return tiles * 2 * SIDE * a.shape[1] // 8


def shapes(rng):
    return [(2, 3, 2), (20, 17, 33), (35, 90, 9), wholes(rng, 17, 40, 3), (32, 64, 48)]


EXERCISE = Exercise(
    name="tiled_matmul",
    lab=8,
    task="A matrix product whose blocks load each value of their tiles once.",
    solution=SOURCE,
    reference=product,
    cases=shapes,
    inputs=operands,
    valid=lambda m, k, n: min(m, k, n) > 0,
    budget=lambda a, b: {"global_load_sectors": least_sectors(a, b)},
    kernel=KernelSpec("matmul", arguments, launch),
    mend="Per slice of 16: `a_tile[y][x]` and `b_tile[y][x]` with zeros outside, a barrier, 16 "
    "products `a_tile[y][i] * b_tile[i][x]`, a second barrier",
    misconceptions=[
        Misconception(
            "no tiles",
            edit(
                PRODUCT,
                "(row < m && first + i < k ? a[row * k + first + i] : 0.0f)"
                " * (first + i < k && column < n ? b[(first + i) * n + column] : 0.0f)",
            ),
            "The values are right, but every thread loads its rows and columns itself.",
            "A block's threads share 16 rows and 16 columns. Shared memory loads them once.",
        ),
        Misconception(
            "a missing barrier",
            [
                edit(READY, "        for"),
                edit(DONE, "    }"),
                edit(READY, "        for", DONE, "    }"),
            ],
            "Threads read a tile too early, or overwrite it while others still read.",
            "One barrier after the loads, and one before the next slice overwrites the tiles.",
        ),
        Misconception(
            "a transposed tile",
            [
                edit(PRODUCT, "a_tile[y][i] * b_tile[x][i]"),
                edit(PRODUCT, "a_tile[i][y] * b_tile[i][x]"),
            ],
            "Within each tile you multiply the wrong rows and columns.",
            "A value of c is row `y` of `a`'s tile times column `x` of `b`'s.",
        ),
        Misconception(
            "one slice only",
            [
                edit("        for (int i", "        sum = 0;\n        for (int i"),
                edit("first < k; first += 16", "first < 16; first += 16"),
            ],
            "Sums of up to 16 products are right. Longer ones hold the products of one slice.",
            "The sum runs over all slices of `k`: begin it before the loop.",
            mend="`float sum = 0;` before `for (int first = 0; first < k; first += 16)`",
        ),
        Misconception(
            "bounds that are not tested",
            [
                edit("row < m && first + x < k ?", "row < m ?"),
                edit("first + y < k && column < n ?", "column < n ?"),
                edit("    if (row < m && column < n)\n    ", ""),
            ],
            "Threads read or write beside the matrices.",
            "The last tiles reach beyond the matrices. Load zeros there, and store nothing.",
            mend="`row < m && first + x < k` for `a`, `first + y < k && column < n` for `b`, and "
            "`row < m && column < n` for `c`",
        ),
        Misconception(
            "threads that leave early",
            edit(
                "    float sum = 0;", "    if (row >= m || column >= n) return;\n    float sum = 0;"
            ),
            "Threads without an output miss the barrier, and what they should load is missing.",
            "Every thread loads a value of each tile, even one that has no output.",
            mend="`if (row < m && column < n)` around the last line, the store",
        ),
    ],
)
