// Chapter 12's opening: c[m, n] = sum over k of a[m, k] * b[k, n] on float32 units, in four rungs.
//
// m and n divide by 128, k by 32.
// instances: sgemm_registers<false>; sgemm_registers<true>

// Rung 1: a thread a sum, neighbours side by side; each value is loaded m or n times.
extern "C" __global__ void sgemm_naive(const float* __restrict__ a, const float* __restrict__ b,
                                       float* __restrict__ c, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
    c[(size_t)row * n + column] = sum;
}

// Rung 2: 32 x 32 threads share two tiles, so that each value is loaded from memory 1/32 as often.
extern "C" __global__ void __launch_bounds__(1024)
sgemm_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
            int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        as[y][x] = a[(size_t)row * k + k0 + x];
        bs[y][x] = b[(size_t)(k0 + y) * n + column];
        __syncthreads();
        for (int i = 0; i < 32; i++) sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    c[(size_t)row * n + column] = sum;
}

// Rungs 3 and 4: a thread has 8 x 8 sums in registers, and 16 loads from shared memory feed 64
// multiply-adds. WIDE: four floats a load and a store; A lies turned in shared memory for that.
template <bool WIDE>
__global__ void __launch_bounds__(256)
sgemm_registers(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                int m, int n, int k)
{
    constexpr int BM = 128, BN = 128, BK = 16;
    __shared__ __align__(16) float as[BK][BM + 4], bs[BK][BN];
    int t = threadIdx.x, row = t / 16, column = t % 16;
    const float* a0 = a + (size_t)blockIdx.y * BM * k;
    const float* b0 = b + blockIdx.x * BN;
    float sum[8][8] = {};
    for (int k0 = 0; k0 < k; k0 += BK) {
        if (WIDE) {
            #pragma unroll
            for (int i = t; i < BM * BK / 4; i += 256) {
                float4 v = *(const float4*)(a0 + (size_t)(i / 4) * k + k0 + i % 4 * 4);
                as[i % 4 * 4][i / 4] = v.x;
                as[i % 4 * 4 + 1][i / 4] = v.y;
                as[i % 4 * 4 + 2][i / 4] = v.z;
                as[i % 4 * 4 + 3][i / 4] = v.w;
                *(float4*)&bs[i / 32][i % 32 * 4]
                    = *(const float4*)(b0 + (size_t)(k0 + i / 32) * n + i % 32 * 4);
            }
        } else {
            #pragma unroll
            for (int i = t; i < BM * BK; i += 256) {
                as[i % BK][i / BK] = a0[(size_t)(i / BK) * k + k0 + i % BK];
                bs[i / BN][i % BN] = b0[(size_t)(k0 + i / BN) * n + i % BN];
            }
        }
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < BK; i++) {
            float x[8], y[8];
            #pragma unroll
            for (int j = 0; j < 8; j += 4)  // two pieces of four, 64 apart: no bank is asked twice
                if (WIDE) {
                    *(float4*)(x + j) = *(float4*)&as[i][row * 4 + j * 16];
                    *(float4*)(y + j) = *(float4*)&bs[i][column * 4 + j * 16];
                } else {
                    for (int q = 0; q < 4; q++) {
                        x[j + q] = as[i][row * 8 + j + q];
                        y[j + q] = bs[i][column * 8 + j + q];
                    }
                }
            #pragma unroll
            for (int p = 0; p < 8; p++)
                #pragma unroll
                for (int q = 0; q < 8; q++) sum[p][q] += x[p] * y[q];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int p = 0; p < 8; p++) {
        int r = blockIdx.y * BM + (WIDE ? row * 4 + p / 4 * 64 + p % 4 : row * 8 + p);
        #pragma unroll
        for (int q = 0; q < 8; q += 4) {
            float* to = c + (size_t)r * n + blockIdx.x * BN + (WIDE ? column * 4 + q * 16
                                                                    : column * 8 + q);
            if (WIDE) *(float4*)to = make_float4(sum[p][q], sum[p][q + 1], sum[p][q + 2],
                                                 sum[p][q + 3]);
            else for (int e = 0; e < 4; e++) to[e] = sum[p][q + e];
        }
    }
}
