// Lanes of one warp that take different ways: each way is a request of its own.
//
// Loops that lanes leave at different times are kept as written (`unroll 1`). Unrolled by nvcc,
// lanes with turns enough for its copies of the body part from the others, and so do requests.

extern "C" __global__ void branches(float* b, const float* a, const float* c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2) b[i] = a[i] + 1.0f;
    else b[i] = 2.0f * c[i];
}

extern "C" __global__ void few_lanes(float* b, const float* a, int lanes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 < lanes) b[i] = a[i];
}

extern "C" __global__ void unequal_trips(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int j = 0; j < i % 32; j++) sum += a[j * n + i];
    b[i] = sum;
}

extern "C" __global__ void late_starts(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int j = i % 4; j < 8; j++) sum += a[j * n + i];
    b[i] = sum;
}

extern "C" __global__ void every_third(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int j = 0; j < 8; j++) {
        if ((i + j) % 3) continue;
        sum += a[j * n + i];
    }
    b[i] = sum;
}

extern "C" __global__ void until_negative(float* b, const float* a, int n, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int j = 0; j < most; j++) {
        float value = a[j * n + i];
        if (value < 0.0f) break;
        sum += value;
    }
    b[i] = sum;
}

extern "C" __global__ void nested(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int j = 0; j < 1 + i % 3; j++)
        #pragma unroll 1
        for (int k = 0; k < 1 + i % 2; k++) sum += a[(2 * j + k) * n + i];
    b[i] = sum;
}

extern "C" __global__ void early_return(float* b, const float* a, const float* c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = a[i];
    if (value < 0.0f) return;
    b[i] = value + c[i];
}

extern "C" __global__ void edges(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = i > 0 ? a[i - 1] : 0.0f;
    float right = i + 1 < n ? a[i + 1] : 0.0f;
    b[i] = right - left;
}

__device__ float at(const float* a, int i) { return a[i] * a[i]; }

extern "C" __global__ void called(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = at(a, i);
    if (i % 4 == 0) sum += at(a, n - 1 - i);
    b[i] = sum;
}

extern "C" __global__ void grid_stride(float* b, const float* a, int n)
{
    #pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        b[i] = a[i];
}
