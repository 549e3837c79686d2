"""Lab 07, exercise 5: a histogram that hardly queues in global memory."""

import numpy as np

from ...core.photo import photo
from ..draws import whole
from ..exercise import ZEROS, Exercise, KernelSpec, Misconception, edit

SOURCE = r"""
extern "C" __global__ void histogram(const unsigned char *x, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();  // all bins are cleared
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[x[i]], 1u);
    __syncthreads();  // all pixels are counted
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
"""
GLOBAL = r"""
extern "C" __global__ void histogram(const unsigned char *x, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i]], 1u);
}
"""
BEGIN, STEP = "blockIdx.x * blockDim.x + threadIdx.x;", "i += gridDim.x * blockDim.x"
COUNT, ADD = "atomicAdd(&mine[x[i]], 1u);", "atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);"
CLEAR = "    mine[threadIdx.x] = 0;\n"
CLEARED = "    __syncthreads();  // all bins are cleared\n"
COUNTED = "    __syncthreads();  // all pixels are counted\n"

PIXELS = {
    "drawn": lambda fill, n: np.abs(37 * fill(n)) % 256,
    "all alike": lambda fill, n: np.full(n, 9),
    "photograph": lambda fill, n: 255 * photo(64, grey=True).ravel()[:n],
}


def histogram(x):
    return np.bincount(x, minlength=256).astype(np.uint32)


EXERCISE = Exercise(
    name="histogram",
    lab=7,
    task="Count 256 grey values, in shared memory first.",
    solution=SOURCE,
    reference=histogram,
    cases=lambda rng: [
        (10, "drawn"),
        (777, "all alike"),
        (whole(rng, 4200, 5000), "drawn"),
        (4096, "photograph"),
    ],
    inputs=lambda fill, n, pixels: (PIXELS[pixels](fill, n).astype(np.uint8),),
    valid=lambda n, pixels: n > 0,
    budget=lambda x: {"global_atomics": 4 * 256},  # one for each block and bin
    kernel=KernelSpec("histogram", lambda x: (x, ZEROS, x.size), lambda x: (4, 256)),
    mend="`mine[threadIdx.x] = 0;`, a barrier, the loop from `blockIdx.x * blockDim.x + "
    "threadIdx.x` on by `gridDim.x * blockDim.x` with `atomicAdd(&mine[x[i]], 1u);`, a barrier, "
    "and `atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);`",
    misconceptions=[
        Misconception(
            "every pixel counted in global memory",
            GLOBAL,
            "The counts are right, with an atomic operation on global memory for each pixel.",
            "Privatise: a block counts in shared memory first, and adds each of its bins to "
            "`bins` once.",
        ),
        Misconception(
            "a count without an atomic operation",
            edit(COUNT, "mine[x[i]] += 1;"),
            "Threads of a block count in the same bin at once, and counts get lost.",
            "`+=` reads, adds and writes. Between the read and the write another thread can write.",
        ),
        Misconception(
            "blocks that overwrite each other",
            [
                edit(ADD, "bins[threadIdx.x] += mine[threadIdx.x];"),
                edit(ADD, "bins[threadIdx.x] = mine[threadIdx.x];"),
            ],
            "Within a block all is right, but the four blocks write the same `bins`.",
            "Blocks run at the same time and nothing orders them, so only `atomicAdd` keeps what "
            "the others have added.",
        ),
        Misconception(
            "bins not cleared",
            edit(CLEAR, ""),
            "Your block adds to shared memory that nobody has written.",
            "Shared memory begins with whatever the last block left there. Each thread clears "
            "one bin.",
        ),
        Misconception(
            "a missing barrier",
            [edit(CLEARED, ""), edit(COUNTED, ""), edit(CLEARED, "", COUNTED, "")],
            "A thread uses a bin while others have yet to clear it, or still count in it.",
            "Any thread may count in any bin. So all must be cleared before the first count, and "
            "all counted before the bins are added up.",
        ),
        Misconception(
            "pixels counted more than once",
            [
                edit(BEGIN, "threadIdx.x;", STEP, "i += blockDim.x"),
                edit(STEP, "i += blockDim.x"),
            ],
            "Your counts are too large, because several threads count the same pixels.",
            "A thread begins at its number within the grid, and goes on by the number of threads "
            "of the grid.",
        ),
    ],
)
