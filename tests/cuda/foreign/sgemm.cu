// SGEMM, one rung after the other: C = A * B, row-major, A is M x K and B is K x N.
#include <cuda_pipeline.h>
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define GLOBAL_ID(axis) (blockIdx.axis * blockDim.axis + threadIdx.axis)
#define TILE 16
#ifdef DEBUG_LAUNCH
#define TRACE(...) do { if (threadIdx.x == 0) printf(__VA_ARGS__); } while (0)
#else
#define TRACE(...)
#endif

extern "C" __global__ void sgemm_naive(int M, int N, int K, float alpha, const float *A,
                                       const float *B, float beta, float *C)
{
    const unsigned row = GLOBAL_ID(x), col = GLOBAL_ID(y);
    TRACE("block %d,%d\n", blockIdx.x, blockIdx.y);
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = alpha * acc + beta * C[row * N + col];
    }
}
//! out_of_bounds: row < M && => @ acc += A
//! out_of_bounds: k < K => k <= K @ acc += A
//! races: C[row * N + col] = alpha => C[row * N] = alpha
//! uninitialised: acc = 0.0f => acc @ acc += A
template <const int BS>
__global__ void sgemm_coalesced(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.x * BS + threadIdx.x / BS, col = blockIdx.y * BS + threadIdx.x % BS;
    if (row >= M || col >= N) return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc = fmaf(A[row * K + k], B[k * N + col], acc);
    C[row * N + col] = acc;
}
//! out_of_bounds: row >= M || => @ acc = fmaf
//! out_of_bounds: col >= N => col > N @ C[row * N + col] = acc
//! races: blockIdx.y * BS + => @ C[row * N + col] = acc
//! misaligned: C[row * N + col] = acc; => *(float2 *)&C[row * N + col] = {acc, acc};
extern "C" __global__ void __launch_bounds__(TILE * TILE)
sgemm_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.f;
    for (int t = 0; t < CEIL_DIV(K, TILE); ++t) {
        As[ty][tx] = row < M && t * TILE + tx < K ? A[row * K + t * TILE + tx] : 0.f;
        Bs[ty][tx] = col < N && t * TILE + ty < K ? B[(t * TILE + ty) * N + col] : 0.f;
        __syncthreads();  // loaded
        for (int k = 0; k < TILE; ++k) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();  // used
    }
    if (row < M && col < N) C[row * N + col] = acc;
}
//! races: __syncthreads();  // loaded => @ acc += As @ Bs[ty][tx] =
//! races: __syncthreads();  // used => @ acc += As @ Bs[ty][tx] =
//! out_of_bounds: row < M && t * => t *
//! out_of_bounds: As[ty][k] => As[ty][k + 1]
//! uninitialised: Bs[ty][tx] = col => if (col < N) Bs[ty][tx] = col @ acc += As
//! barriers: __syncthreads();  // used => if (row < M) __syncthreads();
template <int BM, int BN, int BK, int TM>
__global__ void __launch_bounds__(BM * BN / TM)
sgemm_1d(const float *A, const float *B, float *C, int M, int N, int K)
{
    static_assert(BM * BK == BM * BN / TM && BK * BN == BM * BN / TM, "one value a thread");
    __shared__ float As[BM * BK], Bs[BK * BN];
    const int tcol = threadIdx.x % BN, trow = threadIdx.x / BN;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const int ar = threadIdx.x / BK, ac = threadIdx.x % BK;
    float acc[TM] = {0.0f};
    for (int k0 = 0; k0 < K; k0 += BK) {
        As[ar * BK + ac] = row0 + ar < M && k0 + ac < K ? A[(row0 + ar) * K + k0 + ac] : 0.0f;
        Bs[trow * BN + tcol] =
            k0 + trow < K && col0 + tcol < N ? B[(k0 + trow) * N + col0 + tcol] : 0.0f;
        __syncthreads();  // filled
        for (int k = 0; k < BK; ++k) {
            const float b = Bs[k * BN + tcol];
            for (int i = 0; i < TM; ++i) acc[i] += As[(trow * TM + i) * BK + k] * b;
        }
        __syncthreads();  // free
    }
    for (int i = 0; i < TM; ++i) {
        const int r = row0 + trow * TM + i;
        if (r < M && col0 + tcol < N) C[r * N + col0 + tcol] = acc[i];
    }
}
//! races: __syncthreads();  // filled => @ const float b @ Bs[trow * BN
//! races: __syncthreads();  // free => @ acc[i] += As @ As[ar * BK + ac] =
//! out_of_bounds: (r < M && => (r <= M &&
//! out_of_bounds: Bs[k * BN + tcol] => Bs[k * BN + tcol + 1]
//! barriers: __syncthreads();  // free => if (trow < 7 || tcol) __syncthreads();
//! out_of_bounds: acc[i] += => acc[i + 1] +=
template <int BM, int BN, int BK, int TM, int TN>
__global__ void sgemm_2d(const float *__restrict__ A, const float *__restrict__ B,
                         float *__restrict__ C, int M, int N, int K)
{
    constexpr int threads = (BM / TM) * (BN / TN);
    assert(blockDim.x == threads);
    __shared__ float As[BM][BK], Bs[BK][BN];
    const int tr = threadIdx.x / (BN / TN) * TM, tc = threadIdx.x % (BN / TN) * TN;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[TM][TN] = {}, a[TM], b[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += threads) {
            const int r = row0 + i / BK, c = k0 + i % BK;
            As[i / BK][i % BK] = r < M && c < K ? A[r * K + c] : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += threads) {
            const int r = k0 + i / BN, c = col0 + i % BN;
            Bs[i / BN][i % BN] = r < K && c < N ? B[r * N + c] : 0.0f;
        }
        __syncthreads();  // go
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) a[i] = As[tr + i][k];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][tc + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
        }
        __syncthreads();  // done
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (row0 + tr + i < M && col0 + tc + j < N)
                C[(row0 + tr + i) * N + col0 + tc + j] = acc[i][j];
}
//! races: __syncthreads();  // go => @ b[j] = Bs @ Bs[i / BN][i % BN] =
//! races: __syncthreads();  // done => @ a[i] = As @ As[i / BK][i % BK] =
//! uninitialised: i < BK * BN => i < BK * BN - BN @ b[j] = Bs
//! out_of_bounds: i < BM * BK => i < BM * BK + BK @ As[i / BK][i % BK] =
//! out_of_bounds: r < K && c < N => r <= K && c < N
//! out_of_bounds: Bs[k][tc + j] => Bs[k][tc + j + 1]
//! barriers: __syncthreads();  // go => if (col0 + tc < N) __syncthreads();
template <int BM, int BN, int BK, int PAD>
__global__ void sgemm_vec(float *A, float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float As[BK][BM + PAD];
    __shared__ __align__(16) float Bs[BK][BN];
    const int tr = threadIdx.x / (BN / 4) * 4, tc = threadIdx.x % (BN / 4) * 4;
    const int ar = threadIdx.x / (BK / 4), ac = threadIdx.x % (BK / 4) * 4;
    const int br = threadIdx.x / (BN / 4), row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const float4 zero = make_float4(0.f, 0.f, 0.f, 0.f);
    float acc[4][4] = {{0.f}};
    for (int k0 = 0; k0 < K; k0 += BK) {
        float4 v = zero, w = zero;
        if (row0 + ar < M && k0 + ac < K)
            v = reinterpret_cast<float4 *>(&A[(row0 + ar) * K + k0 + ac])[0];
        if (k0 + br < K && col0 + tc < N) w = *(float4 *)&B[(k0 + br) * N + col0 + tc];
        As[ac][ar] = v.x;
        As[ac + 1][ar] = v.y;
        As[ac + 2][ar] = v.z;
        As[ac + 3][ar] = v.w;
        reinterpret_cast<float4 *>(&Bs[br][tc])[0] = w;
        __syncthreads();  // loaded
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 a = *(const float4 *)&As[k][tr];
            const float4 b = *(const float4 *)&Bs[k][tc];
            const float m[4] = {a.x, a.y, a.z, a.w}, n[4] = {b.x, b.y, b.z, b.w};
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) acc[i][j] += m[i] * n[j];
        }
        __syncthreads();  // used
    }
    for (int i = 0; i < 4; ++i)
        if (row0 + tr + i < M && col0 + tc < N)
            *(float4 *)(C + (row0 + tr + i) * N + col0 + tc) =
                make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
//! races: __syncthreads();  // loaded => @ float4 a = @ As[ac][ar] =
//! races: __syncthreads();  // used => @ float4 b = @ reinterpret_cast<float4 *>(&Bs
//! misaligned: &Bs[k][tc] => &Bs[k][tc + 1]
//! misaligned: N + col0 + tc]; => N + col0 + tc + 2];
//! out_of_bounds: row0 + ar < M && => @ v = reinterpret_cast
//! uninitialised: As[ac + 2][ar] = v.z; => @ float4 a =
//! out_of_bounds: As[ac + 3][ar] => As[ac + 5][ar]
template <int BM, int BN, int BK, int WM, int WN, int TM, int TN>
__global__ void sgemm_warptile(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int WARPS_N = BN / WN, LANES_N = WN / TN, NT = BM / WM * WARPS_N * 32;
    static_assert((WM / TM) * LANES_N == 32, "a warp is 32 lanes");
    __shared__ float As[BK * BM], Bs[BK * BN];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int r = warp / WARPS_N * WM + lane / LANES_N * TM;
    const int c = warp % WARPS_N * WN + lane % LANES_N * TN;
    float acc[TM * TN] = {0.f}, ra[TM], rb[TN];
    A += blockIdx.y * BM * K; B += blockIdx.x * BN; C += blockIdx.y * BM * N + blockIdx.x * BN;
    const int m = M - blockIdx.y * BM, n = N - blockIdx.x * BN;
    for (int k0 = 0; k0 < K; k0 += BK, A += BK, B += BK * N) {
        for (int i = threadIdx.x; i < BK * BM; i += NT)
            As[i] = i % BM < m && k0 + i / BM < K ? A[i % BM * K + i / BM] : 0.f;
        for (int i = threadIdx.x; i < BK * BN; i += NT)
            Bs[i] = i % BN < n && k0 + i / BN < K ? B[i / BN * N + i % BN] : 0.f;
        __syncthreads();  // tile in
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) ra[i] = As[k * BM + r + i];
            for (int j = 0; j < TN; ++j) rb[j] = Bs[k * BN + c + j];
            for (int ij = 0; ij < TM * TN; ++ij) acc[ij] += ra[ij / TN] * rb[ij % TN];
        }
        __syncthreads();  // tile out
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (r + i < m && c + j < n) C[(r + i) * N + c + j] = acc[i * TN + j];
}
//! races: __syncthreads();  // tile in => __syncwarp(); @ ra[i] = As @ As[i] =
//! races: __syncthreads();  // tile out => __syncwarp(); @ rb[j] = Bs @ Bs[i] =
//! out_of_bounds: k * BN + c + j => (k + 1) * BN + c + j
//! out_of_bounds: i % BM < m => i % BM <= m
//! barriers: __syncthreads();  // tile out => if (warp != 3) __syncthreads();
//! uninitialised: i < BK * BM => i < BK * BM - 1 @ ra[i] = As
extern "C" __global__ void sgemm_double_buffer(const float *A, const float *B, float *C, int M,
                                               int N, int K)
{
    __shared__ float As[2][TILE][TILE + 1], Bs[2][TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, tiles = CEIL_DIV(K, TILE);
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    auto fetch = [&](int t, int buf) {
        const int ka = t * TILE + tx, kb = t * TILE + ty;
        As[buf][ty][tx] = row < M && ka < K ? A[row * K + ka] : 0;
        Bs[buf][ty][tx] = col < N && kb < K ? B[kb * N + col] : 0;
    };
    fetch(0, 0);
    float acc = 0;
    for (int t = 0, buf = 0; t < tiles; ++t, buf ^= 1) {
        __syncthreads();  // one is enough
        if (t + 1 < tiles) fetch(t + 1, buf ^ 1);
        for (int k = 0; k < TILE; ++k) acc += As[buf][ty][k] * Bs[buf][k][tx];
    }
    if (row < M && col < N) C[row * N + col] = acc;
}
//! races: __syncthreads();  // one is enough => @ acc += As @ Bs[buf][ty][tx] =
//! races: fetch(t + 1, buf ^ 1) => fetch(t + 1, buf) @ acc += As @ Bs[buf][ty][tx] =
//! uninitialised: fetch(0, 0); => @ acc += As
//! out_of_bounds: kb < K => kb <= K
//! out_of_bounds: fetch(0, 0); => fetch(0, 2); @ As[buf][ty][tx] =
//! out_of_bounds: Bs[buf][k][tx] => Bs[buf][k + 1][tx]
//! barriers: __syncthreads();  // one is enough => if (col < N) __syncthreads();
template <int STAGES>
__global__ void sgemm_async(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float As[STAGES][32][8], Bs[STAGES][8][32];
    const int tid = threadIdx.x, row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    const int ar = tid / 2, ac = tid % 2 * 4, br = tid / 8, bc = tid % 8 * 4;
    const int tr = tid / 8 * 4, tc = tid % 8 * 4, tiles = (K + 7) / 8;
    float acc[4][4] = {};
    for (int t = -STAGES + 1; t < tiles; ++t) {
        const int next = t + STAGES - 1, into = next % STAGES, from = (t + STAGES) % STAGES;
        if (next < tiles) {
            const bool a_in = row0 + ar < M && next * 8 + ac < K;
            const bool b_in = next * 8 + br < K && col0 + bc < N;
            const float *a = a_in ? A + (row0 + ar) * K + next * 8 + ac : A;
            const float *b = b_in ? B + (next * 8 + br) * N + col0 + bc : B;
            __pipeline_memcpy_async(&As[into][ar][ac], a, 16, a_in ? 0 : 16);
            __pipeline_memcpy_async(&Bs[into][br][bc], b, 16, b_in ? 0 : 16);
        }
        __pipeline_commit();
        if (t < 0) continue;
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();  // arrived
        for (int k = 0; k < 8; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) acc[i][j] += As[from][tr + i][k] * Bs[from][k][tc + j];
        __syncthreads();  // read
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (row0 + tr + i < M && col0 + tc + j < N)
                C[(row0 + tr + i) * N + col0 + tc + j] = acc[i][j];
}
//! races: __syncthreads();  // arrived => @ acc[i][j] += As @ &Bs[into]
//! races: __syncthreads();  // read => @ acc[i][j] += As @ &Bs[into]
//! copies: __pipeline_wait_prior(STAGES - 1); => @ acc[i][j] += As
//! out_of_bounds: next * 8 + br < K && => @ &Bs[into]
//! misaligned: A + (row0 + ar) * K + next * 8 + ac => A + (row0 + ar) * K + next * 7 + ac @ &As[into]
//! out_of_bounds: &Bs[into][br][bc] => &Bs[into][br + 1][bc]
