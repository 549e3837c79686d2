"""Lab 14, exercise 5: the network's second stage as a kernel of your own."""

import numpy as np

from ...core.reference import conv2d_float64
from ...networks.lenet.network import CONV2
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SECTORS = 1_248  # loads on the last case, as many as the rung overlap_fused


def my_stage(images):
    source = r"""
#define IMAGES 2
extern "C" __global__ void stage(const float *x, const float *w, const float *bias, float *y,
                                 int images)
{
    __shared__ float image[IMAGES * 864], weights[2400];
    int first = blockIdx.x * IMAGES, here = min(IMAGES, images - first);
    for (int i = threadIdx.x; i < here * 864; i += blockDim.x) image[i] = x[first * 864 + i];
    for (int i = threadIdx.x; i < 2400; i += blockDim.x) weights[i] = w[i];
    __syncthreads();
    int n = threadIdx.x / 64, k = threadIdx.x % 4 * 4, pixel = threadIdx.x / 4 % 16;
    if (n >= here) return;
    const float *window = image + ((n * 12 + pixel / 4 * 2) * 12 + pixel % 4 * 2) * 6;
    float sum[4][4];
    for (int p = 0; p < 4; p++)
        for (int c = 0; c < 4; c++) sum[p][c] = bias[k + c];
    for (int a = 0; a < 5; a++)
        for (int j = 0; j < 30; j++) {
            const float *at = window + a * 72 + j;
            float value[4] = {at[0], at[6], at[72], at[78]};
            for (int c = 0; c < 4; c++) {
                float weight = weights[(a * 30 + j) * 16 + k + c];
                for (int p = 0; p < 4; p++) sum[p][c] += value[p] * weight;
            }
        }
    for (int c = 0; c < 4; c++) {
        float most = fmaxf(fmaxf(sum[0][c], sum[1][c]), fmaxf(sum[2][c], sum[3][c]));
        y[((first + n) * 16 + pixel) * 16 + k + c] = fmaxf(most, 0.0f);
    }
}
"""
    return source, -(-images // 2), 128


def stage(x, w, bias, images):
    y = conv2d_float64(x, w, CONV2.with_batch(images)) + bias
    pooled = y.reshape(images, 4, 2, 4, 2, 16).max(axis=(2, 4))
    return np.maximum(pooled, 0).astype(np.float32)


EXERCISE = Exercise(
    name="my_stage",
    lab=14,
    task="The second convolution with its ReLU and pool, with as little traffic as you can.",
    solution=my_stage,
    reference=stage,
    cases=lambda rng: [(1,), (5,), (3,)],
    inputs=lambda fill, images: (
        fill(images, 12, 12, 6),
        -fill(*CONV2.kernel_shape)[::-1].copy(),
        fill(16),
        images,
    ),
    valid=lambda images: images > 0,
    budget=lambda x, w, bias, images: {"global_load_sectors": SECTORS},
    kernel=KernelSpec("stage", lambda x, w, bias, images: (x, w, bias, OUT, images)),
    mend="A block for every two images: copy both and the weights into shared memory, "
    "`__syncthreads()`, then four filters and four windows a thread",
    misconceptions=[
        Misconception(
            "weights from global memory",
            edit(
                "weights[(a * 30 + j) * 16 + k + c]",
                "w[(a * 30 + j) * 16 + k + c]",
                "weights[i] = w[i];",
                "weights[i] = i;",
            ),
            "The pixels come from shared memory, and the weights again and again from global "
            "memory.",
            "All pixels use the same 2,400 weights. A block can load them once.",
        ),
        Misconception(
            "no barrier",
            edit("    __syncthreads();\n", ""),
            "Threads read what others have yet to copy.",
            "A window's values were copied by many threads, so all must have finished.",
        ),
        Misconception(
            "images beyond the batch",
            edit(", here = min(IMAGES, images - first)", ", here = IMAGES"),
            "If your block's images don't divide the batch, the last block leaves the arrays.",
            "Three images in blocks of two are one full block and one half-empty block.",
            mend="`int first = blockIdx.x * IMAGES, here = min(IMAGES, images - first);`",
        ),
        Misconception(
            "the bias in the wrong place",
            [
                edit("= bias[k + c]", "= 0"),
                edit("= bias[k + c]", "= bias[k]"),
                edit(
                    "= bias[k + c]", "= 0", "fmaxf(most, 0.0f)", "fmaxf(most, 0.0f) + bias[k + c]"
                ),
            ],
            "Your values are off by a filter's bias.",
            "Each sum begins with the bias of its own filter, before the ReLU.",
            mend="`sum[p][c] = bias[k + c];` before the products",
        ),
        Misconception(
            "a wrong distance between pixels or rows",
            [
                edit("a * 72 + j", "a * 12 + j"),
                edit("at[72], at[78]", "at[30], at[36]"),
                edit("pixel / 4 * 2", "pixel / 4", "pixel % 4 * 2", "pixel % 4"),
            ],
            "Some windows, or some of their rows, begin in the wrong place.",
            "In [12, 12, 6] the next pixel is 6 values on, and the next row 72.",
            mend="`window = image + ((n * 12 + pixel / 4 * 2) * 12 + pixel % 4 * 2) * 6`, `at = "
            "window + a * 72 + j`, and the four pixels `at[0]`, `at[6]`, `at[72]`, `at[78]`",
        ),
        Misconception(
            "one image a block",
            edit("#define IMAGES 2", "#define IMAGES 1", "-(-images // 2), 128", "images, 64"),
            "The values are right, with a few sectors too many.",
            "Every block loads all 2,400 weights. With two images per block there are half as many "
            "blocks.",
        ),
    ],
)
