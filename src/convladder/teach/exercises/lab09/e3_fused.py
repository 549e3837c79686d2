"""Lab 09, exercise 3: bias, residual and ReLU in the kernel that makes the sums."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited

SOURCE = r"""
extern "C" __global__ void fused(const float *x, const float *w, const float *bias,
                                 const float *r, float *y, int pixels, int i_c, int k_c)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    int m = blockIdx.y * blockDim.y + threadIdx.y;
    if (m >= pixels || n >= k_c) return;
    float sum = 0;
    for (int c = 0; c < i_c; c++)
        sum += x[m * i_c + c] * w[c * k_c + n];
    y[m * k_c + n] = fmaxf(sum + bias[n] + r[m * k_c + n], 0.0f);
}
"""
LAST = "y[m * k_c + n] = fmaxf(sum + bias[n] + r[m * k_c + n], 0.0f);"
IN_FOUR_STEPS = """y[m * k_c + n] = sum;
    y[m * k_c + n] = y[m * k_c + n] + bias[n];
    y[m * k_c + n] = y[m * k_c + n] + r[m * k_c + n];
    y[m * k_c + n] = fmaxf(y[m * k_c + n], 0.0f);"""
BLOCK = (32, 4)


def fused(x, w, bias, r):
    sums = x.astype(np.float64) @ w + bias + r
    return np.maximum(sums, 0).astype(np.float32)


def _launch(x, w, bias, r):
    return blocks((w.shape[1], BLOCK[0]), (x.shape[0], BLOCK[1])), BLOCK


def _budget(x, w, bias, r):
    """Allow each warp a sector of x and four of w a step, four of bias, of r and of y."""
    warps = x.shape[0] * w.shape[1] // 32
    return {"global_load_sectors": warps * (5 * x.shape[1] + 8), "global_store_sectors": 4 * warps}


def _cases(rng: np.random.Generator) -> list[tuple]:
    toy = counting(2, 2), np.array([[1, -1], [0, -2]], np.float32), counting(2), counting(2, 2)
    drawn = [toy]
    for pixels, i_c, k_c in ((7, 5, 40), (24, 16, 64)):
        drawn.append(tuple(rng.standard_normal(shape, dtype=np.float32) for shape in (
            (pixels, i_c), (i_c, k_c), (k_c,), (pixels, k_c))))
    return drawn


EXERCISE = Exercise(
    name="fused", lab=9, reference=fused,
    task="A pointwise convolution with bias, residual and ReLU in one kernel, y written once.",
    cases=_cases,
    kernel=KernelTask(
        name="fused", solution=SOURCE, budget=_budget, launch=_launch,
        arguments=lambda x, w, bias, r: (x, w, bias, r, OUT, x.shape[0], *w.shape)),
    misconceptions=[
        Misconception(
            "through memory", edited(SOURCE, (LAST, IN_FOUR_STEPS)),
            symptom="One kernel, but `y` is written again at each step.",
            concept="What a thread writes to `y` and reads again goes through memory. The sum is "
                    "in a register: there it costs nothing to add to it.",
            line="Do everything with `sum`, and store it once, at the end."),
        Misconception(
            "bias in the loop", edited(SOURCE, ("* w[c * k_c + n];",
                                                "* w[c * k_c + n] + bias[n];"),
                                       ("sum + bias[n] + r", "sum + r")),
            symptom="The bias is added once for each input channel.",
            concept="An epilogue comes after the sum over channels, once for a value of `y`.",
            line="Move `bias[n]` behind the loop."),
        Misconception(
            "a bias for each pixel", edited(SOURCE, ("bias[n]", "bias[m]")),
            symptom="Your bias belongs to the pixel.",
            concept="The bias has a value for each output channel, the same for all pixels.",
            line="`bias[n]`."),
        Misconception(
            "ReLU before the residual", edited(SOURCE, (
                "fmaxf(sum + bias[n] + r[m * k_c + n], 0.0f)",
                "fmaxf(sum + bias[n], 0.0f) + r[m * k_c + n]")),
            symptom="Your ReLU comes too early: something is added after it.",
            concept="In a residual block the ReLU comes last: nothing below zero leaves it.",
            line="Add `r` first, then take `fmaxf(..., 0.0f)`."),
        Misconception(
            "ReLU before the bias", edited(SOURCE, (
                "fmaxf(sum + bias[n] + r[m * k_c + n], 0.0f)",
                "fmaxf(sum, 0.0f) + bias[n] + r[m * k_c + n]")),
            symptom="You cut the sum off at zero, and then go on adding.",
            concept="ReLU is not linear: it cannot change places with an addition.",
            line="`fmaxf(sum + bias[n] + r[...], 0.0f)`."),
        Misconception(
            "no ReLU", edited(SOURCE, ("fmaxf(sum + bias[n] + r[m * k_c + n], 0.0f)",
                                       "sum + bias[n] + r[m * k_c + n]")),
            symptom="Positive values are right, and there are negative ones.",
            concept="ReLU is `max(0, ...)`.",
            line="`fmaxf(..., 0.0f)` around all of it."),
        Misconception(
            "residual forgotten", edited(SOURCE, (" + r[m * k_c + n]", "")),
            symptom="`r` is not used.",
            concept="The residual is an image like `y`: each value of `y` has its own.",
            line="Add `r[m * k_c + n]`."),
        Misconception(
            "bias forgotten", edited(SOURCE, ("bias[n] + ", "")),
            symptom="`bias` is not used.",
            concept="Each output channel has a bias, added before the ReLU.",
            line="Add `bias[n]`."),
        Misconception(
            "one residual for all pixels", edited(SOURCE, ("r[m * k_c + n]", "r[n]")),
            symptom="The first pixel is right.",
            concept="The residual is an image like `y`, not one value for each channel.",
            line="`r[m * k_c + n]`."),
        Misconception(
            "weights transposed", edited(SOURCE, ("w[c * k_c + n]", "w[n * i_c + c]")),
            symptom="You read `w` along its columns.",
            concept="`w` is `[i_c, k_c]`: from one input channel to the next it is a whole row, "
                    "`k_c` values.",
            line="`w[c * k_c + n]`."),
        Misconception(
            "no bounds check", edited(SOURCE, (
                "    if (m >= pixels || n >= k_c) return;\n", "")),
            symptom="Threads of the last blocks have no value, and read and write all the same.",
            concept="The grid is rounded up to whole blocks.",
            line="`if (m >= pixels || n >= k_c) return;`"),
        Misconception(
            "the sum in memory", edited(SOURCE, ("float sum = 0;", "y[m * k_c + n] = 0;"), (
                "sum += x", "y[m * k_c + n] += x"), ("sum + bias", "y[m * k_c + n] + bias")),
            symptom="`y` is read and written once for each input channel.",
            concept="A sum that grows in `y` goes through memory at every step.",
            line="`float sum` in a register, stored when nothing is left to add."),
    ],
)
