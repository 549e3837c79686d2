// What a transformer's layer needs: softmax, layer norm, a tile of attention.
#include <math_constants.h>
#define CUDA_KERNEL extern "C" __global__ void
#define FOR_THREADS(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)

struct MaxOp { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct SumOp { __device__ float operator()(float a, float b) const { return a + b; } };

template <class Op>
__device__ float block_reduce(float v, Op op, float *scratch)
{
    for (int m = 16; m > 0; m /= 2) v = op(v, __shfl_xor_sync(~0u, v, m));
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = v;
    __syncthreads();  // scratch ready
    v = scratch[0];
    for (int w = 1; w < blockDim.x / 32; ++w) v = op(v, scratch[w]);
    __syncthreads();  // scratch free
    return v;
}

CUDA_KERNEL softmax_naive(const float *in, float *out, int cols)
{
    __shared__ float scratch[8];
    const float *x = in + blockIdx.x * cols;
    float *y = out + blockIdx.x * cols, top = -CUDART_INF_F, sum = 0;
    FOR_THREADS(i, cols) top = fmaxf(top, x[i]);
    top = block_reduce(top, MaxOp(), scratch);
    FOR_THREADS(i, cols) sum += y[i] = expf(x[i] - top);
    sum = block_reduce(sum, SumOp(), scratch);
    FOR_THREADS(i, cols) y[i] /= sum;
}
//! races: __syncthreads();  // scratch ready => @ op(v, scratch[w]) @ scratch[threadIdx.x / 32] = v
//! races: __syncthreads();  // scratch free => @ op(v, scratch[w]) @ scratch[threadIdx.x / 32] = v
//! out_of_bounds: FOR_THREADS(i, cols) top => FOR_THREADS(i, cols + 1) top
//! races: FOR_THREADS(i, cols) y[i] /= sum => FOR_THREADS(i, cols) y[0] /= sum
//! lanes: sum = block_reduce(sum, SumOp => if (threadIdx.x) sum = block_reduce(sum, SumOp @ __shfl_xor_sync
//! uninitialised: w < blockDim.x / 32; => w < 8;
CUDA_KERNEL softmax_online(const float *__restrict__ in, float *out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    const float *x = in + row * cols;
    float m = -CUDART_INF_F, l = 0.f;
    for (int i = lane; i < cols; i += 32) {
        const float v = x[i], m_new = max(m, v);
        l = l * __expf(m - m_new) + __expf(v - m_new);
        m = m_new;
    }
    for (int o = 16; o; o >>= 1) {
        const float m2 = __shfl_down_sync(~0u, m, o), l2 = __shfl_down_sync(~0u, l, o);
        const float top = fmaxf(m, m2);
        l = l * __expf(m - top) + l2 * __expf(m2 - top);
        m = top;
    }
    m = __shfl_sync(0xffffffffu, m, 0);
    l = __shfl_sync(0xffffffffu, l, 0);
    for (int i = lane; i < cols; i += 32) out[row * cols + i] = __expf(x[i] - m) / l;
}
//! out_of_bounds: if (row >= rows) => if (row > rows) @ const float v = x
//! out_of_bounds: i < cols; i += 32) { => i <= cols; i += 32) { @ const float v = x
//! races: out[row * cols + i] => out[i]
//! lanes: m = __shfl_sync(0xffffffffu, => m = __shfl_sync(0x0000ffffu,
//! uninitialised: l = 0.f; => l; @ l = l * __expf(m - m_new)
struct __align__(16) Welford { float mean, m2, n, pad; };
__device__ Welford merge(Welford a, Welford b)
{
    const float n = a.n + b.n, d = b.mean - a.mean;
    if (n == 0) return a;
    return {a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n, n, 0};
}

template <int THREADS>
__global__ void layernorm(const float *x, const float *gamma, const float *beta, float *y, int cols,
                          float eps = 1e-5f)
{
    __shared__ Welford tree[THREADS];
    x += blockIdx.x * cols; y += blockIdx.x * cols;
    Welford w = {0, 0, 0, 0};
    FOR_THREADS(i, cols) w = merge(w, Welford{x[i], 0, 1, 0});
    tree[threadIdx.x] = w;
    for (int s = THREADS / 2; s > 0; s /= 2) {
        __syncthreads();  // level
        if (threadIdx.x < s) tree[threadIdx.x] = merge(tree[threadIdx.x], tree[threadIdx.x + s]);
    }
    __syncthreads();  // root
    const float mean = tree[0].mean, scale = rsqrtf(tree[0].m2 / cols + eps);
    FOR_THREADS(i, cols) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}
//! races: __syncthreads();  // level => @ tree[threadIdx.x] = merge
//! races: __syncthreads();  // root => @ const float mean @ tree[threadIdx.x] = merge
//! out_of_bounds: threadIdx.x < s => threadIdx.x < s + 1 + THREADS / 2 @ tree[threadIdx.x] = merge
//! uninitialised: tree[threadIdx.x] = w; => if (threadIdx.x < 60) tree[threadIdx.x] = w; @ = merge(tree
//! out_of_bounds: FOR_THREADS(i, cols) y => FOR_THREADS(i, cols + 1) y
//! misaligned: tree[threadIdx.x + s] => *(Welford *)(&tree[threadIdx.x + s].m2)
//! barriers: __syncthreads();  // root => if (threadIdx.x < cols) __syncthreads();
// softmax(Q K^T) V for one tile of queries; D wide, keys come by tiles of BC
template <int BR, int BC, int D>
__global__ void __launch_bounds__(BR)
flash_attention(const float *Q, const float *K, const float *V, float *O, int n, float scale)
{
    extern __shared__ float smem[];
    float *Ks = smem, *Vs = Ks + BC * D, *S = Vs + BC * D;
    const int t = threadIdx.x, q = blockIdx.x * BR + t;
    float m = -CUDART_INF_F, l = 0.f, o[D] = {0.f}, qr[D];
    for (int d = 0; d < D; ++d) qr[d] = q < n ? Q[q * D + d] * scale : 0.f;
    for (int k0 = 0; k0 < n; k0 += BC) {
        for (int i = t; i < BC * D; i += BR) {
            const bool in = k0 * D + i < n * D;
            Ks[i] = in ? K[k0 * D + i] : 0.f;
            Vs[i] = in ? V[k0 * D + i] : 0.f;
        }
        __syncthreads();  // keys
        const int keys = min(BC, n - k0);
        float top = m;
        for (int c = 0; c < keys; ++c) {
            float dot = 0.f;
            for (int d = 0; d < D; ++d) dot += qr[d] * Ks[c * D + d];
            S[t * BC + c] = dot;
            top = fmaxf(top, dot);
        }
        const float shrink = expf(m - top);
        l *= shrink;
        for (int d = 0; d < D; ++d) o[d] *= shrink;
        for (int c = 0; c < keys; ++c) {
            const float p = expf(S[t * BC + c] - top);
            l += p;
            for (int d = 0; d < D; ++d) o[d] += p * Vs[c * D + d];
        }
        m = top;
        __syncthreads();  // consumed
    }
    if (q < n) for (int d = 0; d < D; ++d) O[q * D + d] = o[d] / l;
}
//! races: __syncthreads();  // keys => @ dot += qr @ Ks[i] =
//! races: __syncthreads();  // consumed => @ o[d] += p @ Vs[i] =
//! out_of_bounds: q < n ? => q <= n ?
//! out_of_bounds: const bool in = k0 * D + i < n * D => const bool in = k0 * D + i <= n * D @ Ks[i] =
//! uninitialised: Vs[i] = in => if (i) Vs[i] = in @ o[d] += p
//! races: S[t * BC + c] = => S[c] =
//! barriers: __syncthreads();  // consumed => if (q < n) __syncthreads();
//! out_of_bounds: d < D; ++d) o[d] *= => d <= D; ++d) o[d] *=
