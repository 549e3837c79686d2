// Asynchronous copies, and barriers and pipelines that wait for them.
#pragma nv_diag_suppress static_var_with_dynamic_init
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
typedef cuda::barrier<cuda::thread_scope_block> Barrier;

// Two tiles in turn: one is filled while the other is used.
extern "C" __global__ void two_stages(float* y, const float* a, int count)
{
    __shared__ alignas(16) float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &a[t], 4);
    __pipeline_commit();
    for (int i = 0; i < count; i++) {
        if (i + 1 < count)
            __pipeline_memcpy_async(&s[(i + 1) % 2][t], &a[64 * (i + 1) + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        y[64 * i + t] = s[i % 2][63 - t];
        __syncthreads();
    }
}

// Four values at a time, and what is missing becomes zero.
extern "C" __global__ void vectors_and_zeros(float* y, const float* a)
{
    __shared__ alignas(16) float s[64];
    int t = threadIdx.x;
    if (t < 12) __pipeline_memcpy_async(&s[4 * t], &a[4 * t], 16);
    if (t == 12) __pipeline_memcpy_async(&s[48], &a[48], 16, 8);
    if (t == 13) __pipeline_memcpy_async(&s[52], &a[52], 8, 4);
    if (t >= 14 && t < 24) __pipeline_memcpy_async(&s[40 + t], &a[40 + t], 4, t % 2 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] = s[63 - t];
}

extern "C" __global__ void phases(int* y, const int* a, int rounds)
{
    __shared__ Barrier barrier;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        s[t] = a[t] * (i + 1);
        Barrier::arrival_token token = barrier.arrive();
        sum += t;
        barrier.wait(cuda::std::move(token));
        sum += s[63 - t];
        barrier.arrive_and_wait();
    }
    y[t] = sum;
    if (t >= 32) {
        s[t] = sum;
        barrier.arrive_and_drop();
        return;
    }
    barrier.arrive_and_wait();
    y[t] += s[t + 32];
}

extern "C" __global__ void copies_for_a_barrier(float* y, const float* a)
{
    __shared__ alignas(16) float s[130];
    __shared__ Barrier barrier;
    auto block = cooperative_groups::this_thread_block();
    int t = threadIdx.x;
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(block, s, a, sizeof(float) * 128, barrier);
    cuda::memcpy_async(&s[128 + t % 2], &a[128 + t % 2], t < 2 ? 4 : 0, barrier);
    barrier.arrive_and_wait();
    y[t] = s[129 - t] - s[t];
}

extern "C" __global__ void pipeline_of_a_thread(float* y, const float* a, int count)
{
    __shared__ float s[3][64];
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i][t], &a[64 * i + t], sizeof(float), pipe);
        pipe.producer_commit();
    }
    for (int i = 0; i < count; i++) {
        pipe.producer_acquire();
        if (i + 2 < count)
            cuda::memcpy_async(&s[(i + 2) % 3][t], &a[64 * (i + 2) + t], sizeof(float), pipe);
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<2>(pipe);
        y[64 * i + t] = 2.0f * s[i % 3][t];
        pipe.consumer_release();
    }
}

extern "C" __global__ void pipeline_of_a_block(float* y, const float* a, int count)
{
    __shared__ alignas(16) float s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int made = 0, used = 0; used < count; used++) {
        for (; made < count && made < used + 2; made++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[made % 2], a + 64 * made, 64 * sizeof(float), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[64 * used + t] = s[used % 2][63 - t] + 1.0f;
        pipe.consumer_release();
    }
}
