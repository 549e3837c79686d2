"""Lab 07, exercise 2: a transpose from 32 sectors a request to 4, with no bank conflict."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited

BLOCK = 32, 8

NAIVE = r"""
extern "C" __global__ void transpose(const float *x, float *y, int i_h, int i_w)
{
    int w = blockIdx.x * 32 + threadIdx.x;
    int h = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (h + j < i_h && w < i_w)
            y[w * i_h + h + j] = x[(h + j) * i_w + w];
}
"""
# One block of the output a block, numbered by the output: stores are neighbours, loads are not.
BY_OUTPUT = edited(
    NAIVE,
    ("blockIdx.x * 32 + threadIdx.x", "blockIdx.x * 32 + threadIdx.y"),
    ("blockIdx.y * 32 + threadIdx.y", "blockIdx.y * 32 + threadIdx.x"),
    ("if (h + j < i_h && w < i_w)", "if (h < i_h && w + j < i_w)"),
    ("y[w * i_h + h + j] = x[(h + j) * i_w + w]", "y[(w + j) * i_h + h] = x[h * i_w + w + j]"),
)
SOURCE = r"""
extern "C" __global__ void transpose(const float *x, float *y, int i_h, int i_w)
{
    __shared__ float tile[32][33];
    int w = blockIdx.x * 32 + threadIdx.x;
    int h = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (h + j < i_h && w < i_w)
            tile[threadIdx.y + j][threadIdx.x] = x[(h + j) * i_w + w];
    __syncthreads();
    int row = blockIdx.x * 32 + threadIdx.y;
    int column = blockIdx.y * 32 + threadIdx.x;
    for (int j = 0; j < 32; j += 8)
        if (row + j < i_w && column < i_h)
            y[(row + j) * i_h + column] = tile[threadIdx.x][threadIdx.y + j];
}
"""
FROM_TILE = "tile[threadIdx.x][threadIdx.y + j];"
IN_ONE_LOOP = edited(
    SOURCE,
    (
        SOURCE[SOURCE.index("    __syncthreads();") : SOURCE.index("        if (row")],
        "        __syncthreads();\n",
    ),
    (
        "    for (int j",
        "    int row = blockIdx.x * 32 + threadIdx.y;\n"
        "    int column = blockIdx.y * 32 + threadIdx.x;\n    for (int j",
    ),
    ("j += 8)\n", "j += 8) {\n"),
    (FROM_TILE, FROM_TILE + "\n    }"),
)


def transpose(x):
    return x.T.copy()


def _budget(x):
    least = -(-x.size // 8)  # 8 floats a sector
    return {"global_load_sectors": least, "global_store_sectors": least, "shared_conflicts": 0}


EXERCISE = Exercise(
    name="transpose",
    lab=7,
    reference=transpose,
    task="Transpose with 4 sectors a request and no bank conflict.",
    cases=lambda rng: [
        (counting(2, 3),),
        (rng.standard_normal((40, 33), dtype=np.float32),),
        (rng.standard_normal((64, 96), dtype=np.float32),),
    ],
    kernel=KernelTask(
        name="transpose",
        solution=SOURCE,
        arguments=lambda x: (x, OUT, *x.shape),
        budget=_budget,
        launch=lambda x: (blocks((x.shape[1], 32), (x.shape[0], 32)), BLOCK),
    ),
    misconceptions=[
        Misconception(
            "stores down the columns",
            NAIVE,
            symptom="Your loads are 4 sectors a request, your stores 32.",
            concept="A warp reads 32 neighbours of a row, and writes them one below the other: "
            "each into a sector of its own, of which 28 bytes are moved for nothing. Read "
            "into shared memory first; from there a warp can take a column.",
            line="Fill `__shared__ float tile[32][33]` row by row, wait at a barrier, and write "
            "rows of `y` from columns of `tile`.",
        ),
        Misconception(
            "loads down the columns",
            BY_OUTPUT,
            symptom="Your stores are 4 sectors a request, your loads 32.",
            concept="You have exchanged which side is bad. Either way one array is walked down "
            "its columns, unless the values change their places in shared memory.",
            line="Load rows into a `tile`, wait, store rows from its columns.",
        ),
        Misconception(
            "32 ways to one bank",
            edited(SOURCE, ("tile[32][33]", "tile[32][32]")),
            symptom="Global memory is as good as it can be, but a column of the tile takes 32 "
            "passes.",
            concept="Shared memory has 32 banks, and word i is in bank i % 32. In rows of 32 "
            "words, or of a multiple, a column is all in one bank.",
            line="Rows of 33 words: `__shared__ float tile[32][33];`. One word of each stays "
            "unused.",
        ),
        *(
            Misconception(
                f"padded to {pitch}",
                edited(SOURCE, ("tile[32][33]", f"tile[32][{pitch}]")),
                symptom=f"A column of your tile meets {32 // step} banks only, {step} words in each.",
                concept=f"Rows of {pitch} words do that, or an XOR or a rotation by too few different "
                "steps. In rows of an odd length a column lies in 32 different banks.",
                line=f"`tile[32][33]` and plain indices: a column's request then goes once through "
                f"shared memory, not {step} times. (Or rows of 32 and `x ^ row`, all bits of it.)",
            )
            for pitch, step in ((34, 2), (36, 4), (40, 8), (48, 16))
        ),
        Misconception(
            "no barrier",
            edited(SOURCE, ("    __syncthreads();\n", "")),
            symptom="Threads read values of the tile that others have still to write.",
            concept="A column of the tile is written by threads of several warps.",
            line="`__syncthreads();` between the two loops.",
        ),
        Misconception(
            "threads that leave early",
            edited(
                SOURCE,
                ("    int h = blockIdx.y", "    if (w >= i_w) return;\n    int h = blockIdx.y"),
            ),
            symptom="Threads beyond an edge miss the barrier at which the others wait: they have "
            "returned, or it stands in a branch.",
            concept="A thread with nothing to load may have something to store: the two halves "
            "test different places.",
            line="No `return` before `__syncthreads()`: an `if` around the load.",
        ),
        Misconception(
            "in and out in the same order",
            edited(
                NAIVE,
                ("    int w", "    __shared__ float tile[32][33];\n    int w"),
                (
                    "            y[w * i_h + h + j] = x[(h + j) * i_w + w];",
                    "            tile[threadIdx.y + j][threadIdx.x] = x[(h + j) * i_w + w];\n"
                    "    __syncthreads();\n    for (int j = 0; j < 32; j += 8)\n"
                    "        if (h + j < i_h && w < i_w)\n"
                    "            y[w * i_h + h + j] = tile[threadIdx.y + j][threadIdx.x];",
                ),
            ),
            symptom="There is a tile, and your stores still go down the columns.",
            concept="Shared memory helps because a thread can take what *another* has put there: "
            "a warp fills a row of the tile, and takes a column.",
            line="Behind the barrier, with `row = blockIdx.x * 32 + threadIdx.y`, `column = "
            "blockIdx.y * 32 + threadIdx.x`: `if (row + j < i_w && column < i_h) y[(row + j) "
            "* i_h + column] = tile[threadIdx.x][threadIdx.y + j];`",
        ),
        Misconception(
            "blocks not exchanged",
            edited(
                SOURCE,
                ("int row = blockIdx.x", "int row = blockIdx.y"),
                ("int column = blockIdx.y", "int column = blockIdx.x"),
            ),
            symptom="Within a tile all is transposed, but the tiles stand where they were.",
            concept="The block in row 1, column 0 of `x` belongs in row 0, column 1 of `y`.",
            line="`row` begins at `blockIdx.x * 32`, `column` at `blockIdx.y * 32`.",
        ),
        Misconception(
            "tile not turned",
            edited(SOURCE, (FROM_TILE, "tile[threadIdx.y + j][threadIdx.x];")),
            symptom="The tiles stand where they belong, but each is as it was.",
            concept="What goes into the tile along its rows must come out down its columns.",
            line="`tile[threadIdx.y + j][threadIdx.x]` on the side of the load, "
            "`tile[threadIdx.x][threadIdx.y + j]` on that of the store.",
        ),
        Misconception(
            "sides of x for y",
            edited(SOURCE, ("row + j < i_w && column < i_h", "row + j < i_h && column < i_w")),
            symptom="With equal sides all is right; else values of `y` are left out, or threads "
            "write where they should not.",
            concept="`y` has `i_w` rows of `i_h` values.",
            line="`if (row + j < i_w && column < i_h)`.",
        ),
        Misconception(
            "pitch of x for y",
            edited(SOURCE, ("y[(row + j) * i_h", "y[(row + j) * i_w")),
            symptom="Square images are right; else the rows of `y` begin at the wrong places.",
            concept="A row of `y` is `i_h` values long.",
            line="`y[(row + j) * i_h + column]`.",
        ),
        Misconception(
            "pitch of y for x",
            edited(SOURCE, ("x[(h + j) * i_w + w]", "x[(h + j) * i_h + w]")),
            symptom="Square images are right; else you take the rows of `x` from the wrong places.",
            concept="A row of `x` is `i_w` values long.",
            line="`x[(h + j) * i_w + w]`.",
        ),
        Misconception(
            "no test of the bounds",
            edited(
                SOURCE,
                ("if (h + j < i_h && w < i_w)", ""),
                ("if (row + j < i_w && column < i_h)", ""),
            ),
            symptom="Where sides are no multiples of 32, threads read and write beside the arrays.",
            concept="The last tiles are only partly filled.",
            line="`h + j < i_h && w < i_w` to load, `row + j < i_w && column < i_h` to store.",
        ),
        Misconception(
            "8 rows of 32",
            edited(SOURCE, ("j < 32; j += 8", "j < 8; j += 8")),
            symptom="A part of each tile is never filled, or never stored.",
            concept="A block has 32 × 8 threads for a tile of 32 × 32: each has four values to "
            "move.",
            line="Both loops are `for (int j = 0; j < 32; j += 8)`.",
        ),
        Misconception(
            "no test while storing",
            edited(SOURCE, ("if (row + j < i_w && column < i_h)", "")),
            symptom="Where sides are no multiples of 32 you store beside `y`, or places of the "
            "tile that nobody has filled.",
            concept="The last tiles are only partly filled, and that part belongs to `y` turned "
            "round.",
            line="`if (row + j < i_w && column < i_h)` before the store.",
        ),
        Misconception(
            "no test while loading",
            edited(SOURCE, ("if (h + j < i_h && w < i_w)", "")),
            symptom="Loads of the last tiles reach beside `x`.",
            concept="The last tiles stick out of `x` on the right and below.",
            line="`if (h + j < i_h && w < i_w)` before the load.",
        ),
        Misconception(
            "a quarter of the rows stored",
            edited(SOURCE, ("j < 32; j += 8)\n        if (row", "j < 8; j += 8)\n        if (row")),
            symptom="All is loaded; of each tile's 32 rows of `y` 8 are stored.",
            concept="To store takes as many rounds as to load: four values for each thread.",
            line="`for (int j = 0; j < 32; j += 8)` around the store too.",
        ),
        Misconception(
            "stored in the loop that loads",
            IN_ONE_LOOP,
            symptom="You store from columns of the tile before all of its rows are there.",
            concept="A round fills 8 rows, and a column has 32. No barrier within the loop makes "
            "the rows of later rounds come earlier.",
            line="Two loops: the first one fills the tile, then `__syncthreads();`, and the second "
            "one stores.",
        ),
        Misconception(
            "stored in the loop that loads, with two barriers",
            edited(IN_ONE_LOOP, (FROM_TILE, FROM_TILE + "\n        __syncthreads();")),
            symptom="You store in the loop that loads: from columns of the tile of which some rows "
            "come in later rounds.",
            concept="Barriers keep the rounds apart. But in round 0 only 8 rows are there, and a "
            "row of `y` needs a column of all 32.",
            line="A loop that fills the whole tile, then one barrier, then a loop that stores.",
        ),
        Misconception(
            "a barrier of the warp",
            edited(SOURCE, ("__syncthreads();", "__syncwarp();")),
            symptom="Threads of one warp wait for each other. The tile is filled by eight warps.",
            concept="`__syncwarp()` is for 32 threads, `__syncthreads()` for the block.",
            line="`__syncthreads();`",
        ),
        Misconception(
            "the load's test for the store",
            edited(SOURCE, ("row + j < i_w && column < i_h", "h + j < i_h && w < i_w")),
            symptom="The store goes by the test of the load: `h` and `w` say which value of `x` a "
            "thread has read, not which value of `y` it writes.",
            concept="Behind the barrier a thread has another place: row and column of `y`, of "
            "which there are `i_w` and `i_h`.",
            line="`if (row + j < i_w && column < i_h)`, with the new row and column.",
        ),
        Misconception(
            "the same row of the tile four times",
            edited(
                SOURCE, ("tile[threadIdx.y + j][threadIdx.x] =", "tile[threadIdx.y][threadIdx.x] =")
            ),
            symptom="All 32 rows of the tile are read, and 24 of them are never filled.",
            concept="The tile has 32 rows, and a block 8 rows of threads: each thread fills four "
            "places of its own.",
            line="`for (int j = 0; j < 32; j += 8)`, and in it `tile[threadIdx.y + j]"
            "[threadIdx.x] = ...`.",
        ),
        Misconception(
            "the same column of the tile four times",
            edited(SOURCE, (FROM_TILE, "tile[threadIdx.x][threadIdx.y];")),
            symptom="Your rows of `y` repeat: each is written from the same column of the tile.",
            concept="In round `j` a thread stores a row that is `j` further down.",
            line="`tile[threadIdx.x][threadIdx.y + j]`.",
        ),
        Misconception(
            "blocks of 8 rows",
            edited(
                SOURCE,
                ("int h = blockIdx.y * 32 + threadIdx.y", "int h = blockIdx.y * 8 + threadIdx.y"),
            ),
            symptom="Your blocks begin 8 rows apart, and load 32 rows each.",
            concept="A block has 8 rows of *threads*, and its square has 32 rows.",
            line="`blockIdx.y * 32 + threadIdx.y`.",
        ),
        Misconception(
            "nothing turned",
            edited(
                SOURCE,
                (
                    "y[(row + j) * i_h + column] = tile[threadIdx.x][threadIdx.y + j]",
                    "y[(h + j) * i_w + w] = tile[threadIdx.y + j][threadIdx.x]",
                ),
                ("row + j < i_w && column < i_h", "h + j < i_h && w < i_w"),
            ),
            symptom="You copy `x` as it is.",
            concept="The tile is filled by rows, read by columns, and its block changes places.",
            line="`if (row + j < i_w && column < i_h) y[(row + j) * i_h + column] = "
            "tile[threadIdx.x][threadIdx.y + j];`",
        ),
    ],
)
