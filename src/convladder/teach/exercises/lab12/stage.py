"""The network's second stage as a kernel, and as learners write and launch it: lab 12."""

from __future__ import annotations

from collections.abc import Callable

from ..lab06.sources import edited

TOGETHER = 2  # images of a block
PLAIN = r"""
extern "C" __global__ void stage(const float *x, const float *w, const float *bias, float *y,
                                 int images)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * 256) return;
    int k = i % 16, v = i / 16 % 4, h = i / 64 % 4, n = i / 256;
    float most = 0;
    for (int p = 0; p < 4; p++) {
        float sum = bias[k];
        for (int a = 0; a < 5; a++)
            for (int j = 0; j < 30; j++)
                sum += x[((n * 12 + 2 * h + p / 2 + a) * 12 + 2 * v + p % 2) * 6 + j]
                     * w[(a * 30 + j) * 16 + k];
        most = fmaxf(most, sum);
    }
    y[i] = most;
}
"""
SOURCE = r"""
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


def plan(
    source: str = SOURCE,
    threads: int = 64 * TOGETHER,
    blocks: Callable[[int], int] = lambda images: -(-images // TOGETHER),
) -> Callable:
    """Return an answer: `source` and its launch."""
    return lambda images: (source, blocks(images), threads)


def changed(*exchanges: tuple[str, str]) -> Callable:
    return plan(edited(SOURCE, *exchanges))


def filters_first(images, channels_last=False):
    """Read the weights as `[16, 6, 5, 5]`, or as `[16, 5, 5, 6]`."""
    place = "a * 30 + j" if channels_last else "j % 6 * 25 + a * 5 + j / 6"
    return changed(("weights[(a * 30 + j) * 16 + k + c]", f"weights[(k + c) * 150 + {place}]"))(
        images
    )


ONE_IMAGE = edited(
    SOURCE,
    ("#define IMAGES 2", "#define IMAGES 1"),
    (", here = min(IMAGES, images - first)", ", here = IMAGES"),
)

BIASES_LAST = edited(
    ONE_IMAGE,
    ("sum[p][c] = bias[k + c]", "sum[p][c] = 0"),
    ("fmaxf(most, 0.0f)", "fmaxf(most + bias[k + c], 0.0f)"),
)
LOADED_AGAIN = edited(  # each value once for each filter, which shared memory must bear
    BIASES_LAST,
    ("float value[4] = {at[0], at[6], at[72], at[78]};", "const int step[4] = {0, 6, 72, 78};"),
    ("value[p] *", "at[step[p]] *"),
)


def one_image_biases_last(images, source=BIASES_LAST):
    return source, images, 64


def launch_turned(images, source=SOURCE, threads=128):
    return source, threads, -(-images // (1 if source is ONE_IMAGE else TOGETHER))
