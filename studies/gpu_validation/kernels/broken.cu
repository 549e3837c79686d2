// Kernels with one fault each, on the lines marked with its name: the emulator must find it.
// Each has a twin in sound.cu that does the job without it. Do not mend these.

// --- races: two threads, one word of shared memory, no barrier between them ---------------------

extern "C" __global__ void unsynchronised_reversal(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];       // <- unsynchronised_reversal
    b[x] = t[63 - x];  // <- unsynchronised_reversal
}

extern "C" __global__ void tile_overwritten(float* b, const float* a, int tiles)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    for (int j = 0; j < tiles; j++) {
        t[x] = a[j * 64 + x];       // <- tile_overwritten
        __syncthreads();
        b[j * 64 + x] = t[63 - x];  // <- tile_overwritten
    }
}

extern "C" __global__ void all_write_one_word(float* b, const float* a)
{
    __shared__ float last;
    last = a[threadIdx.x];  // <- all_write_one_word
    __syncthreads();
    b[threadIdx.x] = last;
}

extern "C" __global__ void halving_without_barrier(float* b, const float* a)
{
    __shared__ float sums[128];
    int x = threadIdx.x;
    sums[x] = a[x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (x < half) sums[x] += sums[x + half];  // <- halving_without_barrier
    if (x == 0) b[0] = sums[0];
}

extern "C" __global__ void halo_before_barrier(float* b, const float* a)
{
    __shared__ float t[65];
    int x = threadIdx.x;
    t[x] = a[x];               // <- halo_before_barrier
    if (x == 63) t[64] = a[64];
    b[x] = t[x] + t[x + 1];    // <- halo_before_barrier
}

extern "C" __global__ void warp_barrier_for_a_block(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];        // <- warp_barrier_for_a_block
    __syncwarp();
    b[x] = t[x ^ 32];   // <- warp_barrier_for_a_block
}

extern "C" __global__ void scan_in_place(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        if (x >= step) t[x] += t[x - step];  // <- scan_in_place
        __syncthreads();
    }
    b[x] = t[x];
}

extern "C" __global__ void plain_counters(int* b, const int* a)
{
    __shared__ int counts[8];
    int x = threadIdx.x;
    if (x < 8) counts[x] = 0;
    __syncthreads();
    counts[a[x]] += 1;  // <- plain_counters
    __syncthreads();
    if (x < 8) b[x] = counts[x];
}

// blockDim = (16, 16)
extern "C" __global__ void turned_without_barrier(float* b, const float* a)
{
    __shared__ float t[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    t[y][x] = a[y * 16 + x];   // <- turned_without_barrier
    b[y * 16 + x] = t[x][y];   // <- turned_without_barrier
}

// --- out of bounds ------------------------------------------------------------------------------

extern "C" __global__ void no_bound(float* b, const float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = a[i];  // <- no_bound
    b[i] = value;
}

extern "C" __global__ void stores_past_the_end(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) b[i] = 2.0f * a[i % 64];  // <- stores_past_the_end
}

extern "C" __global__ void before_the_start(float* b, const float* a)
{
    int i = threadIdx.x;
    b[i] = a[i] - a[i - 1];  // <- before_the_start
}

// Rows and columns exchanged: it goes wrong only where the image is not square.
extern "C" __global__ void exchanged_sides(float* b, const float* a, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width)
        b[row * width + column] = a[column * width + row];  // <- exchanged_sides
}

extern "C" __global__ void window_over_the_edge(float* b, const float* a, const float* k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = 0; j < 3; j++) sum += a[i + j] * k[j];  // <- window_over_the_edge
    b[i] = sum;
}

extern "C" __global__ void past_a_shared_array(float* b, const float* a)
{
    extern __shared__ float t[];
    int x = threadIdx.x;
    t[x] = a[x];
    __syncthreads();
    b[x] = t[x + 1];  // <- past_a_shared_array
}

extern "C" __global__ void far_away(float* b, const float* a, int i)
{
    b[threadIdx.x] = a[(size_t)i * 1000000 + threadIdx.x];  // <- far_away
}

// --- never written ------------------------------------------------------------------------------

extern "C" __global__ void adds_to_nothing(float* b, const float* a)
{
    int i = threadIdx.x;
    b[i] += a[i];  // <- adds_to_nothing
}

extern "C" __global__ void half_filled(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    if (x < 32) t[x] = a[x];
    __syncthreads();
    b[x] = t[x];  // <- half_filled
}

extern "C" __global__ void sum_from_nothing(float* b, const float* a)
{
    __shared__ float sum;
    if (threadIdx.x == 0) sum += a[0];  // <- sum_from_nothing
    __syncthreads();
    b[threadIdx.x] = sum;
}

// --- alignment ----------------------------------------------------------------------------------

extern "C" __global__ void odd_vectors(float4* b, const float* a, int from)
{
    b[threadIdx.x] = reinterpret_cast<const float4*>(a + from)[threadIdx.x];  // <- odd_vectors
}

extern "C" __global__ void odd_pairs(float* b, const float2* a, int to)
{
    reinterpret_cast<float2*>(b + to)[threadIdx.x] = a[threadIdx.x];  // <- odd_pairs
}

extern "C" __global__ void rows_of_three(float* b, const float* a)
{
    int i = threadIdx.x;
    float4 v = *reinterpret_cast<const float4*>(a + 3 * i);  // <- rows_of_three
    b[i] = v.x + v.y + v.z;
}

// --- barriers that not every thread reaches -----------------------------------------------------

extern "C" __global__ void barrier_for_odd_lanes(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];
    if (x % 2) __syncthreads();  // <- barrier_for_odd_lanes
    b[x] = t[x];
}

extern "C" __global__ void return_before_barrier(float* b, const float* a, int n)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    if (x >= n) return;
    t[x] = a[x];
    __syncthreads();  // <- return_before_barrier
    b[x] = t[n - 1 - x];
}

extern "C" __global__ void barrier_in_unequal_loop(float* b, const float* a)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    float sum = 0.0f;
    for (int j = 0; j <= x / 32; j++) {
        t[x] = a[x];
        __syncthreads();  // <- barrier_in_unequal_loop
        sum += t[x];
    }
    b[x] = sum;
}

// --- more than the chip has ---------------------------------------------------------------------

extern "C" __global__ void dynamic(float* b, const float* a)
{
    extern __shared__ float t[];
    int x = threadIdx.x;
    t[x] = a[x];
    b[x] = t[x];
}
