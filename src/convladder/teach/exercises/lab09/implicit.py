"""An implicit GEMM, tiled and untiled: what an exercise of lab 09 is made of."""

HEAD = r"""
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
"""
SOURCE = r"""
#define BM 64
#define BN 32
#define BK 8
""" + HEAD.strip("\n") + r"""
{
    __shared__ float A[BK][BM + 4], B[BK][BN];
    int M = o_h * o_w, K = k_h * k_w * i_c, t = threadIdx.x;
    int m0 = blockIdx.x * BM, n0 = blockIdx.y * BN, tm = t / 8 * 4, tn = t % 8;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += 128) {
            int m = m0 + i / BK, k = k0 + i % BK;
            int row = m / o_w * s_h + k / (k_w * i_c) - p_h;
            int column = m % o_w * s_w + k / i_c % k_w - p_w;
            bool there = m < M && k < K && row >= 0 && row < i_h && column >= 0 && column < i_w;
            A[i % BK][i / BK] = there ? x[(row * i_w + column) * i_c + k % i_c] : 0.0f;
        }
        for (int i = t; i < BK * BN; i += 128) {
            int k = k0 + i / BN, n = n0 + i % BN;
            B[i / BN][i % BN] = k < K && n < k_c ? w[k * k_c + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += A[k][tm + i] * B[k][tn + 8 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (m0 + tm + i < M && n0 + tn + 8 * j < k_c)
                y[(m0 + tm + i) * k_c + n0 + tn + 8 * j] = sum[i][j];
}
"""
UNTILED = HEAD + r"""
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * k_c) return;
    int n = i % k_c, m = i / k_c;
    float sum = 0;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++) {
            int row = m / o_w * s_h + a - p_h, column = m % o_w * s_w + b - p_w;
            if (row < 0 || row >= i_h || column < 0 || column >= i_w) continue;
            for (int c = 0; c < i_c; c++)
                sum += x[(row * i_w + column) * i_c + c] * w[((a * k_w + b) * i_c + c) * k_c + n];
        }
    y[i] = sum;
}
"""
INSIDE = "row >= 0 && row < i_h && column >= 0 && column < i_w"
