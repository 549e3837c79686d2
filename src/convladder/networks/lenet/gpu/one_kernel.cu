// The whole network in one kernel: a block of 256 threads takes 16 images from pixels to digits.
// Nothing but images, weights and labels touches global memory. Two blocks share a multiprocessor,
// so that one computes while the other loads or waits: that takes 206 KB of shared memory, which
// chips of compute capability 8.0 (one block: 103 KB) and 9.0 (two) have.
// instances: lenet<unsigned char>; lenet<float>
//
// A half-warp's 16 lanes are the 16 images, wherever they read maps: neighbouring banks, and one
// weight for all. Each layer keeps a tile of sums in registers:
//   conv1     a pooled pixel, 6 channels    24 sums   weights are operands from constant memory
//   conv2     two of them, 8 channels       64 sums   10 loads of 4 weights, 8 values: 320 fma
//   products  8 images, 4 outputs           32 sums   3 loads: 32 fma; a quarter of the inputs

#define IMAGES 16
#define THREADS 256
#define PIXELS 784
#define ROW 786  // of an image in shared memory: two lanes' pairs of pixels never share a bank

__constant__ float conv1[5 * 5 * 6];
__constant__ float conv1_bias[6];

__device__ void stage(const unsigned char* x, float* image, int i, bool there) {
    uchar4 four = there ? ((const uchar4*)x)[i] : make_uchar4(0, 0, 0, 0);
    float2* at = (float2*)(image + 4 * i);
    at[0] = make_float2(four.x, four.y);
    at[1] = make_float2(four.z, four.w);
}

__device__ void stage(const float* x, float* image, int i, bool there) {
    float4 four = there ? ((const float4*)x)[i] : make_float4(0, 0, 0, 0);
    float2* at = (float2*)(image + 4 * i);
    at[0] = make_float2(four.x, four.y);
    at[1] = make_float2(four.z, four.w);
}

// images[IMAGES][ROW] to pooled[6][12][12][IMAGES]. A warp takes two pooled pixels side by side.
__device__ void first_convolution(const float* images, float* pooled) {
    int lane = threadIdx.x % 32, n = lane % IMAGES, warp = threadIdx.x / 32;
#pragma unroll 1
    for (int pair = warp; pair < 72; pair += THREADS / 32) {
        int h = pair / 6, v = pair % 6 * 2 + lane / IMAGES;
        const float* window = images + n * ROW + 2 * h * 28 + 2 * v;
        float sums[4][6] = {};
#pragma unroll
        for (int row = 0; row < 6; row++) {
            float values[6];
#pragma unroll
            for (int j = 0; j < 3; j++) {
                float2 two = ((const float2*)(window + row * 28))[j];
                values[2 * j] = two.x;
                values[2 * j + 1] = two.y;
            }
#pragma unroll
            for (int below = 0; below < 2; below++) {
                int a = row - below;
                if (a < 0 || a > 4) continue;
#pragma unroll
                for (int b = 0; b < 5; b++)
#pragma unroll
                    for (int k = 0; k < 6; k++) {
                        float weight = conv1[(a * 5 + b) * 6 + k];
                        sums[2 * below][k] += values[b] * weight;
                        sums[2 * below + 1][k] += values[b + 1] * weight;
                    }
            }
        }
#pragma unroll
        for (int k = 0; k < 6; k++) {
            float most = fmaxf(fmaxf(sums[0][k], sums[1][k]), fmaxf(sums[2][k], sums[3][k]));
            pooled[((k * 12 + h) * 12 + v) * IMAGES + n] = fmaxf(most + conv1_bias[k], 0.0f);
        }
    }
}

// pooled[6][12][12][IMAGES] to flat[4 * 4 * 16][IMAGES]; weights[6][5][5][16]. A warp takes two
// pooled pixels side by side, each of its halves 8 channels of them.
__device__ void second_convolution(const float* pooled, const float* weights, const float* bias,
                                   float* flat) {
    int lane = threadIdx.x % 32, n = lane % IMAGES, warp = threadIdx.x / 32;
    int channel = lane / IMAGES * 8, h = warp / 2, v = warp % 2 * 2;
    float sums[8][8] = {};  // [pixel][channel], pixels in two rows of four
#pragma unroll 1
    for (int c = 0; c < 6; c++) {
        const float* map = pooled + ((c * 12 + 2 * h) * 12 + 2 * v) * IMAGES + n;
        float below[8];
#pragma unroll
        for (int j = 0; j < 8; j++) below[j] = map[j * IMAGES];
#pragma unroll 1
        for (int a = 0; a < 5; a++) {
            float above[8];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                above[j] = below[j];
                below[j] = map[((a + 1) * 12 + j) * IMAGES];
            }
            const float4* row = (const float4*)(weights + (c * 5 + a) * 5 * 16 + channel);
#pragma unroll
            for (int b = 0; b < 5; b++) {
                float4 low = row[4 * b], high = row[4 * b + 1];
                float weight[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
                for (int pixel = 0; pixel < 4; pixel++)
#pragma unroll
                    for (int k = 0; k < 8; k++) {
                        sums[pixel][k] += above[pixel + b] * weight[k];
                        sums[pixel + 4][k] += below[pixel + b] * weight[k];
                    }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float offset = bias[channel + k];
#pragma unroll
        for (int p = 0; p < 2; p++) {
            float most = fmaxf(fmaxf(sums[2 * p][k], sums[2 * p + 1][k]),
                               fmaxf(sums[2 * p + 4][k], sums[2 * p + 5][k]));
            flat[((h * 4 + v + p) * 16 + channel + k) * IMAGES + n] = fmaxf(most + offset, 0.0f);
        }
    }
}

// x[INPUTS][IMAGES] to y[OUTPUTS][IMAGES], with ReLU; weights[INPUTS][OUTPUTS] in global memory.
// A warp takes 8 images and a quarter of the inputs, a lane 4 outputs; `parts` holds the sums of
// the quarters, in rows whose length spreads them over the banks.
template <int INPUTS, int OUTPUTS>
__device__ void product(const float* x, const float* weights, const float* bias, float* y,
                        float* parts) {
    const int LINE = (OUTPUTS + 31) / 32 * 32 - 4;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = warp % 2 * 8, quarter = warp / 2, begin = quarter * (INPUTS / 4);
    if (lane < OUTPUTS / 4) {
        float sums[8][4] = {};
        const float* w = weights + begin * OUTPUTS + 4 * lane;
        const float* from = x + begin * IMAGES + first;
#pragma unroll 8
        for (int i = 0; i < INPUTS / 4; i++) {
            float4 weight = *(const float4*)(w + i * OUTPUTS);
            float4 low = *(const float4*)(from + i * IMAGES);
            float4 high = *(const float4*)(from + i * IMAGES + 4);
            float value[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
            for (int n = 0; n < 8; n++) {
                sums[n][0] += value[n] * weight.x;
                sums[n][1] += value[n] * weight.y;
                sums[n][2] += value[n] * weight.z;
                sums[n][3] += value[n] * weight.w;
            }
        }
#pragma unroll
        for (int n = 0; n < 8; n++)
            *(float4*)(parts + (quarter * IMAGES + first + n) * LINE + 4 * lane) =
                make_float4(sums[n][0], sums[n][1], sums[n][2], sums[n][3]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < OUTPUTS * IMAGES; i += THREADS) {
        int n = i % IMAGES, o = i / IMAGES;
        float sum = bias[o];
#pragma unroll
        for (int q = 0; q < 4; q++) sum += parts[(q * IMAGES + n) * LINE + o];
        y[i] = fmaxf(sum, 0.0f);
    }
    __syncthreads();
}

// Bytes or float32 pixels x[images][784]. conv2 is [6][5][5][16], products [inputs][outputs].
template <typename Pixel>
__global__ void __launch_bounds__(THREADS, 2)
lenet(const Pixel* x, const float* conv2, const float* conv2_bias, const float* fc1,
      const float* fc1_bias, const float* fc2, const float* fc2_bias, const float* fc3,
      const float* fc3_bias, unsigned char* labels, int images) {
    extern __shared__ float4 shared[];
    float* pixels = (float*)shared;         // [IMAGES][ROW]; later conv2's weights and results
    float* pooled = pixels + IMAGES * ROW;  // [6][12][12][IMAGES]; later what the products need
    float4* weights = shared;               // 600 of 4
    float* flat = pixels + 2400;            // [256][IMAGES]
    float* parts = pooled;                  // [4][IMAGES][124]
    float* first = pooled + 7936;           // [120][IMAGES]
    float* second = first + 1920;           // [84][IMAGES]
    float* logits = second + 1344;          // [10][IMAGES]

    int begin = blockIdx.x * IMAGES, here = min(IMAGES, images - begin);
    for (int i = threadIdx.x; i < IMAGES * PIXELS / 4; i += THREADS) {
        int n = i / (PIXELS / 4);
        stage(x + (long long)(begin + n) * PIXELS, pixels + n * ROW, i % (PIXELS / 4), n < here);
    }
    float4 held[3];  // on their way while the first convolution runs
#pragma unroll
    for (int i = 0; i < 3; i++)
        held[i] = ((const float4*)conv2)[min(i * THREADS + (int)threadIdx.x, 599)];
    __syncthreads();
    first_convolution(pixels, pooled);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 3; i++)
        if (i * THREADS + threadIdx.x < 600) weights[i * THREADS + threadIdx.x] = held[i];
    __syncthreads();
    second_convolution(pooled, (const float*)weights, conv2_bias, flat);
    __syncthreads();
    product<256, 120>(flat, fc1, fc1_bias, first, parts);
    product<120, 84>(first, fc2, fc2_bias, second, parts);
    int n = threadIdx.x % IMAGES, o = threadIdx.x / IMAGES;
    if (o < 10) {
        float sum = fc3_bias[o];
#pragma unroll 12
        for (int i = 0; i < 84; i++) sum += second[i * IMAGES + n] * fc3[i * 10 + o];
        logits[o * IMAGES + n] = sum;
    }
    __syncthreads();
    if (threadIdx.x < here) {
        int best = 0;
        for (int digit = 1; digit < 10; digit++)
            if (logits[digit * IMAGES + n] > logits[best * IMAGES + n]) best = digit;
        labels[begin + n] = best;
    }
}
