"""Lab 07, exercise 8: a tiled convolution of one's own."""

from __future__ import annotations

from collections.abc import Callable

from ....problem import ConvProblem
from ...grading.exercise import Exercise, KernelTask, Misconception
from ..lab06.e6_my_direct import SOURCE as UNTILED
from ..lab06.e6_my_direct import TOY, arguments, cases, convolved, value_launch
from ..lab06.sources import blocks, edited

SECTORS = 5_184  # loads on the last case, as many as gpu_shared
ROWS, COLUMNS, LANES = 4, 8, 32  # of outputs: rows of a thread, columns and channels of a block

SOURCE = r"""
#define ROWS 4
#define COLUMNS 8
#define LANES 32
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w)
{
    extern __shared__ float tile[];
    int rows = (ROWS - 1) * s_h + k_h, row_values = ((COLUMNS - 1) * s_w + k_w) * i_c;
    float *weights = tile + rows * row_values;
    int top = blockIdx.y * ROWS * s_h, left = blockIdx.x * COLUMNS * s_w * i_c;
    int first = blockIdx.z * LANES, t = threadIdx.y * LANES + threadIdx.x;
    for (int i = t; i < rows * row_values; i += LANES * COLUMNS) {
        int row = top + i / row_values, value = left + i % row_values;
        tile[i] = row < i_h && value < i_w * i_c ? x[row * i_w * i_c + value] : 0.0f;
    }
    for (int i = t; i < k_h * k_w * i_c * LANES; i += LANES * COLUMNS) {
        int k = first + i % LANES;
        weights[i] = k < k_c ? w[i / LANES * k_c + k] : 0.0f;
    }
    __syncthreads();
    float sum[ROWS] = {};
    for (int a = 0; a < k_h; a++)
        for (int i = 0; i < k_w * i_c; i++) {
            float weight = weights[(a * k_w * i_c + i) * LANES + threadIdx.x];
            for (int r = 0; r < ROWS; r++)
                sum[r] += weight * tile[(r * s_h + a) * row_values + threadIdx.y * s_w * i_c + i];
        }
    int k = first + threadIdx.x, v = blockIdx.x * COLUMNS + threadIdx.y;
    for (int r = 0; r < ROWS; r++) {
        int h = blockIdx.y * ROWS + r;
        if (k < k_c && v < o_w && h < o_h)
            y[(h * o_w + v) * k_c + k] = sum[r];
    }
}
"""
PROBLEMS = (TOY, ConvProblem(1, 39, 56, 3, 3, 2, 5, stride=(2, 3)),
            ConvProblem(1, 7, 9, 2, 3, 3, 40), ConvProblem(1, 18, 18, 8, 3, 3, 32))


def _tiled(source: str = SOURCE, shared: Callable = lambda tile, weights: tile + weights
           ) -> Callable:
    """Return an answer: `source`, with shared memory for the floats of its tile and weights."""
    def plan(p: ConvProblem) -> tuple:
        tile = ((ROWS - 1) * p.s_h + p.k_h) * ((COLUMNS - 1) * p.s_w + p.k_w) * p.i_c
        grid = blocks((p.o_w, COLUMNS), (p.o_h, ROWS), (p.k_c, LANES))
        return source, grid, (LANES, COLUMNS), 4 * shared(tile, p.window * LANES)
    return plan


def _without_z(p: ConvProblem) -> tuple:
    source, grid, *rest = _tiled()(p)
    return source, grid[:2], *rest


def _rounded_down(p: ConvProblem) -> tuple:
    source, _, *rest = _tiled()(p)
    grid = max(1, p.o_w // COLUMNS), max(1, p.o_h // ROWS), max(1, p.k_c // LANES)
    return source, grid, *rest


def _edited(*exchanges: tuple[str, str]) -> Callable:
    return _tiled(edited(SOURCE, *exchanges))


EXERCISE = Exercise(
    name="my_tiles", lab=7, reference=convolved,
    task="A tiled convolution of your own, with as little traffic as you can.",
    cases=cases(PROBLEMS),
    kernel=KernelTask(
        name="conv", solution=_tiled(), arguments=arguments,
        budget=lambda x, w, problem: {"global_load_sectors": SECTORS}),
    misconceptions=[
        Misconception(
            "no tile", value_launch(UNTILED),
            symptom="Every output value loads its window and its weights from global memory.",
            concept="The windows of neighbours overlap, and all pixels use the same weights: what "
                    "a block reads once into shared memory, all of its threads can use.",
            line="Choose a tile of outputs for a block, and load the pixels under it first."),
        Misconception(
            "weights from global memory", _edited((
                "weights[(a * k_w * i_c + i) * LANES + threadIdx.x]",
                "first + threadIdx.x < k_c\n"
                "                ? w[(a * k_w * i_c + i) * k_c + first + threadIdx.x] : 0.0f"), (
                "weights[i] = k < k_c ? w[i / LANES * k_c + k] : 0.0f;",
                                         "weights[i] = k;")),
            symptom="The pixels come from the tile, but each warp loads all weights of its "
                    "channels.",
            concept="72 weights by 32 channels are 288 sectors. The 8 warps of a block need the "
                    "same ones.",
            line="Keep the weights in shared memory too, behind the tile."),
        Misconception(
            "no room for the weights", _tiled(shared=lambda tile, weights: tile),
            symptom="Your kernel writes behind its shared memory.",
            concept="`extern __shared__` has as many bytes as the launch asks for, whatever the "
                    "kernel then does.",
            line="`shared_bytes` is 4 times the floats of tile *and* weights."),
        Misconception(
            "floats for bytes", _tiled(
                shared=lambda tile, weights: (tile + weights) // 4),
            symptom="Your kernel writes far behind its shared memory.",
            concept="The launch counts shared memory in bytes, and a float has 4.",
            line="`4 * floats`."),
        Misconception(
            "no barrier", _edited(("    __syncthreads();\n", "")),
            symptom="Threads read the tile while others still fill it.",
            concept="The tile is filled by all threads of the block, in any order.",
            line="`__syncthreads();` before the sums."),
        Misconception(
            "no halo", _edited(("rows = (ROWS - 1) * s_h + k_h", "rows = ROWS * s_h"),
                               ("((COLUMNS - 1) * s_w + k_w) * i_c", "COLUMNS * s_w * i_c")),
            symptom="The tile ends where the block's last window begins.",
            concept="n outputs with stride s under a kernel of k need (n - 1)·s + k inputs.",
            line="`(ROWS - 1) * s_h + k_h` rows, `(COLUMNS - 1) * s_w + k_w` columns."),
        Misconception(
            "no test while loading", _edited((
                "row < i_h && value < i_w * i_c ? x[row * i_w * i_c + value] : 0.0f",
                "x[row * i_w * i_c + value]")),
            symptom="The tiles at the right and below stick out of the image, and load what is "
                    "not there.",
            concept="Output sizes are rarely multiples of a tile.",
            line="Load only where the row is below `i_h` and the column below `i_w`."),
        Misconception(
            "channels not tested", _edited(("k < k_c && v < o_w && h < o_h", "v < o_w && h < o_h")),
            symptom="With 32 filters all is right; else threads without a filter write into the "
                    "next pixel.",
            concept="A block has 32 channels. With 5 or 40 filters, some of its lanes have none.",
            line="Add `k < k_c` to the test before the store."),
        Misconception(
            "stride of the columns forgotten",
            _edited(("threadIdx.y * s_w * i_c", "threadIdx.y * i_c")),
            symptom="With a horizontal stride of 1 all is right.",
            concept="Neighbouring outputs have windows that are `s_w` pixels apart, in the tile as "
                    "in the image.",
            line="`threadIdx.y * s_w * i_c + i` along the tile's row."),
        Misconception(
            "stride of the rows forgotten", _edited(("tile[(r * s_h + a)", "tile[(r + a)")),
            symptom="With a vertical stride of 1 all is right.",
            concept="Inside the tile windows are as far apart as in the image: `s_h` rows.",
            line="Row `r * s_h + a` of the tile."),
        Misconception(
            "place of the tile without the stride down", _edited((
                "top = blockIdx.y * ROWS * s_h", "top = blockIdx.y * ROWS")),
            symptom="With a vertical stride of 1 all is right; else only the first tiles are.",
            concept="A tile of `ROWS` outputs moves `ROWS * s_h` rows on in the image.",
            line="`top = blockIdx.y * ROWS * s_h`."),
        Misconception(
            "place of the tile without the stride across", _edited((
                "blockIdx.x * COLUMNS * s_w * i_c", "blockIdx.x * COLUMNS * i_c")),
            symptom="With a horizontal stride of 1 all is right; else only the first tiles are.",
            concept="A tile of `COLUMNS` outputs moves `COLUMNS * s_w` columns on in the image.",
            line="`left = blockIdx.x * COLUMNS * s_w * i_c`."),
        Misconception(
            "two arrays at one place", _edited((
                "float *weights = tile + rows * row_values;",
                "extern __shared__ float weights[];")),
            symptom="Your weights overwrite your pixels.",
            concept="All `extern __shared__` arrays of a kernel are the same memory, under several "
                    "names.",
            line="`float *weights = tile + ...`, behind the pixels."),
        Misconception(
            "weights' row of k_h", _edited(
                ("(a * k_w * i_c + i) * LANES", "(a * k_h * i_c + i) * LANES")),
            symptom="With square windows all is right; else the second row of a window takes the "
                    "wrong weights.",
            concept="A row of the window has `k_w` places of `i_c` weights each.",
            line="`(a * k_w * i_c + i) * LANES + threadIdx.x`."),
        Misconception(
            "all filters of the first lanes", _edited(
                ("int k = first + i % LANES;", "int k = i % LANES;")),
            symptom="Up to 32 filters all is right; the blocks of further filters load the first "
                    "32 again.",
            concept="A block in z has filters from `first` on, 32 of them.",
            line="`k = first + i % LANES` where the weights are loaded."),
        Misconception(
            "stored to the first filters", _edited(
                ("int k = first + threadIdx.x, v", "int k = threadIdx.x, v")),
            symptom="Up to 32 filters all is right; the others' results go over the first ones.",
            concept="Which filter a thread stores depends on its block too.",
            line="`k = first + threadIdx.x`."),
        Misconception(
            "weights not tested", _edited(
                ("k < k_c ? w[i / LANES * k_c + k] : 0.0f", "w[i / LANES * k_c + k]")),
            symptom="With 32 filters all is right; with 5 or 40 you read weights that are not "
                    "there.",
            concept="A block has room for 32 filters. The last one may have fewer.",
            line="`k < k_c ? w[...] : 0.0f`."),
        Misconception(
            "one filter block", _without_z,
            symptom="Up to 32 filters all is right; the others are NaN: no block is there for "
                    "them.",
            concept="A block makes 32 filters. More of them need more blocks, in z.",
            line="A third number in the grid: `-(-p.k_c // 32)`."),
        Misconception(
            "grid rounded down", _rounded_down,
            symptom="The last rows, columns or filters are NaN: no block is there for them.",
            concept="13 rows in tiles of 4 are four tiles, the last with one row.",
            line="`-(-p.o_h // rows)`, and so for the others."),
        Misconception(
            "tile's width in pixels", _edited(
                ("((COLUMNS - 1) * s_w + k_w) * i_c;", "(COLUMNS - 1) * s_w + k_w;")),
            symptom="With one channel all is right; else the rows of the tile overlap.",
            concept="A pixel has `i_c` values, and the tile holds all of them.",
            line="`row_values = ((COLUMNS - 1) * s_w + k_w) * i_c`."),
        Misconception(
            "left in pixels", _edited(
                ("left = blockIdx.x * COLUMNS * s_w * i_c", "left = blockIdx.x * COLUMNS * s_w")),
            symptom="With one channel all is right; else the tiles on the right begin too far "
                    "left.",
            concept="`left` counts values here, as `value` does.",
            line="Times `i_c`."),
        Misconception(
            "tested by rows only", _edited(("row < i_h && value < i_w * i_c ?", "row < i_h ?")),
            symptom="Below the image all is well; on the right you load the beginning of the next "
                    "row, and behind the last row what is not there.",
            concept="Memory goes on behind a row. A tile that sticks out needs a test on both "
                    "sides.",
            line="`row < i_h && value < i_w * i_c`."),
        Misconception(
            "outputs not tested", _edited(("k < k_c && v < o_w && h < o_h", "k < k_c")),
            symptom="Tiles that stick out of the output store what is beside it.",
            concept="The last tile of a row or column is only partly there.",
            line="`k < k_c && v < o_w && h < o_h`."),
        Misconception(
            "copied by one warp", _edited(
                ("for (int i = t; i < rows * row_values; i += LANES * COLUMNS)",
                 "for (int i = threadIdx.x; i < rows * row_values; i += LANES)")),
            symptom="Every row of threads copies the whole tile: the same values eight times.",
            concept="The loop must be shared out among *all* threads of the block, or all write "
                    "the same.",
            line="Begin at `t = threadIdx.y * LANES + threadIdx.x`, go on by `LANES * COLUMNS`."),
        Misconception(
            "sum over the channels only", _edited(("i < k_w * i_c; i++", "i < i_c; i++")),
            symptom="Each row of a window counts its first pixel only.",
            concept="In the tile a row of the window is `k_w * i_c` values side by side.",
            line="`for (int i = 0; i < k_w * i_c; i++)`."),
        Misconception(
            "threads that leave early", _edited((
                "    for (int i = t; i < rows * row_values;",
                "    if (first + threadIdx.x >= k_c) return;\n"
                "    for (int i = t; i < rows * row_values;")),
            symptom="Threads without a filter return before they have copied their part, and the "
                    "others wait at the barrier.",
            concept="First all threads load, then all wait. Who has nothing to store finds out "
                    "at the end.",
            line="No `return` before `__syncthreads()`."),
    ],
)
