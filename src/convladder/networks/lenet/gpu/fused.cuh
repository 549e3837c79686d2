// A convolution with its ReLU and pool for an image a block, and all three products for eight.
// Sums that are pooled never leave the registers; what passes from product to product never leaves
// shared memory.

#define K 5
#define IMAGES 8

__device__ void stage(const float* x, float* image, int values) {
    for (int i = threadIdx.x; i < values; i += blockDim.x) image[i] = x[i];
}

__device__ void stage(const unsigned char* x, float* image, int values) {
    for (int i = threadIdx.x; i < values / 4; i += blockDim.x) {
        uchar4 four = ((const uchar4*)x)[i];
        image[4 * i] = four.x;
        image[4 * i + 1] = four.y;
        image[4 * i + 2] = four.z;
        image[4 * i + 3] = four.w;
    }
}

// A thread: a pooled pixel, C channels of it.
template <int SIDE, int I_C, int K_C, int C, typename Pixel>
__device__ void convolve(const Pixel* x, const float* w, const float* bias, float* y,
                         float* image, float* weights) {
    const int P = (SIDE - K + 1) / 2, BLOCKS = K_C / C;
    x += blockIdx.x * SIDE * SIDE * I_C;
    y += blockIdx.x * P * P * K_C;
    stage(x, image, SIDE * SIDE * I_C);
    for (int i = threadIdx.x; i < K * K * I_C * K_C; i += blockDim.x) weights[i] = w[i];
    __syncthreads();
    if (threadIdx.x >= P * P * BLOCKS) return;
    int pixel = threadIdx.x, channel = 0;
    if (BLOCKS > 1) pixel = threadIdx.x % (P * P), channel = threadIdx.x / (P * P) * C;
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

// The logits [10][IMAGES] of `here` images of x[256], from the one with the number `begin` on.
__device__ void three_products(const float* x, int begin, int here, const float* w1,
                               const float* bias1, const float* w2, const float* bias2,
                               const float* w3, const float* bias3, float* logits) {
    __shared__ float flat[256 * IMAGES], first[120 * IMAGES], second[84 * IMAGES];
    for (int i = threadIdx.x; i < 256 * IMAGES; i += blockDim.x) {
        int n = i / 256, j = i % 256;
        flat[j * IMAGES + n] = n < here ? x[begin * 256 + i] : 0.0f;
    }
    __syncthreads();
    multiply<256, 120, true>(flat, w1, bias1, first);
    multiply<120, 84, true>(first, w2, bias2, second);
    multiply<84, 10, false>(second, w3, bias3, logits);
}
