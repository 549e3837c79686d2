// LeNet-5, all images at once: the same kernels with the image as one more index.

#define K 5

extern "C" __global__ void conv_relu(const float* x, const float* w, const float* bias, float* y,
                                     int i_h, int i_w, int i_c, int o_h, int o_w, int k_c,
                                     int images) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * o_h * o_w * k_c) return;
    int k = i % k_c, v = i / k_c % o_w, h = i / k_c / o_w % o_h, n = i / k_c / o_w / o_h;
    const float* image = x + n * i_h * i_w * i_c;
    float sum = bias[k];
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
            for (int c = 0; c < i_c; c++)
                sum += image[((h + a) * i_w + v + b) * i_c + c]
                     * w[((a * K + b) * i_c + c) * k_c + k];
    y[i] = fmaxf(sum, 0.0f);
}

extern "C" __global__ void max_pool(const float* x, float* y, int o_h, int o_w, int channels,
                                    int images) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * o_h * o_w * channels) return;
    int c = i % channels, v = i / channels % o_w, line = i / channels / o_w;  // of all images
    const float* first = x + (2 * line * 2 * o_w + 2 * v) * channels + c;
    const float* below = first + 2 * o_w * channels;
    y[i] = fmaxf(fmaxf(first[0], first[channels]), fmaxf(below[0], below[channels]));
}

extern "C" __global__ void linear(const float* x, const float* w, const float* bias, float* y,
                                  int inputs, int outputs, int relu, int images) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * outputs) return;
    int o = i % outputs, n = i / outputs;
    float sum = bias[o];
    for (int j = 0; j < inputs; j++)
        sum += x[n * inputs + j] * w[o * inputs + j];  // lanes are a row of weights apart
    y[i] = relu ? fmaxf(sum, 0.0f) : sum;
}
