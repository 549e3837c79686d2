"""An implicit GEMM, tiled and untiled: what an exercise of lab 09 is made of."""

from __future__ import annotations

from collections.abc import Callable

from ....problem import ConvProblem
from ..lab06.sources import blocks, edited

HEAD = r"""
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
"""
SOURCE = (
    r"""
#define BM 64
#define BN 32
#define BK 8
"""
    + HEAD.strip("\n")
    + r"""
{
    __shared__ float A[BK][BM + 4], B[BK][BN];
    int M = o_h * o_w, K = k_h * k_w * i_c, t = threadIdx.x;
    int m0 = blockIdx.x * BM, n0 = blockIdx.y * BN, tm = t / 8 * 4, tn = t % 8;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += 128) {
            int m = m0 + i / BK, k = k0 + i % BK;
            int row = m / o_w * s_h + k / (k_w * i_c) - p_h;
            int column = m % o_w * s_w + k / i_c % k_w - p_w;
            bool there = m < M && k < K && row >= 0 && row < i_h && column >= 0 && column < i_w;
            A[i % BK][i / BK] = there ? x[(row * i_w + column) * i_c + k % i_c] : 0.0f;
        }
        for (int i = t; i < BK * BN; i += 128) {
            int k = k0 + i / BN, n = n0 + i % BN;
            B[i / BN][i % BN] = k < K && n < k_c ? w[k * k_c + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += A[k][tm + i] * B[k][tn + 8 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (m0 + tm + i < M && n0 + tn + 8 * j < k_c)
                y[(m0 + tm + i) * k_c + n0 + tn + 8 * j] = sum[i][j];
}
"""
)
UNTILED = (
    HEAD
    + r"""
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * k_c) return;
    int n = i % k_c, m = i / k_c;
    float sum = 0;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++) {
            int row = m / o_w * s_h + a - p_h, column = m % o_w * s_w + b - p_w;
            if (row < 0 || row >= i_h || column < 0 || column >= i_w) continue;
            for (int c = 0; c < i_c; c++)
                sum += x[(row * i_w + column) * i_c + c] * w[((a * k_w + b) * i_c + c) * k_c + n];
        }
    y[i] = sum;
}
"""
)
INSIDE = "row >= 0 && row < i_h && column >= 0 && column < i_w"
ONE_A_THREAD = (
    HEAD
    + r"""
{
    __shared__ float A[SIDE][SIDE], B[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y, K = k_h * k_w * i_c;
    int m = blockIdx.x * SIDE + ty, n = blockIdx.y * SIDE + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += SIDE) {
        int k = k0 + tx;
        int row = m / o_w * s_h + k / (k_w * i_c) - p_h;
        int column = m % o_w * s_w + k / i_c % k_w - p_w;
        bool there = m < o_h * o_w && k < K;
        there = there && row >= 0 && row < i_h && column >= 0 && column < i_w;
        A[ty][tx] = there ? x[(row * i_w + column) * i_c + k % i_c] : 0.0f;
        B[ty][tx] = k0 + ty < K && n < k_c ? w[(k0 + ty) * k_c + n] : 0.0f;
        __syncthreads();
        for (int i = 0; i < SIDE; i++)
            sum += A[ty][i] * B[i][tx];
        __syncthreads();
    }
    if (m < o_h * o_w && n < k_c)
        y[m * k_c + n] = sum;
}
"""
)
TILE, THREADS = (64, 32), 128  # of SOURCE


def tiled(source: str = SOURCE) -> Callable:
    """Return an answer: `source`, and its launch by tiles."""
    return lambda p: (source, blocks((p.o_h * p.o_w, TILE[0]), (p.k_c, TILE[1])), THREADS)


def changed(*exchanges: tuple[str, str]) -> Callable:
    return tiled(edited(SOURCE, *exchanges))


def heights_for_both(p, stride=False):
    """Take the padding down for both, or the stride too."""
    edits = [("% k_w - p_w", "% k_w - p_h"), *([("m % o_w * s_w", "m % o_w * s_h")] * stride)]
    return changed(*edits)(p)


def window_height(p, which=(0, 1)):
    """Take the window's height for its width, where a column's place in it is computed."""
    edits = ("k / (k_w * i_c)", "k / (k_h * i_c)"), ("k / i_c % k_w", "k / i_c % k_h")
    return changed(*(edits[i] for i in which))(p)


def slices_left_out(p, to="k0 + BK <= K;"):
    return changed(("k0 < K;", to))(p)


def one_more(p: ConvProblem, more: tuple[int, int] = (1, 1)) -> tuple:
    """Return an answer with a block more than whole tiles along pixels, channels or both."""
    whole = blocks((p.o_h * p.o_w, TILE[0]), (p.k_c, TILE[1]))
    exact = p.o_h * p.o_w % TILE[0] == 0, p.k_c % TILE[1] == 0
    return SOURCE, tuple(n + a * b for n, a, b in zip(whole, more, exact)), THREADS


def small_tiles(p: ConvProblem, side: int = 16) -> tuple:
    """Return an answer whose threads make one value each, in blocks of `side` × `side`."""
    source = f"#define SIDE {side}" + ONE_A_THREAD
    return source, blocks((p.o_h * p.o_w, side), (p.k_c, side)), (side, side)
