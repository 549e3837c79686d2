"""Lab 09, exercise 5: an implicit GEMM of one's own."""

from __future__ import annotations

from ....problem import ConvProblem
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.direct import TOY, cases, convolved
from ..lab06.sources import blocks
from .implicit import (
    INSIDE,
    SOURCE,
    THREADS,
    TILE,
    UNTILED,
    changed,
    heights_for_both,
    one_more,
    slices_left_out,
    small_tiles,
    tiled,
    window_height,
)

PROBLEMS = (
    TOY,
    ConvProblem(1, 9, 10, 3, 3, 2, 5, stride=(2, 3), padding=(1, 0)),
    ConvProblem(1, 9, 12, 2, 3, 3, 40, padding=(0, 1)),  # 84 pixels: a tile and a part
    ConvProblem(1, 16, 8, 8, 3, 3, 32, padding=1),
)
SECTORS = 1_588  # loads on the last case, as many as gpu_implicit_gemm


def arguments(x, w, p):
    return (
        x,
        w,
        OUT,
        p.i_h,
        p.i_w,
        p.i_c,
        p.k_h,
        p.k_w,
        p.k_c,
        p.o_h,
        p.o_w,
        *p.stride,
        *p.padding,
    )


EXERCISE = Exercise(
    name="my_implicit",
    lab=9,
    reference=convolved,
    task="An implicit GEMM of your own, with as few sectors as the package's or fewer.",
    cases=cases(PROBLEMS),
    kernel=KernelTask(
        name="conv",
        solution=tiled(),
        arguments=arguments,
        budget=lambda x, w, problem: {"global_load_sectors": SECTORS},
    ),
    misconceptions=[
        Misconception(
            "no tile",
            lambda p: (UNTILED, blocks((p.o_h * p.o_w * p.k_c, THREADS)), THREADS),
            symptom="Each value of `y` loads its row of A and its column of `w` by itself.",
            concept="A tile of 64 × 32 values needs 64 rows and 32 columns, once for all of them.",
            line="Gather slices of both factors into shared memory.",
        ),
        Misconception(
            "gathered along the pixels",
            changed(
                ("m0 + i / BK, k = k0 + i % BK;", "m0 + i % BM, k = k0 + i / BM;"),
                ("A[i % BK][i / BK]", "A[i / BM][i % BM]"),
            ),
            symptom="The values are right, but your loads of `x` touch a sector for each lane.",
            concept="Neighbours along k lie side by side in the image, whole kernel rows of them. "
            "Neighbours along m lie `s_w * i_c` values apart.",
            line="`m = m0 + i / BK, k = k0 + i % BK`, and into `A[i % BK][i / BK]`.",
        ),
        Misconception(
            "weights gathered along the window",
            changed(
                ("int k = k0 + i / BN, n = n0 + i % BN;", "int k = k0 + i % BK, n = n0 + i / BK;"),
                ("B[i / BN][i % BN]", "B[i % BK][i / BK]"),
            ),
            symptom="The values are right, but your loads of `w` touch a sector for each lane.",
            concept="In `w[k, n]` neighbours along n lie side by side.",
            line="`k = k0 + i / BN, n = n0 + i % BN`, and into `B[i / BN][i % BN]`.",
        ),
        Misconception(
            "grid rounded down",
            lambda p: (
                SOURCE,
                (max(1, p.o_h * p.o_w // TILE[0]), max(1, p.k_c // TILE[1])),
                THREADS,
            ),
            symptom="The last pixels or channels are never written.",
            concept="A tile that is not full needs a block too.",
            line="With tiles of 64 × 32 `-(-p.o_h * p.o_w // 64)` by `-(-p.k_c // 32)` blocks.",
        ),
        Misconception(
            "grid exchanged",
            lambda p: (SOURCE, blocks((p.k_c, TILE[1]), (p.o_h * p.o_w, TILE[0])), THREADS),
            symptom="Right where pixels and channels have the same number of tiles.",
            concept="`blockIdx.x` counts along the first number of the grid.",
            line="The grid's numbers in the order in which your kernel uses x and y.",
        ),
        Misconception(
            "padding not tested",
            changed((f" && {INSIDE}", "")),
            symptom="Your kernel reads where the image is not: before it, behind it, or in the "
            "row before.",
            concept="Padding is nowhere in `x`: each place is tested before it is read.",
            line="Zero unless the row is 0 to i_h - 1 and the column 0 to i_w - 1.",
        ),
        Misconception(
            "columns not tested",
            changed((INSIDE, "row >= 0 && row < i_h")),
            symptom="Rows of zeros above and below are right, the columns beside are not.",
            concept="Column -1 of a row is, in memory, the last value of the row before.",
            line="Test the column as you test the row.",
        ),
        Misconception(
            "no barrier before the products",
            changed(
                (
                    "        __syncthreads();\n        for (int k = 0; k < BK",
                    "        for (int k = 0; k < BK",
                )
            ),
            symptom="Threads multiply with a slice that others still fill.",
            concept="A thread uses what all threads of the block have loaded.",
            line="`__syncthreads();` between loading and multiplying.",
        ),
        Misconception(
            "no barrier after the products",
            changed(("        __syncthreads();\n    }\n    for", "    }\n    for")),
            symptom="The next slice is written over while some threads still read this one.",
            concept="A loop that loads, waits and multiplies must wait again before it loads.",
            line="A second `__syncthreads();` at the end of the loop.",
        ),
        Misconception(
            "last slice not tested",
            changed(("k < K && n < k_c ? w", "n < k_c ? w"), ("m < M && k < K && ", "m < M && ")),
            symptom="In the last slice you load what lies beyond the window's end.",
            concept="`k_h * k_w * i_c` is rarely a multiple of the slice.",
            line="Load a zero where `k >= K`, from `x` and from `w`.",
        ),
        Misconception(
            "pixels beyond the last stored",
            changed(("m0 + tm + i < M && n0", "n0")),
            symptom="The last block stores rows that `y` does not have.",
            concept="Tiles cover more pixels than there are.",
            line="Store where the pixel is below `M`.",
        ),
        Misconception(
            "channels not tested",
            changed((" && n0 + tn + 8 * j < k_c", "")),
            symptom="You store channels that the layer does not have: they land in the next pixel, "
            "or behind the end of `y`.",
            concept="A tile has 32 channels, whether the layer has as many or not.",
            line="Store where the pixel is below `M` and the channel below `k_c`.",
        ),
        Misconception(
            "window with the channels outermost",
            changed(
                ("k / (k_w * i_c) - p_h", "k / k_w % k_h - p_h"),
                ("k / i_c % k_w - p_w", "k % k_w - p_w"),
                ("i_c + k % i_c] : 0.0f", "i_c + k / (k_h * k_w)] : 0.0f"),
            ),
            symptom="Layers with one channel are right.",
            concept="Columns of A must come in the order of the rows of `w`: kernel row, kernel "
            "column, channel.",
            line="Row `k / (k_w * i_c)`, column `k / i_c % k_w`, channel `k % i_c`.",
        ),
        Misconception(
            "stride forgotten",
            changed(("m / o_w * s_h", "m / o_w"), ("m % o_w * s_w", "m % o_w")),
            symptom="Layers with a stride of 1 are right.",
            concept="Windows of neighbouring output pixels begin a stride apart.",
            line="`m / o_w * s_h` and `m % o_w * s_w`.",
        ),
        Misconception(
            "pixels' tiles rounded down",
            lambda p: (SOURCE, (max(1, p.o_h * p.o_w // TILE[0]), -(-p.k_c // TILE[1])), THREADS),
            symptom="The last pixels are never written.",
            concept="A tile that is not full needs a block too, along the pixels as along the "
            "channels.",
            line="The pixels over a tile's, rounded up: with 64 `-(-p.o_h * p.o_w // 64)`.",
        ),
        Misconception(
            "strides exchanged",
            changed(("m / o_w * s_h", "m / o_w * s_w"), ("m % o_w * s_w", "m % o_w * s_h")),
            symptom="Right where both strides are equal.",
            concept="`s_h` steps down the rows, `s_w` across the columns.",
            line="Row `m / o_w` times `s_h`, column `m % o_w` times `s_w`.",
        ),
        Misconception(
            "output's height for its width",
            changed(("m / o_w", "m / o_h"), ("m % o_w", "m % o_h")),
            symptom="Where the output is square all is right; else your pixels are numbered by "
            "columns too short or too long.",
            concept="Pixel `m` counts along a row, and a row of the output has `o_w` pixels.",
            line="`m / o_w` and `m % o_w`.",
        ),
        Misconception(
            "window's height for its width",
            window_height,
            symptom="With square windows all is right.",
            concept="Column `k` counts along a row of the window, and that has `k_w` places.",
            line="`k / (k_w * i_c)` and `k / i_c % k_w`.",
            choices={"which": ((0,), (1,))},
        ),
        Misconception(
            "padding not subtracted",
            changed(("(k_w * i_c) - p_h", "(k_w * i_c)"), ("% k_w - p_w", "% k_w")),
            symptom="Without padding all is right; else your windows begin too far down and to "
            "the right.",
            concept="With padding, the first window begins `p_h` rows above the image.",
            line="`- p_h` for the row, `- p_w` for the column, before they are tested.",
        ),
        Misconception(
            "paddings exchanged",
            changed(("(k_w * i_c) - p_h", "(k_w * i_c) - p_w"), ("% k_w - p_w", "% k_w - p_h")),
            symptom="Right where both paddings are equal.",
            concept="`p_h` rows lie above the image, `p_w` columns to its left.",
            line="`row = ... - p_h`, `column = ... - p_w`.",
        ),
        Misconception(
            "slices rounded down",
            slices_left_out,
            symptom="The last slice is left out, a partly filled one at least: your sums are short "
            "of some products.",
            concept="A window of 27 values has three slices of 8, and 3 values more.",
            line="`for (int k0 = 0; k0 < K; k0 += BK)`.",
            choices={"to": ("k0 < K - BK;",)},
        ),
        Misconception(
            "only the last slice",
            changed(
                (
                    "        __syncthreads();\n        for (int k = 0; k < BK",
                    "        __syncthreads();\n        for (int i = 0; i < 16; i++)\n"
                    "            sum[i / 4][i % 4] = 0;\n        for (int k = 0; k < BK",
                )
            ),
            symptom="Where one slice is enough all is right; else only the last one is summed.",
            concept="The sums go on from slice to slice.",
            line="`float sum[4][4] = {};` before the loop over slices, and no zero within.",
        ),
        Misconception(
            "height for width in x",
            changed(("(row * i_w + column)", "(row * i_h + column)")),
            symptom="On square images all is right.",
            concept="A row of `x` is `i_w` pixels long.",
            line="`(row * i_w + column) * i_c`.",
        ),
        Misconception(
            "weights with the filter first",
            changed(("w[k * k_c + n]", "w[n * K + k]")),
            symptom="With a single filter all is right; else you read `w` as if each filter lay in "
            "one piece.",
            concept="`w` is `[k_h, k_w, i_c, k_c]`: as a matrix `[window, k_c]`, a row for each "
            "place of the window.",
            line="`w[k * k_c + n]`.",
        ),
        Misconception(
            "small tiles",
            small_tiles,
            symptom="The values are right, but your tiles are small: each value that a block loads "
            "is used 16 times or less.",
            concept="In a step a tile of 64 × 32 loads 96 values for 2,048 products, one of "
            "16 × 16 loads 32 for 256.",
            line="More outputs a block, several a thread: `float sum[4][4]`.",
            choices={"side": (8,)},
        ),
        Misconception(
            "added to y in every slice",
            changed(
                (
                    "        __syncthreads();\n    }\n    for (int i = 0; i < 4; i++)\n"
                    "        for (int j = 0; j < 4; j++)\n",
                    "        __syncthreads();\n    for (int i = 0; i < 4; i++)\n"
                    "        for (int j = 0; j < 4; j++) {\n",
                ),
                (
                    "n0 + tn + 8 * j] = sum[i][j];\n",
                    "n0 + tn + 8 * j] += sum[i][j];\n            sum[i][j] = 0; }\n    }\n",
                ),
            ),
            symptom="You add to `y`, into which nobody has written.",
            concept="What `+=` reads there is whatever memory held. A sum that grows in "
            "registers, through all slices, costs no traffic and begins at 0.",
            line="`sum[i][j]` through all slices; `y[...] = sum[i][j]` behind the loop.",
        ),
        Misconception(
            "kernel row and column exchanged",
            changed(
                ("k / (k_w * i_c) - p_h", "k / i_c % k_w - p_h"),
                ("k / i_c % k_w - p_w", "k / (k_w * i_c) - p_w"),
            ),
            symptom="Your window lies on its side: place (a, b) of the image meets weight (b, a).",
            concept="Column `k` counts along a row of the window: `k / (k_w * i_c)` is the row, "
            "what is left of it the column.",
            line="`row = ... + k / (k_w * i_c) - p_h`, `column = ... + k / i_c % k_w - p_w`.",
        ),
        Misconception(
            "flipped kernel",
            changed(("w[k * k_c + n]", "w[(K - 1 - k) * k_c + n]")),
            symptom="Your weights come in the reverse order of the window.",
            concept="What deep learning calls a convolution does not flip its kernel. Row `k` of "
            "`w` is for column `k` of the implicit matrix.",
            line="`w[k * k_c + n]` as it is.",
        ),
        Misconception(
            "stride across forgotten",
            changed(("m % o_w * s_w", "m % o_w")),
            symptom="Right where `s_w` is 1; else your windows lie one column apart.",
            concept="Neighbours in a row of the output have windows `s_w` columns apart.",
            line="`m % o_w * s_w`, as `m / o_w * s_h` for the rows.",
        ),
        Misconception(
            "stride down forgotten",
            changed(("m / o_w * s_h", "m / o_w")),
            symptom="Right where `s_h` is 1; else your windows lie one row apart.",
            concept="Neighbours in a column of the output have windows `s_h` rows apart.",
            line="`m / o_w * s_h`, as `m % o_w * s_w` for the columns.",
        ),
        Misconception(
            "height's numbers for both",
            heights_for_both,
            symptom="Right where padding and stride are the same in both directions; else the "
            "width has one of the height's with you, or both.",
            concept="A layer has two paddings and two strides: across they are `p_w` and `s_w`.",
            line="`column = m % o_w * s_w + ... - p_w`.",
            choices={"stride": (True,)},
        ),
        Misconception(
            "channels' tiles rounded down",
            lambda p: (SOURCE, (-(-p.o_h * p.o_w // TILE[0]), max(1, p.k_c // TILE[1])), THREADS),
            symptom="The last channels are never written.",
            concept="A part of a tile needs a block too: 40 channels are more than the first 32.",
            line="The channels over a tile's, rounded up: with 32 a tile `-(-p.k_c // 32)`.",
        ),
        Misconception(
            "always a block more",
            one_more,
            symptom="Where tiles divide the sizes your grid has blocks that store nothing.",
            concept="128 pixels are two tiles of 64: one block more only for a part of a tile.",
            line="With tiles of 64 × 32 `-(-p.o_h * p.o_w // 64)` by `-(-p.k_c // 32)` blocks.",
            choices={"more": ((1, 0), (0, 1))},
        ),
    ],
)
