// One convolution whose images lie in blocks of channels, [blocks][rows][columns][block]: a block
// of 1 is NCHW, a block of all channels is NHWC. One thread a value of the output.
//
// Neighbouring threads take neighbouring pixels of a row (by_pixel), or neighbouring channels.
// Which of the two suits a layout is what chapter 05 counts.
__device__ int place(int channel, int row, int column, int rows, int columns, int block)
{
    int first = channel / block;
    return ((first * rows + row) * columns + column) * block + channel % block;
}

// w[k_h,k_w,i_c,k_c], no padding, stride 1. block divides i_c and k_c.
extern "C" __global__ void conv_layout(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_h, int i_w, int i_c, int k_h, int k_w, int k_c, int o_h, int o_w,
    int block, int by_pixel)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * k_c) return;
    int k = by_pixel ? i / (o_w * o_h) : i % k_c;
    int v = by_pixel ? i % o_w : i / k_c % o_w;
    int h = by_pixel ? i / o_w % o_h : i / (k_c * o_w);

    float sum = 0.0f;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++)
            for (int c = 0; c < i_c; c++)
                sum += x[place(c, h + a, v + b, i_h, i_w, block)]
                     * w[((a * k_w + b) * i_c + c) * k_c + k];
    y[place(k, h, v, o_h, o_w, block)] = sum;
}
