// Both convolutions with their sizes as constants: an image in shared memory, a pixel a thread.
// A value of the image that was loaded serves all channels; a weight is the same for all threads,
// so that one load serves a whole warp.

#define K 5

template <int SIDE, int I_C, int K_C>
__device__ void convolve(const float* x, const float* w, const float* bias, float* y,
                         float* image, float* weights) {
    const int O = SIDE - K + 1;
    x += blockIdx.x * SIDE * SIDE * I_C;
    y += blockIdx.x * O * O * K_C;
    for (int i = threadIdx.x; i < SIDE * SIDE * I_C; i += blockDim.x) image[i] = x[i];
    for (int i = threadIdx.x; i < K * K * I_C * K_C; i += blockDim.x) weights[i] = w[i];
    __syncthreads();
    for (int pixel = threadIdx.x; pixel < O * O; pixel += blockDim.x) {
        int h = pixel / O, v = pixel % O;
        float sums[K_C];
#pragma unroll
        for (int k = 0; k < K_C; k++) sums[k] = bias[k];
        for (int a = 0; a < K; a++)
            for (int j = 0; j < K * I_C; j++) {
                float value = image[((h + a) * SIDE + v) * I_C + j];
#pragma unroll
                for (int k = 0; k < K_C; k++)
                    sums[k] += value * weights[(a * K * I_C + j) * K_C + k];
            }
#pragma unroll
        for (int k = 0; k < K_C; k++) y[pixel * K_C + k] = fmaxf(sums[k], 0.0f);
    }
}

extern "C" __global__ void conv1_relu(const float* x, const float* w, const float* bias, float* y) {
    __shared__ float image[28 * 28];
    __shared__ float weights[K * K * 6];
    convolve<28, 1, 6>(x, w, bias, y, image, weights);
}

extern "C" __global__ void conv2_relu(const float* x, const float* w, const float* bias, float* y) {
    __shared__ float image[12 * 12 * 6];
    __shared__ float weights[K * K * 6 * 16];
    convolve<12, 6, 16>(x, w, bias, y, image, weights);
}
