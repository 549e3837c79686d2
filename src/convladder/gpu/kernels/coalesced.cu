// Rung 2 of chapter 07: the same thread per output value, numbered along the output channel.
//
// Only the line that turns i into (n, h, v, k) differs from naive.cu. y[n,h,v,k] and w[a,b,c,k]
// have k innermost, so the threads of a warp now store to, and load weights from, neighbouring
// addresses: 32 floats are 4 sectors, all of them used. The pixel is one address for the whole
// warp: 1 sector.
extern "C" __global__ void conv_coalesced(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)i_n * o_h * o_w * k_c) return;
    int k = i % k_c;
    int v = i / k_c % o_w;
    int h = i / k_c / o_w % o_h;
    int n = i / k_c / o_w / o_h;

    float sum = 0.0f;
    for (int a = 0; a < k_h; a++) {
        int row = h * s_h + a - p_h;
        if (row < 0 || row >= i_h) continue;
        for (int b = 0; b < k_w; b++) {
            int column = v * s_w + b - p_w;
            if (column < 0 || column >= i_w) continue;
            const float* pixel = x + (((size_t)n * i_h + row) * i_w + column) * i_c;
            const float* weight = w + (size_t)(a * k_w + b) * i_c * k_c + k;
            for (int c = 0; c < i_c; c++)
                sum += pixel[c] * weight[(size_t)c * k_c];
        }
    }
    y[i] = sum;
}
