// The kernels that stand in cells of chapter 07; a test holds the two texts together.

extern "C" __global__ void conv(const float* x, const float* w, float* y,
                                int i_w, int k_h, int k_w, int o_h, int o_w) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h >= o_h || v >= o_w) return;
    float sum = 0;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++)
            sum += x[(h + a) * i_w + v + b] * w[a * k_w + b];
    y[h * o_w + v] = sum;
}

extern "C" __global__ void im2col_cuda_mec(const float* x, float* L, int i_h, int i_w, int i_c,
                                           int k_w, int o_w, int p_h, int p_w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, rows = i_h + 2 * p_h;
    int c = i % i_c, b = i / i_c % k_w, h = i / i_c / k_w % rows, v = i / i_c / k_w / rows;
    if (v >= o_w) return;
    int row = h - p_h, column = v + b - p_w;
    bool inside = row >= 0 && row < i_h && column >= 0 && column < i_w;
    L[i] = inside ? x[(row * i_w + column) * i_c + c] : 0.0f;
}

extern "C" __global__ void reverse(const float* x, float* y) {
    __shared__ float tile[64];
    int t = threadIdx.x, first = blockIdx.x * 64;
    tile[t] = x[first + t];
    __syncthreads();
    y[first + t] = tile[63 - t];
}
