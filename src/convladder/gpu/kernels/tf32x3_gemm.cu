// requires sm_80
// A batch of products C[b] = A[b] * B[b] on tensor cores, nearly as exact as float32: 3xTF32.
//
// Each value is split into what TF32 holds of it and what it leaves, 11 bits and 11 more; three of
// the four products of the parts are summed in float32. Slices of BK columns of A and rows of B
// come by cp.async, STAGES of them in flight; a warp makes 32 x 32 values of C. K and N divide by 4.
// Rows in shared memory are BK + 4 and BN + 8 values apart, so that a warp's lanes meet no bank
// twice. As in CUTLASS's example 27_ampere_3xtf32_fast_accurate_tensorop_gemm.
// instances: tf32x3_gemm<128, 64, 16, 3, 2>; tf32x3_gemm<64, 64, 16, 4, 4>
__device__ __forceinline__ void copy16(float* to, const float* from, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n"
                 :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(there ? 16 : 0));
}
__device__ __forceinline__ unsigned rounded(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}
__device__ __forceinline__ void split(float x, unsigned& large, unsigned& small)
{
    large = rounded(x);
    small = rounded(x - __uint_as_float(large));
}
// c[16, 8] += a[16, 8] * b[8, 8], over the registers of a warp.
__device__ __forceinline__ void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <int BM, int BN, int BK, int STAGES, int BLOCKS>
__global__ void __launch_bounds__(BM / 32 * BN, BLOCKS)
tf32x3_gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
            int M, int N, int K)
{
    constexpr int THREADS = BM / 32 * BN, AS = BK + 4, BS = BN + 8;
    constexpr int STAGE = BM * AS + BK * BS;
    extern __shared__ float4 memory[];  // STAGES times As[BM][AS], Bs[BK][BS]
    const int tiles_n = (N + BN - 1) / BN, tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int m0 = blockIdx.x / tiles_n * BM, n0 = blockIdx.x % tiles_n * BN;
    const int my_m = warp / (BN / 32) * 32 + lane / 4, my_n = warp % (BN / 32) * 32;
    const int slices = (K + BK - 1) / BK;
    A += (size_t)blockIdx.y * M * K;
    B += (size_t)blockIdx.y * K * N;
    C += (size_t)blockIdx.y * M * N;

    auto load = [&](int slice) {
        float* a = (float*)memory + slice % STAGES * STAGE;
        float* b = a + BM * AS;
        #pragma unroll
        for (int index = tid; index < BM * BK / 4; index += THREADS) {
            int row = index / (BK / 4), column = index % (BK / 4) * 4;
            int m = m0 + row, k = slice * BK + column;
            bool there = m < M && k < K;
            copy16(a + row * AS + column, there ? A + (size_t)m * K + k : A, there);
        }
        #pragma unroll
        for (int index = tid; index < BK * BN / 4; index += THREADS) {
            int row = index / (BN / 4), column = index % (BN / 4) * 4;
            int k = slice * BK + row, n = n0 + column;
            bool there = k < K && n < N;
            copy16(b + row * BS + column, there ? B + (size_t)k * N + n : B, there);
        }
    };

    float sum[2][4][4] = {};
    #pragma unroll
    for (int slice = 0; slice < STAGES - 1; slice++) {
        if (slice < slices) load(slice);
        asm volatile("cp.async.commit_group;\n");
    }
    for (int slice = 0; slice < slices; slice++) {
        asm volatile("cp.async.wait_group %0;\n" :: "n"(STAGES - 2));
        __syncthreads();  // this slice is there for all, and all are done with the one before
        if (slice + STAGES - 1 < slices) load(slice + STAGES - 1);
        asm volatile("cp.async.commit_group;\n");
        const float* a = (const float*)memory + slice % STAGES * STAGE + my_m * AS + lane % 4;
        const float* b = (const float*)memory + slice % STAGES * STAGE + BM * AS
                         + lane % 4 * BS + my_n + lane / 4;
        #pragma unroll
        for (int k = 0; k < BK; k += 8) {
            unsigned a_large[2][4], a_small[2][4], b_large[4][2], b_small[4][2];
            #pragma unroll
            for (int i = 0; i < 2; i++)
                #pragma unroll
                for (int q = 0; q < 4; q++)
                    split(a[(i * 16 + q % 2 * 8) * AS + k + q / 2 * 4], a_large[i][q],
                          a_small[i][q]);
            #pragma unroll
            for (int j = 0; j < 4; j++)
                #pragma unroll
                for (int q = 0; q < 2; q++)
                    split(b[(k + q * 4) * BS + j * 8], b_large[j][q], b_small[j][q]);
            #pragma unroll
            for (int i = 0; i < 2; i++)
                #pragma unroll
                for (int j = 0; j < 4; j++) {  // the small ones first
                    mma(sum[i][j], a_small[i], b_large[j]);
                    mma(sum[i][j], a_large[i], b_small[j]);
                    mma(sum[i][j], a_large[i], b_large[j]);
                }
        }
    }

    #pragma unroll
    for (int i = 0; i < 2; i++)
        #pragma unroll
        for (int j = 0; j < 4; j++)
            #pragma unroll
            for (int q = 0; q < 2; q++) {
                int m = m0 + my_m + i * 16 + q * 8, n = n0 + my_n + j * 8 + lane % 4 * 2;
                if (m < M && n < N)
                    *(float2*)(C + (size_t)m * N + n) = make_float2(sum[i][j][2 * q],
                                                                    sum[i][j][2 * q + 1]);
            }
}
