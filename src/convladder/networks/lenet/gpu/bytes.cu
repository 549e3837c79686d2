// The two ends of the network for bytes: the first convolution reads them as they are, its weights
// being those for pixels from 0 to 1 divided by 255; the last kernel answers with the digit.
#include "fused.cuh"

extern "C" __global__ void conv1_relu_pool(const unsigned char* x, const float* w,
                                           const float* bias, float* y) {
    __shared__ float image[28 * 28];
    __shared__ float weights[K * K * 6];
    convolve<28, 1, 6, 6>(x, w, bias, y, image, weights);
}

extern "C" __global__ void linear_label(const float* x, const float* w1, const float* bias1,
                                        const float* w2, const float* bias2, const float* w3,
                                        const float* bias3, int* labels, int images) {
    __shared__ float logits[10 * IMAGES];
    int begin = blockIdx.x * IMAGES, here = min(IMAGES, images - begin);
    three_products(x, begin, here, w1, bias1, w2, bias2, w3, bias3, logits);
    if (threadIdx.x < here) {
        int n = threadIdx.x, best = 0;
        for (int digit = 1; digit < 10; digit++)
            if (logits[digit * IMAGES + n] > logits[best * IMAGES + n]) best = digit;
        labels[begin + n] = best;
    }
}
