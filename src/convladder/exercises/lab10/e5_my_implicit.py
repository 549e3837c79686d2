"""Lab 10, exercise 5: an implicit GEMM of your own."""

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import conv2d_float64
from ..draws import layer
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

PROBLEMS = (
    ConvProblem(1, 3, 3, 1, 2, 2, 1),
    ConvProblem(1, 6, 11, 1, 1, 1, 33),  # 66 pixels: a tile and a part of one each way
    ConvProblem(1, 9, 10, 3, 3, 2, 5, stride=(2, 3), padding=(1, 0)),
    ConvProblem(1, 9, 12, 2, 3, 3, 40, padding=(0, 1)),  # 84 pixels: a tile and a part
)
INFINITE = ConvProblem(1, 4, 4, 1, 3, 3, 2, padding=1)  # two pixels: 0 times that is not 0
LARGE = ConvProblem(1, 16, 8, 8, 3, 3, 32, padding=1)
SECTORS = 1_588  # loads on LARGE, as many as gpu_implicit_gemm


def my_implicit(problem):
    p = problem
    source = r"""
#define BM 64
#define BN 32
#define BK 8
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
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
    return source, (-(-p.o_h * p.o_w // 64), -(-p.k_c // 32)), 128


NO_TILE = r"""
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = i % k_c, m = i / k_c;
    if (i >= o_h * o_w * k_c) return;
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


def without_tiles(problem):
    p = problem
    return NO_TILE, -(-p.o_h * p.o_w * p.k_c // 128), 128


def with_infinity(x, problem):
    if problem == INFINITE:
        x[0, 0] = x[-1, -1] = np.inf
    return x


def convolved(x, w, problem):
    return conv2d_float64(x[None], w, problem)[0].astype(np.float32)


EXERCISE = Exercise(
    name="my_implicit",
    lab=10,
    task="An implicit GEMM of your own that loads no more sectors than the package's.",
    solution=my_implicit,
    reference=convolved,
    cases=lambda rng: [*((p,) for p in PROBLEMS), (INFINITE,), (layer(rng, 12, i_n=1),), (LARGE,)],
    inputs=lambda fill, problem: (
        with_infinity(fill(*problem.input_shape[1:]), problem),
        -fill(*problem.kernel_shape)[::-1].copy(),
        problem,
    ),
    valid=lambda problem: problem.i_n == 1,
    budget=lambda x, w, problem: {"global_load_sectors": SECTORS},
    kernel=KernelSpec(
        "conv",
        lambda x, w, p: (
            *(x, w, OUT, p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c, p.o_h, p.o_w),
            *(*p.stride, *p.padding),
        ),
    ),
    mend="Per slice of 8 columns: lanes gather `A` along the window and `B` along the channels, "
    "zero where nothing is; `__syncthreads()`, multiply, `__syncthreads()`. With tiles of "
    "64 × 32 the grid is `(-(-p.o_h * p.o_w // 64), -(-p.k_c // 32))`",
    misconceptions=[
        Misconception(
            "no tile",
            without_tiles,
            "The values are right, but every thread loads a window and a filter of its own.",
            "A tile of 64 × 32 values needs 64 windows and 32 filters, loaded once for the block.",
        ),
        Misconception(
            "lanes across the rows",
            [
                edit(
                    "m = m0 + i / BK, k = k0 + i % BK",
                    "m = m0 + i % BM, k = k0 + i / BM",
                    "A[i % BK][i / BK]",
                    "A[i / BM][i % BM]",
                ),
                edit(
                    "k = k0 + i / BN, n = n0 + i % BN",
                    "k = k0 + i % BK, n = n0 + i / BK",
                    "B[i / BN][i % BN]",
                    "B[i % BK][i / BK]",
                ),
            ],
            "The values are right, but neighbouring lanes load values that are far apart.",
            "Neighbours in memory follow the window in `x`, and the channels in `w`. Let "
            "neighbouring lanes follow them too.",
        ),
        Misconception(
            "grid rounded down",
            [
                edit("-(-p.o_h * p.o_w // 64)", "max(1, p.o_h * p.o_w // 64)"),
                edit("-(-p.k_c // 32)", "max(1, p.k_c // 32)"),
            ],
            "The last pixels or the last channels are never written.",
            "A partial tile needs a block too.",
        ),
        Misconception(
            "padding untested",
            [
                edit(" && row >= 0 && row < i_h && column >= 0 && column < i_w", ""),
                edit(" && column >= 0 && column < i_w", ""),
            ],
            "Layers without padding are right. With padding, your kernel reads outside the image, "
            "or in another row.",
            "The padding is not stored in `x`, so both the row and the column must be tested.",
            mend="`bool there = m < M && k < K && row >= 0 && row < i_h && column >= 0 && column <"
            " i_w;`",
        ),
        Misconception(
            "barrier missing",
            [
                edit(
                    "        __syncthreads();\n        for (int k = 0; k < BK",
                    "        for (int k = 0; k < BK",
                ),
                edit("        __syncthreads();\n    }\n", "    }\n"),
            ],
            "Some threads use a slice while others fill it.",
            "All threads must have loaded before any multiplies, and have multiplied before any "
            "loads the next slice.",
        ),
        Misconception(
            "last slice left out",
            edit("k0 < K;", "k0 + BK <= K;"),
            "Layers are right if a window has a multiple of your slice's columns.",
            "A partial slice needs a turn of the loop, with zeros where the window has ended.",
            mend="`for (int k0 = 0; k0 < K; k0 += BK)`",
        ),
    ],
)
