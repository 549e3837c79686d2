"""Lab 14, exercise 1: convolution, ReLU and pool in one kernel."""

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import conv2d_float64
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

THREADS = 128
K = 5
LOADS = 4 * K * K + K * K + 1  # of a thread: four windows, each weight once, a bias

SOURCE = r"""
#define K 5
extern "C" __global__ void conv_relu_pool(const float *x, const float *w, const float *bias,
                                          float *y, int i_w, int p_h, int p_w, int k_c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p_h * p_w * k_c) return;
    int k = i % k_c, v = i / k_c % p_w, h = i / k_c / p_w;
    float sum[4] = {bias[k]};
    sum[1] = sum[2] = sum[3] = sum[0];
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++) {
            float weight = w[(a * K + b) * k_c + k];
            const float *at = x + (2 * h + a) * i_w + 2 * v + b;
            sum[0] += at[0] * weight;
            sum[1] += at[1] * weight;
            sum[2] += at[i_w] * weight;
            sum[3] += at[i_w + 1] * weight;
        }
    float most = fmaxf(fmaxf(sum[0], sum[1]), fmaxf(sum[2], sum[3]));
    y[i] = fmaxf(most, 0.0f);
}
"""
ONE_BY_ONE = """\
    float sum[4];
    for (int p = 0; p < 4; p++) {
        sum[p] = bias[k];
        for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
                sum[p] += x[(2 * h + p / 2 + a) * i_w + 2 * v + p % 2 + b]
                        * w[(a * K + b) * k_c + k];
    }
"""
FOUR_AT_ONCE = SOURCE[SOURCE.index("    float sum[4]") : SOURCE.index("    float most")]


def conv_relu_pool(x, w, bias):
    i_h, i_w = x.shape
    problem = ConvProblem(1, i_h, i_w, 1, K, K, w.shape[-1])
    y = conv2d_float64(x[None, :, :, None], w[:, :, None], problem)[0] + bias
    pooled = y.reshape(y.shape[0] // 2, 2, y.shape[1] // 2, 2, -1).max(axis=(1, 3))
    return np.maximum(pooled, 0).astype(np.float32)


def outputs(x, w):
    return (x.shape[0] - K + 1) // 2, (x.shape[1] - K + 1) // 2, w.shape[-1]


def threads(x, w):
    return int(np.prod(outputs(x, w)))


EXERCISE = Exercise(
    name="conv_relu_pool",
    lab=14,
    task="A convolution, its ReLU and its 2 × 2 pool in one kernel that loads each weight once.",
    solution=SOURCE,
    reference=conv_relu_pool,
    cases=lambda rng: [(6, 8, 1), (14, 8, 3), (28, 28, 6)],
    inputs=lambda fill, i_h, i_w, k_c: (fill(i_h, i_w), -fill(K, K, k_c)[::-1].copy(), fill(k_c)),
    valid=lambda i_h, i_w, k_c: i_h >= 6 and i_w >= 6 and i_h % 2 == i_w % 2 == 0 and k_c > 0,
    budget=lambda x, w, bias: {
        "global_load_requests": -(-threads(x, w) // 32) * LOADS,
        "global_store_requests": -(-threads(x, w) // 32),
    },
    kernel=KernelSpec(
        "conv_relu_pool",
        lambda x, w, bias: (x, w, bias, OUT, x.shape[1], *outputs(x, w)),
        lambda x, w, bias: (-(-threads(x, w) // THREADS), THREADS),
    ),
    mend="`float sum[4]`, all begun with `bias[k]`; one loop over `a` and `b` adds to each; then "
    "`fmaxf` of the four and 0",
    misconceptions=[
        Misconception(
            "weights loaded four times",
            edit(FOUR_AT_ONCE, ONE_BY_ONE),
            "The values are right, but each weight is loaded once for each of the four pixels.",
            "The four windows of a pool use the same weights. Keep four sums in registers.",
        ),
        Misconception(
            "no ReLU",
            edit("fmaxf(most, 0.0f)", "most"),
            "Negative values are written as they are.",
            "ReLU comes last: `fmaxf(most, 0.0f)`.",
        ),
        Misconception(
            "the bias in the wrong place",
            [
                edit("{bias[k]}", "{0}"),
                edit("{bias[k]}", "{0}", "fmaxf(most, 0.0f)", "fmaxf(most, 0.0f) + bias[k]"),
                edit("fmaxf(most, 0.0f)", "fmaxf(most + bias[k], 0.0f)"),
            ],
            "Your values are off by a filter's bias, or by a part of it.",
            "Each of the four sums gets the bias once, before the ReLU.",
        ),
        Misconception(
            "overlapping pools",
            edit("2 * h + a", "h + a", "2 * v + b", "v + b"),
            "The first pixel is right. The others come from pools that overlap.",
            "Pooled pixel `(h, v)` begins at row `2 * h`, column `2 * v` of the convolution.",
            mend="`const float *at = x + (2 * h + a) * i_w + 2 * v + b;`",
        ),
        Misconception(
            "a wrong distance between rows",
            [
                edit(
                    "(2 * h + a) * i_w",
                    "(2 * h + a) * (i_w - 4)",
                    "at[i_w]",
                    "at[i_w - 4]",
                    "at[i_w + 1]",
                    "at[i_w - 3]",
                ),
                edit("at[i_w]", "at[2]", "at[i_w + 1]", "at[3]"),
            ],
            "Pixels of lower rows come from the wrong place.",
            "A row of the image is `i_w` values, so the pixel below is `at[i_w]`.",
            mend="`const float *at = x + (2 * h + a) * i_w + 2 * v + b;`, and the four pixels "
            "`at[0]`, `at[1]`, `at[i_w]`, `at[i_w + 1]`",
        ),
        Misconception(
            "filters in the wrong order",
            [
                edit("w[(a * K + b) * k_c + k]", "w[k * K * K + a * K + b]"),
                edit(
                    "int k = i % k_c, v = i / k_c % p_w, h = i / k_c / p_w",
                    "int v = i % p_w, h = i / p_w % p_h, k = i / p_w / p_h",
                ),
            ],
            "One filter is right. With more, weights or results are in another order.",
            "Weights are [5, 5, k_c] and results [p_h, p_w, k_c]: the filter moves fastest.",
            mend="`int k = i % k_c, v = i / k_c % p_w, h = i / k_c / p_w;`, and `w[(a * K + b) * "
            "k_c + k]`",
        ),
    ],
)
