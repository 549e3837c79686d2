// requires sm_80
// Implicit GEMM on tensor cores: float16 values, float32 sums.
//
// y[m, n] = sum over k of A[m, k] * w[n, k], as in implicit_gemm.cu. Slices of BK columns of A are
// gathered from the image by cp.async straight into shared memory, past the registers, with STAGES
// of them in flight. A warp keeps WM x WN sums in its registers and feeds mma.m16n8k16 by ldmatrix.
//
// A row in shared memory is BK halves; its 16-byte chunks are swizzled (chunk ^ row), so that the
// eight rows that one phase of ldmatrix reads lie in eight different groups of banks.
//
// w[n, k] is the weights transposed, rows padded by zeros to a multiple of 8. The sizes are
// #defined before this text (I_H, ...): divisions become multiplications.
// defines: I_H=30 I_W=31 I_C=24 K_H=3 K_W=5 K_C=104 O_H=28 O_W=15 S_H=1 S_W=2 P_H=0 P_W=1
// instances: tensor_core<128, 128, 32, 64, 64, 4, 8, 2, __half>
// instances: tensor_core<128, 64, 32, 64, 32, 4, 1, 2, float>
// instances: tensor_core<64, 64, 64, 32, 32, 4, 8, 3, float>
// instances: tensor_core<32, 64, 64, 16, 32, 4, 1, 4, __half>
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
// Four 8 x 8 matrices; lane l gives the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void ldmatrix4(unsigned (&r)[4], unsigned at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}
// c[16, 8] += a[16, 16] * b[16, 8], over the registers of one warp.
__device__ __forceinline__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// VEC = 8: i_c divides by 8, 16 bytes a copy. VEC = 1: any i_c, values go through registers.
template <int BM, int BN, int BK, int WM, int WN, int STAGES, int VEC, int BLOCKS, typename Out>
__global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32, BLOCKS)
tensor_core(const __half* __restrict__ x, const __half* __restrict__ w, Out* __restrict__ y,
            int i_n)
{
    constexpr int ROW = K_W * I_C, K = K_H * ROW, KP = (K + 7) / 8 * 8;
    constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
    const int M = i_n * O_H * O_W;
    constexpr int CHUNKS = BK / 8, SLICES = (K + BK - 1) / BK;
    constexpr int A_LOADS = BM * CHUNKS / THREADS, B_LOADS = BN * CHUNKS / THREADS;
    constexpr bool PADDED = P_H > 0 || P_W > 0;
    constexpr int MI = WM / 16, NI = WN / 8;
    static_assert(BM * CHUNKS % THREADS == 0 && BN * CHUNKS % THREADS == 0, "loads");
    static_assert(BK == 32 || BK == 64, "the swizzle");
    extern __shared__ __align__(128) __half memory[];  // STAGES of A[BM][BK] and B[BN][BK]
    constexpr int STAGE = (BM + BN) * BK;

    constexpr int TILES_N = (K_C + BN - 1) / BN;
    const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int m0 = blockIdx.x / TILES_N * BM, n0 = blockIdx.x % TILES_N * BN;
    const int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    const unsigned shared = shared_address(memory);
    auto place = [](int row, int chunk) {  // of a chunk, in bytes from its matrix
        return row * BK * 2 + ((chunk ^ (BK == 64 ? row & 7 : row >> 1 & 3)) << 4);
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
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < SLICES) load(s);
        asm volatile("cp.async.commit_group;\n" ::);
    }
    const int a_row = wm + lane % 16, a_chunk = lane / 16;
    const int b_row = wn + lane % 8 + lane / 16 * 8, b_chunk = lane / 8 % 2;
    for (int slice = 0; slice < SLICES; slice++) {
        asm volatile("cp.async.wait_group %0;\n" :: "n"(STAGES - 2));
        __syncthreads();  // this slice is there, and the one before has been read
        if (slice + STAGES - 1 < SLICES) load(slice + STAGES - 1);
        asm volatile("cp.async.commit_group;\n" ::);
        unsigned a = shared + slice % STAGES * STAGE * 2, b = a + BM * BK * 2;
        #pragma unroll
        for (int kk = 0; kk < BK / 16; kk++) {
            unsigned am[MI][4], bn[NI / 2][4];
            #pragma unroll
            for (int i = 0; i < MI; i++)
                ldmatrix4(am[i], a + place(a_row + i * 16, kk * 2 + a_chunk));
            #pragma unroll
            for (int j = 0; j < NI / 2; j++)
                ldmatrix4(bn[j], b + place(b_row + j * 16, kk * 2 + b_chunk));
            #pragma unroll
            for (int i = 0; i < MI; i++)
                #pragma unroll
                for (int j = 0; j < NI; j++)
                    mma(sum[i][j], am[i], bn[j / 2][j % 2 * 2], bn[j / 2][j % 2 * 2 + 1]);
        }
    }
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
                    int row = wm + i * 16 + r * 8 + lane / 4, column = wn + j * 8 + lane % 4 * 2;
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
                    int m = m0 + wm + i * 16 + r * 8 + lane / 4;
                    int n = n0 + wn + j * 8 + lane % 4 * 2;
                    Out* to = y + (size_t)m * K_C + n;
                    if (m < M && n < K_C) to[0] = Out(sum[i][j][2 * r]);
                    if (m < M && n + 1 < K_C) to[1] = Out(sum[i][j][2 * r + 1]);
                }
    }
}
