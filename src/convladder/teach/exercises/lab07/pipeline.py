"""The product in tiles with copies on their way: what an exercise of lab 07 is made of."""

from __future__ import annotations

from ..lab06.sources import edited

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
WAIT = "        __pipeline_wait_prior(1);\n"
# The same with one barrier a slice: wait, meet, ask for the next, sum.
ONE_BARRIER = edited(
    SOURCE,
    (
        SOURCE[SOURCE.index("        if (s + 1 < slices)") : SOURCE.index("        for (int i")],
        "        __pipeline_wait_prior(0);\n        __syncthreads();\n"
        "        if (s + 1 < slices) {\n"
        "            fetch(&a_tile[to][y][x], &a[row * k + next + x],\n"
        "                  row < m && next + x < k);\n"
        "            fetch(&b_tile[to][y][x], &b[(next + y) * n + column],\n"
        "                  next + y < k && column < n);\n"
        "        }\n        __pipeline_commit();\n",
    ),
    ("b_tile[s % 2][i][x];\n        __syncthreads();\n", "b_tile[s % 2][i][x];\n"),
)
ASKED = "__pipeline_memcpy_async(to, from, 4);"
IF_NEXT = "        if (s + 1 < slices) {\n"
