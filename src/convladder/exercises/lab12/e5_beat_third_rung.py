"""Lab 12, exercise 5: a kernel that reads shared memory less often than the third rung."""

from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit
from .e1_load_a_fragment import halves, product

TILE = 128 * 128 * 64  # multiply-adds of a block in one slice
REQUESTS = 200  # to shared memory for each; the third rung makes 256
SECTORS = 1024  # loaded for each, if tiles of A and B come once


def beat_third_rung(sizes):
    m, n, k = sizes
    source = r"""
#include <cuda_fp16.h>
#include <convladder/tensor_core.cuh>
#define WARPS_DOWN 2
#define WARPS_ACROSS 2
#define THREADS (32 * WARPS_DOWN * WARPS_ACROSS)
#define WM (128 / WARPS_DOWN)
#define WN (128 / WARPS_ACROSS)

__device__ int place(int row, int chunk)
{
    return row * 64 + (chunk ^ row % 8) * 8;
}

extern "C" __global__ void product(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(128) __half as[128 * 64], bs[128 * 64];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int m0 = blockIdx.y * 128, n0 = blockIdx.x * 128;
    int wm = warp / WARPS_ACROSS * WM, wn = warp % WARPS_ACROSS * WN;
    float sum[WM / 16][WN / 8][4] = {};
    for (int k0 = 0; k0 < k; k0 += 64) {
        for (int i = threadIdx.x; i < 1024; i += THREADS) {
            int row = i / 8, chunk = i % 8;
            *(uint4 *)(as + place(row, chunk)) = *(uint4 *)(a + (m0 + row) * k + k0 + chunk * 8);
            *(uint4 *)(bs + place(row, chunk)) = *(uint4 *)(b + (n0 + row) * k + k0 + chunk * 8);
        }
        __syncthreads();
        for (int chunk = 0; chunk < 8; chunk += 2) {
            unsigned fa[WM / 16][4], fb[WN / 16][4];
            for (int i = 0; i < WM / 16; i++)
                ldmatrix_x4(fa[i], as + place(wm + i * 16 + lane % 16, chunk + lane / 16));
            for (int j = 0; j < WN / 16; j++)
                ldmatrix_x4(fb[j], bs + place(wn + j * 16 + lane % 8 + lane / 16 * 8,
                                              chunk + lane / 8 % 2));
            for (int i = 0; i < WM / 16; i++)
                for (int j = 0; j < WN / 8; j++) {
                    unsigned part[2] = {fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]};
                    mma_m16n8k16(sum[i][j], fa[i], part);
                }
        }
        __syncthreads();
    }
    for (int i = 0; i < WM / 16; i++)
        for (int j = 0; j < WN / 8; j++)
            for (int r = 0; r < 4; r++)
                c[(m0 + wm + i * 16 + r / 2 * 8 + lane / 4) * n
                  + n0 + wn + j * 8 + lane % 4 * 2 + r % 2] = sum[i][j][r];
}
"""
    return source, (n // 128, m // 128), 128


READY = "        __syncthreads();\n        for (int chunk = 0;"
DONE = "        __syncthreads();\n    }\n    for (int i = 0;"

EXERCISE = Exercise(
    name="beat_third_rung",
    lab=12,
    task="A product in tiles of 128 x 128 with fewer wavefronts than the third rung's.",
    solution=beat_third_rung,
    reference=lambda a, b, sizes: product(a, b),
    cases=lambda rng: [(256, 128, 64), (128, 256, 64), (128, 128, 128)],
    inputs=lambda fill, m, n, k: (*halves(fill, m, n, k), (m, n, k)),
    valid=lambda m, n, k: min(m, n, k) > 0 and m % 128 == n % 128 == k % 64 == 0,
    budget=lambda a, b, sizes: {
        "shared_requests": REQUESTS * sizes[0] * sizes[1] * sizes[2] // TILE,
        "global_load_sectors": SECTORS * sizes[0] * sizes[1] * sizes[2] // TILE,
        "shared_conflicts": 0,
    },
    kernel=KernelSpec("product", lambda a, b, sizes: (a, b, OUT, *sizes[1:])),
    mend="`WARPS_DOWN 2`, `WARPS_ACROSS 2`, and 128 threads: each warp has 64 x 64 sums",
    misconceptions=[
        Misconception(
            "warps with too small or too narrow a part",
            [
                edit("WARPS_ACROSS 2", "WARPS_ACROSS 4", "m // 128), 128", "m // 128), 256"),
                edit("WARPS_DOWN 2", "WARPS_DOWN 4", "m // 128), 128", "m // 128), 256"),
                edit("WARPS_DOWN 2", "WARPS_DOWN 1", "WARPS_ACROSS 2", "WARPS_ACROSS 4"),
                edit("WARPS_DOWN 2", "WARPS_DOWN 4", "WARPS_ACROSS 2", "WARPS_ACROSS 1"),
            ],
            "The values are right, without conflicts, but with too many requests to shared memory.",
            "A warp reads `WM + WN` rows for `WM * WN` sums. Large squares need the fewest rows.",
        ),
        Misconception(
            "a launch with the wrong number of threads",
            [
                edit("m // 128), 128", "m // 128), 256"),
                edit("m // 128), 128", "m // 128), 64"),
            ],
            "Warps work outside the tile, or a part of it has no warp.",
            "The block needs 32 threads for each of its warps.",
        ),
        Misconception(
            "a grid the wrong way round",
            edit("(n // 128, m // 128)", "(m // 128, n // 128)"),
            "Square results are right. Others lack blocks on one side, and have some outside.",
            "The kernel takes its columns from `blockIdx.x`, so `n // 128` comes first.",
            mend="`return source, (n // 128, m // 128), 128`",
        ),
        Misconception(
            "a missing barrier",
            [
                edit(READY, "        for (int chunk = 0;"),
                edit(DONE, "    }\n    for (int i = 0;"),
            ],
            "Warps read a tile that others still fill, or fill one that others still read.",
            "One barrier says that the tiles are there, the other that they have been read.",
            mend="`__syncthreads();` once the slice is loaded, and once it is multiplied",
        ),
        Misconception(
            "no swizzle",
            edit("(chunk ^ row % 8) * 8", "chunk * 8"),
            "`ldmatrix` takes seven more turns for each of its four matrices.",
            "Rows of 64 halves fill the banks once, so eight rows of one chunk share four banks.",
            mend="`return row * 64 + (chunk ^ row % 8) * 8;`",
        ),
        Misconception(
            "B dealt out like A",
            edit(
                "lane % 8 + lane / 16 * 8,\n                                              "
                "chunk + lane / 8 % 2",
                "lane % 16,\n                                              chunk + lane / 16",
            ),
            "Halves of B's columns and of its slices are exchanged.",
            "For B the second matrix of `ldmatrix` is the same eight columns, eight values further "
            "along `k`.",
            mend="`ldmatrix_x4(fb[j], bs + place(wn + j * 16 + lane % 8 + lane / 16 * 8, chunk + "
            "lane / 8 % 2));`",
        ),
    ],
)
