// A fully connected layer for eight images a block: a weight that was loaded serves all eight.
// The images' inputs wait in shared memory, where all lanes read the same value at once.

#define IMAGES 8

template <typename Weight>  // weight(j, o): from input j to output o
__device__ void multiply(const float* x, Weight weight, const float* bias, float* y, int inputs,
                         int outputs, int relu, int images) {
    extern __shared__ float values[];  // [inputs][IMAGES]
    int first = blockIdx.x * IMAGES, here = min(IMAGES, images - first);
    for (int i = threadIdx.x; i < IMAGES * inputs; i += blockDim.x) {
        int n = i / inputs, j = i % inputs;
        values[j * IMAGES + n] = n < here ? x[first * inputs + i] : 0.0f;
    }
    __syncthreads();
    int o = threadIdx.x;
    if (o >= outputs) return;
    float sums[IMAGES];
#pragma unroll
    for (int n = 0; n < IMAGES; n++) sums[n] = bias[o];
    for (int j = 0; j < inputs; j++) {
        float own = weight(j, o);
#pragma unroll
        for (int n = 0; n < IMAGES; n++) sums[n] += values[j * IMAGES + n] * own;
    }
#pragma unroll
    for (int n = 0; n < IMAGES; n++)
        if (n < here) y[(first + n) * outputs + o] = relu ? fmaxf(sums[n], 0.0f) : sums[n];
}
