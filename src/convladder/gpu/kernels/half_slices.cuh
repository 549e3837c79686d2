// What tensor_core.cu and wgmma.cu share: float16 slices on their way into shared memory, and the
// sums on their way out.
//
// Slices of BK columns of A are gathered from the image by cp.async straight into shared memory,
// past the registers, with STAGES of them in flight. The sizes are #defined before this text
// (I_H, ...): divisions become multiplications.
//
// A row in shared memory is BK halves; its 16-byte chunks are swizzled (chunk ^ row), so that eight
// rows that are read at once lie in eight different groups of banks.
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

// STAGES of A[BM][BK] and B[BN][BK] of the block whose result begins in row m0 and column n0.
// VEC = 8: i_c divides by 8, 16 bytes a copy. VEC = 1: any i_c, values go through registers.
template <int BM, int BN, int BK, int STAGES, int VEC, int THREADS>
struct Slices {
    static constexpr int ROW = K_W * I_C, K = K_H * ROW, KP = (K + 7) / 8 * 8;
    static constexpr int CHUNKS = BK / 8, COUNT = (K + BK - 1) / BK, STAGE = (BM + BN) * BK;
    static constexpr int A_LOADS = BM * CHUNKS / THREADS, B_LOADS = BN * CHUNKS / THREADS;
    static constexpr int STEP = THREADS / CHUNKS;
    static constexpr bool PADDED = P_H > 0 || P_W > 0;
    static constexpr bool PLAIN = K_H * K_W * S_H * S_W == 1 && !PADDED;  // A is x as it lies
    static_assert(BM * CHUNKS % THREADS == 0 && BN * CHUNKS % THREADS == 0, "loads");
    static_assert(BK == 32 || BK == 64, "the swizzle");

    const __half* x;
    __half* memory;
    unsigned shared;
    int chunk, row0;  // this thread's chunk and first row
    int base[A_LOADS], top[A_LOADS], left[A_LOADS];

    __device__ __forceinline__ Slices(const __half* x, __half* memory, int tid, int m0, int M)
        : x(x), memory(memory), shared(shared_address(memory)), chunk(tid % CHUNKS),
          row0(tid / CHUNKS)
    {
        #pragma unroll
        for (int i = 0; i < A_LOADS; i++) {
            int m = min(m0 + row0 + i * STEP, M - 1);
            if (PLAIN) {
                base[i] = m * I_C + chunk * 8;
                continue;
            }
            int n = m / (O_H * O_W), h = m / O_W % O_H, v = m % O_W;
            top[i] = h * S_H - P_H;
            left[i] = v * S_W - P_W;
            base[i] = ((n * I_H + top[i]) * I_W + left[i]) * I_C + chunk * 8;
        }
    }
    static __device__ __forceinline__ int place(int row, int chunk)
    {  // of a chunk, in bytes from its matrix
        return row * BK * 2 + ((chunk ^ (BK == 64 ? row & 7 : row >> 1 & 3)) << 4);
    }
    __device__ __forceinline__ unsigned a(int turn) const  // where the A of a turn begins
    {
        return shared + turn % STAGES * STAGE * 2;
    }
    __device__ __forceinline__ unsigned b(int turn) const { return a(turn) + BM * BK * 2; }

    // Starts the copy of a slice of A to `a`.
    __device__ __forceinline__ void load_image(int slice, unsigned a) const
    {
        int k0 = slice * BK, k = k0 + chunk * 8;
        if (VEC == 8) {
            int kh = ROW % BK == 0 ? k0 / ROW : unsigned(k) / ROW;
            int kw = I_C % BK == 0 ? k0 % ROW / I_C : unsigned(k) % ROW / I_C;
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
                    int kh = unsigned(k + e) / ROW, kw = unsigned(k + e) % ROW / I_C;
                    bool there = k + e < K
                        && (!PADDED
                            || ((unsigned)(top[i] + kh) < I_H && (unsigned)(left[i] + kw) < I_W));
                    v[e] = there ? x[base[i] + k0 + e + kh * (I_W * I_C - ROW)] : __half(0.0f);
                }
                char* to = (char*)memory + (a - shared) + place(row0 + i * STEP, chunk);
                *(uint4*)to = *(uint4*)v;
            }
        }
    }
    // Starts the copy of a slice of w[n, k] to `b`: the weights transposed, rows padded by zeros to
    // a multiple of 8.
    __device__ __forceinline__ void load_weights(const __half* w, int n0, int slice,
                                                 unsigned b) const
    {
        const int k = slice * BK + chunk * 8;
        #pragma unroll
        for (int i = 0; i < B_LOADS; i++) {
            int n = n0 + row0 + i * STEP;
            bool there = (K % BK == 0 || k < KP) && (K_C % BN == 0 || n < K_C);
            copy16(b + place(row0 + i * STEP, chunk), w + (there ? (size_t)n * KP + k : 0), there);
        }
    }
};

// A barrier of THREADS threads, which need not be all of the block.
template <int THREADS> __device__ __forceinline__ void together()
{
    asm volatile("bar.sync 1, %0;\n" :: "n"(THREADS) : "memory");
}

// The sums of THREADS threads to y, from row m0 and column n0 on. Of BM x BN values a thread has
// sum[i][j], two side by side and two 8 rows below: in row `row` + i * APART and column `column`
// + j * 8.
template <int BM, int BN, int THREADS, int APART, int MI, int NI, typename Out>
__device__ __forceinline__ void store_sums(const float (&sum)[MI][NI][4], __half* memory, Out* y,
                                           int tid, int m0, int n0, int M, int row, int column)
{
    if constexpr (sizeof(Out) == 2) {
        // Through shared memory, so that a warp stores whole pieces: 16 bytes where rows align, or
        // where all channels are here, so that the tile lies in y as one long row.
        constexpr bool LONG = K_C % 8 && K_C <= BN;
        constexpr int V = LONG || K_C % 8 == 0 ? 8 : K_C % 2 ? 1 : 2;
        constexpr int WIDE = LONG ? K_C : BN + 8, COLUMNS = (LONG ? BM * K_C : BN) / V;
        struct __align__(2 * V) Piece { __half values[V]; };
        together<THREADS>();
        #pragma unroll
        for (int i = 0; i < MI; i++)
            #pragma unroll
            for (int j = 0; j < NI; j++)
                #pragma unroll
                for (int r = 0; r < 2; r++) {
                    __half* to = memory + (row + i * APART + r * 8) * WIDE + column + j * 8;
                    if (LONG) {
                        if (column + j * 8 < K_C) to[0] = __half(sum[i][j][2 * r]);
                        if (column + j * 8 + 1 < K_C) to[1] = __half(sum[i][j][2 * r + 1]);
                    } else {
                        *(__half2*)to = __floats2half2_rn(sum[i][j][2 * r], sum[i][j][2 * r + 1]);
                    }
                }
        together<THREADS>();
        const int end = LONG ? min(BM, M - m0) * K_C : K_C - n0;
        for (int index = tid; index < (LONG ? 1 : BM) * COLUMNS; index += THREADS) {
            int row = index / COLUMNS, column = index % COLUMNS * V;
            const __half* from = memory + row * WIDE + column;
            __half* to = (__half*)y + (size_t)(m0 + row) * K_C + n0 + column;
            if (m0 + row < M && column + V <= end) *(Piece*)to = *(const Piece*)from;
            else if (LONG)
                for (int e = 0; column + e < end; e++) to[e] = from[e];
        }
    } else {
        #pragma unroll
        for (int i = 0; i < MI; i++)
            #pragma unroll
            for (int j = 0; j < NI; j++)
                #pragma unroll
                for (int r = 0; r < 2; r++) {
                    int m = m0 + row + i * APART + r * 8, n = n0 + column + j * 8;
                    Out* to = y + (size_t)m * K_C + n;
                    if (m < M && n < K_C) to[0] = Out(sum[i][j][2 * r]);
                    if (m < M && n + 1 < K_C) to[1] = Out(sum[i][j][2 * r + 1]);
                }
    }
}
