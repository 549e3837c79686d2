// Kernels that race, most of them in global memory, on the lines marked with their names: the
// emulator must find it. Each has a twin in sound_races.cu that does the job. Do not mend these.

// --- one place for many threads -----------------------------------------------------------------

// A sum needs atomicAdd, or one thread: += is a load, an addition and a store.
extern "C" __global__ void sum_into_one(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[0] += a[i];  // <- sum_into_one
}

// Two values that fall into one bin at once count as one.
extern "C" __global__ void plain_histogram(int* b, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[a[i]]++;  // <- plain_histogram
}

// volatile sees to it that memory is read and written each time, but not at once.
extern "C" __global__ void volatile_counter(volatile int* b, const int* a)
{
    if (a[threadIdx.x] > 3) b[0] = b[0] + 1;  // <- volatile_counter
}

// Two threads may both see a smaller maximum, and the smaller of theirs be stored last.
extern "C" __global__ void greatest_by_hand(int* b, const int* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] > b[0])  // <- greatest_by_hand
        b[0] = a[i];  // <- greatest_by_hand
}

// Two threads may take the same place of the list.
extern "C" __global__ void plain_ticket(int* b, const int* a, int* next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] > 3) {
        int place = *next;  // <- plain_ticket
        *next = place + 1;  // <- plain_ticket
        b[place] = 1;       // <- plain_ticket
    }
}

// 32 threads share a word, of which each sets a bit.
extern "C" __global__ void bits_of_a_word(unsigned* b, const float* a)
{
    int i = threadIdx.x;
    if (a[i] > 0.0f) b[i / 32] |= 1u << i % 32;  // <- bits_of_a_word
}

// All store the same, which mostly goes well and is promised nowhere.
extern "C" __global__ void all_raise_the_flag(int* b, const float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] > 0.0f) b[0] = 1;  // <- all_raise_the_flag
}

// --- what another thread reads is overwritten ---------------------------------------------------

// A neighbour may find the new value in place of the old one.
extern "C" __global__ void blur_in_place(float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0f;  // <- blur_in_place
}

// Every pair is exchanged twice, by both its threads.
extern "C" __global__ void turned_in_place(float* a, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = a[i * n + j];  // <- turned_in_place
    a[i * n + j] = a[j * n + i];  // <- turned_in_place
    a[j * n + i] = mine;  // <- turned_in_place
}

// The blocks of two rows of weights add to the same outputs.
extern "C" __global__ void rows_of_weights_apart(float* b, const float* a, const float* w, int i_w,
                                                 int k_w, int o_h, int o_w)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= o_h * o_w) return;
    float sum = 0.0f;
    for (int j = 0; j < k_w; j++)
        sum += a[(v / o_w + blockIdx.y) * i_w + v % o_w + j] * w[blockIdx.y * k_w + j];
    b[v] += sum;  // <- rows_of_weights_apart
}

// Blocks step by 62 and store all 64 values of their tiles, though the outer ones lack a neighbour.
extern "C" __global__ void tiles_that_overlap(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x, i = blockIdx.x * 62 + x;
    t[x] = a[i];
    __syncthreads();
    b[i] = (x > 0 ? t[x - 1] : 0.0f) + t[x] + (x < 63 ? t[x + 1] : 0.0f);  // <- tiles_that_overlap
}

// Four values at once, of which the last is another thread's.
extern "C" __global__ void vector_over_a_scalar(float* b, const float* a)
{
    int i = threadIdx.x;
    if (i < 16) {
        float4 v = make_float4(a[i], a[i], a[i], 0.0f);
        reinterpret_cast<float4*>(b)[i] = v;  // <- vector_over_a_scalar
    } else if (i < 32) {
        b[4 * (i - 16) + 3] = a[i];  // <- vector_over_a_scalar
    }
}

// --- ordered too little -------------------------------------------------------------------------

// Global memory needs the barrier as well.
extern "C" __global__ void neighbour_too_early(float* b, float* t, const float* a)
{
    int x = threadIdx.x;
    t[x] = a[x];           // <- neighbour_too_early
    b[x] = t[x ^ 32];      // <- neighbour_too_early
}

// A barrier orders the threads of its block, and here another block's values are read.
extern "C" __global__ void barrier_for_two_blocks(float* b, float* t, const float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[i] = a[i];           // <- barrier_for_two_blocks
    __syncthreads();
    b[i] = t[127 - i];     // <- barrier_for_two_blocks
}

// The lanes of a warp need not run in step: it takes __syncwarp().
extern "C" __global__ void lanes_by_luck(float* b, float* t, const float* a)
{
    int x = threadIdx.x;
    t[x] = a[x];          // <- lanes_by_luck
    b[x] = t[x ^ 1];      // <- lanes_by_luck
}

// Lanes 0 to 15 wait for each other, and read what the other lanes store.
extern "C" __global__ void half_a_warp_waits(float* b, const float* a)
{
    __shared__ float t[32];
    int x = threadIdx.x;
    t[x] = a[x];  // <- half_a_warp_waits
    if (x < 16) {
        __syncwarp(0xffff);
        b[x] = t[x + 16];  // <- half_a_warp_waits
    } else {
        b[x] = a[x];
    }
}

// A shuffle exchanges registers; it promises nothing about memory.
extern "C" __global__ void shuffle_for_a_barrier(float* b, const float* a)
{
    __shared__ float t[32];
    int x = threadIdx.x;
    t[x] = a[x];  // <- shuffle_for_a_barrier
    float other = __shfl_xor_sync(0xffffffff, a[x], 1);
    b[x] = t[x ^ 1] + other;  // <- shuffle_for_a_barrier
}

// Threads 0 and 40 read, 5 reads after its warp waited, 2 stores: 40 and 5 may come later.
extern "C" __global__ void three_readers(float* b, const float* a)
{
    __shared__ float t[2];
    int x = threadIdx.x;
    if (x == 0) t[0] = a[0];
    __syncthreads();
    if (x == 0 || x == 40) b[x] = t[0];  // <- three_readers
    if (x < 32) __syncwarp();
    if (x == 5) b[x] = t[0];             // <- three_readers
    if (x == 2) t[0] = a[2];             // <- three_readers
    __syncthreads();
    if (x == 63) b[x] = t[0];
}

// All read, then one stores, and no barrier is between.
extern "C" __global__ void all_read_one_stores(float* b, const float* a)
{
    __shared__ float t[1];
    int x = threadIdx.x;
    if (x == 0) t[0] = a[0];
    __syncthreads();
    b[x] = t[0];                         // <- all_read_one_stores
    if (x == 0) t[0] = 0.0f;             // <- all_read_one_stores
}

// --- the last block -----------------------------------------------------------------------------

// The counter may be seen before the sums that it counts.
extern "C" __global__ void last_block_without_fence(float* b, float* sums, int* count,
                                                    const float* a)
{
    int k = blockIdx.x;
    sums[k] = a[k];  // <- last_block_without_fence
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        float sum = 0.0f;
        for (int j = 0; j < gridDim.x; j++) sum += sums[j];  // <- last_block_without_fence
        b[0] = sum;
    }
}

// __threadfence_block() is for the threads of one block.
extern "C" __global__ void last_block_with_a_small_fence(float* b, float* sums, int* count,
                                                         const float* a)
{
    int k = blockIdx.x;
    sums[k] = a[k];  // <- last_block_with_a_small_fence
    __threadfence_block();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        float sum = 0.0f;
        for (int j = 0; j < gridDim.x; j++) sum += sums[j];  // <- last_block_with_a_small_fence
        b[0] = sum;
    }
}

// Thread 0 speaks for its block before the others have stored.
extern "C" __global__ void last_block_without_barrier(float* b, float* t, int* count,
                                                      const float* a)
{
    __shared__ bool last;
    int x = threadIdx.x, i = blockIdx.x * 64 + x;
    t[i] = a[i];  // <- last_block_without_barrier
    if (x == 0) {
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        for (int j = 0; j < gridDim.x; j++)
            b[x] = (j ? b[x] : 0.0f) + t[64 * j + x];  // <- last_block_without_barrier
}

// Only atomics are safe beside atomics: a plain load may come at any time.
extern "C" __global__ void counter_read_plainly(int* b, int* count)
{
    atomicAdd(count, 1);             // <- counter_read_plainly
    if (*count == 256) b[0] = 1;     // <- counter_read_plainly
}

// Other blocks may have counted already when the first one stores its zero.
extern "C" __global__ void counter_reset_plainly(int* count)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *count = 0;  // <- counter_reset_plainly
    atomicAdd(count, 1);                                  // <- counter_reset_plainly
}
