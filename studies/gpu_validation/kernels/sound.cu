// Kernels without a fault that look like those of broken.cu: the emulator must not accuse them.

extern "C" __global__ void reversal(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];
    __syncthreads();
    b[x] = t[63 - x];
}

extern "C" __global__ void tiles_in_turn(float* b, const float* a, int tiles)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    for (int j = 0; j < tiles; j++) {
        t[x] = a[j * 64 + x];
        __syncthreads();
        b[j * 64 + x] = t[63 - x];
        __syncthreads();
    }
}

// One barrier a turn is enough with two buffers.
extern "C" __global__ void two_buffers(float* b, const float* a, int tiles)
{
    __shared__ float t[2][64];
    int x = threadIdx.x;
    for (int j = 0; j < tiles; j++) {
        t[j % 2][x] = a[j * 64 + x];
        __syncthreads();
        b[j * 64 + x] = t[j % 2][63 - x];
    }
}

extern "C" __global__ void one_writes_all_read(float* b, const float* a)
{
    __shared__ float last;
    if (threadIdx.x == blockDim.x - 1) last = a[threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = last;
}

extern "C" __global__ void halving(float* b, const float* a)
{
    __shared__ float sums[128];
    int x = threadIdx.x;
    sums[x] = a[x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (x < half) sums[x] += sums[x + half];
        __syncthreads();
    }
    if (x == 0) b[0] = sums[0];
}

// No barrier at all: each thread reads back what it wrote itself.
extern "C" __global__ void own_words(float* b, const float* a, int n)
{
    __shared__ float t[4][64];
    int x = threadIdx.x;
    for (int j = 0; j < 4; j++) t[j][x] = a[j * n + x];
    float sum = 0.0f;
    for (int j = 3; j >= 0; j--) sum = 2.0f * sum + t[j][x];
    b[x] = sum;
}

extern "C" __global__ void within_a_warp(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];
    __syncwarp();
    b[x] = t[x ^ 1];
}

extern "C" __global__ void scan(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        float before = x >= step ? t[x - step] : 0.0f;
        __syncthreads();
        t[x] += before;
        __syncthreads();
    }
    b[x] = t[x];
}

extern "C" __global__ void atomic_counters(int* b, const int* a)
{
    __shared__ int counts[8];
    int x = threadIdx.x;
    if (x < 8) counts[x] = 0;
    __syncthreads();
    atomicAdd(&counts[a[x]], 1);
    __syncthreads();
    if (x < 8) b[x] = counts[x];
}

extern "C" __global__ void global_counters(int* b, const int* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(b + a[i], 1);
}

extern "C" __global__ void warp_sums(float* b, const float* a)
{
    float sum = a[threadIdx.x];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
    b[threadIdx.x] = sum;
}

extern "C" __global__ void counted_barrier(int* b, const float* a)
{
    b[threadIdx.x] = __syncthreads_count(a[threadIdx.x] > 0.0f);
}

// blockDim = (16, 16)
extern "C" __global__ void turned(float* b, const float* a)
{
    __shared__ float t[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    t[y][x] = a[y * 16 + x];
    __syncthreads();
    b[y * 16 + x] = t[x][y];
}

// One value before the array and one behind it would be read, were it not for the tests.
extern "C" __global__ void padded_window(float* b, const float* a, const float* k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = 0; j < 3; j++)
        if (i + j - 1 >= 0 && i + j - 1 < n) sum += a[i + j - 1] * k[j];
    b[i] = sum;
}

extern "C" __global__ void odd_plane(float* b, const float* a, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) b[row * width + column] = a[row * width + column];
}

// The barrier stands in a branch that all threads of the block take together.
extern "C" __global__ void barrier_in_a_common_branch(float* b, const float* a, int n)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[blockIdx.x * 64 + x];
    if (blockIdx.x < n) {
        __syncthreads();
        b[blockIdx.x * 64 + x] = t[63 - x];
    } else {
        b[blockIdx.x * 64 + x] = t[x];
    }
}

// Whole blocks leave before the barrier.
extern "C" __global__ void idle_blocks(float* b, const float* a, int n)
{
    __shared__ float t[64];
    int x = threadIdx.x, i = blockIdx.x * 64 + x;
    if (blockIdx.x * 64 >= n) return;
    t[x] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n) b[i] = t[x] - t[x ^ 1];
}

// Aligned, though it does not begin where the array does.
extern "C" __global__ void vectors_from_the_fourth(float4* b, const float* a)
{
    b[threadIdx.x] = reinterpret_cast<const float4*>(a + 4)[threadIdx.x];
}

// Written by one half, read by the other, in words that are never one and the same without barrier.
extern "C" __global__ void two_phases(float* b, const float* a)
{
    __shared__ float t[128];
    int x = threadIdx.x;
    if (x < 64) t[x] = a[x];
    else t[x] = -a[x];
    __syncthreads();
    b[x] = t[x] + t[127 - x];
    __syncthreads();
    t[127 - x] = a[x];
    __syncthreads();
    b[x] += t[x];
}
