// The two ends of the network for bytes: the first convolution reads them as they are, its weights
// being those for pixels from 0 to 1 divided by 255; the last kernel answers with the digit.

#define K 5
#define IMAGES 8

extern "C" __global__ void conv1_relu_pool(const unsigned char* x, const float* w,
                                           const float* bias, float* y) {
    const int SIDE = 28, K_C = 6, P = 12;
    __shared__ float image[SIDE * SIDE];
    __shared__ float weights[K * K * K_C];
    x += blockIdx.x * SIDE * SIDE;
    y += blockIdx.x * P * P * K_C;
    for (int i = threadIdx.x; i < SIDE * SIDE / 4; i += blockDim.x) {
        uchar4 four = ((const uchar4*)x)[i];
        image[4 * i] = four.x;
        image[4 * i + 1] = four.y;
        image[4 * i + 2] = four.z;
        image[4 * i + 3] = four.w;
    }
    for (int i = threadIdx.x; i < K * K * K_C; i += blockDim.x) weights[i] = w[i];
    __syncthreads();
    int pixel = threadIdx.x;
    if (pixel >= P * P) return;
    int h = 2 * (pixel / P), v = 2 * (pixel % P);
    float sums[4][K_C];
#pragma unroll
    for (int k = 0; k < K_C; k++) sums[0][k] = sums[1][k] = sums[2][k] = sums[3][k] = bias[k];
    for (int a = 0; a < K; a++)
        for (int j = 0; j < K; j++) {
            const float* at = image + (h + a) * SIDE + v + j;
            float values[4] = {at[0], at[1], at[SIDE], at[SIDE + 1]};
#pragma unroll
            for (int k = 0; k < K_C; k++)
#pragma unroll
                for (int p = 0; p < 4; p++)
                    sums[p][k] += values[p] * weights[(a * K + j) * K_C + k];
        }
#pragma unroll
    for (int k = 0; k < K_C; k++)
        y[pixel * K_C + k] = fmaxf(
            fmaxf(fmaxf(sums[0][k], sums[1][k]), fmaxf(sums[2][k], sums[3][k])), 0.0f);
}

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

extern "C" __global__ void linear_label(const float* x, const float* w1, const float* bias1,
                                        const float* w2, const float* bias2, const float* w3,
                                        const float* bias3, int* labels, int images) {
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
    if (threadIdx.x < here) {
        int n = threadIdx.x, best = 0;
        for (int digit = 1; digit < 10; digit++)
            if (logits[digit * IMAGES + n] > logits[best * IMAGES + n]) best = digit;
        labels[begin + n] = best;
    }
}
