// Depthwise convolution: each channel with filters of its own, so there is no sum over channels.
//
// Threads are numbered along the output channel: a warp's loads, weights and stores are neighbours,
// 4 sectors for 32 floats. A thread makes PIXELS outputs side by side, so that it loads each weight
// once for all of them; their windows overlap, and what one thread reads again its cache has.
//
// Nothing is put into shared memory, since memory sets the pace as it is: with 3x3 and stride 1 a
// value read and a value written, 8 bytes, go with 9 multiply-adds, 2.25 FLOP a byte. An H200 can do
// 14 (67 TFLOP/s by 4.8 TB/s, its data sheet). The best that a kernel can do is to move each byte
// once.
#define PIXELS 4

extern "C" __global__ void conv_depthwise(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int d_h, int d_w)
{
    int strips = (o_w + PIXELS - 1) / PIXELS;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)i_n * o_h * strips * k_c) return;
    int k = i % k_c;
    int v = i / k_c % strips * PIXELS;
    int h = i / k_c / strips % o_h;
    int n = i / k_c / strips / o_h;
    int c = k / (k_c / i_c);  // filters of one channel are neighbours

    float sum[PIXELS] = {};
    for (int a = 0; a < k_h; a++) {
        int row = h * s_h + a * d_h - p_h;
        if (row < 0 || row >= i_h) continue;
        const float* line = x + ((size_t)n * i_h + row) * i_w * i_c + c;
        for (int b = 0; b < k_w; b++) {
            float weight = w[(size_t)(a * k_w + b) * k_c + k];
            for (int j = 0; j < PIXELS; j++) {
                int column = (v + j) * s_w + b * d_w - p_w;
                if (v + j < o_w && column >= 0 && column < i_w)
                    sum[j] += line[(size_t)column * i_c] * weight;
            }
        }
    }
    float* out = y + (((size_t)n * o_h + h) * o_w + v) * k_c + k;
    for (int j = 0; j < PIXELS && v + j < o_w; j++)
        out[(size_t)j * k_c] = sum[j];
}
