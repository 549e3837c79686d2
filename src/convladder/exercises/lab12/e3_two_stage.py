"""Lab 12, exercise 3: a pipeline of two stages with cp.async."""

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit
from .e1_load_a_fragment import halves, product

SLICE = 2 * 16 * 32 * 2  # bytes of a tile of A and one of B

SOURCE = r"""
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <convladder/tensor_core.cuh>

__device__ int place(int row, int chunk)
{
    return row * 32 + (chunk ^ row / 2 % 4) * 8;
}

__device__ void fetch(__half *tile, const __half *from, int k)
{
    for (int i = threadIdx.x; i < 64; i += 32)
        __pipeline_memcpy_async(tile + place(i / 4, i % 4), from + i / 4 * k + i % 4 * 8, 16);
}

__device__ void multiply(float (&sum)[2][4], const __half *as, const __half *bs)
{
    int lane = threadIdx.x;
    for (int chunk = 0; chunk < 4; chunk += 2) {
        unsigned fa[4], fb[4];
        ldmatrix_x4(fa, as + place(lane % 16, chunk + lane / 16));
        ldmatrix_x4(fb, bs + place(lane % 8 + lane / 16 * 8, chunk + lane / 8 % 2));
        for (int j = 0; j < 2; j++) {
            unsigned part[2] = {fb[2 * j], fb[2 * j + 1]};
            mma_m16n8k16(sum[j], fa, part);
        }
    }
}

extern "C" __global__ void product(const __half *a, const __half *b, float *c, int k)
{
    __shared__ __align__(128) __half as[2][16 * 32], bs[2][16 * 32];
    float sum[2][4] = {};
    int slices = k / 32, lane = threadIdx.x;
    fetch(as[0], a, k);
    fetch(bs[0], b, k);
    __pipeline_commit();
    for (int s = 0; s < slices; s++) {
        if (s + 1 < slices) {
            fetch(as[(s + 1) % 2], a + (s + 1) * 32, k);
            fetch(bs[(s + 1) % 2], b + (s + 1) * 32, k);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        multiply(sum, as[s % 2], bs[s % 2]);
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        c[(lane / 4 + i / 2 % 2 * 8) * 16 + i / 4 * 8 + lane % 4 * 2 + i % 2] = sum[i / 4][i % 4];
}
"""
READY = "        __syncthreads();\n        multiply"
DONE = "        __syncthreads();\n    }"
WAIT = "        __pipeline_wait_prior(1);\n"

EXERCISE = Exercise(
    name="two_stage",
    lab=12,
    task="A product on tensor cores, with the next slice on its way during each multiplication.",
    solution=SOURCE,
    reference=product,
    cases=lambda rng: [(32,), (64,), (32 * whole(rng, 3, 5),), (256,)],
    inputs=lambda fill, k: halves(fill, 16, 16, k),
    valid=lambda k: k > 0 and k % 32 == 0,
    budget=lambda a, b: {"exposed_bytes": SLICE},
    kernel=KernelSpec("product", lambda a, b: (a, b, OUT, a.shape[1]), lambda a, b: (1, 32)),
    mend="Fetch slice 0 and commit. In round `s`: fetch slice `s + 1` if there is one, commit, "
    "`__pipeline_wait_prior(1)`, a barrier, `multiply`, a barrier",
    misconceptions=[
        Misconception(
            "a wait for everything",
            [
                edit(WAIT, WAIT.replace("1", "0")),
                edit(
                    "__pipeline_memcpy_async(tile + place(i / 4, i % 4), "
                    "from + i / 4 * k + i % 4 * 8, 16);",
                    "*(uint4 *)(tile + place(i / 4, i % 4)) = "
                    "*(const uint4 *)(from + i / 4 * k + i % 4 * 8);",
                ),
            ],
            "The values are right, but nothing is multiplied while a copy is on its way.",
            "Only copies that the multiplication doesn't wait for overlap with it: "
            "`__pipeline_wait_prior(1)` leaves the newest group on its way.",
        ),
        Misconception(
            "no wait, or one that is too short",
            [edit(WAIT, ""), edit(WAIT, WAIT.replace("1", "2"))],
            "You multiply a slice that hasn't arrived.",
            "Two groups are on their way. The older one holds this slice: wait until one is left.",
        ),
        Misconception(
            "no group in the last round",
            edit(
                "k);\n        }\n        __pipeline_commit();",
                "k);\n            __pipeline_commit();\n        }",
            ),
            "Only the last slice is multiplied before it has arrived.",
            "`__pipeline_wait_prior(1)` counts groups. In the last round the newest group would "
            "hold this slice itself. Commit an empty group there.",
        ),
        Misconception(
            "a missing barrier",
            [edit(READY, "        multiply"), edit(DONE, "    }")],
            "Lanes read what others are still copying, or copy over what others still read.",
            "A wait covers a thread's own copies. Only a barrier covers those of the others.",
        ),
        Misconception(
            "one place for both slices",
            [
                edit("as[(s + 1) % 2]", "as[s % 2]", "bs[(s + 1) % 2]", "bs[s % 2]"),
                edit("multiply(sum, as[s % 2], bs[s % 2])", "multiply(sum, as[0], bs[0])"),
            ],
            "The next slice overwrites the current one, or the wrong buffer is multiplied.",
            "Slice `s` is in buffer `s % 2`, and the next slice goes into the other buffer.",
            mend="`fetch(as[(s + 1) % 2], a + (s + 1) * 32, k);` and `multiply(sum, as[s % 2], "
            "bs[s % 2]);`",
        ),
    ],
)
