// Convolution as one matrix product whose left factor is never written: implicit GEMM.
//
// y[m, n] = sum over k of A[m, k] * w[k, n]: m an output pixel, n an output channel, k a place of
// the window (kernel row, kernel column, channel). A block makes BM x BN values of y. Slices of BK
// columns of A are gathered from the image straight into shared memory: they are what im2col would
// have written to global memory. A thread holds TM x TN sums in registers.
//
// What each thing is for:
//   shared tiles         a value of A is fetched once for BN products, one of w once for BM
//   register tiles       TM + TN values read from shared memory feed TM * TN multiply-adds
//   two tiles in turn    the next slice is on its way while this one is multiplied
//   VEC = 4, 2           so many channels a load, where they divide i_c
//   sizes as constants   with the sizes #defined before this text (I_H, ...), divisions become
//                        multiplications and addresses immediate; without, they are arguments
//   SPLIT > 1            so many blocks share a tile, each with its part of the window, where tiles
//                        are too few for the chip. Their sums meet in y by atomicAdd (y is zeros),
//                        or with CLUSTER (sm_90) in one another's shared memory, in fixed order
//
// w[k, n] has its columns padded to a multiple of 4; y[i_n, o_h, o_w, k_c] has none.
// instances: implicit_gemm<32, 64, 32, 4, 4, 4, 4, 0>; implicit_gemm<64, 64, 8, 8, 4, 4, 4, 0>
// instances: implicit_gemm<128, 64, 16, 8, 8, 4, 3, 0>; implicit_gemm<128, 64, 8, 16, 8, 4, 3, 0>
// instances: implicit_gemm<128, 96, 8, 8, 12, 4, 2, 0>; implicit_gemm<128, 128, 8, 8, 8, 4, 2, 1>
// instances: implicit_gemm<64, 32, 16, 4, 4, 4, 4, 0>; implicit_gemm<128, 32, 16, 8, 4, 4, 4, 0>
// instances: implicit_gemm<32, 64, 21, 4, 4, 1, 4, 0>; implicit_gemm<128, 96, 11, 8, 12, 1, 2, 1>
// instances: implicit_gemm<128, 96, 8, 8, 12, 2, 2, 0>; implicit_gemm<128, 64, 16, 8, 8, 1, 3, 1>

#include "multiply_slice.cuh"

#ifndef I_H
#define I_H i_h
#define I_W i_w
#define I_C i_c
#define K_H k_h
#define K_W k_w
#define K_C k_c
#define O_H o_h
#define O_W o_w
#define S_H s_h
#define S_W s_w
#define P_H p_h
#define P_W p_w
#endif
#ifndef SPLIT
#define SPLIT 1
#endif
#ifdef CLUSTER
#define TOGETHER __cluster_dims__(1, 1, SPLIT)
#else
#define TOGETHER
#endif

template <int BM, int BN, int BK, int TM, int TN, int VEC, int BLOCKS, int BIAS_RELU>
__global__ void TOGETHER __launch_bounds__((BM / TM) * (BN / TN), BLOCKS)
implicit_gemm(const float* __restrict__ x, const float* __restrict__ w,
              const float* __restrict__ bias, float* __restrict__ y,
              int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
              int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    const int M = i_n * O_H * O_W, N = (K_C + 3) / 4 * 4;
    const int ROW = K_W * I_C, K = K_H * ROW;   // a kernel row of a window is contiguous in x
    const int SLICES = (K + BK - 1) / BK, SHARE = (SLICES + SPLIT - 1) / SPLIT;
    const bool PADDED = P_H > 0 || P_W > 0;
    constexpr int THREADS = (BM / TM) * (BN / TN);
    constexpr int LX = (BN / TN) % 8 == 0 ? 8 : 4, LY = 32 / LX;  // lanes of a warp over its tile
    constexpr int AM = BM + 4;                                    // row of As, padded for its banks
    constexpr int A_LOADS = (BM * BK / VEC + THREADS - 1) / THREADS;
    constexpr int B_LOADS = (BK * BN / 4 + THREADS - 1) / THREADS;
    static_assert((BN / TN) % LX == 0 && (BM / TM) % LY == 0, "warps must tile the block");
    static_assert(VEC > 1 ? BK % 8 == 0 : BM % THREADS == 0 || THREADS % BM == 0, "loads");

    extern __shared__ float4 memory[];
    float* As = (float*)memory;    // As[2][BK][AM]: transposed, a thread's pixels side by side
    float* Bs = As + 2 * BK * AM;  // Bs[2][BK][BN]

    const int TILES_N = (K_C + BN - 1) / BN;
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int m0 = blockIdx.x / TILES_N * BM, n0 = blockIdx.x % TILES_N * BN;
    constexpr int WARPS_N = BN / TN / LX;
    const int my_m = warp / WARPS_N * LY * TM + lane / LX * 4;
    const int my_n = warp % WARPS_N * LX * TN + lane % LX * 4;
    const int first = blockIdx.z * SHARE, last = min(first + SHARE, SLICES);

    // Where the window of each pixel that this thread loads begins. A pixel past the last one is
    // read as the last one and never stored.
    int at_m[A_LOADS], at_k[A_LOADS], base[A_LOADS], top[A_LOADS], left[A_LOADS];
    #pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int index = tid + i * THREADS;
        constexpr int LK = 8 / VEC;
        if (VEC > 1 || (BK % 8 == 0 && I_C >= 8)) {  // a warp: 8 channels, whole sectors
            at_m[i] = index / LK % BM;
            at_k[i] = (index / (LK * BM) * LK + index % LK) * VEC;
        } else if constexpr (BM % THREADS == 0) {  // a warp: 32 pixels, one k, known early
            at_m[i] = tid + i % (BM / THREADS) * THREADS;
            at_k[i] = i / (BM / THREADS);
        } else {
            at_m[i] = tid % BM;
            at_k[i] = tid / BM + i * (THREADS / BM);
        }
        int m = min(m0 + at_m[i], M - 1);
        int n = m / (O_H * O_W), h = m / O_W % O_H, v = m % O_W;
        top[i] = h * S_H - P_H;
        left[i] = v * S_W - P_W;
        base[i] = ((n * I_H + top[i]) * I_W + left[i]) * I_C + at_k[i];
    }

    float next_a[A_LOADS][VEC];
    float4 next_b[B_LOADS];
    auto load = [&](int slice) {
        const int k0 = slice * BK;
        #pragma unroll
        for (int i = 0; i < A_LOADS; i++) {
            // The window's rows lie I_W * I_C values apart. Where a slice lies within one of them
            // (or within one pixel), its row (and column) are the same for all threads.
            int k = k0 + at_k[i];
            int kh = ROW % BK == 0 ? k0 / ROW : k / ROW;
            int at = base[i] + k0 + kh * (I_W * I_C - ROW);
            bool there = (K % BK == 0 || k < K)
                && ((BM * BK / VEC) % THREADS == 0 || tid + i * THREADS < BM * BK / VEC);
            if (PADDED) {
                int kw = ROW == BK ? at_k[i] / I_C : I_C % BK == 0 ? k0 % ROW / I_C : k % ROW / I_C;
                there = there && (unsigned)(top[i] + kh) < I_H && (unsigned)(left[i] + kw) < I_W;
            }
            if (VEC == 4) {
                float4 v = there ? *(const float4*)(x + at) : make_float4(0, 0, 0, 0);
                next_a[i][0] = v.x;
                next_a[i][1 % VEC] = v.y;
                next_a[i][2 % VEC] = v.z;
                next_a[i][3 % VEC] = v.w;
            } else if (VEC == 2) {
                float2 v = there ? *(const float2*)(x + at) : make_float2(0, 0);
                next_a[i][0] = v.x;
                next_a[i][1 % VEC] = v.y;
            } else {
                next_a[i][0] = there ? x[at] : 0.0f;
            }
        }
        #pragma unroll
        for (int i = 0; i < B_LOADS; i++) {
            int index = tid + i * THREADS;
            int k = k0 + index / (BN / 4), n = n0 + index % (BN / 4) * 4;
            bool there = (K % BK == 0 || k < K) && (N % BN == 0 || n < N)
                && ((BK * BN / 4) % THREADS == 0 || index < BK * BN / 4);
            next_b[i] = there ? *(const float4*)(w + k * N + n) : make_float4(0, 0, 0, 0);
        }
    };
    auto put = [&](int turn) {
        float* a = As + turn * BK * AM;
        float* b = Bs + turn * BK * BN;
        #pragma unroll
        for (int i = 0; i < A_LOADS; i++) {
            if ((BM * BK / VEC) % THREADS == 0 || tid + i * THREADS < BM * BK / VEC) {
                #pragma unroll
                for (int v = 0; v < VEC; v++) a[(at_k[i] + v) * AM + at_m[i]] = next_a[i][v];
            }
        }
        #pragma unroll
        for (int i = 0; i < B_LOADS; i++) {
            int index = tid + i * THREADS;
            if ((BK * BN / 4) % THREADS == 0 || index < BK * BN / 4)
                *(float4*)(b + index * 4) = next_b[i];
        }
    };

    float sum[TM][TN] = {};
    if (first < last) {
        load(first);
        put(0);
    }
    __syncthreads();
    // Two slices a turn of the loop and a parity kept by hand: 11 % faster on large layers read by
    // fours, and slower on those read value by value, for how the compiler orders instructions.
    int parity = 0;
    #pragma unroll (VEC == 4 ? 2 : 1)
    for (int slice = first; slice < last; slice++) {
        int turn = VEC == 4 ? parity : (slice - first) % 2;
        if (slice + 1 < last) load(slice + 1);
        multiply_slice<BK, AM, BN, LX, LY>(As + turn * BK * AM + my_m, Bs + turn * BK * BN + my_n,
                                           sum);
        parity ^= 1;
        if (slice + 1 < last) put(VEC == 4 ? parity : 1 - turn);
        __syncthreads();
    }

    float* tile = (float*)memory;
    auto lay_out = [&] {  // the sums, as tile[BM][BN]
        #pragma unroll
        for (int i = 0; i < TM; i++)
            #pragma unroll
            for (int j = 0; j < TN; j += 4)
                *(float4*)(tile + (my_m + i / 4 * LY * 4 + i % 4) * BN + my_n + j * LX) =
                    make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
    };
    if (SPLIT == 1 && K_C % 4) {  // by way of shared memory, so that a warp stores neighbours
        lay_out();
        __syncthreads();
        const int columns = min(BN, K_C);
        for (int index = tid; index < BM * columns; index += THREADS) {
            int row = index / columns, column = index % columns, m = m0 + row, n = n0 + column;
            if (m >= M || n >= K_C) continue;
            float v = tile[row * BN + column];
            y[(size_t)m * K_C + n] = BIAS_RELU ? fmaxf(v + bias[n], 0.0f) : v;
        }
        return;
    }
#ifdef CLUSTER
    // Each block lays its sums out in its own shared memory; block r of the cluster adds up rows
    // r, r + SPLIT, ... of all of them and stores those.
    lay_out();
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    for (int index = tid + blockIdx.z * (BM * BN / 4 / SPLIT);
         index < (blockIdx.z + 1) * (BM * BN / 4 / SPLIT); index += THREADS) {
        float4 part[SPLIT];
        #pragma unroll
        for (int r = 0; r < SPLIT; r++)
            part[r] = ((const float4*)__cluster_map_shared_rank(memory, r))[index];
        float4 total = part[0];
        #pragma unroll
        for (int r = 1; r < SPLIT; r++) {
            total.x += part[r].x; total.y += part[r].y; total.z += part[r].z; total.w += part[r].w;
        }
        int m = m0 + index / (BN / 4), n = n0 + index % (BN / 4) * 4;
        float v[4] = {total.x, total.y, total.z, total.w};
        if (BIAS_RELU)
            for (int q = 0; q < 4; q++)
                v[q] = fmaxf(v[q] + (n + q < K_C ? bias[n + q] : 0.0f), 0.0f);
        if (m < M && K_C % 4 == 0 && n < K_C)
            *(float4*)(y + (size_t)m * K_C + n) = make_float4(v[0], v[1], v[2], v[3]);
        else if (m < M && K_C % 4)
            for (int q = 0; q < 4 && n + q < K_C; q++) y[(size_t)m * K_C + n + q] = v[q];
    }
    __cluster_barrier_arrive();
    __cluster_barrier_wait();  // a block that ends takes its shared memory with it
#else
    #pragma unroll
    for (int i = 0; i < TM; i++) {
        int m = m0 + my_m + i / 4 * LY * 4 + i % 4;
        #pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int n = n0 + my_n + j * LX;
            float v[4] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            if (BIAS_RELU)
                for (int q = 0; q < 4; q++)
                    v[q] = fmaxf(v[q] + (n + q < K_C ? bias[n + q] : 0.0f), 0.0f);
            float* to = y + (size_t)m * K_C + n;
            if (SPLIT == 1) {
                if (m < M && n < K_C) *(float4*)to = make_float4(v[0], v[1], v[2], v[3]);
            } else {
                for (int q = 0; q < 4; q++)
                    if (m < M && n + q < K_C) atomicAdd(to + q, v[q]);
            }
        }
    }
#endif
}
