"""ReLU by vectors of four, and one by one: what an exercise of lab 07 is made of."""

SOURCE = r"""
extern "C" __global__ void relu(const float *x, float *y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4 *>(x + i);
        v.x = fmaxf(v.x, 0); v.y = fmaxf(v.y, 0); v.z = fmaxf(v.z, 0); v.w = fmaxf(v.w, 0);
        *reinterpret_cast<float4 *>(y + i) = v;
    } else {
        for (; i < n; i++)
            y[i] = fmaxf(x[i], 0);
    }
}
"""
REST = " else {\n        for (; i < n; i++)\n            y[i] = fmaxf(x[i], 0);\n    }"
STORE = "*reinterpret_cast<float4 *>(y + i) = v;"
FOUR_IN_TURN = r"""
extern "C" __global__ void relu(const float *x, float *y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int j = i; j < i + 4; j++)
        if (j < n)
            y[j] = fmaxf(x[j], 0);
}
"""
STRIDED = r"""
extern "C" __global__ void relu(const float *x, float *y, int n)
{
    int all = gridDim.x * blockDim.x;
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += all)
        y[j] = fmaxf(x[j], 0);
}
"""
