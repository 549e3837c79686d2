// requires sm_80
// Chapter 12, rung 4: cp.async brings the next slices past the registers while this one is multiplied.
//
// As hgemm_ldmatrix.cu, with STAGES slices in shared memory, all but one of them on their way. WIDE:
// rung 5, whose results leave through shared memory, 16 bytes a lane.
// instances: hgemm_pipelined<3, false>
// instances: hgemm_pipelined<4, true>
#include <cuda_pipeline_primitives.h>
#include "hgemm_warp.cuh"

template <int STAGES, bool WIDE>
__global__ void __launch_bounds__(THREADS)
hgemm_pipelined(const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c,
                int m, int n, int k)
{
    extern __shared__ __align__(128) __half memory[];  // STAGES of a tile of A and one of B
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN, wm = warp / 4 * WM, wn = warp % 4 * WN;
    auto fetch = [&](int slice) {
        if (slice * BK < k) {
            __half* as = memory + slice % STAGES * 2 * TILE;
            #pragma unroll
            for (int i = tid; i < BM * CHUNKS; i += THREADS) {
                int row = i / CHUNKS, chunk = i % CHUNKS;
                __pipeline_memcpy_async(as + swizzled(row, chunk),
                                        a + (size_t)(m0 + row) * k + slice * BK + chunk * 8, 16);
                __pipeline_memcpy_async(as + TILE + swizzled(row, chunk),
                                        b + (size_t)(n0 + row) * k + slice * BK + chunk * 8, 16);
            }
        }
        __pipeline_commit();  // a group a slice, perhaps an empty one
    };
    float sum[MI][NI][4] = {};
    #pragma unroll
    for (int slice = 0; slice < STAGES - 1; slice++) fetch(slice);
    for (int slice = 0; slice * BK < k; slice++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();  // this slice is there, and the one before has been read
        fetch(slice + STAGES - 1);
        const __half* as = memory + slice % STAGES * 2 * TILE;
        multiply(sum, as, as + TILE, wm, wn, lane);
    }
    __pipeline_wait_prior(0);
    if (WIDE) store_rows(sum, memory, c, n, m0, n0, wm, wn);
    else store_pairs(sum, c, n, m0 + wm, n0 + wn, lane);
}
