// LeNet-5, one image: a thread for each value of a layer, everything from global memory.
// Maps are [h, w, channel]; weights [k_h, k_w, i_c, k_c], those of products [outputs, inputs].

#define K 5  // kernels are 5 x 5

extern "C" __global__ void conv_relu(const float* x, const float* w, const float* bias, float* y,
                                     int i_w, int i_c, int o_h, int o_w, int k_c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * k_c) return;
    int k = i % k_c, v = i / k_c % o_w, h = i / k_c / o_w;
    float sum = bias[k];
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++)
            for (int c = 0; c < i_c; c++)
                sum += x[((h + a) * i_w + v + b) * i_c + c] * w[((a * K + b) * i_c + c) * k_c + k];
    y[i] = fmaxf(sum, 0.0f);
}

extern "C" __global__ void max_pool(const float* x, float* y, int o_h, int o_w, int channels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * channels) return;
    int c = i % channels, v = i / channels % o_w, h = i / channels / o_w;
    const float* first = x + (2 * h * 2 * o_w + 2 * v) * channels + c;
    const float* below = first + 2 * o_w * channels;
    y[i] = fmaxf(fmaxf(first[0], first[channels]), fmaxf(below[0], below[channels]));
}

extern "C" __global__ void linear(const float* x, const float* w, const float* bias, float* y,
                                  int inputs, int outputs, int relu) {
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= outputs) return;
    float sum = bias[o];
    for (int i = 0; i < inputs; i++)
        sum += x[i] * w[o * inputs + i];
    y[o] = relu ? fmaxf(sum, 0.0f) : sum;
}
