// Sums of n floats: from the textbook's first to cooperative groups.
#include <math_constants.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu
using uint_t = unsigned int;
#define TID (threadIdx.x)

extern "C" __global__ void reduce_modulo(const float *in, float *out, uint_t n)
{
    extern __shared__ float sdata[];
    uint_t i = blockIdx.x * blockDim.x + TID;
    sdata[TID] = i < n ? in[i] : 0;
    __syncthreads();  // filled
    for (uint_t s = 1; s < blockDim.x; s *= 2) {
        if (TID % (2 * s) == 0) sdata[TID] += sdata[TID + s];
        __syncthreads();  // level done
    }
    if (TID == 0) out[blockIdx.x] = sdata[0];
}
//! out_of_bounds: i < n => i <= n
//! races: __syncthreads();  // filled => @ sdata[TID] += sdata @ sdata[TID] = i
//! races: __syncthreads();  // level done => @ sdata[TID] += sdata
//! barriers: __syncthreads();  // level done => if (TID % 2 == 0) __syncthreads();
//! out_of_bounds: TID % (2 * s) == 0 => TID % s == 0
//! races: out[blockIdx.x] => out[0]
//! uninitialised: sdata[TID] = i < n ? in[i] : 0; => if (i < n) sdata[TID] = in[i]; @ sdata[TID] +=
__inline__ __device__ float warp_sum(float v)
{
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(FULL, v, offset);
    return v;
}

extern "C" __global__ void reduce_shuffle(const float *in, float *out, uint_t n)
{
    __shared__ float partial[32];
    const uint_t lane = TID % warpSize, wid = TID / warpSize;
    float v = 0;
    for (uint_t i = blockIdx.x * blockDim.x + TID; i < n; i += blockDim.x * gridDim.x) v += in[i];
    v = warp_sum(v);
    if (lane == 0) partial[wid] = v;
    __syncthreads();  // partials
    v = TID < blockDim.x / warpSize ? partial[lane] : 0.f;
    if (wid == 0) v = warp_sum(v);
    if (TID == 0) atomicAdd(out, v);
}
//! races: __syncthreads();  // partials => @ ? partial[lane] @ partial[wid] = v
//! races: atomicAdd(out, v) => *out += v
//! uninitialised: TID < blockDim.x / warpSize ? => wid == 0 ?
//! lanes: if (wid == 0) v => if (TID < 4) v @ v += __shfl_down_sync
//! out_of_bounds: i < n; => i < n + 1;
//! out_of_bounds: partial[wid] = v => partial[wid + 32] = v
//! barriers: __syncthreads();  // partials => if (wid) __syncthreads();
extern "C" __global__ void reduce_groups(const float *in, float *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ float sums[8];
    float v = 0;
    for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n;
         i += block.size() * gridDim.x)
        v += in[i];
    v = cg::reduce(tile, v, cg::plus<float>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = v;
    block.sync();  // sums
    if (tile.meta_group_rank() == 0) {
        v = tile.thread_rank() < tile.meta_group_size() ? sums[tile.thread_rank()] : 0;
        v = cg::reduce(tile, v, cg::plus<float>());
        if (tile.thread_rank() == 0) atomicAdd(out, v);
    }
}
//! races: block.sync();  // sums => @ ? sums[tile @ sums[tile.meta_group_rank()] =
//! barriers: block.sync();  // sums => if (tile.meta_group_rank()) block.sync();
//! out_of_bounds: i < n; => i <= n; @ v += in
//! out_of_bounds: tile.thread_rank() < tile.meta_group_size() ? => true ?
//! races: atomicAdd(out, v) => out[0] += v
//! uninitialised: == 0) sums[ => == 0 && v > 0) sums[ @ ? sums[tile
__device__ unsigned int arrived = 0;

extern "C" __global__ void reduce_last_block(const float *in, float *partial, float *out,
                                             uint_t n)
{
    __shared__ float s[64];
    __shared__ bool last;
    float v = 0;
    for (uint_t i = blockIdx.x * 64 + TID; i < n; i += 64 * gridDim.x) v += in[i];
    s[TID] = v;
    __syncthreads();  // s is full
    for (int k = 32; k > 0; k /= 2) { if (TID < k) s[TID] += s[TID + k]; __syncthreads(); }
    if (TID == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();  // last is known
    if (last && TID == 0) {
        v = 0;
        for (uint_t b = 0; b < gridDim.x; ++b) v += partial[b];
        *out = v;
    }
}
//! races: __syncthreads();  // s is full => @ s[TID] += s @ s[TID] = v
//! races: __syncthreads();  // last is known => @ if (last @ last = atomicInc
//! out_of_bounds: b < gridDim.x => b <= gridDim.x
//! out_of_bounds: TID < k => TID <= k + 31
//! races: __threadfence(); => @ v += partial @ partial[blockIdx.x] =
//! uninitialised: s[TID] = v; => if (TID) s[TID] = v; @ s[TID] += s
struct Best { float value; int index; };
__device__ inline Best better(const Best &a, const Best &b)
{
    return (b.value > a.value || (b.value == a.value && b.index < a.index)) ? b : a;
}

extern "C" __global__ void argmax(const float *x, int n, float *value, int *index)
{
    __shared__ Best warps[32];
    Best best = {-CUDART_INF_F, n};
    for (int i = TID; i < n; i += blockDim.x) best = better(best, Best{x[i], i});
    for (int mask = 16; mask; mask >>= 1) {
        Best other;
        other.value = __shfl_xor_sync(FULL, best.value, mask);
        other.index = __shfl_xor_sync(FULL, best.index, mask);
        best = better(best, other);
    }
    if ((TID & 31) == 0) warps[TID >> 5] = best;
    __syncthreads();  // every warp's best
    if (TID != 0) return;
    for (int w = 1; w < blockDim.x / 32; ++w) best = better(best, warps[w]);
    *value = best.value; *index = best.index;
}
//! races: __syncthreads();  // every warp's best => @ return (b.value @ warps[TID >> 5] = best
//! out_of_bounds: i < n; => i <= n;
//! uninitialised: w < blockDim.x / 32 => w <= blockDim.x / 32 @ return (b.value
//! lanes: FULL, best.index => 0xffff, best.index
//! races: if (TID != 0) => if (TID & 31) @ *value = best.value
//! barriers: __syncthreads();  // every warp's best => if (TID < 100) __syncthreads();
