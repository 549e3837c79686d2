"""Lab 08, exercise 2: a transpose with 4 sectors per request, and no bank conflict."""

from ..draws import wholes
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

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
NAIVE = r"""
extern "C" __global__ void transpose(const float *x, float *y, int i_h, int i_w)
{
    int w = blockIdx.x * 32 + threadIdx.x, h = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (h + j < i_h && w < i_w)
            y[w * i_h + h + j] = x[(h + j) * i_w + w];
}
"""
LOAD, STORE = "if (h + j < i_h && w < i_w)", "if (row + j < i_w && column < i_h)"


def transpose(x):
    return x.T.copy()


def budget(x):
    least = -(-x.size // 8)  # 8 floats a sector
    return {"global_load_sectors": least, "global_store_sectors": least, "shared_conflicts": 0}


EXERCISE = Exercise(
    name="transpose",
    lab=8,
    solution=SOURCE,
    reference=transpose,
    budget=budget,
    task="Transpose with 4 sectors per request and no bank conflict.",
    cases=lambda rng: [(2, 3), (40, 33), wholes(rng, 34, 60), (64, 96)],
    inputs=lambda fill, i_h, i_w: (fill(i_h, i_w),),
    valid=lambda i_h, i_w: i_h > 0 < i_w,
    kernel=KernelSpec(
        "transpose",
        lambda x: (x, OUT, *x.shape),
        lambda x: ((-(-x.shape[1] // 32), -(-x.shape[0] // 32)), (32, 8)),
    ),
    mend="`__shared__ float tile[32][33];` and, behind the barrier, `y[(row + j) * i_h + column] = "
    "tile[threadIdx.x][threadIdx.y + j];`",
    misconceptions=[
        Misconception(
            "stores down the columns",
            NAIVE,
            "Your loads take 4 sectors per request, your stores 32.",
            "A warp writes its 32 values one below the other, each into a sector of its own. In "
            "shared memory a warp can take a column, and then store a row.",
        ),
        Misconception(
            "a column in one bank",
            edit("[33]", "[32]"),
            "Global memory is as good as it can be, but a column of the tile takes 32 turns.",
            "Float i is in bank i % 32. In rows of 32 floats a whole column is in one bank; in "
            "rows of 33 it meets all of them.",
        ),
        Misconception(
            "no barrier",
            edit("__syncthreads();", ""),
            "Threads read values of the tile that other warps have still to write.",
            "A column of the tile is filled by eight warps, so the whole block must wait.",
            mend="`__syncthreads();` between the two loops",
        ),
        Misconception(
            "a tile that is not transposed",
            edit("= tile[threadIdx.x][threadIdx.y + j]", "= tile[threadIdx.y + j][threadIdx.x]"),
            "The tiles are in the right places, but each one is as it was.",
            "What goes into the tile along its rows must come out down its columns.",
        ),
        Misconception(
            "blocks that are not exchanged",
            edit(
                "int row = blockIdx.x",
                "int row = blockIdx.y",
                "int column = blockIdx.y",
                "int column = blockIdx.x",
            ),
            "Within a tile all is transposed, but the tiles are where they were.",
            "The block in row 1, column 0 of `x` belongs in row 0, column 1 of `y`.",
            mend="`int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + "
            "threadIdx.x;`, behind the barrier",
        ),
        Misconception(
            "bounds of x for y",
            [edit(STORE, "if (row + j < i_h && column < i_w)"), edit(STORE, LOAD)],
            "Where the sides aren't equal, or not multiples of 32, places of `y` are left out or "
            "threads store beside it.",
            "`y` has `i_w` rows of `i_h` values. Behind the barrier a thread has another place.",
            mend="`if (row + j < i_w && column < i_h)`, behind the barrier",
        ),
    ],
)
