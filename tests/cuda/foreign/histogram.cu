// Histograms of bytes, and other counting with atomics.
#include <cooperative_groups.h>
#define BINS 256
#define GRID_STRIDE(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)
typedef unsigned char u8;
typedef unsigned int u32;

extern "C" __global__ void histogram_global(const u8 *data, u32 *bins, int n)
{
    GRID_STRIDE(i, n) atomicAdd(&bins[data[i]], 1u);
}
//! races: atomicAdd(&bins[data[i]], 1u) => bins[data[i]]++
//! out_of_bounds: (i, n) atomicAdd => (i, n + 1) atomicAdd
//! out_of_bounds: &bins[data[i]] => &bins[data[i] + 1]
extern "C" __global__ void histogram_shared(const uchar4 *data, u32 *bins, int n4)
{
    __shared__ u32 local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();  // zeroed
    GRID_STRIDE(i, n4) {
        const uchar4 p = data[i];
        atomicAdd(local + p.x, 1u); atomicAdd(local + p.y, 1u);
        atomicAdd(local + p.z, 1u); atomicAdd(local + p.w, 1u);
    }
    __syncthreads();  // counted
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b]) atomicAdd(bins + b, local[b]);
}
//! races: __syncthreads();  // zeroed => @ atomicAdd(local + p.x @ local[b] = 0
//! races: __syncthreads();  // counted => @ if (local[b]) @ atomicAdd(local + p.x
//! races: atomicAdd(local + p.z, 1u) => local[p.z]++
//! uninitialised: b < BINS; b += blockDim.x) local => b < BINS - 1; b += blockDim.x) local @ atomicAdd(local + p.z
//! out_of_bounds: b < BINS; b += blockDim.x) local => b <= BINS; b += blockDim.x) local
//! misaligned: = data[i]; => = *(const uchar4 *)((const u8 *)(data + i) + 1);
//! barriers: __syncthreads();  // counted => if (threadIdx.x < n4 / 2) __syncthreads();
template <int COPIES>
__global__ void histogram_private(const u8 *data, u32 *bins, int n)
{
    __shared__ u32 local[COPIES][BINS + 1];
    for (int b = threadIdx.x; b < COPIES * (BINS + 1); b += blockDim.x) (&local[0][0])[b] = 0;
    __syncthreads();  // clean
    GRID_STRIDE(i, n) atomicAdd(&local[threadIdx.x % COPIES][data[i]], 1u);
    __syncthreads();  // full
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        u32 sum = 0;
        for (int c = 0; c < COPIES; ++c) sum += local[c][b];
        if (sum) atomicAdd(&bins[b], sum);
    }
}
//! races: __syncthreads();  // clean => @ (&local[0][0])[b] = 0 @ atomicAdd(&local
//! races: __syncthreads();  // full => @ sum += local @ atomicAdd(&local
//! out_of_bounds: c < COPIES; => c <= COPIES;
//! uninitialised: b < COPIES * (BINS + 1) => b < COPIES * BINS @ sum += local
//! races: atomicAdd(&bins[b], sum) => bins[b] += sum
//! barriers: __syncthreads();  // full => if (threadIdx.x < 99) __syncthreads();
__device__ int aggregated_add(int *counter)
{
    const auto g = cooperative_groups::coalesced_threads();
    int first;
    if (g.thread_rank() == 0) first = atomicAdd(counter, (int)g.size());
    return g.shfl(first, 0) + g.thread_rank();
}

extern "C" __global__ void filter_below(const float *x, int *where, int *count, float limit, int n)
{
    GRID_STRIDE(i, n) if (x[i] < limit) where[aggregated_add(count)] = i;
}
//! out_of_bounds: GRID_STRIDE(i, n) => GRID_STRIDE(i, n + 1)
//! races: where[aggregated_add(count)] => where[aggregated_add(count) % 32]
//! out_of_bounds: where[aggregated_add(count)] => where[n - aggregated_add(count)]
