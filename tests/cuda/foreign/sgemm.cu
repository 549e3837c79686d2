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
