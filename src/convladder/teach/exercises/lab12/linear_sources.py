"""A fully connected layer by warps, and by threads: what an exercise of lab 12 is made of."""

THREAD_AN_OUTPUT = r"""
extern "C" __global__ void linear(const float *x, const float *w, const float *bias, float *y,
                                  int inputs, int outputs)
{
    int o = blockIdx.x * 4 + threadIdx.x;
    if (threadIdx.x >= 4 || o >= outputs) return;
    float sum = bias[o];
    for (int i = 0; i < inputs; i++)
        sum += x[i] * w[o * inputs + i];
    y[o] = sum;
}
"""
SOURCE = r"""
extern "C" __global__ void linear(const float *x, const float *w, const float *bias, float *y,
                                  int inputs, int outputs)
{
    int lane = threadIdx.x % 32;
    int o = blockIdx.x * 4 + threadIdx.x / 32;
    if (o >= outputs) return;
    float sum = 0;
    for (int i = lane; i < inputs; i += 32)
        sum += x[i] * w[o * inputs + i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[o] = sum + bias[o];
}
"""
LOOP = "for (int i = lane; i < inputs; i += 32)"
REDUCTION = SOURCE[SOURCE.index("    for (int step") : SOURCE.index("    if (lane == 0)")]
