// Cooperative groups, memory orders and asynchronous copies, each with one fault. A comment names
// the kernel on each line that takes part in it.
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

// The tile's threads run side by side, but nothing promises it.
extern "C" __global__ void tile_without_sync(float* b, const float* a)
{
    __shared__ float s[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];  // <- tile_without_sync
    b[t] = s[t ^ 1] + tile.thread_rank();  // <- tile_without_sync
}

extern "C" __global__ void tile_too_small(float* b, const float* a)
{
    __shared__ float s[64];
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];  // <- tile_too_small
    tile.sync();
    b[t] = s[t ^ 7];  // <- tile_too_small
}

// Lanes exchange registers; what lies in memory is not ordered by that.
extern "C" __global__ void reduce_for_a_barrier(float* b, const float* a)
{
    __shared__ float s[32];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];  // <- reduce_for_a_barrier
    float sum = cg::reduce(warp, a[t], cg::plus<float>());
    b[t] = sum - s[t ^ 1];  // <- reduce_for_a_barrier
}

extern "C" __global__ void reduce_in_a_branch(float* b, const float* a)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    b[t] = a[t];
    if (t < 10) b[t] = cg::reduce(warp, a[t], cg::plus<float>());  // <- reduce_in_a_branch
}

extern "C" __global__ void block_sync_in_a_branch(float* b, const float* a)
{
    cg::thread_block block = cg::this_thread_block();
    b[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x < 20) block.sync();  // <- block_sync_in_a_branch
}

extern "C" __global__ void copy_without_wait(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &a[t], 4);  // <- copy_without_wait
    __pipeline_commit();
    __syncthreads();
    b[t] = s[63 - t];  // <- copy_without_wait
}

extern "C" __global__ void copy_without_commit(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &a[t], 4);  // <- copy_without_commit
    __pipeline_wait_prior(0);
    __syncthreads();
    b[t] = s[63 - t];  // <- copy_without_commit
}

extern "C" __global__ void wait_for_too_few(float* b, const float* a)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &a[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][t], &a[64 + t], 4);  // <- wait_for_too_few
    __pipeline_commit();
    __pipeline_wait_prior(1);
    b[t] = s[0][t] + s[1][t];  // <- wait_for_too_few
    __pipeline_wait_prior(0);
}

extern "C" __global__ void copy_that_nobody_awaits(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    b[t] = a[t];
    __pipeline_memcpy_async(&s[t], &a[t], 4);  // <- copy_that_nobody_awaits
    __pipeline_commit();
}

// Who has waited knows its own copies only.
extern "C" __global__ void wait_without_barrier(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &a[t], 4);  // <- wait_without_barrier
    __pipeline_commit();
    __pipeline_wait_prior(0);
    b[t] = s[t ^ 1];  // <- wait_without_barrier
}

extern "C" __global__ void refill_too_early(float* b, const float* a)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&s[t], &a[64 * i + t], 4);  // <- refill_too_early
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        b[64 * i + t] = s[63 - t];  // <- refill_too_early
    }
}

extern "C" __global__ void flag_set_relaxed(float* b, const float* a)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ float s[1];
    int t = threadIdx.x;
    if (t == 0) flag.store(0);
    __syncthreads();
    if (t == 0) {
        s[0] = a[0];  // <- flag_set_relaxed
        flag.store(1, cuda::memory_order_relaxed);
    } else if (t == 32) {
        while (!flag.load(cuda::memory_order_acquire)) {}
        b[0] = s[0];  // <- flag_set_relaxed
    }
}

extern "C" __global__ void flag_seen_relaxed(float* b, const float* a)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ float s[1];
    int t = threadIdx.x;
    if (t == 0) flag.store(0);
    __syncthreads();
    if (t == 0) {
        s[0] = a[0];  // <- flag_seen_relaxed
        flag.store(1, cuda::memory_order_release);
    } else if (t == 32) {
        while (!flag.load(cuda::memory_order_relaxed)) {}
        b[0] = s[0];  // <- flag_seen_relaxed
    }
}

extern "C" __global__ void block_scope_for_a_grid(int* b, const int* a)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> sum(b[0]);
    sum.fetch_add(a[blockIdx.x * blockDim.x + threadIdx.x]);  // <- block_scope_for_a_grid
}

extern "C" __global__ void block_atomics_for_a_grid(int* b, const int* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0) atomicAdd_block(&b[0], a[i]);  // <- block_atomics_for_a_grid
    if (blockIdx.x == 1) atomicAdd(&b[0], a[i]);  // <- block_atomics_for_a_grid
}

extern "C" __global__ void last_block_relaxed(int* b, int* parts, int* count, const int* a)
{
    parts[blockIdx.x] = a[blockIdx.x];  // <- last_block_relaxed
    cuda::atomic_ref<int, cuda::thread_scope_device> arrived(count[0]);
    if (arrived.fetch_add(1, cuda::memory_order_relaxed) != gridDim.x - 1) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += parts[i];  // <- last_block_relaxed
    b[0] = sum;
}

extern "C" __global__ void count_read_plainly(int* b, int* count)
{
    cuda::atomic_ref<int> counter(count[0]);
    counter.fetch_add(1);  // <- count_read_plainly
    if (count[0] == 256) atomicExch(b, 1);  // <- count_read_plainly
}

extern "C" __global__ void sum_of_halves(half* b, const half* a)
{
    b[0] = b[0] + a[threadIdx.x];  // <- sum_of_halves
}

extern "C" __global__ void arrival_for_a_wait(float* b, const float* a)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    s[t] = a[t];  // <- arrival_for_a_wait
    auto token = barrier.arrive();
    b[t] = s[63 - t];  // <- arrival_for_a_wait
    barrier.wait(cuda::std::move(token));
}

extern "C" __global__ void barrier_never_set_up(float* b, const float* a)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    b[threadIdx.x] = a[threadIdx.x];
    barrier.arrive_and_wait();  // <- barrier_never_set_up
}

extern "C" __global__ void barrier_for_too_many(float* b, const float* a)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x + 1);
    __syncthreads();
    b[threadIdx.x] = a[threadIdx.x];
    barrier.arrive_and_wait();  // <- barrier_for_too_many
}
