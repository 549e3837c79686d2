// Kernels without a fault that look like those of broken_cooperation.cu: none may be accused.
//
// requires sm_80
#pragma nv_diag_suppress static_var_with_dynamic_init
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

extern "C" __global__ void tile_with_sync(float* b, const float* a)
{
    __shared__ float s[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];
    tile.sync();
    b[t] = s[t ^ 7];
}

__device__ float sum_of(cg::thread_group group, float* s, float value)
{
    int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        s[rank] = value;
        group.sync();
        if (rank < half) value += s[rank + half];
        group.sync();
    }
    return value;
}

// The same function for a block and for tiles of it.
extern "C" __global__ void sums_of_groups(float* b, const float* a)
{
    __shared__ float s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group tile = cg::tiled_partition(block, 16);
    int t = threadIdx.x;
    float all = sum_of(block, s, a[t]);
    float some = sum_of(tile, s + t / 16 * 16, a[t]);
    if (t == 0) b[0] = all;
    if (t % 16 == 0) b[1 + t / 16] = some;
}

extern "C" __global__ void reduce_of_those_in_a_branch(float* b, const float* a)
{
    int t = threadIdx.x;
    b[t] = a[t];
    if (t < 10) b[t] = cg::reduce(cg::coalesced_threads(), a[t], cg::plus<float>());
}

// One addition for all lanes of a warp that have something to add.
extern "C" __global__ void places_handed_out(int* b, int* next, const int* a)
{
    int v = a[blockIdx.x * blockDim.x + threadIdx.x];
    if (v <= 3) return;
    cg::coalesced_group some = cg::coalesced_threads();
    int first = 0;
    if (some.thread_rank() == 0) first = atomicAdd(next, (int)some.size());
    b[some.shfl(first, 0) + some.thread_rank()] = 1;
}

extern "C" __global__ void one_copy_each(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &a[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    b[t] = s[t];  // its own, so no barrier is needed
}

extern "C" __global__ void tiles_refilled(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&s[t], &a[64 * i + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        b[64 * i + t] = s[63 - t];
        __syncthreads();
    }
}

extern "C" __global__ void flag_released(float* b, const float* a)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ float s[1];
    int t = threadIdx.x;
    if (t == 0) flag.store(0);
    __syncthreads();
    if (t == 0) {
        s[0] = a[0];
        flag.store(1, cuda::memory_order_release);
    } else if (t == 32) {
        while (!flag.load(cuda::memory_order_acquire)) {}
        b[0] = s[0];
    }
}

// Fences make relaxed accesses as good.
extern "C" __global__ void flag_fenced(float* b, const float* a)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ float s[1];
    int t = threadIdx.x;
    if (t == 0) flag.store(0);
    __syncthreads();
    if (t == 0) {
        s[0] = a[0];
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
        flag.store(1, cuda::memory_order_relaxed);
    } else if (t == 32) {
        while (!flag.load(cuda::memory_order_relaxed)) {}
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
        b[0] = s[0];
    }
}

// Each block adds up by itself, then once for all.
extern "C" __global__ void block_scope_for_a_block(int* b, int* parts, const int* a)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> part(parts[blockIdx.x]);
    part.fetch_add(a[blockIdx.x * blockDim.x + threadIdx.x], cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&b[0], parts[blockIdx.x]);
}

extern "C" __global__ void last_block_ordered(int* b, int* parts, int* count, const int* a)
{
    parts[blockIdx.x] = a[blockIdx.x];
    cuda::atomic_ref<int, cuda::thread_scope_device> arrived(count[0]);
    if (arrived.fetch_add(1, cuda::memory_order_acq_rel) != gridDim.x - 1) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += parts[i];
    b[0] = sum;
}

// Threads of one block take a lock in turn.
extern "C" __global__ void lock_in_a_block(int* b, int* lock, const int* a)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> held(lock[0]);
    int free = 0;
    while (!held.compare_exchange_weak(free, 1, cuda::memory_order_acquire)) free = 0;
    b[0] += a[threadIdx.x];
    held.store(0, cuda::memory_order_release);
}

extern "C" __global__ void halves_added(half* b, const half* a)
{
    atomicAdd(b, a[threadIdx.x]);
}

// Half the block fills, the other half takes: each does what it can between arrival and wait.
extern "C" __global__ void arrival_and_wait(float* b, const float* a)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        s[t] = a[64 * i + t];
        auto token = barrier.arrive();
        float own = a[64 * i + t];
        barrier.wait(cuda::std::move(token));
        b[64 * i + t] = own + s[63 - t];
        barrier.arrive_and_wait();
    }
}
