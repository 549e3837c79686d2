// Tensor cores and the copy engine: whole numbers, whose sums are exact in any order.
#include <cuda_fp16.h>
#include <mma.h>
#include <convladder/tensor_core.cuh>
using namespace nvcuda;

template <class LayoutA, class LayoutB>
__device__ void product(float* y, __half* z, const __half* a, const __half* b,
                        wmma::layout_t layout)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> half_sum;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, LayoutB> fb;
    wmma::fill_fragment(sum, 1.0f);
    wmma::load_matrix_sync(half_sum, z, 16, layout);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::mma_sync(half_sum, fa, fb, half_sum);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2;
    wmma::store_matrix_sync(y, sum, 16, layout);
    wmma::store_matrix_sync(z, half_sum, 16, layout);
}

extern "C" __global__ void fragments(float* y, __half* z, const __half* a, const __half* b)
{
    product<wmma::row_major, wmma::row_major>(y, z, a, b, wmma::mem_row_major);
    product<wmma::row_major, wmma::col_major>(y + 256, z + 256, a, b, wmma::mem_row_major);
    product<wmma::col_major, wmma::row_major>(y + 512, z + 512, a, b, wmma::mem_col_major);
    product<wmma::col_major, wmma::col_major>(y + 768, z + 768, a, b, wmma::mem_col_major);
}

// A box of a matrix by its map, beyond the matrix' edge too, and a row of another by its address:
// told to `y` as they lie in shared memory; then read by ldmatrix, and multiplied.
extern "C" __global__ void engine(unsigned short* y, unsigned* registers, float* c,
                                  const __grid_constant__ TensorMap map, const __half* row)
{
    __shared__ __align__(1024) __half box[16 * 64];
    __shared__ __align__(16) __half line[64];
    __shared__ mbarrier full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        mbarrier_init(&full, 1);
        mbarrier_init(&empty, 32);
        fence_proxy_async();
    }
    __syncthreads();
    float sum[4] = {};
    for (int turn = 0; turn < 3; turn++) {
        if (t == 0) {
            if (turn) mbarrier_wait_parity(&empty, turn - 1 & 1);
            mbarrier_arrive_expect_tx(&full, 16 * 64 * 2 + 128);
            cp_async_bulk_tensor_2d(box, &map, turn * 40 - 8, turn * 12 - 4, &full);
            cp_async_bulk(line, row + turn * 64, 128, &full);
        }
        __syncwarp();
        mbarrier_wait_parity(&full, turn & 1);
        for (int i = t; i < 16 * 64; i += 32)
            y[turn * 1088 + i] = __half_as_ushort(box[i]);
        for (int i = t; i < 64; i += 32) y[turn * 1088 + 1024 + i] = __half_as_ushort(line[i]);
        unsigned a[4], b[4];
        ldmatrix_x4(a, box + t % 16 * 64 + (t / 16 ^ t % 8) * 8);
        ldmatrix_x4(b, box + (t % 8) * 64 + (t / 8 ^ t % 8) * 8);
        unsigned part[2] = {b[2], b[3]};
        mma_m16n8k16(sum, a, part);
        for (int i = 0; i < 4; i++) registers[turn * 128 + i * 32 + t] = a[i];
        __syncwarp();
        mbarrier_arrive(&empty);
    }
    for (int i = 0; i < 4; i++) c[i * 32 + t] = sum[i];
}

// d = a * b + c for each warp's 16 x 16 by 16 x 8 values, in the layout of registers.
extern "C" __global__ void products(float* d, const unsigned* a, const unsigned* b, const float* c)
{
    int t = blockIdx.x * 32 + threadIdx.x;
    float sum[4];
    unsigned left[4], right[2];
    for (int i = 0; i < 4; i++) sum[i] = c[t * 4 + i];
    for (int i = 0; i < 4; i++) left[i] = a[t * 4 + i];
    for (int i = 0; i < 2; i++) right[i] = b[t * 2 + i];
    mma_m16n8k16(sum, left, right);
    for (int i = 0; i < 4; i++) d[t * 4 + i] = sum[i];
}
