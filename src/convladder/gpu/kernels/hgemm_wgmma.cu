// requires sm_90a
// Chapter 12, rung 7: wgmma reads both tiles from shared memory, 64 x 256 x 16 an instruction.
//
// As hgemm_tma.cu, without ldmatrix and fragments of A and B. Two warpgroups share 128 x BN sums.
// instances: hgemm_wgmma<256, 4>
#include <cuda_fp16.h>
#include <convladder/tensor_core.cuh>
#include "wgmma.cuh"

template <int BN, int STAGES>
__global__ void __launch_bounds__(256, 1)
hgemm_wgmma(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
            __half* __restrict__ c, int m, int n, int k)
{
    constexpr int BM = 128, BK = 64, STAGE = (BM + BN) * BK, WIDE = BN + 8;
    extern __shared__ __align__(1024) __half memory[];  // STAGES of a tile of A and one of B
    __shared__ mbarrier full[STAGES];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32, group = tid / 128, slices = k / BK;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    if (tid == 0) {
        for (int s = 0; s < STAGES; s++) mbarrier_init(full + s, 1);
        fence_proxy_async();
    }
    __syncthreads();
    auto fetch = [&](int slice) {
        int stage = slice % STAGES;
        __half* as = memory + stage * STAGE;
        mbarrier_arrive_expect_tx(full + stage, STAGE * 2);
        cp_async_bulk_tensor_2d(as, &map_a, slice * BK, m0, full + stage);
        cp_async_bulk_tensor_2d(as + BM * BK, &map_b, slice * BK, n0, full + stage);
    };
    if (tid == 0)
        for (int slice = 0; slice < STAGES - 1 && slice < slices; slice++) fetch(slice);
    float sum[BN / 8][4] = {};
    for (int slice = 0; slice < slices; slice++) {
        int stage = slice % STAGES;
        mbarrier_wait_parity(full + stage, slice / STAGES & 1);
        unsigned as = (unsigned)__cvta_generic_to_shared(memory + stage * STAGE);
        wgmma_fence();
        #pragma unroll
        for (int kk = 0; kk < BK / 16; kk++)
            wgmma(sum, descriptor(as + group * 64 * BK * 2) + kk * 2,
                  descriptor(as + BM * BK * 2) + kk * 2);
        wgmma_commit();
        wgmma_wait<1>();
        __syncthreads();  // both warpgroups have read the slice before this one
        if (tid == 0 && slice + STAGES - 1 < slices) fetch(slice + STAGES - 1);
    }
    wgmma_wait<0>();
    __syncthreads();
    int row = warp * 16 + lane / 4, column = lane % 4 * 2;
    #pragma unroll
    for (int j = 0; j < BN / 8; j++)
        #pragma unroll
        for (int r = 0; r < 2; r++)
            *(__half2*)(memory + (row + r * 8) * WIDE + column + j * 8)
                = __floats2half2_rn(sum[j][2 * r], sum[j][2 * r + 1]);
    __syncthreads();
    for (int i = tid; i < BM * BN / 8; i += 256) {
        int row = i / (BN / 8), column = i % (BN / 8) * 8;
        *(uint4*)(c + (size_t)(m0 + row) * n + n0 + column) = *(uint4*)(memory + row * WIDE + column);
    }
}
