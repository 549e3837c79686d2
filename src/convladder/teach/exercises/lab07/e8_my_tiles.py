"""Lab 07, exercise 8: a tiled convolution of one's own."""

from __future__ import annotations

from ....problem import ConvProblem
from ...grading.exercise import Exercise, KernelTask, Misconception
from ..lab06.direct import SOURCE as UNTILED
from ..lab06.direct import TOY, arguments, cases, convolved, value_launch
from .tiles import (
    few_outputs,
    halo_of_stride_1,
    rounded_down,
    tiled,
    tiles,
    two_at_one_place,
    weights_from_memory,
    without_z,
)
from .tiles_mistakes import IN_ONE_ARRAY

SECTORS = 5_184  # loads on the last case, as many as gpu_shared
PROBLEMS = (
    TOY,
    ConvProblem(1, 39, 56, 3, 3, 2, 5, stride=(2, 3)),
    ConvProblem(1, 7, 9, 2, 3, 3, 40),
    ConvProblem(1, 18, 18, 8, 3, 3, 32),
)

EXERCISE = Exercise(
    name="my_tiles",
    lab=7,
    reference=convolved,
    task="A tiled convolution of your own, with as little traffic as you can.",
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
            value_launch(UNTILED),
            symptom="Every output value loads its window and its weights from global memory.",
            concept="The windows of neighbours overlap, and all pixels use the same weights: what "
            "a block reads once into shared memory, all of its threads can use.",
            line="For a tile of outputs a block loads first the pixels under it, and the weights.",
        ),
        Misconception(
            "weights from global memory",
            weights_from_memory,
            symptom="The pixels come from the tile, but each warp loads all weights of its "
            "channels.",
            concept="72 weights by 32 channels are 288 sectors. All warps of a block need the "
            "same ones.",
            line="Keep the weights in shared memory too, behind the tile, and sum from there.",
            choices={"for_each_output": (True,)},
        ),
        Misconception(
            "no room for the weights",
            tiled(shared=lambda tile, weights: tile),
            symptom="Your kernel writes behind its shared memory.",
            concept="`extern __shared__` has as many bytes as the launch asks for, whatever the "
            "kernel then does.",
            line="`shared_bytes` is 4 times the floats of tile *and* weights.",
        ),
        Misconception(
            "floats for bytes",
            tiled(shared=lambda tile, weights: (tile + weights) // 4),
            symptom="Your kernel writes far behind its shared memory.",
            concept="The launch counts shared memory in bytes, and a float has 4.",
            line="`4 * floats`.",
        ),
        Misconception(
            "no barrier",
            tiles(("    __syncthreads();\n", "")),
            symptom="Threads read shared memory while others still fill it.",
            concept="Pixels and weights are put there by all threads of the block, in any order.",
            line="`__syncthreads();` behind all that fills, before the sums.",
        ),
        Misconception(
            "no halo",
            tiles(
                ("rows = (ROWS - 1) * s_h + k_h", "rows = ROWS * s_h"),
                ("((COLUMNS - 1) * s_w + k_w) * i_c", "COLUMNS * s_w * i_c"),
            ),
            symptom="The tile ends before the block's last window does.",
            concept="n outputs with stride s under a kernel of k need (n - 1)·s + k inputs.",
            line="`(ROWS - 1) * s_h + k_h` rows, `(COLUMNS - 1) * s_w + k_w` columns.",
        ),
        Misconception(
            "no test while loading",
            tiles(
                (
                    "row < i_h && value < i_w * i_c ? x[row * i_w * i_c + value] : 0.0f",
                    "x[row * i_w * i_c + value]",
                )
            ),
            symptom="The tiles at the right and below stick out of the image, and load what is "
            "not there.",
            concept="Output sizes are rarely multiples of a tile.",
            line="Load below row `i_h` and value `i_w * i_c` of a row; elsewhere put a 0.",
        ),
        Misconception(
            "channels not tested",
            tiles(("k < k_c && v < o_w && h < o_h", "v < o_w && h < o_h")),
            symptom="Where filters are no multiple of 32, threads without a filter write into the "
            "next pixel.",
            concept="A block has 32 channels. With 5 or 40 filters, some of its lanes have none.",
            line="Add `k < k_c` to the test before the store.",
        ),
        Misconception(
            "stride of the columns forgotten",
            tiles(("threadIdx.y * s_w * i_c", "threadIdx.y * i_c")),
            symptom="With a horizontal stride of 1 all is right.",
            concept="Neighbouring outputs have windows that are `s_w` pixels apart, in the tile as "
            "in the image.",
            line="Output column `v` of the tile begins `v * s_w * i_c` values into a row of it.",
        ),
        Misconception(
            "stride of the rows forgotten",
            tiles(("tile[(r * s_h + a)", "tile[(r + a)")),
            symptom="With a vertical stride of 1 all is right.",
            concept="Inside the tile windows are as far apart as in the image: `s_h` rows.",
            line="Row `r * s_h + a` of the tile.",
        ),
        Misconception(
            "a tile for stride 1",
            tiles(
                ("rows = (ROWS - 1) * s_h + k_h", "rows = ROWS - 1 + k_h"),
                ("((COLUMNS - 1) * s_w + k_w) * i_c", "(COLUMNS - 1 + k_w) * i_c"),
                ("top = blockIdx.y * ROWS * s_h", "top = blockIdx.y * ROWS"),
                ("blockIdx.x * COLUMNS * s_w * i_c", "blockIdx.x * COLUMNS * i_c"),
                ("tile[(r * s_h + a)", "tile[(r + a)"),
                ("threadIdx.y * s_w * i_c", "threadIdx.y * i_c"),
            ),
            symptom="With strides of 1 all is right; else your result is theirs.",
            concept="The stride decides where a tile begins, how large it is, and how far apart "
            "the windows in it are.",
            line="`s_h` and `s_w` in three places: the tile's begin, its size, and its reads.",
        ),
        Misconception(
            "place of the tile without the stride down",
            tiles(("top = blockIdx.y * ROWS * s_h", "top = blockIdx.y * ROWS")),
            symptom="With a vertical stride of 1 all is right; else only the first tiles are.",
            concept="A tile of `ROWS` outputs moves `ROWS * s_h` rows on in the image.",
            line="`top = blockIdx.y * ROWS * s_h`.",
        ),
        Misconception(
            "place of the tile without the stride across",
            tiles(("blockIdx.x * COLUMNS * s_w * i_c", "blockIdx.x * COLUMNS * i_c")),
            symptom="With a horizontal stride of 1 all is right; else only the first tiles are.",
            concept="A tile of `COLUMNS` outputs moves `COLUMNS * s_w` columns on in the image.",
            line="`left = blockIdx.x * COLUMNS * s_w * i_c`.",
        ),
        Misconception(
            "two arrays at one place",
            two_at_one_place,
            choices={"flat": (True,)},
            symptom="Your weights overwrite your pixels.",
            concept="All that begins where the dynamic shared memory does is the same memory: "
            "every `extern __shared__` array, under whatever name.",
            line="`float *weights = tile + ...`, behind the pixels.",
        ),
        Misconception(
            "weights' row of k_h",
            tiles(("(a * k_w * i_c + i) * LANES", "(a * k_h * i_c + i) * LANES")),
            symptom="Where windows are not square, or strides not the same in both directions, "
            "your sums reach too far into shared memory.",
            concept="A row of the window has `k_w` places of `i_c` weights each. Windows are `s_h` "
            "rows apart, and `s_w` columns.",
            line="Weights of row `a` begin `a * k_w * i_c` places on, each with its filters; "
            "pixels of output row `r` begin `r * s_h` rows down the tile.",
        ),
        Misconception(
            "all filters of the first lanes",
            tiles(("int k = first + i % LANES;", "int k = i % LANES;")),
            symptom="Up to 32 filters all is right; the blocks of further filters load the first "
            "32 again.",
            concept="A block in z has filters from `first` on, 32 of them.",
            line="`k = first + i % LANES` where the weights are loaded.",
        ),
        Misconception(
            "stored to the first filters",
            tiles(("int k = first + threadIdx.x, v", "int k = threadIdx.x, v")),
            symptom="Up to 32 filters all is right; the others' results go over the first ones.",
            concept="Which filter a thread stores depends on its block too.",
            line="`k = first + threadIdx.x`.",
        ),
        Misconception(
            "weights not tested",
            tiles(("k < k_c ? w[i / LANES * k_c + k] : 0.0f", "w[i / LANES * k_c + k]")),
            symptom="Where filters are no multiple of 32, you read weights that are not there.",
            concept="A block has room for 32 filters. The last one may have fewer.",
            line="`k < k_c ? w[...] : 0.0f`.",
        ),
        Misconception(
            "one filter block",
            without_z,
            symptom="Up to 32 filters all is right; the others are never written.",
            concept="A block makes 32 filters. More of them need more blocks, in z.",
            line="A third number in the grid, `-(-p.k_c // 32)`, and filters from "
            "`32 * blockIdx.z` on.",
        ),
        Misconception(
            "grid rounded down",
            rounded_down,
            symptom="The last rows, columns or filters are never written.",
            concept="13 rows in tiles of 4 are four tiles, the last with one row.",
            line="`-(-p.o_h // rows)`, and so for the others.",
        ),
        Misconception(
            "tile's width in pixels",
            tiles(("((COLUMNS - 1) * s_w + k_w) * i_c;", "(COLUMNS - 1) * s_w + k_w;")),
            symptom="With one channel all is right; else the rows of the tile overlap.",
            concept="A pixel has `i_c` values, and the tile holds all of them.",
            line="`row_values = ((COLUMNS - 1) * s_w + k_w) * i_c`.",
        ),
        Misconception(
            "left in pixels",
            tiles(("left = blockIdx.x * COLUMNS * s_w * i_c", "left = blockIdx.x * COLUMNS * s_w")),
            symptom="With one channel all is right; else the tiles on the right begin too far "
            "left.",
            concept="In memory a pixel is `i_c` values long, also where a tile begins.",
            line="`blockIdx.x * COLUMNS * s_w` pixels, times `i_c`.",
        ),
        Misconception(
            "tested by rows only",
            tiles(("row < i_h && value < i_w * i_c ?", "row < i_h ?")),
            symptom="Below the image all is well; on the right you load the beginning of the next "
            "row, and behind the last row what is not there.",
            concept="Memory goes on behind a row. A tile that sticks out needs a test on both "
            "sides.",
            line="`row < i_h && value < i_w * i_c`.",
        ),
        Misconception(
            "outputs not tested",
            tiles(("k < k_c && v < o_w && h < o_h", "k < k_c")),
            symptom="Tiles that stick out of the output store what is beside it.",
            concept="The last tile of a row or column is only partly there.",
            line="`k < k_c && v < o_w && h < o_h`.",
        ),
        Misconception(
            "copied by one warp",
            tiles(
                (
                    "for (int i = t; i < rows * row_values; i += LANES * COLUMNS)",
                    "for (int i = threadIdx.x; i < rows * row_values; i += LANES)",
                )
            ),
            symptom="Several threads copy the same values into shared memory.",
            concept="A loop that fills it must be shared out among *all* threads of the block, or "
            "some write the same.",
            line="Begin at `t`, the thread's number in its block, made of x and y; go on by as "
            "many threads as the block has.",
        ),
        Misconception(
            "sum over the channels only",
            tiles(("i < k_w * i_c; i++", "i < i_c; i++")),
            symptom="Each row of a window counts its first pixel only.",
            concept="In the tile a row of the window is `k_w * i_c` values side by side.",
            line="`for (int i = 0; i < k_w * i_c; i++)`.",
        ),
        Misconception(
            "threads that leave early",
            tiles(
                (
                    "    for (int i = t; i < rows * row_values;",
                    "    if (first + threadIdx.x >= k_c) return;\n"
                    "    for (int i = t; i < rows * row_values;",
                )
            ),
            symptom="Threads without an output miss the barrier at which the others wait: they "
            "have returned before it, or it stands in a branch.",
            concept="First all threads load, then all wait. Who has nothing to store finds out "
            "at the end.",
            line="No `return` before `__syncthreads()`.",
        ),
        Misconception(
            "rows not tested at the store",
            tiles(("k < k_c && v < o_w && h < o_h", "k < k_c && v < o_w")),
            symptom="The last tiles below stick out of the output, and their rows are stored all "
            "the same.",
            concept="13 rows in tiles of 4 leave three rows without an output.",
            line="The test needs `h < o_h`.",
        ),
        Misconception(
            "tile's column forgotten",
            tiles(("v = blockIdx.x * COLUMNS + threadIdx.y", "v = threadIdx.y")),
            symptom="All tiles of a row store into the first columns.",
            concept="A thread's column is that of its tile, and its own within it; its row too.",
            line="`blockIdx.x * COLUMNS`, plus the column within the tile; rows with "
            "`blockIdx.y * ROWS`.",
        ),
        Misconception(
            "tiles of few outputs",
            few_outputs,
            symptom="The values are right, but you have many blocks, and each loads all weights.",
            concept="72·32 weights are 288 sectors a block. 18 blocks come to the whole budget, "
            "before a pixel is loaded.",
            line="Let a block have 32 outputs or more of a channel, 4 × 8.",
            choices={"rows": (1,)},
        ),
        Misconception(
            "halo without the stride",
            halo_of_stride_1,
            choices={"launch": (True,)},
            symptom="With a stride of 1 all is right; else your tile of pixels is too small.",
            concept="Outputs next to each other look at pixels a stride apart: n of them need "
            "(n - 1)·s + k.",
            line="`(ROWS - 1) * s_h + k_h` rows, and so for columns, in the launch's bytes too.",
        ),
        Misconception(
            "place of the tile without either stride",
            tiles(
                ("top = blockIdx.y * ROWS * s_h", "top = blockIdx.y * ROWS"),
                ("blockIdx.x * COLUMNS * s_w * i_c", "blockIdx.x * COLUMNS * i_c"),
            ),
            symptom="With a stride of 1 all is right; else only the first tile is.",
            concept="In the image the tiles are a stride further apart than in the output.",
            line="`top` times `s_h`, `left` times `s_w`.",
        ),
        *IN_ONE_ARRAY,
    ],
)
