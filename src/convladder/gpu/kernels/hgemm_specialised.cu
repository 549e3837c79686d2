// requires sm_90a
// Chapter 12, rung 8: warpgroups with one task each, and blocks that never stop.
//
// As hgemm_wgmma.cu, but one warpgroup only fetches and two only multiply, each in 64 x BN sums. A
// block stays on its multiprocessor and takes tile after tile: while the copy engine stores one, the
// slices of the next come. CLUSTER blocks one below the other want the same tile of B, and each
// brings a part of it for all. Tiles are taken BAND rows at a time, so that A and B stay in L2.
// instances: hgemm_specialised<256, 4, 2, 8>
// instances: hgemm_specialised<128, 5, 1, 8>
#include <cuda_fp16.h>
#include <convladder/tensor_core.cuh>
#include "wgmma.cuh"

template <int BN, int STAGES, int CLUSTER, int BAND>
__global__ void __cluster_dims__(CLUSTER) __launch_bounds__(384, 1)
hgemm_specialised(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
                  const __grid_constant__ TensorMap map_c, int m, int n, int k)
{
    constexpr int BM = 128, BK = 64, STAGE = (BM + BN) * BK, PART = 64 * 64;
    extern __shared__ __align__(1024) __half memory[];  // STAGES of A and B; two PARTs a warpgroup
    __shared__ mbarrier full[STAGES], empty[STAGES];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32, group = tid / 128;
    int rank = CLUSTER > 1 ? cluster_rank() : 0, slices = k / BK;
    int rows = (m + BM * CLUSTER - 1) / (BM * CLUSTER), columns = (n + BN - 1) / BN;
    if (tid == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + s, 1);
            mbarrier_init(empty + s, 2 * CLUSTER);  // a warpgroup arrives once
        }
        fence_mbarrier_init();
    }
    if (CLUSTER > 1) cluster_sync();
    else __syncthreads();

    auto place = [&](int tile, int& m0, int& n0) {  // BAND rows of tiles, column by column
        int band = tile / (BAND * columns), in = tile % (BAND * columns);
        int high = min(BAND, rows - band * BAND);
        m0 = ((band * BAND + in % high) * CLUSTER + rank) * BM;
        n0 = in / high * BN;
    };
    int turn = 0;  // slices of all tiles
    if (group == 0) {
        registers_down<40>();
        if (tid == 0)
            for (int tile = blockIdx.x / CLUSTER; tile < rows * columns;
                 tile += gridDim.x / CLUSTER) {
                int m0, n0;
                place(tile, m0, n0);
                for (int slice = 0; slice < slices; slice++, turn++) {
                    int stage = turn % STAGES;
                    __half* as = memory + stage * STAGE;
                    __half* bs = as + BM * BK + rank * (BN / CLUSTER) * BK;
                    mbarrier_wait_parity(empty + stage, turn / STAGES & 1 ^ 1);
                    mbarrier_arrive_expect_tx(full + stage, STAGE * 2);
                    cp_async_bulk_tensor_2d(as, &map_a, slice * BK, m0, full + stage);
                    if (CLUSTER > 1)
                        copy_to_cluster(bs, &map_b, slice * BK, n0 + rank * (BN / CLUSTER),
                                        full + stage, (1 << CLUSTER) - 1);
                    else
                        cp_async_bulk_tensor_2d(bs, &map_b, slice * BK, n0, full + stage);
                }
            }
    } else {
        registers_up<232>();
        __half* parts = memory + STAGES * STAGE + (group - 1) * 2 * PART;
        auto release = [&](int stage) {
            if (tid % 128 < CLUSTER) arrive_in_cluster(empty + stage, tid % 128);
        };
        for (int tile = blockIdx.x / CLUSTER; tile < rows * columns; tile += gridDim.x / CLUSTER) {
            int m0, n0;
            place(tile, m0, n0);
            float sum[BN / 8][4] = {};
            for (int slice = 0; slice < slices; slice++, turn++) {
                int stage = turn % STAGES;
                mbarrier_wait_parity(full + stage, turn / STAGES & 1);
                unsigned as = (unsigned)__cvta_generic_to_shared(memory + stage * STAGE);
                wgmma_fence();
                #pragma unroll
                for (int kk = 0; kk < BK / 16; kk++)
                    wgmma(sum, descriptor(as + (group - 1) * 64 * BK * 2) + kk * 2,
                          descriptor(as + BM * BK * 2) + kk * 2);
                wgmma_commit();
                wgmma_wait<1>();
                if (slice > 0) release((turn - 1) % STAGES);
            }
            wgmma_wait<0>();
            release((turn - 1) % STAGES);
            #pragma unroll
            for (int j = 0; j < BN / 64; j++) {  // 64 x 64 results at a time, in two places in turn
                __half* part = parts + j % 2 * PART;
                if (tid % 128 == 0) bulk_wait_read<1>();
                group_sync(group);
                store_swizzled(part, sum + j * 8, warp % 4, lane);
                fence_proxy_async();
                group_sync(group);
                if (tid % 128 == 0) {
                    bulk_store_2d(&map_c, part, n0 + j * 64, m0 + (group - 1) * 64);
                    bulk_commit();
                }
            }
        }
        if (tid % 128 == 0) bulk_wait_read<0>();
    }
    if (CLUSTER > 1) cluster_sync();  // nobody leaves while another still writes to him
}
