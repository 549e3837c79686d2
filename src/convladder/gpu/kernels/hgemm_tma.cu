// requires sm_90
// Chapter 12, rung 6: one thread asks the copy engine for whole tiles; barriers tell when they come.
//
// As hgemm_pipelined.cu: no thread computes addresses any more, and the swizzle is the engine's.
// instances: hgemm_tma<3>
#include "hgemm_warp.cuh"

template <int STAGES>
__global__ void __launch_bounds__(THREADS)
hgemm_tma(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
          __half* __restrict__ c, int m, int n, int k)
{
    extern __shared__ __align__(1024) __half memory[];  // STAGES of a tile of A and one of B
    __shared__ mbarrier full[STAGES], empty[STAGES];
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, slices = k / BK;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN, wm = warp / 4 * WM, wn = warp % 4 * WN;
    if (tid == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + s, 1);
            mbarrier_init(empty + s, THREADS / 32);
        }
        fence_proxy_async();
    }
    __syncthreads();
    auto fetch = [&](int slice) {
        int stage = slice % STAGES;
        __half* as = memory + stage * 2 * TILE;
        if (slice >= STAGES) mbarrier_wait_parity(empty + stage, slice / STAGES - 1 & 1);
        mbarrier_arrive_expect_tx(full + stage, 2 * TILE * 2);
        cp_async_bulk_tensor_2d(as, &map_a, slice * BK, m0, full + stage);
        cp_async_bulk_tensor_2d(as + TILE, &map_b, slice * BK, n0, full + stage);
    };
    if (tid == 0)
        for (int slice = 0; slice < STAGES - 1 && slice < slices; slice++) fetch(slice);
    float sum[MI][NI][4] = {};
    for (int slice = 0; slice < slices; slice++) {
        int stage = slice % STAGES;
        if (tid == 0 && slice + STAGES - 1 < slices) fetch(slice + STAGES - 1);
        __syncwarp();
        mbarrier_wait_parity(full + stage, slice / STAGES & 1);
        const __half* as = memory + stage * 2 * TILE;
        multiply(sum, as, as + TILE, wm, wn, lane);
        __syncwarp();
        if (lane == 0) mbarrier_arrive(empty + stage);
    }
    store_rows(sum, memory, c, n, m0, n0, wm, wn);
}
