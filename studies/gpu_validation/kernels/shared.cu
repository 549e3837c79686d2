// Access patterns of shared memory: 32 banks, 4 bytes each; two words of one bank take two turns.

extern "C" __global__ void words(float* b, const float* a, int stride)
{
    __shared__ float t[32 * 33];
    int x = threadIdx.x;
    t[x * stride] = a[x];
    __syncthreads();
    b[x] = t[x * stride];
}

extern "C" __global__ void one_word(float* b, const float* a)
{
    __shared__ float t[128];
    int x = threadIdx.x;
    t[x] = a[x];
    __syncthreads();
    b[x] = t[5] + t[x / 32];
}

extern "C" __global__ void two_words(float* b, const float* a, int apart)
{
    __shared__ float t[64];
    int x = threadIdx.x;
    t[x] = a[x];
    t[x + 32] = a[x + 32];
    __syncthreads();
    b[x] = t[x % 2 * apart];
}
// instances: items<unsigned char>; items<short>; items<float2>; items<float4>; items<double>
template <typename T>
__global__ void items(T* b, const T* a, int stride)
{
    __shared__ T t[128];
    int x = threadIdx.x;
    t[x * stride] = a[x];
    __syncthreads();
    b[x] = t[(31 - x) * stride];
}

extern "C" __global__ void vector_rows(float* b, const float4* a, int pitch)
{
    extern __shared__ float4 rows[];
    int x = threadIdx.x;
    for (int row = 0; row < 4; row++) rows[row * pitch + x] = a[row * 32 + x];
    __syncthreads();
    float4 v = rows[x / 8 * pitch + x % 8 / 4];
    b[x] = v.x + v.y + v.z + v.w;
}
// instances: transposed_tile<32>; transposed_tile<33>
// blockDim = (32, 8); PITCH floats a row of the tile: 32 has conflicts, 33 has none.
template <int PITCH>
__global__ void transposed_tile(float* b, const float* a, int side)
{
    __shared__ float t[32 * PITCH];
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        t[j * PITCH + threadIdx.x] = a[(y + j) * side + x + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        b[(x + j) * side + y + threadIdx.x] = t[threadIdx.x * PITCH + j];
}

extern "C" __global__ void swizzled_tile(float* b, const float* a, int side)
{
    __shared__ float t[32 * 32];
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        t[j * 32 + (threadIdx.x ^ j)] = a[(y + j) * side + x + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        b[(x + j) * side + y + threadIdx.x] = t[threadIdx.x * 32 + (j ^ threadIdx.x)];
}

extern "C" __global__ void square(float* b, const float* a)
{
    __shared__ float t[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    t[y][x] = a[y * 16 + x];
    __syncthreads();
    b[y * 16 + x] = t[x][y];
}

extern "C" __global__ void halved_sums(float* b, const float* a)
{
    extern __shared__ float sums[];
    int x = threadIdx.x;
    sums[x] = a[blockIdx.x * blockDim.x + x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (x < half) sums[x] += sums[x + half];
        __syncthreads();
    }
    if (x == 0) b[blockIdx.x] = sums[0];
}

extern "C" __global__ void spread_sums(float* b, const float* a)
{
    extern __shared__ float sums[];
    int x = threadIdx.x;
    sums[x] = a[blockIdx.x * blockDim.x + x];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int at = 2 * step * x;
        if (at < blockDim.x) sums[at] += sums[at + step];
        __syncthreads();
    }
    if (x == 0) b[blockIdx.x] = sums[0];
}

extern "C" __global__ void stencil(float* b, const float* a, int n)
{
    __shared__ float t[64 + 2];
    int x = threadIdx.x, i = blockIdx.x * 64 + x;
    t[x + 1] = a[i];
    if (x == 0) t[0] = i > 0 ? a[i - 1] : 0.0f;
    if (x == 63) t[65] = i + 1 < n ? a[i + 1] : 0.0f;
    __syncthreads();
    b[i] = t[x] + t[x + 1] + t[x + 2];
}
