// Three kernels for the network: each convolution with its ReLU and pool, all products in one.
#include "fused.cuh"

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

extern "C" __global__ void linear_all(const float* x, const float* w1, const float* bias1,
                                      const float* w2, const float* bias2, const float* w3,
                                      const float* bias3, float* y, int images) {
    __shared__ float logits[10 * IMAGES];
    int begin = blockIdx.x * IMAGES, here = min(IMAGES, images - begin);
    three_products(x, begin, here, w1, bias1, w2, bias2, w3, bias3, logits);
    for (int i = threadIdx.x; i < here * 10; i += blockDim.x)
        y[begin * 10 + i] = logits[i % 10 * IMAGES + i / 10];
}
