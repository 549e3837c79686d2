"""Lab 08, exercise 7: the product in tiles, the next slice on its way while one is summed."""

from ..exercise import Exercise, KernelSpec, Misconception, edit
from .e6_tiled_matmul import SIDE, arguments, launch, least_sectors, operands, product, shapes
from .e6_tiled_matmul import SOURCE as TILED

SOURCE = r"""
#include <cuda_pipeline.h>

__device__ void fetch(float *to, const float *from, bool inside)
{
    if (inside)
        __pipeline_memcpy_async(to, from, 4);
    else
        *to = 0.0f;
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[2][16][16], b_tile[2][16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    int slices = (k + 15) / 16;
    float sum = 0;
    fetch(&a_tile[0][y][x], &a[row * k + x], row < m && x < k);
    fetch(&b_tile[0][y][x], &b[y * n + column], y < k && column < n);
    __pipeline_commit();
    for (int s = 0; s < slices; s++) {
        int next = 16 * (s + 1), to = (s + 1) % 2;
        if (s + 1 < slices) {
            fetch(&a_tile[to][y][x], &a[row * k + next + x], row < m && next + x < k);
            fetch(&b_tile[to][y][x], &b[(next + y) * n + column], next + y < k && column < n);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += a_tile[s % 2][y][i] * b_tile[s % 2][i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
"""
REGISTERS = r"""
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[2][16][16], b_tile[2][16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0, from_a = row < m && x < k ? a[row * k + x] : 0;
    float from_b = y < k && column < n ? b[y * n + column] : 0;
    for (int s = 0; s * 16 < k; s++) {
        int next = 16 * (s + 1);
        a_tile[s % 2][y][x] = from_a;
        b_tile[s % 2][y][x] = from_b;
        __syncthreads();
        from_a = row < m && next + x < k ? a[row * k + next + x] : 0;
        from_b = next + y < k && column < n ? b[(next + y) * n + column] : 0;
        for (int i = 0; i < 16; i++)
            sum += a_tile[s % 2][y][i] * b_tile[s % 2][i][x];
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
"""
READY = "        __syncthreads();\n        for"
DONE = "        __syncthreads();\n    }"


def first_slice(a, b):
    """Bytes that no sum can hide: a tile of each factor in each block."""
    (across, down), _ = launch(a, b)
    return across * down * 2 * SIDE * SIDE * 4


EXERCISE = Exercise(
    name="double_buffered",
    lab=8,
    task="The product in tiles, with the next slice on its way while one is summed.",
    solution=SOURCE,
    reference=product,
    cases=shapes,
    inputs=operands,
    valid=lambda m, k, n: min(m, k, n) > 0,
    budget=lambda a, b: {
        "global_load_sectors": least_sectors(a, b),
        "exposed_bytes": first_slice(a, b),
    },
    kernel=KernelSpec("matmul", arguments, launch),
    mend="Copy slice 0 and commit. In round `s`: copy slice `s + 1` into place `(s + 1) % 2`, "
    "commit, `__pipeline_wait_prior(1)`, a barrier, the sums from buffer `s % 2`, a barrier",
    misconceptions=[
        Misconception(
            "no asynchronous copy while a slice is summed",
            [
                TILED,
                REGISTERS,
                edit("__pipeline_memcpy_async(to, from, 4);", "*to = *from;"),
                edit("__pipeline_wait_prior(1)", "__pipeline_wait_prior(0)"),
            ],
            "The values are right, but no asynchronous copy is under way while a slice is summed.",
            "A load into a register that is stored after the sums overlaps too, as in chapter 10, "
            "but it takes registers. Here `__pipeline_memcpy_async` goes past them, and "
            "`__pipeline_wait_prior(1)` leaves the next slice on its way.",
        ),
        Misconception(
            "no wait, or one that is too short",
            [
                edit("        __pipeline_wait_prior(1);\n", ""),
                edit("__pipeline_wait_prior(1)", "__pipeline_wait_prior(2)"),
            ],
            "Your sums use values that haven't arrived.",
            "A copy has arrived only after `__pipeline_wait_prior` has waited for its group.",
        ),
        Misconception(
            "a missing barrier",
            [
                edit(READY, "        for"),
                edit(DONE, "    }"),
                edit(READY, "        for", DONE, "    }"),
            ],
            "Threads read what others are still copying, or copy over what others still read.",
            "A wait covers a thread's own copies. Only a barrier covers those of the others.",
        ),
        Misconception(
            "one place for both slices",
            [
                edit("to = (s + 1) % 2", "to = s % 2"),
                edit(
                    "a_tile[s % 2][y][i] * b_tile[s % 2][i][x]", "a_tile[0][y][i] * b_tile[0][i][x]"
                ),
            ],
            "The next slice is copied over the one that is summed, or the wrong buffer is summed.",
            "Slice `s` is in buffer `s % 2`, and the next one goes into the other.",
        ),
        Misconception(
            "bounds that are not tested",
            [
                edit("if (inside)\n        ", "", "    else\n        *to = 0.0f;\n", ""),
                edit("    else\n        *to = 0.0f;\n", ""),
                edit("if (s + 1 < slices) {", "{", ", row < m && next + x < k)", ", row < m)"),
            ],
            "Copies reach beside the matrices, or places outside keep old values.",
            "Places outside the matrices are 0, and there is no slice after the last.",
            mend="`row < m && next + x < k` for `a`, `next + y < k && column < n` for `b`; where "
            "that is false, `*to = 0.0f;`",
        ),
    ],
)
