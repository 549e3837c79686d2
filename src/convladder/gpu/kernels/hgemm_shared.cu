// requires sm_80
// Chapter 12, rung 2: a block brings tiles into shared memory, and each value is used 128 times.
//
// As hgemm_wmma.cu. Eight warps share 128 x 128 sums, each has 64 x 32. m and n divide by 128, k by
// 64. Rows of 64 halves are 128 bytes, all of the banks: eight rows of one chunk meet in four.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(256)
hgemm_shared(const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c,
             int m, int n, int k)
{
    constexpr int BM = 128, BN = 128, BK = 64, CHUNKS = BK / 8;
    __shared__ __align__(128) __half as[BM * BK], bs[BN * BK];
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN, wm = warp / 4 * 64, wn = warp % 4 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) wmma::fill_fragment(sum[i][j], 0.0f);
    for (int k0 = 0; k0 < k; k0 += BK) {
        for (int i = tid; i < BM * CHUNKS; i += 256) {
            int row = i / CHUNKS, chunk = i % CHUNKS * 8;
            *(uint4*)(as + row * BK + chunk) = *(const uint4*)(a + (size_t)(m0 + row) * k + k0 + chunk);
            *(uint4*)(bs + row * BK + chunk) = *(const uint4*)(b + (size_t)(n0 + row) * k + k0 + chunk);
        }
        __syncthreads();  // the tiles are there
        for (int kk = 0; kk < BK; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> part_b[2];
            for (int i = 0; i < 4; i++)
                wmma::load_matrix_sync(part_a[i], as + (wm + i * 16) * BK + kk, BK);
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(part_b[j], bs + (wn + j * 16) * BK + kk, BK);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], part_a[i], part_b[j], sum[i][j]);
        }
        __syncthreads();  // and have been read
    }
    float* tile = (float*)as + warp * 256;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            wmma::store_matrix_sync(tile, sum[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 256; e += 32)
                c[(size_t)(m0 + wm + i * 16 + e / 16) * n + n0 + wn + j * 16 + e % 16]
                    = __float2half(tile[e]);
            __syncwarp();
        }
}
