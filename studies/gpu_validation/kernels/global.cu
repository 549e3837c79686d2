// Access patterns of global memory: which addresses the 32 lanes of a warp ask for at once.

// --- one load and one store a thread, at different places ---------------------------------------

extern "C" __global__ void strided(float* b, const float* a, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i * stride];
}

extern "C" __global__ void strided_store(float* b, const float* a, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i * stride] = a[i];
}

extern "C" __global__ void offset(float* b, const float* a, int from, int to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i + to] = a[i + from];
}

extern "C" __global__ void reversed(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[n - 1 - i];
}

extern "C" __global__ void broadcast(float* b, const float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[blockIdx.x];
}

extern "C" __global__ void shared_by(float* b, const float* a, int lanes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i / lanes * 8];
}

extern "C" __global__ void gathered(float* b, const float* a, const int* from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[from[i]];
}

extern "C" __global__ void scattered(float* b, const float* a, const int* to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[to[i]] = a[i];
}

extern "C" __global__ void bounded(float* b, const float* a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}

extern "C" __global__ void accumulated(float* b, const float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] += a[i];
}

extern "C" __global__ void neighbours(float* b, const float* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i] + 2.0f * a[i + 1] + a[i + 2];
}

extern "C" __global__ void read_only(float* __restrict__ b, const float* __restrict__ a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = __ldg(a + i) + __ldg(a);
}

// --- other widths than 4 bytes ------------------------------------------------------------------
// instances: copied<unsigned char>; copied<uchar4>; copied<short>; copied<int>
// instances: copied<int4>; copied<float2>; copied<float4>; copied<double>; copied<double2>
template <typename T>
__global__ void copied(T* b, const T* a, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i * stride];
}

extern "C" __global__ void triples(float* b, const float3* a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i].x + a[i].y * a[i].z;
}

extern "C" __global__ void vectors_of_floats(float* b, const float* a, int from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = reinterpret_cast<const float4*>(a + from)[i];
    b[i] = v.x + v.y + v.z + v.w;
}

// --- blocks of two and three dimensions ---------------------------------------------------------

extern "C" __global__ void plane(float* b, const float* a, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) b[row * width + column] = a[row * width + column];
}

extern "C" __global__ void transposed(float* b, const float* a, int side)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    b[column * side + row] = a[row * side + column];
}

extern "C" __global__ void columns_first(float* b, const float* a, int side)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    b[row * side + column] = a[row * side + column];
}

extern "C" __global__ void volume(float* b, const float* a, int width, int height)
{
    int i = (threadIdx.z * height + threadIdx.y) * width + threadIdx.x;
    b[i] = 3.0f * a[i];
}
