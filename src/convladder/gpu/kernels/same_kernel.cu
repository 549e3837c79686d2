// Chapter 11: one small implicit GEMM, told in the same lines as in numba.cuda and CuTe DSL.
//
// A thread for each value of y[pixels, channels], blocks of 8 x 8; one image, no padding.
#define SIDE 8  // of a tile and of a slice

extern "C" __global__ void same_kernel(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int M, int N, int K, int i_w, int i_c, int k_w, int o_w, int s_h, int s_w)
{
    __shared__ float A[SIDE][SIDE], B[SIDE][SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int n = blockIdx.x * SIDE + tx, m = blockIdx.y * SIDE + ty;
    float total = 0.0f;
    for (int k0 = 0; k0 < K; k0 += SIDE) {
        int k = k0 + tx;
        A[ty][tx] = 0.0f;
        if (m < M && k < K) {
            int row = m / o_w * s_h + k / (k_w * i_c), column = m % o_w * s_w + k / i_c % k_w;
            A[ty][tx] = x[(row * i_w + column) * i_c + k % i_c];
        }
        B[ty][tx] = k0 + ty < K && n < N ? w[(k0 + ty) * N + n] : 0.0f;
        __syncthreads();
        for (int j = 0; j < SIDE; j++) total += A[ty][j] * B[j][tx];
        __syncthreads();
    }
    if (m < M && n < N) y[m * N + n] = total;
}
