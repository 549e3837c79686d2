// requires sm_80
// Chapter 12, rung 1: a warp has the tensor cores multiply 16 x 16 x 16, straight from global memory.
//
// c[m, n] = sum over k of a[m, k] * b[n, k] in float16, sums in float32. m, n and k divide by 64.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(512)
hgemm_wmma(const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c,
           int m, int n, int k)
{
    __shared__ float tile[16][16 * 16];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * 64 + warp / 4 * 16, column = blockIdx.x * 64 + warp % 4 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k0 = 0; k0 < k; k0 += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> part_b;
        wmma::load_matrix_sync(part_a, a + (size_t)row * k + k0, k);
        wmma::load_matrix_sync(part_b, b + (size_t)column * k + k0, k);
        wmma::mma_sync(sum, part_a, part_b, sum);
    }
    // Which lane has which sum is not told: through shared memory, where it is known.
    wmma::store_matrix_sync(tile[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 256; i += 32)
        c[(size_t)(row + i / 16) * n + column + i % 16] = __float2half(tile[warp][i]);
}
