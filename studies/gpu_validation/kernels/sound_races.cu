// Kernels without a race that look like those of broken_races.cu: none may be accused.

extern "C" __global__ void sum_by_atomics(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(b, a[i]);
}

extern "C" __global__ void atomic_histogram(int* b, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&b[a[i]], 1);
}

extern "C" __global__ void greatest_by_atomics(int* b, const int* a)
{
    atomicMax(b, a[blockIdx.x * blockDim.x + threadIdx.x]);
}

extern "C" __global__ void atomic_ticket(int* b, const int* a, int* next)
{
    if (a[blockIdx.x * blockDim.x + threadIdx.x] > 3) b[atomicAdd(next, 1)] = 1;
}

extern "C" __global__ void bits_by_atomics(unsigned* b, const float* a)
{
    int i = threadIdx.x;
    if (a[i] > 0.0f) atomicOr(&b[i / 32], 1u << i % 32);
}

// One lane stores what its warp has found.
extern "C" __global__ void bits_by_ballot(unsigned* b, const float* a)
{
    int i = threadIdx.x;
    unsigned bits = __ballot_sync(0xffffffff, a[i] > 0.0f);
    if (i % 32 == 0) b[i / 32] = bits;
}

extern "C" __global__ void flag_raised_atomically(int* b, const float* a)
{
    if (a[blockIdx.x * blockDim.x + threadIdx.x] > 0.0f) atomicExch(b, 1);
}

extern "C" __global__ void blur_into_another(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0f;
}

// Each thread reads and stores its own value only.
extern "C" __global__ void own_value_in_place(float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2.0f * a[i] + 1.0f;
}

// One of the two threads of a pair exchanges it.
extern "C" __global__ void pairs_turned_in_place(float* a, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= j) return;
    float mine = a[i * n + j];
    a[i * n + j] = a[j * n + i];
    a[j * n + i] = mine;
}

extern "C" __global__ void rows_of_weights_added(float* b, const float* a, const float* w, int i_w,
                                                 int k_w, int o_h, int o_w)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= o_h * o_w) return;
    float sum = 0.0f;
    for (int j = 0; j < k_w; j++)
        sum += a[(v / o_w + blockIdx.y) * i_w + v % o_w + j] * w[blockIdx.y * k_w + j];
    atomicAdd(&b[v], sum);
}

// The tiles overlap where they are read, not where they are stored.
extern "C" __global__ void tiles_with_a_halo(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x, i = blockIdx.x * 62 + x;
    t[x] = a[i];
    __syncthreads();
    if (x > 0 && x < 63) b[i] = t[x - 1] + t[x] + t[x + 1];
}

extern "C" __global__ void vector_beside_vectors(float* b, const float* a)
{
    int i = threadIdx.x;
    if (i < 8)
        reinterpret_cast<float4*>(b)[i] = make_float4(a[i], a[i], a[i], a[i]);
    else if (i < 32)
        b[24 + i] = a[i];
}

// Neighbouring bytes are different places, though of one word.
extern "C" __global__ void bytes_side_by_side(unsigned char* b, const unsigned char* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i] + 1;
}

struct Triple { float x, y, z; };
extern "C" __global__ void triples_side_by_side(float* b, const float* a)
{
    int i = threadIdx.x;
    reinterpret_cast<Triple*>(b)[i] = reinterpret_cast<const Triple*>(a)[i];
}

extern "C" __global__ void neighbour_after_a_barrier(float* b, float* t, const float* a)
{
    int x = threadIdx.x;
    t[x] = a[x];
    __syncthreads();
    b[x] = t[x ^ 32];
}

extern "C" __global__ void barrier_within_each_block(float* b, float* t, const float* a)
{
    int x = threadIdx.x, first = blockIdx.x * blockDim.x;
    t[first + x] = a[first + x];
    __syncthreads();
    b[first + x] = t[first + 63 - x];
}

extern "C" __global__ void lanes_that_wait(float* b, float* t, const float* a)
{
    int x = threadIdx.x;
    t[x] = a[x];
    __syncwarp();
    b[x] = t[x ^ 1];
}

extern "C" __global__ void half_a_warp_for_itself(float* b, const float* a)
{
    __shared__ float t[32];
    int x = threadIdx.x;
    t[x] = a[x];
    if (x < 16) {
        __syncwarp(0xffff);
        b[x] = t[15 - x];
    } else {
        b[x] = a[x];
    }
}

extern "C" __global__ void all_read_one_stores_later(float* b, const float* a)
{
    __shared__ float t[1];
    int x = threadIdx.x;
    if (x == 0) t[0] = a[0];
    __syncthreads();
    b[x] = t[0];
    __syncthreads();
    if (x == 0) t[0] = 0.0f;
}

// One place under two names, with a barrier between its uses.
extern "C" __global__ void union_of_two_uses(float* b, const float* a, const int* picks)
{
    __shared__ union {
        float values[64];
        int places[64];
    } t;
    int x = threadIdx.x;
    t.values[x] = a[x];
    __syncthreads();
    float mine = t.values[63 - x];
    __syncthreads();
    t.places[x] = picks[x];
    __syncthreads();
    b[x] = mine + t.places[x ^ 1];
}

extern "C" __global__ void last_block(float* b, float* sums, int* count, const float* a)
{
    int k = blockIdx.x;
    sums[k] = a[k];
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        __threadfence();
        float sum = 0.0f;
        for (int j = 0; j < gridDim.x; j++) sum += sums[j];
        b[0] = sum;
        *count = 0;  // for the next launch
    }
}

// Thread 0 speaks for its block once all of it has come to the barrier.
extern "C" __global__ void last_block_of_many_threads(float* b, float* t, unsigned* count,
                                                      const float* a)
{
    __shared__ bool last;
    int x = threadIdx.x, i = blockIdx.x * 64 + x;
    t[i] = a[i];
    __syncthreads();
    if (x == 0) {
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        float sum = 0.0f;
        for (int j = 0; j < gridDim.x; j++) sum += t[64 * j + x];
        b[x] = sum;
    }
}

// Every thread's own fence does as well.
extern "C" __global__ void last_block_fenced_by_all(float* b, float* t, int* count,
                                                    const float* a)
{
    __shared__ bool last;
    int x = threadIdx.x, i = blockIdx.x * 64 + x;
    t[i] = a[i];
    __threadfence();
    __syncthreads();
    if (x == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        float sum = 0.0f;
        for (int j = 0; j < gridDim.x; j++) sum += t[64 * j + x];
        b[x] = sum;
    }
}

// The same among the warps of a block, where the small fence is enough.
extern "C" __global__ void last_warp(float* b, const float* a)
{
    __shared__ float t[128];
    __shared__ int count;
    int x = threadIdx.x, lane = x % 32, before = 0;
    if (x == 0) count = 0;
    __syncthreads();
    t[x] = a[x];
    __syncwarp();
    if (lane == 0) {
        __threadfence_block();
        before = atomicAdd(&count, 1);
    }
    before = __shfl_sync(0xffffffff, before, 0);
    __threadfence_block();
    __syncwarp();
    if (before == 3) b[lane] = t[lane] + t[32 + lane] + t[64 + lane] + t[96 + lane];
}

// Whoever holds the lock may do as it likes; it passes on what it did.
extern "C" __global__ void sum_under_a_lock(float* b, int* lock, const float* a)
{
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    b[0] += a[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void counter_read_atomically(int* b, int* count)
{
    atomicAdd(count, 1);
    if (atomicAdd(count, 0) == 256) atomicExch(b, 1);
}
