// requires sm_80
// Implicit GEMM on tensor cores: float16 values, float32 sums.
//
// y[m, n] = sum over k of A[m, k] * w[n, k], as in implicit_gemm.cu. Slices of A and w come into
// shared memory by half_slices.cuh. A warp keeps WM x WN sums in its registers and feeds
// mma.m16n8k16 by ldmatrix, whose phases read eight rows each, of eight groups of banks.
// defines: I_H=30 I_W=31 I_C=24 K_H=3 K_W=5 K_C=104 O_H=28 O_W=15 S_H=1 S_W=2 P_H=0 P_W=1
// instances: tensor_core<128, 128, 32, 64, 64, 4, 8, 2, __half>
// instances: tensor_core<128, 64, 32, 64, 32, 4, 1, 2, float>
// instances: tensor_core<64, 64, 64, 32, 32, 4, 8, 3, float>
// instances: tensor_core<32, 64, 64, 16, 32, 4, 1, 4, __half>
#include "half_slices.cuh"

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

template <int BM, int BN, int BK, int WM, int WN, int STAGES, int VEC, int BLOCKS, typename Out>
__global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32, BLOCKS)
tensor_core(const __half* __restrict__ x, const __half* __restrict__ w, Out* __restrict__ y,
            int i_n)
{
    constexpr int THREADS = (BM / WM) * (BN / WN) * 32, MI = WM / 16, NI = WN / 8;
    constexpr int TILES_N = (K_C + BN - 1) / BN;
    extern __shared__ __align__(128) __half memory[];  // STAGES of A[BM][BK] and B[BN][BK]
    const int M = i_n * O_H * O_W, tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int m0 = blockIdx.x / TILES_N * BM, n0 = blockIdx.x % TILES_N * BN;
    const int wm = warp / (BN / WN) * WM, wn = warp % (BN / WN) * WN;
    const Slices<BM, BN, BK, STAGES, VEC, THREADS> slices(x, memory, tid, m0, M);
    auto load = [&](int slice) {
        slices.load_image(slice, slices.a(slice));
        slices.load_weights(w, n0, slice, slices.b(slice));
    };

    float sum[MI][NI][4] = {};
    #pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < slices.COUNT) load(s);
        asm volatile("cp.async.commit_group;\n" ::);
    }
    const int a_row = wm + lane % 16, a_chunk = lane / 16;
    const int b_row = wn + lane % 8 + lane / 16 * 8, b_chunk = lane / 8 % 2;
    for (int slice = 0; slice < slices.COUNT; slice++) {
        asm volatile("cp.async.wait_group %0;\n" :: "n"(STAGES - 2));
        __syncthreads();  // this slice is there, and the one before has been read
        if (slice + STAGES - 1 < slices.COUNT) load(slice + STAGES - 1);
        asm volatile("cp.async.commit_group;\n" ::);
        const unsigned a = slices.a(slice), b = slices.b(slice);
        #pragma unroll
        for (int kk = 0; kk < BK / 16; kk++) {
            unsigned am[MI][4], bn[NI / 2][4];
            #pragma unroll
            for (int i = 0; i < MI; i++)
                ldmatrix4(am[i], a + slices.place(a_row + i * 16, kk * 2 + a_chunk));
            #pragma unroll
            for (int j = 0; j < NI / 2; j++)
                ldmatrix4(bn[j], b + slices.place(b_row + j * 16, kk * 2 + b_chunk));
            #pragma unroll
            for (int i = 0; i < MI; i++)
                #pragma unroll
                for (int j = 0; j < NI; j++)
                    mma(sum[i][j], am[i], bn[j / 2][j % 2 * 2], bn[j / 2][j % 2 * 2 + 1]);
        }
    }
    asm volatile("cp.async.wait_group 0;\n" ::);
    store_sums<BM, BN, THREADS, 16>(sum, memory, y, tid, m0, n0, M, wm + lane / 4,
                                    wn + lane % 4 * 2);
}
