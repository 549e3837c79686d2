// requires sm_90a
// Implicit GEMM on Hopper's tensor cores: wgmma, which reads both factors from shared memory.
//
// As tensor_core.cu, but a warpgroup (four warps) multiplies 64 x BN values at a time, straight
// from shared memory and while its threads go on: no ldmatrix, no fragments in registers. What
// wgmma calls 128-byte swizzle is the layout that chunk ^ row makes of rows of 64 halves.
//
// w[n, k] is the weights transposed, rows padded by zeros to a multiple of 8. The sizes are
// #defined before this text (I_H, ...): divisions become multiplications.
// defines: I_H=30 I_W=31 I_C=24 K_H=3 K_W=5 K_C=104 O_H=28 O_W=15 S_H=1 S_W=2 P_H=0 P_W=1
// instances: wgmma_conv<256, 128, 4, 4, 8, 1, __half>; wgmma_conv<128, 64, 2, 4, 1, 2, float>
#include <cuda_fp16.h>

__device__ __forceinline__ unsigned shared_address(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
// 16 bytes from global to shared memory, or zeros, without waiting.
__device__ __forceinline__ void copy16(unsigned to, const void* from, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n"
                 :: "r"(to), "l"(from), "r"(there ? 16 : 0));
}
// What wgmma is told of a matrix in shared memory: where it begins, 1024 bytes from eight rows to
// the next eight, 128-byte swizzle. 16 columns on are 32 bytes, 2 in the units of the address.
__device__ __forceinline__ unsigned long long descriptor(unsigned at)
{
    return (unsigned long long)(at >> 4 & 0x3FFF) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
// d[64, N] += a[64, 16] * b[N, 16], over the registers of one warpgroup.
__device__ __forceinline__ void wgmma(float (&d)[8][4], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
                 "}, %32, %33, 1, 1, 1, 0, 0;\n"
                 : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]),
                   "+f"(d[1][0]), "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3]),
                   "+f"(d[2][0]), "+f"(d[2][1]), "+f"(d[2][2]), "+f"(d[2][3]),
                   "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]),
                   "+f"(d[4][0]), "+f"(d[4][1]), "+f"(d[4][2]), "+f"(d[4][3]),
                   "+f"(d[5][0]), "+f"(d[5][1]), "+f"(d[5][2]), "+f"(d[5][3]),
                   "+f"(d[6][0]), "+f"(d[6][1]), "+f"(d[6][2]), "+f"(d[6][3]),
                   "+f"(d[7][0]), "+f"(d[7][1]), "+f"(d[7][2]), "+f"(d[7][3])
                 : "l"(a), "l"(b));
}
__device__ __forceinline__ void wgmma(float (&d)[16][4], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
                 "}, %64, %65, 1, 1, 1, 0, 0;\n"
                 : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]),
                   "+f"(d[1][0]), "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3]),
                   "+f"(d[2][0]), "+f"(d[2][1]), "+f"(d[2][2]), "+f"(d[2][3]),
                   "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]),
                   "+f"(d[4][0]), "+f"(d[4][1]), "+f"(d[4][2]), "+f"(d[4][3]),
                   "+f"(d[5][0]), "+f"(d[5][1]), "+f"(d[5][2]), "+f"(d[5][3]),
                   "+f"(d[6][0]), "+f"(d[6][1]), "+f"(d[6][2]), "+f"(d[6][3]),
                   "+f"(d[7][0]), "+f"(d[7][1]), "+f"(d[7][2]), "+f"(d[7][3]),
                   "+f"(d[8][0]), "+f"(d[8][1]), "+f"(d[8][2]), "+f"(d[8][3]),
                   "+f"(d[9][0]), "+f"(d[9][1]), "+f"(d[9][2]), "+f"(d[9][3]),
                   "+f"(d[10][0]), "+f"(d[10][1]), "+f"(d[10][2]), "+f"(d[10][3]),
                   "+f"(d[11][0]), "+f"(d[11][1]), "+f"(d[11][2]), "+f"(d[11][3]),
                   "+f"(d[12][0]), "+f"(d[12][1]), "+f"(d[12][2]), "+f"(d[12][3]),
                   "+f"(d[13][0]), "+f"(d[13][1]), "+f"(d[13][2]), "+f"(d[13][3]),
                   "+f"(d[14][0]), "+f"(d[14][1]), "+f"(d[14][2]), "+f"(d[14][3]),
                   "+f"(d[15][0]), "+f"(d[15][1]), "+f"(d[15][2]), "+f"(d[15][3])
                 : "l"(a), "l"(b));
}
// VEC = 8: i_c divides by 8, 16 bytes a copy. VEC = 1: any i_c, values go through registers.
template <int BM, int BN, int GROUPS, int STAGES, int VEC, int BLOCKS, typename Out>
__global__ void __launch_bounds__(GROUPS * 128, BLOCKS)
wgmma_conv(const __half* __restrict__ x, const __half* __restrict__ w, Out* __restrict__ y,
            int i_n)
{
    constexpr int ROW = K_W * I_C, K = K_H * ROW, KP = (K + 7) / 8 * 8;
    constexpr int THREADS = GROUPS * 128, BK = 64;
    const int M = i_n * O_H * O_W;
    constexpr int CHUNKS = BK / 8, SLICES = (K + BK - 1) / BK;
    constexpr int A_LOADS = BM * CHUNKS / THREADS, B_LOADS = BN * CHUNKS / THREADS;
    constexpr bool PADDED = P_H > 0 || P_W > 0;
    constexpr int MI = BM / 64 / GROUPS, NI = BN / 8;
    static_assert(BM * CHUNKS % THREADS == 0 && BN * CHUNKS % THREADS == 0, "loads");
    static_assert(BM % (64 * GROUPS) == 0 && STAGES >= 3, "warpgroups and stages");
    extern __shared__ __align__(1024) __half memory[];  // STAGES of A[BM][BK] and B[BN][BK]
    constexpr int STAGE = (BM + BN) * BK;

    constexpr int TILES_N = (K_C + BN - 1) / BN;
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int m0 = blockIdx.x / TILES_N * BM, n0 = blockIdx.x % TILES_N * BN;
    const int wm = warp / 4 * 64 * MI;  // this warpgroup's first row
    const unsigned shared = shared_address(memory);
    auto place = [](int row, int chunk) {  // of a chunk, in bytes from its matrix
        return row * BK * 2 + ((chunk ^ (row & 7)) << 4);
    };

    const int chunk = tid % CHUNKS, row0 = tid / CHUNKS;  // this thread's chunk and first row
    constexpr int STEP = THREADS / CHUNKS;
    int base[A_LOADS], top[A_LOADS], left[A_LOADS];
    #pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int m = min(m0 + row0 + i * STEP, M - 1);
        int n = m / (O_H * O_W), h = m / O_W % O_H, v = m % O_W;
        top[i] = h * S_H - P_H;
        left[i] = v * S_W - P_W;
        base[i] = ((n * I_H + top[i]) * I_W + left[i]) * I_C + chunk * 8;
    }
    auto load = [&](int slice) {
        unsigned a = shared + slice % STAGES * STAGE * 2, b = a + BM * BK * 2;
        int k0 = slice * BK, k = k0 + chunk * 8;
        if (VEC == 8) {
            int kh = ROW % BK == 0 ? k0 / ROW : k / ROW;
            int kw = I_C % BK == 0 ? k0 % ROW / I_C : k % ROW / I_C;
            int offset = k0 + kh * (I_W * I_C - ROW);
            #pragma unroll
            for (int i = 0; i < A_LOADS; i++) {
                bool there = K % BK == 0 || k < K;
                if (PADDED)
                    there &= (unsigned)(top[i] + kh) < I_H && (unsigned)(left[i] + kw) < I_W;
                const __half* from = x + (there ? base[i] + offset : 0);
                copy16(a + place(row0 + i * STEP, chunk), from, there);
            }
        } else {
            #pragma unroll
            for (int i = 0; i < A_LOADS; i++) {
                __align__(16) __half v[8];
                #pragma unroll
                for (int e = 0; e < 8; e++) {
                    int kh = (k + e) / ROW, kw = (k + e) % ROW / I_C;
                    bool there = k + e < K
                        && (!PADDED
                            || ((unsigned)(top[i] + kh) < I_H && (unsigned)(left[i] + kw) < I_W));
                    v[e] = there ? x[base[i] + k0 + e + kh * (I_W * I_C - ROW)] : __half(0.0f);
                }
                char* to = (char*)memory + (a - shared) + place(row0 + i * STEP, chunk);
                *(uint4*)to = *(uint4*)v;
            }
        }
        #pragma unroll
        for (int i = 0; i < B_LOADS; i++) {
            int n = n0 + row0 + i * STEP;
            bool there = (K % BK == 0 || k < KP) && (K_C % BN == 0 || n < K_C);
            copy16(b + place(row0 + i * STEP, chunk), w + (there ? (size_t)n * KP + k : 0), there);
        }
    };

    float sum[MI][NI][4] = {};
    #pragma unroll
    for (int s = 0; s < STAGES - 2; s++) {
        if (s < SLICES) load(s);
        asm volatile("cp.async.commit_group;\n" ::);
    }
    for (int slice = 0; slice < SLICES; slice++) {
        asm volatile("cp.async.wait_group %0;\n" :: "n"(STAGES - 3));
        // wgmma reads by another path than this thread wrote: it must see what was written.
        asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
        __syncthreads();  // all of this slice is there; the one before the last has been read
        unsigned a = shared + slice % STAGES * STAGE * 2, b = a + BM * BK * 2;
        asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
        #pragma unroll
        for (int kk = 0; kk < BK / 16; kk++)
            #pragma unroll
            for (int i = 0; i < MI; i++)
                wgmma(sum[i], descriptor(a + (wm + i * 64) * BK * 2) + kk * 2,
                      descriptor(b) + kk * 2);
        asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
        if (slice + STAGES - 2 < SLICES) load(slice + STAGES - 2);
        asm volatile("cp.async.commit_group;\n" ::);
        asm volatile("wgmma.wait_group.sync.aligned 1;\n" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory");
    asm volatile("cp.async.wait_group 0;\n" ::);
    if (sizeof(Out) == 2 && K_C % 8 == 0) {
        // Through shared memory, so that a warp stores whole 16-byte pieces of rows.
        constexpr int WIDE = BN + 8;
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < MI; i++)
            #pragma unroll
            for (int j = 0; j < NI; j++)
                #pragma unroll
                for (int r = 0; r < 2; r++) {
                    int row = wm + i * 64 + warp % 4 * 16 + r * 8 + lane / 4;
                    int column = j * 8 + lane % 4 * 2;
                    *(__half2*)(memory + row * WIDE + column) =
                        __floats2half2_rn(sum[i][j][2 * r], sum[i][j][2 * r + 1]);
                }
        __syncthreads();
        for (int index = tid; index < BM * BN / 8; index += THREADS) {
            int row = index / (BN / 8), column = index % (BN / 8) * 8;
            int m = m0 + row, n = n0 + column;
            if (m < M && n < K_C) {
                __half* to = (__half*)y + (size_t)m * K_C + n;
                *(uint4*)to = *(uint4*)(memory + row * WIDE + column);
            }
        }
    } else {
        #pragma unroll
        for (int i = 0; i < MI; i++)
            #pragma unroll
            for (int j = 0; j < NI; j++)
                #pragma unroll
                for (int r = 0; r < 2; r++) {
                    int m = m0 + wm + i * 64 + warp % 4 * 16 + r * 8 + lane / 4;
                    int n = n0 + j * 8 + lane % 4 * 2;
                    Out* to = y + (size_t)m * K_C + n;
                    if (m < M && n < K_C) to[0] = Out(sum[i][j][2 * r]);
                    if (m < M && n + 1 < K_C) to[1] = Out(sum[i][j][2 * r + 1]);
                }
    }
}
