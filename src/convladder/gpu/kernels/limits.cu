// What a GPU can do at most: multiply-adds that touch no memory.

#define CHAINS 8  // independent ones a thread, so that none waits for its own last result

extern "C" __global__ void multiply_adds(float* __restrict__ out, float m, float x, int turns)
{
    float sum[CHAINS];
    #pragma unroll
    for (int j = 0; j < CHAINS; j++) sum[j] = threadIdx.x + j;
    #pragma unroll 8
    for (int turn = 0; turn < turns; turn++)
        #pragma unroll
        for (int j = 0; j < CHAINS; j++) sum[j] = fmaf(sum[j], m, x);
    float all = 0.0f;
    #pragma unroll
    for (int j = 0; j < CHAINS; j++) all += sum[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}
