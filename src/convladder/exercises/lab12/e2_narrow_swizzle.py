"""Lab 12, exercise 2: a swizzle for tiles whose rows have 64 bytes."""

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit
from .e1_load_a_fragment import halves, product

SOURCE = r"""
#include <cuda_fp16.h>
#include <convladder/tensor_core.cuh>

__device__ int place(int row, int chunk)
{
    return row * 32 + (chunk ^ row / 2 % 4) * 8;
}

extern "C" __global__ void product(const __half *a, const __half *b, float *c, int k)
{
    extern __shared__ __align__(128) __half as[];  // the launch gives 2,048 bytes for both tiles
    __half *bs = as + 16 * 32;
    int lane = threadIdx.x;
    float left[4] = {}, right[4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int i = lane; i < 64; i += 32) {
            int row = i / 4, chunk = i % 4;
            *(uint4 *)(as + place(row, chunk)) = *(const uint4 *)(a + row * k + k0 + chunk * 8);
            *(uint4 *)(bs + place(row, chunk)) = *(const uint4 *)(b + row * k + k0 + chunk * 8);
        }
        __syncthreads();
        for (int chunk = 0; chunk < 4; chunk += 2) {
            unsigned fa[4], fb[4];
            ldmatrix_x4(fa, as + place(lane % 16, chunk + lane / 16));
            ldmatrix_x4(fb, bs + place(lane % 8 + lane / 16 * 8, chunk + lane / 8 % 2));
            unsigned b_left[2] = {fb[0], fb[1]}, b_right[2] = {fb[2], fb[3]};
            mma_m16n8k16(left, fa, b_left);
            mma_m16n8k16(right, fa, b_right);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int at = (lane / 4 + i / 2 * 8) * 16 + lane % 4 * 2 + i % 2;
        c[at] = left[i];
        c[at + 8] = right[i];
    }
}
"""
PLACE = "row * 32 + (chunk ^ row / 2 % 4) * 8"

EXERCISE = Exercise(
    name="narrow_swizzle",
    lab=12,
    task="Places for the chunks of a tile with rows of 64 bytes, without bank conflicts.",
    solution=SOURCE,
    reference=product,
    cases=lambda rng: [(32,), (32 * whole(rng, 2, 4),), (160,)],
    inputs=lambda fill, k: halves(fill, 16, 16, k),
    valid=lambda k: k > 0 and k % 32 == 0,
    budget=lambda a, b: {
        "shared_conflicts": 0,
        "shared_requests": 8 * (a.shape[1] // 32),
    },
    kernel=KernelSpec("product", lambda a, b: (a, b, OUT, a.shape[1]), lambda a, b: (1, 32, 2048)),
    mend="`return row * 32 + (chunk ^ row / 2 % 4) * 8;`",
    misconceptions=[
        Misconception(
            "no swizzle",
            edit(PLACE, "row * 32 + chunk * 8"),
            "In most requests four chunks meet in the same banks.",
            "Two rows of four chunks fill the 32 banks once. Where the chunks of each pair of rows "
            "lie alike, those of every second row meet. Their order must change from pair to pair.",
        ),
        Misconception(
            "a shift that changes in the wrong rows",
            [
                edit(PLACE, "row * 32 + (chunk ^ row % 4) * 8"),
                edit(PLACE, "row * 32 + (chunk + row) % 4 * 8"),
                edit(PLACE, "row * 32 + (chunk ^ row / 4 % 4) * 8"),
            ],
            "Some conflicts are left: in some requests two chunks meet in the same banks.",
            "Rows 0 and 1 never meet. The shift has to change with every second row, `row / 2`, "
            "and to take four values.",
        ),
        Misconception(
            "the swizzle of wider rows",
            [
                edit(PLACE, "row * 32 + (chunk ^ row % 8) * 8"),
                edit(PLACE, "row * 64 + (chunk ^ row % 8) * 8"),
                edit(PLACE, "row * 32 + (chunk ^ row / 2) * 8"),
            ],
            "Chunks leave their row, or the tile.",
            "A row has 32 values, and four chunks of 8: `row * 32` plus 0, 8, 16 or 24. What you "
            "combine with `chunk` must be 0 to 3.",
        ),
        Misconception(
            "padding",
            edit(PLACE, "row * 40 + chunk * 8"),
            "Rows are longer than 64 bytes, and the last ones lie beyond their tile.",
            "The two tiles fill their 2,048 bytes. A swizzle changes the order within a row.",
        ),
        Misconception(
            "chunks counted as halves",
            edit(PLACE, "row * 32 + (chunk ^ row / 2 % 4)"),
            "Vectors begin at addresses that are not a multiple of 16 bytes.",
            "A chunk has eight halves, so its place counts eight times.",
        ),
    ],
)
