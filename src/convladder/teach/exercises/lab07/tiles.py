"""A tiled convolution: what the last exercise of lab 07 is made of."""

from __future__ import annotations

from collections.abc import Callable

from ....problem import ConvProblem
from ..lab06.sources import blocks, edited

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

# The same without lanes for channels: threads go through the tile's outputs, filters fastest.
FLAT = edited(
    SOURCE,
    ("#define LANES 32\n", ""),
    (
        SOURCE[SOURCE.index("    int first") : SOURCE.index("    for (int i = t; i < rows")],
        "    int t = threadIdx.x;\n",
    ),
    ("i < rows * row_values; i += LANES * COLUMNS", "i < rows * row_values; i += blockDim.x"),
    (
        SOURCE[SOURCE.index("    for (int i = t; i < k_h") :],
        """    for (int i = t; i < k_h * k_w * i_c * k_c; i += blockDim.x)
        weights[i] = w[i];
    __syncthreads();
    for (int i = t; i < ROWS * COLUMNS * k_c; i += blockDim.x) {
        int k = i % k_c, v = i / k_c % COLUMNS, r = i / k_c / COLUMNS;
        int h = blockIdx.y * ROWS + r, column = blockIdx.x * COLUMNS + v;
        if (h >= o_h || column >= o_w) continue;
        float sum = 0;
        for (int a = 0; a < k_h; a++)
            for (int j = 0; j < k_w * i_c; j++)
                sum += tile[(r * s_h + a) * row_values + v * s_w * i_c + j]
                     * weights[(a * k_w * i_c + j) * k_c + k];
        y[(h * o_w + column) * k_c + k] = sum;
    }
}
""",
    ),
)


def tiled(
    source: str = SOURCE, shared: Callable = lambda tile, weights: tile + weights
) -> Callable:
    """Return an answer: `source`, with shared memory for the floats of its tile and weights."""

    def plan(p: ConvProblem) -> tuple:
        tile = ((ROWS - 1) * p.s_h + p.k_h) * ((COLUMNS - 1) * p.s_w + p.k_w) * p.i_c
        grid = blocks((p.o_w, COLUMNS), (p.o_h, ROWS), (p.k_c, LANES))
        return source, grid, (LANES, COLUMNS), 4 * shared(tile, p.window * LANES)

    return plan


def without_z(p: ConvProblem) -> tuple:
    """Return an answer whose grid has no blocks for further filters."""
    source, grid, *rest = tiled()(p)
    return source, grid[:2], *rest


def rounded_down(p: ConvProblem) -> tuple:
    """Return an answer whose grid leaves the last tiles out."""
    source, _, *rest = tiled()(p)
    grid = max(1, p.o_w // COLUMNS), max(1, p.o_h // ROWS), max(1, p.k_c // LANES)
    return source, grid, *rest


def tiles(*exchanges: tuple[str, str]) -> Callable:
    """Return the right answer with pieces of its text exchanged."""
    return tiled(edited(SOURCE, *exchanges))


def weights_from_memory(p: ConvProblem, for_each_output: bool = False) -> tuple:
    """Return an answer with pixels in shared memory only; weights for a thread, or an output."""
    source = edited(
        SOURCE,
        (
            "weights[(a * k_w * i_c + i) * LANES + threadIdx.x]",
            "first + threadIdx.x < k_c\n"
            "                ? w[(a * k_w * i_c + i) * k_c + first + threadIdx.x] : 0.0f",
        ),
        ("weights[i] = k < k_c ? w[i / LANES * k_c + k] : 0.0f;", "weights[i] = k;"),
    )
    if for_each_output:
        at = source.index("            float weight =")
        line, loop, _ = source[at:].partition("            for (int r = 0; r < ROWS; r++)\n")
        source = (
            source[:at]
            + loop.rstrip()
            + " {\n"
            + line
            + source[at:].removeprefix(line + loop).replace("+ i];\n", "+ i]; }\n", 1)
        )
    return tiled(source)(p)


def few_outputs(p: ConvProblem, rows: int = 2) -> tuple:
    """Return an answer with so many rows of outputs a block, and so with more blocks."""
    source, grid, *rest = tiled(edited(SOURCE, ("ROWS 4", f"ROWS {rows}")))(p)
    return source, (grid[0], -(-p.o_h // rows), grid[2]), *rest


def halo_of_stride_1(p: ConvProblem, launch: bool = False) -> tuple:
    """Return an answer whose tile is that of a stride of 1; its launch may have room for more."""
    source, *place, shared = tiles(
        ("rows = (ROWS - 1) * s_h + k_h", "rows = ROWS + k_h - 1"),
        ("((COLUMNS - 1) * s_w + k_w) * i_c", "(COLUMNS + k_w - 1) * i_c"),
    )(p)
    if launch:
        tile = (ROWS - 1 + p.k_h) * (COLUMNS - 1 + p.k_w) * p.i_c
        shared = 4 * (tile + p.window * LANES)
    return source, *place, shared


def two_at_one_place(p: ConvProblem, flat: bool = False) -> tuple:
    """Return an answer with two `extern` arrays; with a filter a lane, or outputs in one loop."""
    source = edited(
        FLAT if flat else SOURCE,
        ("float *weights = tile + rows * row_values;", "extern __shared__ float weights[];"),
    )
    _, grid, block, shared = tiled(source)(p)
    if not flat:
        return source, grid, block, shared
    return source, grid[:2], 256, shared + 4 * p.window * (p.k_c - LANES)
