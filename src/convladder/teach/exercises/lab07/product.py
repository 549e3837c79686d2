"""A matrix product in tiles: what an exercise of lab 07 is made of."""

from __future__ import annotations

from ..lab06.sources import edited

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


def with_lines(*exchanges: tuple[str, str]) -> str:
    """Return the right kernel with pieces of its text exchanged."""
    return edited(SOURCE, *exchanges)
