"""Lab 12, exercise 5: the network's second stage as a kernel of one's own."""

from __future__ import annotations

import numpy as np

from ....lenet.network import CONV2
from ....reference import conv2d_float64
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from .stage import (
    LOADED_AGAIN,
    ONE_IMAGE,
    PLAIN,
    changed,
    filters_first,
    launch_turned,
    one_image_biases_last,
    plan,
)
from .stage_rows import ROWS

SECTORS = 1_248  # loads on the last case, as many as the rung overlap_fused


def my_stage(x, w, bias, images):
    y = conv2d_float64(x, w, CONV2.with_batch(images)) + bias
    pooled = y.reshape(images, 4, 2, 4, 2, 16).max(axis=(2, 4))
    return np.maximum(pooled, 0).astype(np.float32)


def _cases(rng: np.random.Generator) -> list[tuple]:
    def drawn(images: int) -> tuple:
        return (
            *(
                rng.standard_normal(shape, dtype=np.float32)
                for shape in ((images, 12, 12, 6), CONV2.kernel_shape, 16)
            ),
            images,
        )

    return [drawn(1), drawn(3)]


EXERCISE = Exercise(
    name="my_stage",
    lab=12,
    reference=my_stage,
    task="The second convolution with its ReLU and pool, with as little traffic as you can.",
    cases=_cases,
    kernel=KernelTask(
        name="stage",
        solution=plan(),
        arguments=lambda x, w, bias, images: (x, w, bias, OUT, images),
        budget=lambda x, w, bias, images: {"global_load_sectors": SECTORS},
    ),
    misconceptions=[
        Misconception(
            "all from global memory",
            plan(PLAIN, 128, lambda images: 2 * images),
            symptom="Every thread loads its windows and its weights from global memory.",
            concept="An image has 864 values, and there are 2,400 weights: together they fit into "
            "the shared memory of a block, which then loads each of them once.",
            line="A block for two images: copy these and the weights first, all threads "
            "together, then `__syncthreads()`.",
        ),
        Misconception(
            "weights from global memory",
            changed(
                ("weights[(a * 30 + j) * 16 + k + c]", "w[(a * 30 + j) * 16 + k + c]"),
                ("weights[i] = w[i];", "weights[i] = i;"),
            ),
            symptom="Your pixels come from shared memory, your weights from global memory, again "
            "for each warp.",
            concept="All pixels use the same 2,400 weights.",
            line="`for (int i = threadIdx.x; i < 2400; i += blockDim.x) weights[i] = w[i];`.",
        ),
        Misconception(
            "no barrier",
            changed(("    __syncthreads();\n", "")),
            symptom="Threads read what others have still to copy.",
            concept="A window's values were copied by many threads.",
            line="`__syncthreads();` between the copy and the sums.",
        ),
        Misconception(
            "images not tested",
            changed((", here = min(IMAGES, images - first)", ", here = IMAGES")),
            symptom="With a number of images that your block does not divide, the last block reads "
            "and writes beyond the arrays.",
            concept="Three images in blocks of two are one full block and a half empty one.",
            line="`int here = min(IMAGES, images - first);`, and no thread beyond it.",
        ),
        Misconception(
            "leaves before the barrier",
            changed(
                (
                    "    for (int i = threadIdx.x; i < here * 864",
                    "    if (threadIdx.x / 64 >= here) return;\n"
                    "    for (int i = threadIdx.x; i < here * 864",
                )
            ),
            symptom="Threads without an image return before the barrier at which others wait.",
            concept="Who has nothing to compute still has something to copy.",
            line="All threads copy weights, pixels come from images that exist only, and the "
            "`return` stands after `__syncthreads()`.",
        ),
        Misconception(
            "one block",
            plan(blocks=lambda images: 1),
            symptom="Only the first images are written, all others are NaN.",
            concept="Blocks must cover all images, as many as images over images of a block, "
            "rounded up; and a block's threads must cover all of its images.",
            line="`grid = -(-images // n)` for n images a block, and n times the threads that one "
            "image needs.",
        ),
        Misconception(
            "rows of six",
            changed(("a * 72 + j", "a * 12 + j")),
            symptom="The first row of each window is right, the others begin too early.",
            concept="A row of the map is 12 pixels of 6 channels: 72 values.",
            line="`window + a * 72 + j`.",
        ),
        *ROWS,
        Misconception(
            "a pixel is a value",
            changed(("{at[0], at[6], at[72], at[78]}", "{at[0], at[1], at[72], at[73]}")),
            symptom="Side by side, the windows of a pool are one channel apart, not one pixel.",
            concept="In NHWC the next pixel is 6 values on.",
            line="`at[0], at[6], at[72], at[78]`.",
        ),
        Misconception(
            "no ReLU",
            changed(("fmaxf(most, 0.0f)", "most")),
            symptom="Negative values are written as they are.",
            concept="ReLU belongs to the stage: after the pool, once.",
            line="`fmaxf(most, 0.0f)`.",
        ),
        Misconception(
            "no pool",
            changed(
                ("fmaxf(fmaxf(sum[0][c], sum[1][c]), fmaxf(sum[2][c], sum[3][c]))", "sum[0][c]")
            ),
            symptom="Your values are those of the first of each four sums, whatever the others "
            "are.",
            concept="The pool keeps the largest of four, and each of them must begin with a "
            "value: one that does not may be no number, and `fmaxf` passes that over.",
            line="`sum[p][c] = bias[k + c]` for all four; then "
            "`fmaxf(fmaxf(sum[0][c], sum[1][c]), fmaxf(sum[2][c], sum[3][c]))`.",
        ),
        Misconception(
            "no bias",
            changed(("sum[p][c] = bias[k + c]", "sum[p][c] = 0")),
            symptom="All sums are off by the same value for a filter.",
            concept="Each filter has a bias, and a negative one makes more zeros.",
            line="Begin each sum with `bias[k + c]`.",
        ),
        Misconception(
            "bias behind the ReLU",
            changed(
                ("sum[p][c] = bias[k + c]", "sum[p][c] = 0"),
                ("fmaxf(most, 0.0f)", "fmaxf(most, 0.0f) + bias[k + c]"),
            ),
            symptom="You add the bias to what ReLU has cut off already.",
            concept="The bias belongs to the sum, and can make a positive one negative.",
            line="Begin the sums with it, and let `fmaxf(most, 0.0f)` come last.",
        ),
        Misconception(
            "one bias for four filters",
            changed(("bias[k + c]", "bias[k]")),
            symptom="Every fourth filter is right; the others have its bias.",
            concept="A thread that keeps four filters needs four biases.",
            line="`bias[k + c]`",
        ),
        Misconception(
            "first image for all",
            changed(("image[i] = x[first * 864 + i]", "image[i] = x[i]")),
            symptom="The first block's images are right, the others repeat them.",
            concept="Block `b` has images from `IMAGES * b` on.",
            line="`x[first * 864 + i]`",
        ),
        Misconception(
            "results of the first images",
            changed(("((first + n) * 16", "(n * 16")),
            symptom="All blocks write to the first images; the others are NaN.",
            concept="The image's number in `y` counts over all blocks.",
            line="`(first + n) * 16 + pixel`",
        ),
        Misconception(
            "flipped kernel",
            changed(
                (
                    "weights[(a * 30 + j) * 16 + k + c]",
                    "weights[((4 - a) * 30 + (4 - j / 6) * 6 + j % 6) * 16 + k + c]",
                )
            ),
            symptom="Your values are those of weights turned by half a circle.",
            concept="What deep learning calls a convolution does not flip its kernel.",
            line="The weight of row `a`, place `j` meets `at = window + a * 72 + j`.",
        ),
        Misconception(
            "filters first",
            filters_first,
            symptom="Your values are as if each filter of `w` lay in one piece.",
            concept="PyTorch keeps them as `[16, 6, 5, 5]`. Here `w` is `[5, 5, 6, 16]`: the "
            "filter moves fastest, then the channel.",
            line="`weights[(a * 30 + j) * 16 + k + c]`, where `j` is 6 times the column, plus "
            "the channel.",
            choices={"channels_last": (True,)},
        ),
        Misconception(
            "channels first",
            changed(
                (
                    "image + ((n * 12 + pixel / 4 * 2) * 12 + pixel % 4 * 2) * 6",
                    "image + n * 864 + pixel / 4 * 24 + pixel % 4 * 2",
                ),
                ("window + a * 72 + j", "window + j % 6 * 144 + a * 12 + j / 6"),
                ("at[6], at[72], at[78]", "at[1], at[12], at[13]"),
            ),
            symptom="Your values are those of an image that is stored channel by channel.",
            concept="PyTorch has it so, `[6, 12, 12]`. Here it is `[12, 12, 6]`: the six channels "
            "of a pixel lie side by side.",
            line="`image[n * 864 + (row * 12 + column) * 6 + channel]`.",
        ),
        Misconception(
            "the mean of the four",
            changed(
                (
                    "fmaxf(fmaxf(sum[0][c], sum[1][c]), fmaxf(sum[2][c], sum[3][c]))",
                    "(sum[0][c] + sum[1][c] + sum[2][c] + sum[3][c]) / 4",
                )
            ),
            symptom="Your pool averages.",
            concept="Max-pool keeps the strongest of four neighbours.",
            line="Three `fmaxf` of the four sums, not their sum.",
        ),
        Misconception(
            "filters first in y",
            changed(
                (
                    "y[((first + n) * 16 + pixel) * 16 + k + c]",
                    "y[((first + n) * 16 + k + c) * 16 + pixel]",
                )
            ),
            symptom="Your values are all there, each map in one piece.",
            concept="`y` is `[images, 4, 4, 16]`: the filter moves fastest.",
            line="`y[((first + n) * 16 + pixel) * 16 + k + c]`",
        ),
        Misconception(
            "the smallest of four",
            changed(
                (
                    "fmaxf(fmaxf(sum[0][c], sum[1][c]), fmaxf(sum[2][c], sum[3][c]))",
                    "fminf(fminf(sum[0][c], sum[1][c]), fminf(sum[2][c], sum[3][c]))",
                )
            ),
            symptom="You keep the smallest of each four.",
            concept="Max-pool keeps the largest.",
            line="Of two the larger one goes on: three times `fmaxf`.",
        ),
        Misconception(
            "bias twice",
            changed(("fmaxf(most, 0.0f)", "fmaxf(most + bias[k + c], 0.0f)")),
            symptom="The bias is in your values twice.",
            concept="Each sum gets it once, before the pool or behind it.",
            line="Sums that begin with `bias[k + c]`, or the bias added at the end.",
        ),
        Misconception(
            "five places fewer in a row",
            changed(("j < 30", "j < 25")),
            symptom="Of each row of a window your sums have 25 products of 30.",
            concept="A row of the window is 5 pixels of *6* channels.",
            line="`j < 30`.",
        ),
        Misconception(
            "rows of the window's length",
            changed(("at[72], at[78]", "at[30], at[36]")),
            symptom="The lower two windows of each pool begin in the wrong place: 30 values on.",
            concept="One row down in the map is 12 pixels, 72 values, however long the window is.",
            line="`at[72]` and `at[78]`.",
        ),
        Misconception(
            "grid and block exchanged",
            launch_turned,
            symptom="Nearly nothing is written: a few values of an image at most.",
            concept="The second value that you return is the grid, how many blocks; the third is "
            "the block, how many threads each has. Exchanged, a block has a few threads "
            "at most.",
            line="`return source, blocks, threads`, in this order.",
            choices={"source": (ONE_IMAGE,), "threads": (64, 256)},
        ),
        Misconception(
            "windows one apart",
            changed(("pixel / 4 * 2", "pixel / 4"), ("pixel % 4 * 2", "pixel % 4")),
            symptom="The first pixel of each map is right; your pools overlap.",
            concept="A pool of 2 × 2 with stride 2: pooled pixel (h, v) begins at row 2h, column "
            "2v.",
            line="`pixel / 4 * 2` and `pixel % 4 * 2`.",
        ),
        Misconception(
            "rows and columns exchanged",
            changed(("pixel / 4 * 2", "pixel % 4 * 2 "), ("pixel % 4 * 2)", "pixel / 4 * 2)")),
            symptom="Your maps lie on their side.",
            concept="Pixels are numbered along a row: `pixel / 4` is the row, `pixel % 4` the "
            "column.",
            line="`(n * 12 + pixel / 4 * 2) * 12 + pixel % 4 * 2` for the window, and `pixel` as "
            "it is for the place in `y`.",
        ),
        Misconception(
            "one image a block",
            plan(ONE_IMAGE, 64, lambda images: images),
            symptom="You are near the budget: as much is loaded as with a block for each image. "
            "Every block of the grid loads all 2,400 weights.",
            concept="Weights are nearly three times as many values as an image. The fewer blocks "
            "there are, the less often they come from global memory.",
            line="A block for every two images, with the room and the threads for both: `grid = "
            "-(-images // 2)`.",
        ),
        Misconception(
            "one image a block, biases last",
            one_image_biases_last,
            symptom="You are near the budget. With one image a block, weights and images alone "
            "are 1,224 sectors for three images: 24 are left for biases.",
            concept="A block's 16 biases are 64 bytes, two sectors, if they are loaded once. Or "
            "give a block two images: then weights are loaded less often.",
            line="`if (threadIdx.x < 16) b[threadIdx.x] = bias[threadIdx.x];` before the barrier, "
            "with `b` in shared memory.",
            choices={"source": (LOADED_AGAIN,)},
        ),
    ],
)
