"""Convolution, ReLU and pool in one kernel: what an exercise of lab 12 is made of."""

from __future__ import annotations

from ..lab06.sources import edited

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
# Four whole convolutions, one after the other, as one gets by calling the plain kernel's loop.
ONE_BY_ONE = edited(
    SOURCE,
    (
        SOURCE[SOURCE.index("    float sum[4]") : SOURCE.index("    float most")],
        """\
    float sum[4];
    for (int p = 0; p < 4; p++) {
        sum[p] = bias[k];
        for (int a = 0; a < K; a++)
            for (int b = 0; b < K; b++)
                sum[p] += x[(2 * h + p / 2 + a) * i_w + 2 * v + p % 2 + b]
                        * w[(a * K + b) * k_c + k];
    }
""",
    ),
)
FOUR = "upper left", "upper right", "lower left", "lower right"
MOST = "fmaxf(fmaxf(sum[0], sum[1]), fmaxf(sum[2], sum[3]))"
