"""Lab 10, exercise 4: bias, ReLU and a pool in the kernel that computes the sums."""

import numpy as np

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

BLOCK = (32, 4)

SOURCE = r"""
extern "C" __global__ void fused_pool(const float *x, const float *w, const float *bias,
                                      float *y, int i_h, int i_w, int i_c, int k_c)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    int q = blockIdx.y * blockDim.y + threadIdx.y, o_w = i_w / 2;
    if (q >= i_h / 2 * o_w || n >= k_c) return;
    const float *at = x + (q / o_w * 2 * i_w + q % o_w * 2) * i_c;
    float sum[4] = {};
    for (int c = 0; c < i_c; c++) {
        float v = w[c * k_c + n];
        sum[0] += at[c] * v;
        sum[1] += at[i_c + c] * v;
        sum[2] += at[i_w * i_c + c] * v;
        sum[3] += at[(i_w + 1) * i_c + c] * v;
    }
    float most = fmaxf(fmaxf(sum[0], sum[1]), fmaxf(sum[2], sum[3]));
    y[q * k_c + n] = fmaxf(most + bias[n], 0.0f);
}
"""
LOOP = SOURCE[SOURCE.index("    for (int c") : SOURCE.index("    float most")]
ONE_BY_ONE = """\
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < i_c; c++)
            sum[i] += at[(i / 2 * i_w + i % 2) * i_c + c] * w[c * k_c + n];
"""


def fused_pool(x, w, bias):
    sums = np.maximum(x.astype(np.float64) @ w + bias, 0)
    h, v = x.shape[0] // 2, x.shape[1] // 2
    squares = sums[: 2 * h, : 2 * v].reshape(h, 2, v, 2, -1)
    return squares.max(axis=(1, 3)).astype(np.float32)


def pooled(x):
    return (x.shape[0] // 2) * (x.shape[1] // 2)


def budget(x, w, bias):
    """Per warp: for each channel four sectors of w and one per pixel, then four of bias and y."""
    warps = pooled(x) * w.shape[1] // 32
    return {"global_load_sectors": warps * (8 * x.shape[2] + 4), "global_store_sectors": 4 * warps}


EXERCISE = Exercise(
    name="fused_pool",
    lab=10,
    task="A pointwise convolution with bias, ReLU and a 2 × 2 pool in one kernel.",
    solution=SOURCE,
    reference=fused_pool,
    cases=lambda rng: [
        (2, 2, 1, 2),
        (5, 7, 3, 40),
        (2, 6, 5, 3),
        (2 * whole(rng, 2, 4), 2 * whole(rng, 5, 7) + 1, whole(rng, 2, 6), whole(rng, 8, 50)),
        (8, 6, 16, 64),
    ],
    inputs=lambda fill, i_h, i_w, i_c, k_c: (fill(i_h, i_w, i_c), fill(i_c, k_c), fill(k_c)),
    valid=lambda i_h, i_w, i_c, k_c: i_h >= 2 and i_w >= 2 and i_c > 0 and k_c > 0,
    budget=budget,
    kernel=KernelSpec(
        "fused_pool",
        lambda x, w, bias: (x, w, bias, OUT, *x.shape, w.shape[1]),
        lambda x, w, bias: (
            (-(-w.shape[1] // BLOCK[0]), -(-pooled(x) // BLOCK[1])),
            BLOCK,
        ),
    ),
    mend="`float v = w[c * k_c + n];`, then four sums with `v`, of `at[c]`, `at[i_c + c]`, "
    "`at[i_w * i_c + c]` and `at[(i_w + 1) * i_c + c]`; after the loop `fmaxf` of the four, "
    "`+ bias[n]`, and `fmaxf(…, 0.0f)`",
    misconceptions=[
        Misconception(
            "weights loaded four times",
            edit(LOOP, ONE_BY_ONE),
            "The values are right, but each weight is loaded once for each of the four pixels.",
            "The four pixels of a pool use the same weights. Keep four sums in registers.",
        ),
        Misconception(
            "no ReLU, or ReLU before the bias",
            [
                edit("fmaxf(most + bias[n], 0.0f)", "most + bias[n]"),
                edit("fmaxf(most + bias[n], 0.0f)", "fmaxf(most, 0.0f) + bias[n]"),
            ],
            "Your values are wrong where a sum is negative.",
            "ReLU is the last step: `fmaxf(…, 0.0f)` around the maximum with its bias.",
        ),
        Misconception(
            "no bias, or several",
            [
                edit("most + bias[n]", "most"),
                edit("most + bias[n]", "most + 4 * bias[n]"),
                edit("most + bias[n]", "most + i_c * bias[n]"),
            ],
            "The bias is missing from your values, or counted too often.",
            "Each value gets the bias of its filter once, after the sum over the channels.",
        ),
        Misconception(
            "a wrong corner of the square",
            [
                edit("q / o_w * 2 * i_w + q % o_w * 2", "q / o_w * i_w + q % o_w"),
                edit("q / o_w * 2 * i_w + q % o_w * 2", "2 * q"),
                edit(
                    "(q / o_w * 2 * i_w + q % o_w * 2) * i_c", "(q / o_w * 2 * i_w + q % o_w * 2)"
                ),
            ],
            "The first value of each filter is right. Other squares begin in the wrong place.",
            "Pooled pixel `q` begins at image row `q / o_w * 2`, column `q % o_w * 2`, and a pixel "
            "has `i_c` values.",
            mend="`const float *at = x + (q / o_w * 2 * i_w + q % o_w * 2) * i_c;`",
        ),
        Misconception(
            "a wrong distance between rows",
            [
                edit("at[i_w * i_c + c]", "at[o_w * i_c + c]", "at[(i_w + 1)", "at[(o_w + 1)"),
                edit("at[i_w * i_c + c]", "at[i_w + c]", "at[(i_w + 1) * i_c", "at[i_w + 1"),
            ],
            "The two upper pixels of each square are right, and the two lower ones aren't.",
            "The pixel below lies one image row further on, which is `i_w * i_c` values.",
        ),
        Misconception(
            "threads beyond the end",
            edit("    if (q >= i_h / 2 * o_w || n >= k_c) return;\n", ""),
            "Threads without a value read and write all the same.",
            "The grid is rounded up to whole blocks, so threads test their numbers.",
            mend="`if (q >= i_h / 2 * o_w || n >= k_c) return;`",
        ),
    ],
)
