"""Lab 08, exercise 8: a tiled convolution of your own."""

import numpy as np

from ...core.problem import ConvProblem
from ...core.reference import conv2d_float64
from ..draws import layer
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SECTORS = 5_184  # loads on the last case, as many as gpu_shared
PROBLEMS = (
    ConvProblem(1, 4, 3, 1, 2, 2, 1),
    ConvProblem(1, 39, 20, 6, 3, 2, 5, stride=(2, 3)),  # more tiles down than across
    ConvProblem(1, 5, 56, 2, 2, 3, 40, stride=(3, 2)),  # and fewer
    ConvProblem(1, 3, 4, 1, 2, 2, 1100),  # more filters than a block can have threads
)
LARGE = ConvProblem(1, 18, 18, 8, 3, 3, 32)


def my_tiles(problem):
    p, rows, columns, lanes = problem, 4, 8, 32
    source = r"""
#define ROWS 4      // of outputs, in each thread's registers
#define COLUMNS 8   // of outputs, in a block
#define LANES 32    // filters of a block
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
    tile = ((rows - 1) * p.s_h + p.k_h) * ((columns - 1) * p.s_w + p.k_w) * p.i_c
    weights = p.k_h * p.k_w * p.i_c * lanes
    grid = -(-p.o_w // columns), -(-p.o_h // rows), -(-p.k_c // lanes)
    return source, grid, (lanes, columns), 4 * (tile + weights)


def convolved(x, w, problem):
    return conv2d_float64(x[None], w, problem)[0].astype(np.float32)


def operands(fill, problem):
    return fill(*problem.input_shape[1:]), -fill(*problem.kernel_shape)[::-1].copy(), problem


def arguments(x, w, p):
    sizes = (p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c, p.o_h, p.o_w)
    return x, w, OUT, *sizes, *p.stride


EXERCISE = Exercise(
    name="my_tiles",
    lab=8,
    task="A tiled convolution of your own, with as little traffic as you can.",
    solution=my_tiles,
    reference=convolved,
    cases=lambda rng: [
        *((p,) for p in PROBLEMS),
        (layer(rng, 12, 1, padded=False),),
        (LARGE,),
    ],
    inputs=operands,
    valid=lambda problem: problem.i_n == 1 and problem.padding == (0, 0),
    budget=lambda x, w, problem: {"global_load_sectors": SECTORS},
    kernel=KernelSpec("conv", arguments),
    mend="A tile of `(ROWS - 1) * s_h + k_h` rows by `((COLUMNS - 1) * s_w + k_w) * i_c` values "
    "and all weights of 32 filters in shared memory; a barrier; several outputs a thread",
    misconceptions=[
        Misconception(
            "weights from global memory",
            edit(
                "weights[(a * k_w * i_c + i) * LANES + threadIdx.x]",
                "first + threadIdx.x < k_c ? w[(a * k_w * i_c + i) * k_c + first + threadIdx.x]"
                " : 0.0f",
            ),
            "Each warp loads all weights of its filters from global memory.",
            "All pixels of a block use the same weights. Shared memory loads them once.",
        ),
        Misconception(
            "too little shared memory",
            [edit("4 * (tile + weights)", each) for each in ("4 * tile", "tile + weights")],
            "Your kernel writes beyond its shared memory.",
            "`shared_bytes` counts bytes: four for each float of pixels and weights.",
            mend="`4 * (tile + weights)` bytes, with the values of the tile and of the weights",
        ),
        Misconception(
            "no barrier",
            edit("    __syncthreads();\n", ""),
            "Threads read shared memory while others still fill it.",
            "All loads have to be done before the first product.",
        ),
        Misconception(
            "a halo for a stride of 1",
            edit(
                *("(ROWS - 1) * s_h + k_h", "ROWS + k_h - 1"),
                *("(COLUMNS - 1) * s_w + k_w", "COLUMNS + k_w - 1"),
            ),
            "With a stride of 1 all is right. Otherwise the tile is too small.",
            "`n` outputs read `(n - 1) * s + k` pixels.",
        ),
        Misconception(
            "bounds that are not tested",
            [
                edit("row < i_h && value < i_w * i_c ?", "row < i_h ?"),
                edit("k < k_c ? w", "true ? w"),
                edit("k < k_c && v < o_w && h < o_h", "k < k_c"),
            ],
            "The last tiles load or store beyond the arrays.",
            "A tile can reach beyond the image, the filters or the output, so test each of them.",
            mend="`row < i_h && value < i_w * i_c` for `x`, `k < k_c` for `w`, and `k < k_c && v <"
            " o_w && h < o_h` for `y`",
        ),
        Misconception(
            "a grid that is too small",
            edit(
                "-(-p.o_w // columns), -(-p.o_h // rows), -(-p.k_c // lanes)",
                "max(1, p.o_w // columns), max(1, p.o_h // rows), max(1, p.k_c // lanes)",
            ),
            "The last rows, columns or filters are never written.",
            "Round up in each direction: `-(-size // tile)`.",
            mend="`grid = -(-p.o_w // columns), -(-p.o_h // rows), -(-p.k_c // lanes)`",
        ),
    ],
)
