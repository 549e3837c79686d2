// y[i] = max(y[i] + bias[channel], 0), in place: what a fused epilogue saves. A thread has four
// values that lie side by side, so `k_c` must divide by 4; `fours` of them are in y.
extern "C" __global__ void bias_relu(float* __restrict__ y, const float* __restrict__ bias,
                                     int fours, int k_c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fours) return;
    float4 v = reinterpret_cast<float4*>(y)[i];
    float4 b = reinterpret_cast<const float4*>(bias)[i % (k_c / 4)];
    v.x = fmaxf(v.x + b.x, 0.0f);
    v.y = fmaxf(v.y + b.y, 0.0f);
    v.z = fmaxf(v.z + b.z, 0.0f);
    v.w = fmaxf(v.w + b.w, 0.0f);
    reinterpret_cast<float4*>(y)[i] = v;
}
