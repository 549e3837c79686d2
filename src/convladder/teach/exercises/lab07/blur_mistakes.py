"""Usual mistakes of a tiled convolution: in its weights, and in how long a row of its tile is."""

from __future__ import annotations

from ...grading.exercise import Misconception
from ..lab06.sources import edited
from .blur import FROM_TILE, INSIDE, SOURCE

READ_BY_32 = (
    ("float tile[8 + K - 1][32 + K - 1]", "float tile[12 * 36]"),
    (FROM_TILE, "tile[(threadIdx.y + a) * 32 + threadIdx.x + b]"),
)
FILL = SOURCE[SOURCE.index("    for (int r = threadIdx.y") : SOURCE.index("    int t =")]
# The tile as one row of places, which are numbered through, and taken from rows of 32.
SPLIT_BY_32 = edited(
    SOURCE,
    READ_BY_32[0],
    (FROM_TILE, "tile[(threadIdx.y + a) * 36 + threadIdx.x + b]"),
    (
        FILL,
        "    for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {\n"
        "        int h = top + i / 32, v = left + i % 32;\n"
        "        tile[i] = h < i_h && v < i_w ? x[h * i_w + v] : 0.0f;\n    }\n",
    ),
)

WEIGHTS_AND_ROWS = [
    Misconception(
        "flipped",
        edited(SOURCE, ("weights[a * K + b]", "weights[K * K - 1 - a * K - b]")),
        symptom="Your weights are turned by 180 degrees.",
        concept="The convolution of neural networks does not flip: weight (a, b) meets pixel "
        "(h + a, v + b).",
        line="`weights[t] = w[t]` where they are loaded, and `weights[a * K + b]` where they "
        "are used: one of the two is turned.",
    ),
    Misconception(
        "zeros behind the output's size",
        edited(
            SOURCE,
            (INSIDE, ""),
            (
                "tile[r][q] = x[(top + r) * i_w + left + q];",
                "tile[r][q] = top + r < o_h && left + q < o_w\n"
                "                ? x[(top + r) * i_w + left + q] : 0.0f;",
            ),
        ),
        symptom="Pixels from row `o_h` on, and from column `o_w` on, count as zero with you.",
        concept="The image is larger than the output: the last windows begin in row `o_h - 1` and "
        "column `o_w - 1`, and reach 4 pixels further.",
        line="What is loaded ends where `x` does: `top + r < i_h && left + q < i_w`.",
    ),
    Misconception(
        "loaded up to the output's size",
        edited(SOURCE, (INSIDE, INSIDE.replace("i_h", "o_h").replace("i_w", "o_w"))),
        symptom="Windows read places of the tile that nobody has filled: those of the image's last "
        "4 columns, or rows, or both.",
        concept="The image has 4 rows and 4 columns more than the output, and the last windows "
        "need them.",
        line="`if (top + r < i_h && left + q < i_w)` around the load: the sides of `x`, not of "
        "`y`.",
    ),
    Misconception(
        "a column of threads for the weights",
        edited(
            SOURCE,
            (
                "if (t < K * K)\n        weights[t] = w[t];",
                "if (threadIdx.x < K * K)\n        weights[threadIdx.x] = w[threadIdx.x];",
            ),
        ),
        symptom="Several threads write the same value to one place of shared memory.",
        concept="A thread's number in its block is made of x and y. With x alone, threads one "
        "below the other do the same: with the weights, or with the whole tile.",
        line="`int t = threadIdx.y * 32 + threadIdx.x; if (t < K * K) weights[t] = w[t];`. The "
        "tile's rows from `threadIdx.y` on by 8, or all of its places from `t` on by 256.",
    ),
    Misconception(
        "weights transposed",
        edited(SOURCE, ("weights[a * K + b]", "weights[b * K + a]")),
        symptom="Weights and pixels do not match: rows of the ones meet columns of the others.",
        concept="`w` is `[K, K]`, a row of the kernel after the other: `a` counts rows.",
        line="`a * K + b` wherever a weight is read, as for the pixel `[… + a][… + b]`, and "
        "`weights[t] = w[t]` where it is loaded.",
    ),
    Misconception(
        "rows of 32 in the tile",
        edited(
            SOURCE,
            ("float tile[8 + K - 1][32 + K - 1]", "float tile[12 * 32 + 4]"),
            ("tile[r][q]", "tile[r * 32 + q]"),
            (FROM_TILE, "tile[(threadIdx.y + a) * 32 + threadIdx.x + b]"),
        ),
        symptom="The tile's rows overlap: the end of one is where the next begins.",
        concept="With the halo a row of the tile is `32 + K - 1` pixels long, whatever the "
        "width of the block.",
        line="`__shared__ float tile[12 * 36];` and `r * 36 + q` in both loops, or `tile[12][36]`.",
    ),
    Misconception(
        "read by rows of 32, and not all filled",
        edited(SOURCE, *READ_BY_32, ("tile[r][q]", "tile[r * 36 + q]")),
        symptom="Rows of your tile are 36 long where you fill them, and 32 where you read them.",
        concept="Place (r, q) of a flat array is the same number in both loops, or the value is "
        "another one: here one of the row before, or one that nobody has filled.",
        line="`r * 36 + q` in both, or a tile of two dimensions, `[12][36]`.",
    ),
    Misconception(
        "read by rows of 32",
        edited(
            SOURCE,
            *READ_BY_32,
            (INSIDE, ""),
            (
                "tile[r][q] = x[(top + r) * i_w + left + q];",
                "tile[r * 36 + q] = top + r < i_h && left + q < i_w\n"
                "                ? x[(top + r) * i_w + left + q] : 0.0f;",
            ),
        ),
        symptom="You read row `r` of the tile `4 * r` pixels too early.",
        concept="32 threads stand side by side, but a row of the tile is as long as it was "
        "filled: the halo's 4 pixels belong to it.",
        line="`tile[(threadIdx.y + a) * 36 + threadIdx.x + b]`.",
    ),
    Misconception(
        "places of the tile split by 32",
        SPLIT_BY_32,
        symptom="You fill your tile by rows of 32 pixels, and read it by rows of 36.",
        concept="Place `i` of the tile is column `i % 36` of row `i / 36`. The 32 threads that "
        "stand side by side have no part in that.",
        line="`x[(top + i / 36) * i_w + left + i % 36]` goes to place `i`, with the test of the "
        "same row and column.",
    ),
    Misconception(
        "places of the tile split by 32, and not all filled",
        edited(
            SPLIT_BY_32,
            (
                "tile[i] = h < i_h && v < i_w ? x[h * i_w + v] : 0.0f;",
                "if (h < i_h && v < i_w) tile[i] = x[h * i_w + v];",
            ),
        ),
        symptom="Your tile is filled by rows of 32 pixels and read by rows of 36: some places that "
        "are read are then never filled.",
        concept="A row of the tile is `32 + K - 1` pixels long. Which row and column place `i` "
        "has comes out of a division by 36.",
        line="Row `top + i / 36`, column `left + i % 36`, in the test and in `x[...]`.",
    ),
]
