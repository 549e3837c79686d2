// cuda::atomic and cuda::atomic_ref: memory orders and scopes.
#include <cuda/atomic>

extern "C" __global__ void orders(int* y, float* z, const int* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = a[i];
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(y[0]);
    sum.fetch_add(v, cuda::memory_order_relaxed);
    cuda::atomic_ref<int> least(y[1]);
    least.fetch_min(v);
    cuda::atomic_ref<int, cuda::thread_scope_system> most(y[2]);
    most.fetch_max(v, cuda::memory_order_acq_rel);
    cuda::atomic_ref<int, cuda::thread_scope_block> own(y[3 + blockIdx.x]);
    own.fetch_sub(v, cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int>(y[5]).fetch_or(v & 0x0f0f);
    cuda::atomic_ref<int>(y[6]).fetch_and(v | 0x7ff00000);
    cuda::atomic_ref<int>(y[7]).fetch_xor(v);
    ++cuda::atomic_ref<int>(y[8]);
    cuda::atomic_ref<int>(y[9])--;
    cuda::atomic_ref<int>(y[10]) += v;
    cuda::atomic_ref<int, cuda::thread_scope_device> best(y[11]);
    int old = best.load(cuda::memory_order_relaxed);
    while (old < v && !best.compare_exchange_weak(old, v, cuda::memory_order_relaxed)) {}
    int none = 0;
    cuda::atomic_ref<int>(y[12]).compare_exchange_strong(none, 9);
    if (i == 5) cuda::atomic_ref<int>(y[13]).store(v, cuda::memory_order_release);
    if (i == 6) cuda::atomic_ref<int>(y[14]).exchange(v);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    cuda::atomic_ref<float, cuda::thread_scope_device>(z[0]).fetch_add((float)v);
}

// The first half of the block fills, says so, and the second half takes.
extern "C" __global__ void message(int* y, const int* a)
{
    __shared__ int s[32];
    __shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
    int t = threadIdx.x;
    if (t == 0) ready.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (t < 32) {
        s[t] = 2 * a[t];
        ready.fetch_add(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) < 32) {}
        y[t - 32] = s[63 - t] + a[t];
    }
}

// Whoever comes last adds up what the others left.
extern "C" __global__ void last_of_all(int* y, int* parts, int* count, const int* a)
{
    int block = blockIdx.x;
    parts[block] = a[block] * 3;
    cuda::atomic_ref<int, cuda::thread_scope_device> arrived(count[0]);
    if (arrived.fetch_add(1, cuda::memory_order_acq_rel) != gridDim.x - 1) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += (i + 1) * parts[i];
    y[0] = sum;
}
