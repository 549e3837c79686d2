"""Lab 12, exercise 4: which phase of a barrier a slice belongs to."""

import numpy as np

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SOURCE = r"""
#include <convladder/tensor_core.cuh>
#define STAGES 3

__device__ int filled(int slice)
{
    return slice / STAGES & 1;
}

__device__ int emptied(int slice)
{
    return slice / STAGES - 1 & 1;
}

extern "C" __global__ void add_slices(const float *x, float *y, int slices)
{
    __shared__ __align__(128) float ring[STAGES][64];
    __shared__ mbarrier full[STAGES], empty[STAGES];
    int tid = threadIdx.x, asked = 0;
    float sum = 0;
    if (tid == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            mbarrier_init(full + stage, 1);
            mbarrier_init(empty + stage, 64);
        }
        fence_proxy_async();
    }
    __syncthreads();
    for (int slice = 0; slice < slices; slice++) {
        for (; tid == 0 && asked < slices && asked < slice + STAGES - 1; asked++) {
            int stage = asked % STAGES;
            if (asked >= STAGES) mbarrier_wait_parity(empty + stage, emptied(asked));
            mbarrier_arrive_expect_tx(full + stage, 256);
            cp_async_bulk(ring[stage], x + asked * 64, 256, full + stage);
        }
        mbarrier_wait_parity(full + slice % STAGES, filled(slice));
        sum += ring[slice % STAGES][tid];
        mbarrier_arrive(empty + slice % STAGES);
    }
    y[tid] = sum;
}
"""
FILLED = "return slice / STAGES & 1;"
EMPTIED = "return slice / STAGES - 1 & 1;"

EXERCISE = Exercise(
    name="phase_bit",
    lab=12,
    task="The parities to wait for in a ring of three stages that the copy engine fills.",
    solution=SOURCE,
    reference=lambda x: x.sum(0, dtype=np.float64).astype(np.float32),
    cases=lambda rng: [(1,), (3,), (4,), (7,), (whole(rng, 8, 12),), (14,)],
    inputs=lambda fill, slices: (fill(slices, 64),),
    valid=lambda slices: slices > 0,
    kernel=KernelSpec("add_slices", lambda x: (x, OUT, x.shape[0]), lambda x: (1, 64)),
    mend="`filled`: `slice / STAGES & 1`; `emptied`: `slice / STAGES - 1 & 1`",
    misconceptions=[
        Misconception(
            "always the first phase",
            edit(FILLED, "return 0;", EMPTIED, "return 0;"),
            "The first slice of each stage is waited for, and some later ones aren't.",
            "A barrier goes on to its next phase each time its stage is filled, and the parity "
            "alternates.",
        ),
        Misconception(
            "a parity that changes with every slice",
            edit(FILLED, "return slice & 1;", EMPTIED, "return slice - 1 & 1;"),
            "A slice of the first round already waits for a second phase.",
            "Each stage has a barrier of its own. It moves on once in `STAGES` slices.",
        ),
        Misconception(
            "parities exchanged",
            edit(FILLED, "return slice / STAGES + 1 & 1;"),
            "A wait for the first slices returns before they have arrived, or never.",
            "Phases count from 0, so the first filling of a stage has parity 0. A wait for parity "
            "1 on a new barrier returns at once.",
        ),
        Misconception(
            "the same phase for both barriers",
            edit(EMPTIED, FILLED),
            "A stage's second filling waits for the readers of that second filling.",
            "Before slice 3 overwrites slice 0, the readers of slice 0 must be done: phase 0 of "
            "`empty`, one behind the phase of `full`.",
        ),
    ],
)
