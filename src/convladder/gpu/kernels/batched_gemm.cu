// A batch of products C[b] = A[b] * B[b] of row-major matrices without gaps, b = blockIdx.y.
//
// implicit_gemm.cu's way with a matrix instead of an image: a block makes BM x BN values of C from
// slices of BK columns of A and rows of B, which lie in shared memory, two in turn; a thread holds
// TM x TN sums. VEC = 4: K and N divide by 4, and four values are loaded and stored at a time.
// instances: batched_gemm<128, 128, 16, 8, 8, 4, 2>; batched_gemm<128, 64, 16, 8, 8, 4, 3>
// instances: batched_gemm<64, 128, 8, 8, 8, 4, 4>
// instances: batched_gemm<64, 64, 16, 8, 4, 4, 4>; batched_gemm<32, 64, 32, 4, 4, 4, 4>
// instances: batched_gemm<64, 64, 16, 8, 4, 1, 4>; batched_gemm<32, 64, 32, 4, 4, 1, 4>
#include "multiply_slice.cuh"

template <int N> struct alignas(4 * N) Values { float v[N]; };

template <int BM, int BN, int BK, int TM, int TN, int VEC, int BLOCKS>
__global__ void __launch_bounds__((BM / TM) * (BN / TN), BLOCKS)
batched_gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
             int M, int N, int K)
{
    constexpr int THREADS = (BM / TM) * (BN / TN);
    constexpr int LX = (BN / TN) % 8 == 0 ? 8 : 4, LY = 32 / LX;  // lanes of a warp over its tile
    constexpr int AM = BM + 4;                                    // row of As, padded for its banks
    constexpr int A_LOADS = (BM * BK / VEC + THREADS - 1) / THREADS;
    constexpr int B_LOADS = (BK * BN / VEC + THREADS - 1) / THREADS;
    __shared__ float4 memory[2 * BK * (AM + BN) / 4];
    float* As = (float*)memory;    // As[2][BK][AM]: transposed, a thread's rows side by side
    float* Bs = As + 2 * BK * AM;  // Bs[2][BK][BN]

    const int tiles_n = (N + BN - 1) / BN, tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int m0 = blockIdx.x / tiles_n * BM, n0 = blockIdx.x % tiles_n * BN;
    constexpr int WARPS_N = BN / TN / LX;
    const int my_m = warp / WARPS_N * LY * TM + lane / LX * 4;
    const int my_n = warp % WARPS_N * LX * TN + lane % LX * 4;
    A += (size_t)blockIdx.y * M * K;
    B += (size_t)blockIdx.y * K * N;
    C += (size_t)blockIdx.y * M * N;

    // Neighbouring threads take 8 columns of a row, then the next row: whole sectors. A row past
    // the last one is read as the last one, and never stored.
    constexpr int SIDE = 8 / VEC;
    auto a_row = [&](int index) { return index / SIDE % BM; };
    auto a_column = [&](int index) { return (index / (SIDE * BM) * SIDE + index % SIDE) * VEC; };
    int at_a[A_LOADS], at_b[B_LOADS];
    #pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int index = tid + i * THREADS;
        at_a[i] = min(m0 + a_row(index), M - 1) * K + a_column(index);
    }
    #pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
        int index = tid + i * THREADS;
        at_b[i] = index / (BN / VEC) * N + n0 + index % (BN / VEC) * VEC;
    }
    Values<VEC> next_a[A_LOADS], next_b[B_LOADS];
    auto load = [&](int k0) {
        #pragma unroll
        for (int i = 0; i < A_LOADS; i++) {
            int index = tid + i * THREADS;
            next_a[i] = {};
            if (k0 + a_column(index) < K && index < BM * BK / VEC)
                next_a[i] = *(const Values<VEC>*)(A + at_a[i] + k0);
        }
        #pragma unroll
        for (int i = 0; i < B_LOADS; i++) {
            int index = tid + i * THREADS;
            next_b[i] = {};
            if (k0 + index / (BN / VEC) < K && n0 + index % (BN / VEC) * VEC < N
                && index < BK * BN / VEC)
                next_b[i] = *(const Values<VEC>*)(B + at_b[i] + k0 * N);
        }
    };
    auto put = [&](int turn) {
        #pragma unroll
        for (int i = 0; i < A_LOADS; i++) {
            int index = tid + i * THREADS;
            float* to = As + (turn * BK + a_column(index)) * AM + a_row(index);
            if (index < BM * BK / VEC)
                #pragma unroll
                for (int v = 0; v < VEC; v++) to[v * AM] = next_a[i].v[v];
        }
        #pragma unroll
        for (int i = 0; i < B_LOADS; i++) {
            int index = tid + i * THREADS;
            if (index < BK * BN / VEC)
                *(Values<VEC>*)(Bs + turn * BK * BN + index * VEC) = next_b[i];
        }
    };

    float sum[TM][TN] = {};
    load(0);
    put(0);
    __syncthreads();
    int turn = 0;
    #pragma unroll 2
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (k0 + BK < K) load(k0 + BK);
        multiply_slice<BK, AM, BN, LX, LY>(As + turn * BK * AM + my_m, Bs + turn * BK * BN + my_n,
                                           sum);
        turn ^= 1;
        if (k0 + BK < K) put(turn);
        __syncthreads();
    }

    #pragma unroll
    for (int i = 0; i < TM; i++) {
        int m = m0 + my_m + i / 4 * LY * 4 + i % 4;
        #pragma unroll
        for (int j = 0; j < TN; j += VEC) {
            int n = n0 + my_n + j / 4 * 4 * LX + j % 4;
            Values<VEC> v;
            #pragma unroll
            for (int q = 0; q < VEC; q++) v.v[q] = sum[i][j + q];
            if (m < M && n < N) *(Values<VEC>*)(C + (size_t)m * N + n) = v;
        }
    }
}
