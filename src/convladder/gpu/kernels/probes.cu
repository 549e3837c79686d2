// The probes of chapter 08: one habit of memory each, small enough to count by hand.

// A warp's loads lie `stride` floats apart, and the first is `offset` floats into the array.
extern "C" __global__ void strided(const float* __restrict__ a, float* __restrict__ b,
                                   int n, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[(size_t)i * stride + offset];
}

// Four floats a thread, in one load and one store of 16 bytes each. n is a multiple of 4.
extern "C" __global__ void by_fours(const float* __restrict__ a, float* __restrict__ b, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) *reinterpret_cast<float4*>(b + i) = *reinterpret_cast<const float4*>(a + i);
}

// Four floats a thread, in four loads and four stores of 4 bytes, each beside its neighbours'. All
// loads are under way before the first store.
extern "C" __global__ void four_scalars(const float* __restrict__ a, float* __restrict__ b, int n)
{
    int i = 4 * blockDim.x * blockIdx.x + threadIdx.x;
    float values[4];
    #pragma unroll
    for (int j = 0; j < 4; j++) values[j] = i + j * blockDim.x < n ? a[i + j * blockDim.x] : 0.0f;
    #pragma unroll
    for (int j = 0; j < 4; j++)
        if (i + j * blockDim.x < n) b[i + j * blockDim.x] = values[j];
}

// The sums of the rows of a matrix that is 32 wide. A block is one warp and takes 32 rows: it
// copies them side by side, and then each thread adds up a row of its own. PITCH: floats from one
// row of the tile to the next. The tile is volatile for the sake of the count: else the compiler
// would merge four loads of a row into one where the rows' alignment lets it.
// instances: row_sums<32>; row_sums<33>; row_sums<34>; row_sums<36>; row_sums<40>
template <int PITCH>
__global__ void row_sums(const float* __restrict__ a, float* __restrict__ b)
{
    __shared__ volatile float tile[32 * PITCH];
    int lane = threadIdx.x;
    const float* from = a + (size_t)blockIdx.x * 32 * 32;
    for (int row = 0; row < 32; row++) tile[row * PITCH + lane] = from[row * 32 + lane];
    __syncthreads();
    float sum = 0.0f;
    for (int column = 0; column < 32; column++) sum += tile[lane * PITCH + column];
    b[blockIdx.x * 32 + lane] = sum;
}

// One channel, windows of 5x5, no padding; threads along the row. Every thread of a warp needs
// the same weight at the same time: from global memory, then from constant memory.
#define SIDE 5

extern "C" __global__ void blur_global(const float* __restrict__ x, const float* __restrict__ w,
                                       float* __restrict__ y, int i_w, int o_h, int o_w)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y;
    if (v >= o_w || h >= o_h) return;
    float sum = 0.0f;
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++) sum += x[(size_t)(h + a) * i_w + v + b] * w[a * SIDE + b];
    y[(size_t)h * o_w + v] = sum;
}

__constant__ float weights[SIDE * SIDE];

extern "C" __global__ void blur_constant(const float* __restrict__ x, float* __restrict__ y,
                                         int i_w, int o_h, int o_w)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y;
    if (v >= o_w || h >= o_h) return;
    float sum = 0.0f;
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++)
            sum += x[(size_t)(h + a) * i_w + v + b] * weights[a * SIDE + b];
    y[(size_t)h * o_w + v] = sum;
}
