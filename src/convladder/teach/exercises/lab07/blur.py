"""A convolution of 5 × 5, untiled and tiled: what an exercise of lab 07 is made of."""

NAIVE = r"""
#define K 5
extern "C" __global__ void blur(const float *x, const float *w, float *y, int i_h, int i_w)
{
    int o_h = i_h - K + 1, o_w = i_w - K + 1;
    int v = blockIdx.x * 32 + threadIdx.x;
    int h = blockIdx.y * 8 + threadIdx.y;
    if (h >= o_h || v >= o_w) return;
    float sum = 0;
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
            sum += x[(h + a) * i_w + v + b] * w[a * K + b];
    y[h * o_w + v] = sum;
}
"""
SOURCE = r"""
#define K 5
extern "C" __global__ void blur(const float *x, const float *w, float *y, int i_h, int i_w)
{
    __shared__ float tile[8 + K - 1][32 + K - 1];
    __shared__ float weights[K * K];
    int o_h = i_h - K + 1, o_w = i_w - K + 1;
    int left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int r = threadIdx.y; r < 8 + K - 1; r += 8)
        for (int q = threadIdx.x; q < 32 + K - 1; q += 32)
            if (top + r < i_h && left + q < i_w)
                tile[r][q] = x[(top + r) * i_w + left + q];
    int t = threadIdx.y * 32 + threadIdx.x;
    if (t < K * K)
        weights[t] = w[t];
    __syncthreads();
    int h = top + threadIdx.y, v = left + threadIdx.x;
    if (h >= o_h || v >= o_w) return;
    float sum = 0;
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
            sum += tile[threadIdx.y + a][threadIdx.x + b] * weights[a * K + b];
    y[h * o_w + v] = sum;
}
"""
ROWS, COLUMNS = "r < 8 + K - 1; r += 8", "q < 32 + K - 1; q += 32"
FROM_TILE = "tile[threadIdx.y + a][threadIdx.x + b]"
INSIDE = "            if (top + r < i_h && left + q < i_w)\n"
