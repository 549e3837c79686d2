// Chapter 07: one sum of many values, and a histogram; from a line that asks for trouble to few
// atomic operations.

extern "C" __global__ void sum_atomic(const float* __restrict__ x, float* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, x[i]);
}

// A tree in shared memory: in each round half as many threads add. blockDim = (256).
extern "C" __global__ void sum_block(const float* __restrict__ x, float* total, int n)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? x[i] : 0.0f;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) atomicAdd(total, part[0]);
}

// The same tree from register to register within a warp, then among the 8 warps' sums. A thread
// may take several values first: the grid need not cover x. blockDim = (256).
extern "C" __global__ void sum_warps(const float* __restrict__ x, float* total, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x) sum += x[i];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (t % 32 == 0) part[t / 32] = sum;
    __syncthreads();
    if (t >= 8) return;
    sum = part[t];
    for (int apart = 4; apart > 0; apart /= 2) sum += __shfl_down_sync(0xff, sum, apart, 8);
    if (t == 0) atomicAdd(total, sum);
}

extern "C" __global__ void histogram_global(const unsigned char* __restrict__ x, unsigned* bins,
                                            int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i]], 1u);
}

// Each block counts in 256 bins of its own, and adds them to the others' when it is done.
extern "C" __global__ void histogram_private(const unsigned char* __restrict__ x, unsigned* bins,
                                             int n)
{
    __shared__ unsigned mine[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[x[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (mine[b]) atomicAdd(&bins[b], mine[b]);
}

// Chapter 07, divergence: a thread multiplies as many values as trips[i] says.
extern "C" __global__ void products(const int* __restrict__ trips, const float* __restrict__ x,
                                    float* __restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int rounds = trips[i];
    float value = 1.0f;
    for (int k = 0; k < rounds; k++) value *= x[k * n + i];
    y[i] = value;
}
