// Rung 1 of chapter 07: a thread per output value, numbered down the image.
//
// Thread i computes row h = i % o_h of its column, so the 32 threads of a warp compute 32 different
// rows. Their stores, and their loads from x, are a whole image row apart. Each request then moves
// 32 sectors of 32 bytes to use 4 bytes of each. Only the weight has the same address for all 32.
// The kernel is correct. You get it if you parallelise a loop over the image without asking which
// threads are neighbours.
extern "C" __global__ void conv_naive(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)i_n * o_h * o_w * k_c) return;  // the last block is rarely full
    int h = i % o_h;
    int v = i / o_h % o_w;
    int k = i / o_h / o_w % k_c;
    int n = i / o_h / o_w / k_c;

    float sum = 0.0f;
    for (int a = 0; a < k_h; a++) {
        int row = h * s_h + a - p_h;
        if (row < 0 || row >= i_h) continue;  // a row of zeros
        for (int b = 0; b < k_w; b++) {
            int column = v * s_w + b - p_w;
            if (column < 0 || column >= i_w) continue;
            const float* pixel = x + (((size_t)n * i_h + row) * i_w + column) * i_c;
            const float* weight = w + (size_t)(a * k_w + b) * i_c * k_c + k;
            for (int c = 0; c < i_c; c++)
                sum += pixel[c] * weight[(size_t)c * k_c];
        }
    }
    y[(((size_t)n * o_h + h) * o_w + v) * k_c + k] = sum;
}
