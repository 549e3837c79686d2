// Three kernels for the network: each convolution with its ReLU and pool, all products in one.
// A block has an image, or eight of them in the last kernel. Sums that are pooled never leave the
// registers; what passes from product to product never leaves shared memory.

#define K 5
#define IMAGES 8

template <int SIDE, int I_C, int K_C, int C>  // a thread: a pooled pixel, C channels of it
__device__ void convolve(const float* x, const float* w, const float* bias, float* y,
                         float* image, float* weights) {
    const int P = (SIDE - K + 1) / 2, BLOCKS = K_C / C;
    x += blockIdx.x * SIDE * SIDE * I_C;
    y += blockIdx.x * P * P * K_C;
    for (int i = threadIdx.x; i < SIDE * SIDE * I_C; i += blockDim.x) image[i] = x[i];
    for (int i = threadIdx.x; i < K * K * I_C * K_C; i += blockDim.x) weights[i] = w[i];
    __syncthreads();
    if (threadIdx.x >= P * P * BLOCKS) return;
    int pixel = threadIdx.x % (P * P), channel = threadIdx.x / (P * P) * C;
    int h = 2 * (pixel / P), v = 2 * (pixel % P);
    float sums[4][C];
#pragma unroll
    for (int k = 0; k < C; k++)
        sums[0][k] = sums[1][k] = sums[2][k] = sums[3][k] = bias[channel + k];
    for (int a = 0; a < K; a++)
        for (int j = 0; j < K * I_C; j++) {
            const float* at = image + ((h + a) * SIDE + v) * I_C + j;
            float values[4] = {at[0], at[I_C], at[SIDE * I_C], at[SIDE * I_C + I_C]};
#pragma unroll
            for (int k = 0; k < C; k++) {
                float weight = weights[(a * K * I_C + j) * K_C + channel + k];
#pragma unroll
                for (int p = 0; p < 4; p++) sums[p][k] += values[p] * weight;
            }
        }
#pragma unroll
    for (int k = 0; k < C; k++)
        y[pixel * K_C + channel + k] = fmaxf(
            fmaxf(fmaxf(sums[0][k], sums[1][k]), fmaxf(sums[2][k], sums[3][k])), 0.0f);
}

extern "C" __global__ void conv1_relu_pool(const float* x, const float* w, const float* bias,
                                           float* y) {
    __shared__ float image[28 * 28];
    __shared__ float weights[K * K * 6];
    convolve<28, 1, 6, 6>(x, w, bias, y, image, weights);
}

extern "C" __global__ void conv2_relu_pool(const float* x, const float* w, const float* bias,
                                           float* y) {
    __shared__ float image[12 * 12 * 6];
    __shared__ float weights[K * K * 6 * 16];
    convolve<12, 6, 16, 4>(x, w, bias, y, image, weights);
}

// x and y are [features][IMAGES]; weights [inputs][outputs].
template <int INPUTS, int OUTPUTS, bool RELU>
__device__ void multiply(const float* x, const float* w, const float* bias, float* y) {
    int o = threadIdx.x;
    if (o < OUTPUTS) {
        float sums[IMAGES];
#pragma unroll
        for (int n = 0; n < IMAGES; n++) sums[n] = bias[o];
        for (int j = 0; j < INPUTS; j++) {
            float weight = w[j * OUTPUTS + o];
#pragma unroll
            for (int n = 0; n < IMAGES; n++) sums[n] += x[j * IMAGES + n] * weight;
        }
#pragma unroll
        for (int n = 0; n < IMAGES; n++)
            y[o * IMAGES + n] = RELU ? fmaxf(sums[n], 0.0f) : sums[n];
    }
    __syncthreads();
}

extern "C" __global__ void linear_all(const float* x, const float* w1, const float* bias1,
                                      const float* w2, const float* bias2, const float* w3,
                                      const float* bias3, float* y, int images) {
    __shared__ float flat[256 * IMAGES], first[120 * IMAGES], second[84 * IMAGES];
    __shared__ float logits[10 * IMAGES];
    int begin = blockIdx.x * IMAGES, here = min(IMAGES, images - begin);
    for (int i = threadIdx.x; i < 256 * IMAGES; i += blockDim.x) {
        int n = i / 256, j = i % 256;
        flat[j * IMAGES + n] = n < here ? x[begin * 256 + i] : 0.0f;
    }
    __syncthreads();
    multiply<256, 120, true>(flat, w1, bias1, first);
    multiply<120, 84, true>(first, w2, bias2, second);
    multiply<84, 10, false>(second, w3, bias3, logits);
    for (int i = threadIdx.x; i < here * 10; i += blockDim.x)
        y[begin * 10 + i] = logits[i % 10 * IMAGES + i / 10];
}
