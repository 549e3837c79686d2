// The whole network in one kernel on tensor cores: half precision in, float32 sums. A block of 256
// threads takes 16 images, which are the 16 rows of every product; all else is columns and depth.
// requires sm_80
//
// conv1     a window of 6 rows of 8 pixels (depth 48) gives 2 x 4 pixels of 6 channels (columns),
//           whose weights are zero where their kernel does not reach
// conv2     25 kernel positions and one of zeros, 8 channels each, two of them zero (depth 208)
// products  inputs and outputs filled up with zeros to multiples of 16
//
// Weights come packed as the lanes hold them: [columns / 8][depth / 16][lane][2] pairs of halves.

#include <cuda_fp16.h>

#define IMAGES 16
#define THREADS 256
#define PIXELS 784
#define ROW 792      // halves of an image in shared memory: 8 rows of a product in 8 sets of banks
#define FLAT 264     // likewise, of the inputs of each product
#define FIRST 136
#define SECOND 104
#define LOGITS 17

struct Rows {  // a lane's part of 16 rows, 16 deep: pairs of halves
    unsigned part[4];
};

// Four 8 x 8 matrices from shared memory; each lane gives the address of one row of eight halves.
__device__ Rows load_rows(const half* row) {
    Rows a;
    unsigned at = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a.part[0]), "=r"(a.part[1]), "=r"(a.part[2]), "=r"(a.part[3]) : "r"(at));
    return a;
}

// sums[16][8] += a[16][16] * b[16][8]; of the sums a lane has two in row lane / 4, two 8 below.
__device__ void multiply(float* sums, const Rows& a, uint2 b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a.part[0]), "r"(a.part[1]), "r"(a.part[2]), "r"(a.part[3]),
                   "r"(b.x), "r"(b.y));
}

__device__ half2 relu(float x, float y) {
    return __floats2half2_rn(fmaxf(x, 0.0f), fmaxf(y, 0.0f));
}

// images[IMAGES][ROW] to pooled[12 * 12][IMAGES][8]. A warp takes a window at a time: the four
// pixels that a pool compares lie in the same lane, as do three of its twelve results an image.
__device__ void first_convolution(const half* images, const uint2* packed, const float* bias,
                                  half* pooled) {
    int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4;
    uint2 weights[6][3];
#pragma unroll
    for (int tile = 0; tile < 6; tile++)
#pragma unroll
        for (int step = 0; step < 3; step++)
            weights[tile][step] = packed[(tile * 3 + step) * 32 + lane];
    for (int window = threadIdx.x / 32; window < 72; window += THREADS / 32) {
        int h = window / 6, v = window % 6 * 2;
        const half* from = images + row * ROW + 2 * h * 28 + 2 * v + 2 * column;
        float sums[6][4] = {};
#pragma unroll
        for (int step = 0; step < 3; step++) {
            // Windows begin at any fourth pixel, load_rows at every eighth only.
            const half* at = from + 2 * step * 28;
            Rows a = {*(const unsigned*)at, *(const unsigned*)(at + 8 * ROW),
                      *(const unsigned*)(at + 28), *(const unsigned*)(at + 8 * ROW + 28)};
#pragma unroll
            for (int tile = 0; tile < 6; tile++) multiply(sums[tile], a, weights[tile][step]);
        }
        int channel = column % 2 * 3;
#pragma unroll
        for (int lower = 0; lower < 2; lower++) {
            half* to = pooled
                + (((h * 12 + v + column / 2) * IMAGES) + row + 8 * lower) * 8 + channel;
#pragma unroll
            for (int q = 0; q < 3; q++) {
                const float* upper = sums[2 * q] + 2 * lower;
                const float* below = sums[2 * q + 1] + 2 * lower;
                float most = fmaxf(fmaxf(upper[0], upper[1]), fmaxf(below[0], below[1]));
                to[q] = __float2half(fmaxf(most * (1.0f / 255) + bias[channel + q], 0.0f));
            }
            if (channel) *(half2*)(to + 3) = __floats2half2_rn(0.0f, 0.0f);
        }
    }
}

// pooled[12 * 12][IMAGES][8] to flat[IMAGES][FLAT]. A warp takes two pooled pixels.
__device__ void second_convolution(const half* pooled, const uint2* packed, const float* bias,
                                   half* flat) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint2 weights[2][13];
#pragma unroll
    for (int tile = 0; tile < 2; tile++)
#pragma unroll
        for (int step = 0; step < 13; step++)
            weights[tile][step] = packed[(tile * 13 + step) * 32 + lane];
    for (int pixel = warp; pixel < 16; pixel += THREADS / 32) {
        int h = pixel / 4 * 2, v = pixel % 4 * 2;
        // Lanes 0 to 15 point to the images of one kernel position, the others to the next one's.
        const half* from = pooled + ((h * 12 + v) * IMAGES + lane % 16) * 8;
        float sums[4][2][4] = {};
#pragma unroll
        for (int step = 0; step < 13; step++) {
            int even = 2 * step, odd = min(2 * step + 1, 24);  // the last but once more, times zero
            int to_even = even / 5 * 12 + even % 5, to_odd = odd / 5 * 12 + odd % 5;
            const half* at = from + (lane < 16 ? to_even : to_odd) * IMAGES * 8;
#pragma unroll
            for (int corner = 0; corner < 4; corner++) {
                Rows a = load_rows(at + (corner / 2 * 12 + corner % 2) * IMAGES * 8);
                multiply(sums[corner][0], a, weights[0][step]);
                multiply(sums[corner][1], a, weights[1][step]);
            }
        }
#pragma unroll
        for (int tile = 0; tile < 2; tile++) {
            float most[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                most[i] = fmaxf(fmaxf(sums[0][tile][i], sums[1][tile][i]),
                                fmaxf(sums[2][tile][i], sums[3][tile][i]));
            int channel = tile * 8 + lane % 4 * 2;
            half* to = flat + lane / 4 * FLAT + pixel * 16 + channel;
            *(half2*)to = relu(most[0] + bias[channel], most[1] + bias[channel + 1]);
            *(half2*)(to + 8 * FLAT) = relu(most[2] + bias[channel], most[3] + bias[channel + 1]);
        }
    }
}

// x[IMAGES][LINE] times packed weights, 16 * STEPS deep; a warp takes every eighth of TILES tiles
// of 8 columns. store(row, column, sum, its neighbour's sum) gets them all, bias added.
template <int STEPS, int TILES, int LINE, typename Store>
__device__ void product(const half* x, const uint2* packed, const float* bias, Store store) {
    int lane = threadIdx.x % 32;
    for (int tile = threadIdx.x / 32; tile < TILES; tile += THREADS / 32) {
        uint2 weights[STEPS];
#pragma unroll
        for (int step = 0; step < STEPS; step++)
            weights[step] = packed[(tile * STEPS + step) * 32 + lane];
        float sums[4] = {};
#pragma unroll
        for (int step = 0; step < STEPS; step++)
            multiply(sums, load_rows(x + lane % 16 * LINE + step * 16 + lane / 16 * 8),
                     weights[step]);
        int row = lane / 4, column = tile * 8 + lane % 4 * 2;
        store(row, column, sums[0] + bias[column], sums[1] + bias[column + 1]);
        store(row + 8, column, sums[2] + bias[column], sums[3] + bias[column + 1]);
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
lenet(const unsigned char* x, const uint2* conv1, const float* conv1_bias, const uint2* conv2,
      const float* conv2_bias, const uint2* fc1, const float* fc1_bias, const uint2* fc2,
      const float* fc2_bias, const uint2* fc3, const float* fc3_bias, unsigned char* labels,
      int images) {
    extern __shared__ float4 shared[];
    half* pixels = (half*)shared;                // [IMAGES][ROW]
    half* pooled = pixels + IMAGES * ROW;        // [144][IMAGES][8]
    half* flat = pixels;                         // from here on, in the place of the pixels
    half* first = flat + IMAGES * FLAT;
    half* second = first + IMAGES * FIRST;
    float* logits = (float*)(second + IMAGES * SECOND);

    int begin = blockIdx.x * IMAGES, here = min(IMAGES, images - begin);
    for (int i = threadIdx.x; i < IMAGES * PIXELS / 4; i += THREADS) {
        int n = i / (PIXELS / 4), j = i % (PIXELS / 4);
        uchar4 four = make_uchar4(0, 0, 0, 0);
        if (n < here) four = ((const uchar4*)(x + (long long)(begin + n) * PIXELS))[j];
        half2* to = (half2*)(pixels + n * ROW + 4 * j);
        to[0] = __floats2half2_rn(four.x, four.y);
        to[1] = __floats2half2_rn(four.z, four.w);
    }
    __syncthreads();
    first_convolution(pixels, conv1, conv1_bias, pooled);
    __syncthreads();
    second_convolution(pooled, conv2, conv2_bias, flat);
    __syncthreads();
    product<16, 16, FLAT>(flat, fc1, fc1_bias, [&](int row, int column, float a, float b) {
        *(half2*)(first + row * FIRST + column) = relu(a, b);
    });
    product<8, 12, FIRST>(first, fc2, fc2_bias, [&](int row, int column, float a, float b) {
        *(half2*)(second + row * SECOND + column) = relu(a, b);
    });
    product<6, 2, SECOND>(second, fc3, fc3_bias, [&](int row, int column, float a, float b) {
        logits[row * LOGITS + column] = a;
        logits[row * LOGITS + column + 1] = b;
    });
    if (threadIdx.x < here) {
        const float* mine = logits + threadIdx.x * LOGITS;
        int best = 0;
        for (int digit = 1; digit < 10; digit++)
            if (mine[digit] > mine[best]) best = digit;
        labels[begin + threadIdx.x] = best;
    }
}
