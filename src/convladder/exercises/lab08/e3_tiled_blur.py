"""Lab 08, exercise 3: a convolution tiled under a budget of sectors."""

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import conv2d_float64
from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SECTORS = 850  # loads on the last case, 36 rows of 68 pixels, 8 blocks

SOURCE = r"""
#define K 5
extern "C" __global__ void blur(const float *x, const float *w, float *y, int i_h, int i_w)
{
    __shared__ float tile[8 + K - 1][32 + K - 1];
    __shared__ float weights[K * K];
    int o_h = i_h - K + 1, o_w = i_w - K + 1;
    int left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int r = threadIdx.y; r < 8 + K - 1; r += 8)
        for (int q = threadIdx.x; q < 32 + K - 1; q += 32)
            if (top + r < i_h && left + q < i_w)
                tile[r][q] = x[(top + r) * i_w + left + q];
    int t = threadIdx.y * 32 + threadIdx.x;
    if (t < K * K)
        weights[t] = w[t];
    __syncthreads();
    int h = top + threadIdx.y, v = left + threadIdx.x;
    if (h >= o_h || v >= o_w) return;  // not before the barrier
    float sum = 0;
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
            sum += tile[threadIdx.y + a][threadIdx.x + b] * weights[a * K + b];
    y[h * o_w + v] = sum;
}
"""
PRODUCT = "tile[threadIdx.y + a][threadIdx.x + b] * weights[a * K + b]"


def blur(x, w):
    p = ConvProblem(1, *x.shape, 1, *w.shape, 1)
    y = conv2d_float64(x[None, :, :, None], w[:, :, None, None], p)
    return y[0, :, :, 0].astype(np.float32)


EXERCISE = Exercise(
    name="tiled_blur",
    lab=8,
    task="A convolution of 5 × 5 that reads each pixel of a tile once, under a budget of sectors.",
    solution=SOURCE,
    reference=blur,
    cases=lambda rng: [(5, 7), (20, 41), (whole(rng, 13, 24), whole(rng, 37, 60)), (36, 68)],
    inputs=lambda fill, i_h, i_w: (fill(i_h, i_w), -fill(5, 5)[::-1].copy()),
    valid=lambda i_h, i_w: i_h >= 5 and i_w >= 5,
    budget=lambda x, w: {"global_load_sectors": SECTORS},
    kernel=KernelSpec(
        "blur",
        lambda x, w: (x, w, OUT, *x.shape),
        lambda x, w: ((-(-(x.shape[1] - 4) // 32), -(-(x.shape[0] - 4) // 8)), (32, 8)),
    ),
    mend="A tile of `8 + K - 1` rows and `32 + K - 1` columns, filled by all threads in steps of 8 "
    "and 32, the weights by 25 threads; `__syncthreads()` before the sums",
    misconceptions=[
        Misconception(
            "no tile",
            edit(PRODUCT, "x[(h + a) * i_w + v + b] * weights[a * K + b]"),
            "Every pixel is read once for each of the windows it is in, up to 25.",
            "Neighbouring windows share pixels. Shared memory keeps them for the whole block.",
        ),
        Misconception(
            "weights from global memory",
            edit("* weights[a * K + b]", "* w[a * K + b]"),
            "The pixels are read once, but each warp loads 25 weights.",
            "All threads of a block use the same weights: 25 threads load them once.",
        ),
        Misconception(
            "no halo, or a part of it",
            [
                edit("r < 8 + K - 1", "r < 8 + K - 2"),
                edit("q < 32 + K - 1", "q < 32 + K - 2"),
                edit("r < 8 + K - 1", "r < 8", "q < 32 + K - 1", "q < 32"),
                edit("q < 32 + K - 1", "q < 32"),
            ],
            "Windows at the edge of a block read places of the tile that were never written.",
            "A block's windows reach `K - 1` pixels beyond its own outputs, below and right.",
        ),
        Misconception(
            "no barrier",
            edit("    __syncthreads();\n", ""),
            "Threads read shared memory before others have written it.",
            "A window's pixels were loaded by many threads. All must have finished.",
        ),
        Misconception(
            "threads that leave early",
            edit(
                "    int t =",
                "    if (top + threadIdx.y >= o_h || left + threadIdx.x >= o_w) return;\n"
                "    int t =",
            ),
            "Threads without an output miss the barrier at which the others wait.",
            "All threads of a block reach the barrier. Leave after it.",
            mend="`if (h >= o_h || v >= o_w) return;`, not before the barrier",
        ),
    ],
)
