"""Lab 06, exercise 5: a histogram that hardly queues in global memory."""

from __future__ import annotations

import numpy as np

from ....photo import photo
from ...grading.exercise import ZEROS, Exercise, KernelTask, Misconception
from .sources import edited

BLOCKS, THREADS, BINS = 4, 256, 256

SOURCE = r"""
extern "C" __global__ void histogram(const unsigned char *x, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[x[i]], 1u);
    __syncthreads();
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
ZEROED = "    mine[threadIdx.x] = 0;\n    __syncthreads();\n"
LOOP = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"
COUNT, ADD = "atomicAdd(&mine[x[i]], 1u);", "atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);"
LAST = "    __syncthreads();\n    atomicAdd(&bins"


def histogram(x):
    return np.bincount(x, minlength=BINS).astype(np.uint32)


def _grey() -> np.ndarray:
    return (255 * photo(64, grey=True)[:, :, 0]).astype(np.uint8).ravel()


EXERCISE = Exercise(
    name="histogram",
    lab=6,
    reference=histogram,
    task="Count 256 grey values, in shared memory first.",
    cases=lambda rng: [
        (np.array([3, 1, 3, 255, 0, 3, 1, 200, 3, 0], np.uint8),),
        (np.full(777, 9, np.uint8),),
        (rng.integers(0, 256, 5000).astype(np.uint8),),
        (_grey(),),
    ],
    kernel=KernelTask(
        name="histogram",
        solution=SOURCE,
        arguments=lambda x: (x, ZEROS, x.size),
        launch=lambda x: (BLOCKS, THREADS),
        budget=lambda x: {"global_atomics": BLOCKS * BINS},
    ),
    misconceptions=[
        Misconception(
            "each pixel in global memory",
            GLOBAL,
            symptom="The counts are right, with about as many atomic operations on global memory "
            "as there are pixels.",
            concept="Pixels of one value queue at one address, and all blocks queue at the same "
            "256. Let each block count in bins of its own in shared memory, and add these "
            "up in the end: privatisation.",
            line="`__shared__ unsigned mine[256];`, cleared; a barrier; `atomicAdd(&mine[x[i]], "
            "1u)`; a barrier; then one `atomicAdd` to `bins` for each bin.",
        ),
        Misconception(
            "counted without an atomic",
            edited(SOURCE, (COUNT, "mine[x[i]]++;")),
            symptom="Threads of a block count in one bin at the same time, and lose counts.",
            concept="To count up is to read, add and write. Between the read and the write another "
            "thread does the same with the old value, in shared memory too.",
            line="`atomicAdd(&mine[x[i]], 1u);`",
        ),
        Misconception(
            "added without an atomic",
            edited(SOURCE, (ADD, "bins[threadIdx.x] += mine[threadIdx.x];")),
            symptom="Within a block all is well; the blocks then read, add to and write the same "
            "bins, each for itself.",
            concept="Nothing orders two blocks of one launch: no barrier, nor their numbers.",
            line="`atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);`",
        ),
        Misconception(
            "written over",
            edited(SOURCE, (ADD, "bins[threadIdx.x] = mine[threadIdx.x];")),
            symptom="Blocks write into the same bins, over what others have put there.",
            concept="`bins`, which begins with zeros, is the sum of all blocks: of four parts.",
            line="Only add, in one step: `atomicAdd(&bins[...], mine[...])`.",
        ),
        Misconception(
            "bins not cleared",
            edited(SOURCE, (ZEROED, "")),
            symptom="Your block adds to what nobody has written: shared memory begins with "
            "whatever was there.",
            concept="`bins` was filled with zeros by the host. Nobody does that for shared memory.",
            line="`mine[threadIdx.x] = 0;` and a barrier, before the loop.",
        ),
        Misconception(
            "cleared, and not waited for",
            edited(SOURCE, (ZEROED, "    mine[threadIdx.x] = 0;\n")),
            symptom="A thread counts in a bin that another thread has yet to clear.",
            concept="A bin is cleared by one thread, and counted in by anyone: all have to wait "
            "until every bin is cleared.",
            line="`__syncthreads();` between clearing and counting.",
        ),
        Misconception(
            "added before all have counted",
            edited(SOURCE, (LAST, "    atomicAdd(&bins")),
            symptom="A thread reads its bin while others still count in it.",
            concept="Atomic operations order those who count. Who reads the result has to wait "
            "for all of them.",
            line="`__syncthreads();` between counting and adding up.",
        ),
        Misconception(
            "every block counts all",
            edited(SOURCE, (LOOP, "for (int i = threadIdx.x; i < n; i += blockDim.x)")),
            symptom="Your counts are four times as large as they should be, as if each of the four "
            "blocks counted every pixel.",
            concept="Each pixel belongs to one thread of one block. `threadIdx.x` begins at 0 in "
            "every block: by itself it does not say which pixels are a thread's own.",
            line="Begin at `blockIdx.x * blockDim.x + threadIdx.x`, go on by "
            "`gridDim.x * blockDim.x`.",
        ),
        Misconception(
            "a pixel a thread",
            edited(
                SOURCE,
                (
                    "    " + LOOP + "\n        " + COUNT,
                    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) " + COUNT,
                ),
            ),
            symptom="Up to 1,024 pixels all is right; the rest of a larger image is not counted.",
            concept="The launch has 4 blocks of 256 threads whatever the image: each thread takes "
            "several pixels.",
            line="A loop that goes on by the number of all threads, `gridDim.x * blockDim.x`.",
        ),
        Misconception(
            "on by a block",
            edited(SOURCE, ("i += gridDim.x * blockDim.x", "i += blockDim.x")),
            symptom="Pixels behind the first block's are counted more than once.",
            concept="All blocks walk through the image together, so a thread's next pixel lies "
            "*four* blocks further on.",
            line="`i += gridDim.x * blockDim.x`.",
        ),
        Misconception(
            "signed bytes",
            edited(SOURCE, ("const unsigned char *x", "const signed char *x")),
            symptom="Your kernel takes its pixels for signed numbers: bright ones would be "
            "negative.",
            concept="A `char` may go from -128 to 127. Grey values go from 0 to 255.",
            line="`const unsigned char *x`, and no `signed char` or `char` for a pixel.",
        ),
        Misconception(
            "one too far",
            edited(SOURCE, ("i < n;", "i <= n;")),
            symptom="One thread reads behind the last pixel.",
            concept="`n` pixels are numbered from 0 to `n - 1`.",
            line="`i < n`.",
        ),
        Misconception(
            "every thread adds all bins",
            edited(
                SOURCE,
                (
                    ADD,
                    "for (int b = 0; b < 256; b++)\n        if (mine[b]) "
                    "atomicAdd(&bins[b], mine[b]);",
                ),
            ),
            symptom="Your counts are 256 times too large: each thread of a block adds the whole "
            "histogram.",
            concept="A block has 256 threads and 256 bins: one for each.",
            line="`atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);`, with no loop.",
        ),
        Misconception(
            "the value added",
            edited(SOURCE, (COUNT, "atomicAdd(&mine[x[i]], x[i]);")),
            symptom="Bin 3 has four pixels, and you say 12: you add up the grey values.",
            concept="A histogram counts: each pixel adds one to the bin of its value.",
            line="Add 1: `atomicAdd(&mine[x[i]], 1u);`",
        ),
        Misconception(
            "threads that leave early",
            edited(
                SOURCE,
                (
                    "    __shared__ unsigned mine",
                    "    if (blockIdx.x * blockDim.x + threadIdx.x >= "
                    "n) return;\n    __shared__ unsigned mine",
                ),
            ),
            symptom="Threads without a pixel miss a barrier at which the others wait: they have "
            "returned, or it stands in a branch or a loop that they do not take.",
            concept="A thread without a pixel still has a bin to clear and to add, and has to "
            "come to every barrier.",
            line="No `return`, and no barrier inside the loop: its own test is enough.",
        ),
        Misconception(
            "the pixel's number as bin",
            edited(SOURCE, (COUNT, "atomicAdd(&mine[i % 256], 1u);")),
            symptom="All bins come out nearly alike: you count places, not values.",
            concept="The bin is the grey value, `x[i]`; `i` only says which pixel it is.",
            line="`mine[x[i]]`.",
        ),
        Misconception(
            "only one warp's bins",
            edited(SOURCE, (ADD, "if (threadIdx.x < 32) " + ADD)),
            symptom="The first 32 grey values are right, all others are 0.",
            concept="32 threads add 32 bins. There are 256.",
            line="Let all 256 threads of the block add a bin each.",
        ),
        Misconception(
            "begun at the thread's number",
            edited(
                SOURCE, ("int i = blockIdx.x * blockDim.x + threadIdx.x;", "int i = threadIdx.x;")
            ),
            symptom="Of each 1,024 pixels all blocks count the first 256, none the others.",
            concept="`threadIdx.x` begins at 0 in every block; only the step of your loop knows "
            "of the others.",
            line="Begin at `blockIdx.x * blockDim.x + threadIdx.x`.",
        ),
        Misconception(
            "one bin at a time by one thread",
            edited(
                SOURCE,
                (
                    ADD,
                    "if (threadIdx.x == 0)\n        for (int b = 0; b < 255; b++) "
                    "atomicAdd(&bins[b], mine[b]);",
                ),
            ),
            symptom="Your last bin stays 0.",
            concept="Values go from 0 to 255: 256 bins, one for each thread of a block.",
            line="`atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);` by every thread.",
        ),
        Misconception(
            "black left out",
            edited(SOURCE, (COUNT, "if (x[i]) " + COUNT)),
            symptom="All bins are right but bin 0.",
            concept="0 is a grey value like the others: black.",
            line="Count every value and add every bin, number 0 too.",
        ),
        Misconception(
            "one block's bins",
            edited(
                SOURCE,
                ("    atomicAdd(&bins[", "    if (blockIdx.x == 0)\n        atomicAdd(&bins["),
            ),
            symptom="Only the pixels that block 0 has seen are counted.",
            concept="Each of the four blocks has counted a part, and all parts are added.",
            line="`atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);` in every block.",
        ),
        Misconception(
            "half as many bins",
            edited(SOURCE, ("&mine[x[i]]", "&mine[x[i] / 2]")),
            symptom="Two grey values share a bin with you.",
            concept="There are 256 bins for 256 values: the value is the bin's number.",
            line="`mine[x[i]]`, with nothing done to `x[i]`.",
        ),
        Misconception(
            "on by the number of blocks",
            edited(SOURCE, ("i += gridDim.x * blockDim.x", "i += gridDim.x")),
            symptom="Pixels from the fifth on are counted too often, by every fourth thread.",
            concept="In a round the whole grid takes `gridDim.x * blockDim.x` pixels, and goes on "
            "by as many.",
            line="Multiply `gridDim.x` by `blockDim.x`.",
        ),
        Misconception(
            "one for each block",
            edited(SOURCE, (ADD, "atomicAdd(&bins[threadIdx.x], 1u);")),
            symptom="Every bin comes out as 4, the number of blocks.",
            concept="What a block adds is what it has counted.",
            line="The last argument is `mine[threadIdx.x]`.",
        ),
        Misconception(
            "count and bin exchanged",
            edited(SOURCE, (ADD, "atomicAdd(&bins[mine[threadIdx.x] % 256], threadIdx.x);")),
            symptom="You add the bin's number where its count belongs.",
            concept="`atomicAdd(place, amount)`: the place is the bin, the amount its count.",
            line="Place `&bins[threadIdx.x]`, amount `mine[threadIdx.x]`.",
        ),
        Misconception(
            "the remainder of the pixels",
            edited(SOURCE, ("i < n;", "i + 1 < n;")),
            symptom="The last pixel is never counted.",
            concept="Pixels go from 0 to `n - 1`.",
            line="`i < n` in the loop, with nothing added.",
        ),
        Misconception(
            "some bins cleared",
            edited(
                SOURCE,
                ("    mine[threadIdx.x] = 0;", "    if (threadIdx.x < 32) mine[threadIdx.x] = 0;"),
            ),
            symptom="You clear a part of the 256 bins, and add to the others as they are.",
            concept="Each of the 256 threads has a bin to clear.",
            line="`mine[threadIdx.x] = 0;` for every thread.",
        ),
        Misconception(
            "a quarter for each block, and a rest",
            edited(
                SOURCE,
                (
                    LOOP,
                    "for (int i = blockIdx.x * (n / gridDim.x) + threadIdx.x;\n"
                    "         i < (blockIdx.x + 1) * (n / gridDim.x); "
                    "i += blockDim.x)",
                ),
            ),
            symptom="Up to three pixels at the end belong to no block.",
            concept="`n / 4` rounds down, and four times that may be less than `n`.",
            line="Begin at `blockIdx.x * blockDim.x + threadIdx.x`, go on by `gridDim.x * "
            "blockDim.x`, as long as `i < n`.",
        ),
        Misconception(
            "as many pixels for each thread",
            edited(SOURCE, ("i < n;", "i < n / 1024 * 1024;")),
            symptom="Where `n` is a multiple of 1,024 all is right; else the last pixels, fewer "
            "than 1,024, are not counted.",
            concept="`n` over 1,024 threads rounds down: of 10 pixels each would have none.",
            line="Let `i` go on by `gridDim.x * blockDim.x` as long as `i < n`: then some threads "
            "take one pixel more.",
        ),
    ],
)
