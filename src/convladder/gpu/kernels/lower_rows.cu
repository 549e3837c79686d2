// MEC's lowering in float16: rows of windows become pixels with as many channels as the copy
// engine wants, where those of the image are too few or odd.
//
// L[row, v, j] = x[row, v * step - pad + j] for j < span, of an image's row as it lies: the
// channels of a pixel, then the next pixel's. Zeros outside the row, and from span = k_w * i_c up
// to `depth`. A thread writes eight values.
// instances: lower_rows<float>; lower_rows<__half>
#include <cuda_fp16.h>

template <typename In>
__global__ void lower_rows(const In* __restrict__ x, __half* __restrict__ L, unsigned threads,
                           int width, int step, int pad, int span, int columns, int depth)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, parts = depth / 8;
    if (i >= threads) return;
    const unsigned j = i % parts * 8, v = i / parts % columns, row = i / parts / columns;
    const int at = (int)(v * step + j) - pad;
    const In* from = x + (size_t)row * width;
    __align__(16) __half values[8];
    #pragma unroll
    for (int e = 0; e < 8; e++) {
        const bool there = (int)j + e < span && at + e >= 0 && at + e < width;
        values[e] = there ? __half(from[at + e]) : __half(0.0f);
    }
    *(uint4*)(L + (size_t)i * 8) = *(const uint4*)values;
}
