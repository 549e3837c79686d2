// requires sm_80
// Chapter 12, rung 3: chunks trade places by `chunk ^ row`, and ldmatrix reads without a conflict.
//
// As hgemm_shared.cu, with mma.sync on registers whose layout is known.
#include "hgemm_warp.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
hgemm_ldmatrix(const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c,
               int m, int n, int k)
{
    __shared__ __align__(128) __half as[TILE], bs[TILE];
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN, wm = warp / 4 * WM, wn = warp % 4 * WN;
    float sum[MI][NI][4] = {};
    for (int k0 = 0; k0 < k; k0 += BK) {
        #pragma unroll
        for (int i = tid; i < BM * CHUNKS; i += THREADS) {
            int row = i / CHUNKS, chunk = i % CHUNKS;
            *(uint4*)(as + swizzled(row, chunk))
                = *(const uint4*)(a + (size_t)(m0 + row) * k + k0 + chunk * 8);
            *(uint4*)(bs + swizzled(row, chunk))
                = *(const uint4*)(b + (size_t)(n0 + row) * k + k0 + chunk * 8);
        }
        __syncthreads();  // the tiles are there
        multiply(sum, as, bs, wm, wn, lane);
        __syncthreads();  // and have been read
    }
    store_pairs(sum, c, n, m0 + wm, n0 + wn, lane);
}
