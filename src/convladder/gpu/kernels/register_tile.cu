// Rung 2 of chapter 08: each thread computes 4 pixels by 4 channels in registers.
//
// In shared.cu every multiply-add waits for two loads from shared memory, which can deliver one
// word a lane and cycle: that, not arithmetic, is its limit. A thread with 4x4 sums loads 4 + 4
// words for 16 multiply-adds, a quarter of the traffic. A block of 256 threads covers 8x8 pixels
// by 64 channels.
//
// A thread's channels lie 16 apart, so that the 16 lanes beside each other read and store 16
// neighbouring words. The two halves of a warp work on pixels 4*s_w*depth words apart: where that
// is a multiple of 32 they want the same bank, and each load of a pixel takes two turns.
#define TILE_H 8
#define TILE_W 8
#define PIXELS 4     // of a thread, side by side
#define CHANNELS 4   // of a thread, LANES apart
#define LANES 16
#define TILE_K (LANES * CHANNELS)
#define THREADS (TILE_H * TILE_W / PIXELS * LANES)

// blockDim = (LANES, TILE_H * TILE_W / PIXELS); a block of the grid's x is one tile of one image.
extern "C" __global__ void __launch_bounds__(THREADS) conv_register_tile(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int depth)
{
    int rows = (TILE_H - 1) * s_h + k_h, columns = (TILE_W - 1) * s_w + k_w;
    extern __shared__ float memory[];
    float* tile = memory;                               // [rows][columns][depth]
    float* weights = memory + rows * columns * depth;   // [k_w][depth][TILE_K]

    int tiles_w = (o_w + TILE_W - 1) / TILE_W, tiles_h = (o_h + TILE_H - 1) / TILE_H;
    int first_v = blockIdx.x % tiles_w * TILE_W;
    int first_h = blockIdx.x / tiles_w % tiles_h * TILE_H;
    int n = blockIdx.x / tiles_w / tiles_h;
    int first_k = blockIdx.y * TILE_K;

    int lane = threadIdx.x;
    int h = threadIdx.y / (TILE_W / PIXELS), v = threadIdx.y % (TILE_W / PIXELS) * PIXELS;
    int thread = threadIdx.y * LANES + lane;

    float sum[PIXELS][CHANNELS] = {};
    for (int c0 = 0; c0 < i_c; c0 += depth) {
        int count = min(depth, i_c - c0);
        for (int a = 0; a < k_h; a++) {
            if (a == 0)
                for (int i = thread; i < rows * columns * count; i += THREADS) {
                    int c = i % count, column = i / count % columns, row = i / count / columns;
                    int from_h = first_h * s_h - p_h + row, from_w = first_v * s_w - p_w + column;
                    bool inside = from_h >= 0 && from_h < i_h && from_w >= 0 && from_w < i_w;
                    tile[(row * columns + column) * depth + c] =
                        inside ? x[(((size_t)n * i_h + from_h) * i_w + from_w) * i_c + c0 + c]
                               : 0.0f;
                }
            for (int i = thread; i < k_w * count * TILE_K; i += THREADS) {
                int to = i % TILE_K, c = i / TILE_K % count, b = i / TILE_K / count;
                weights[(b * depth + c) * TILE_K + to] =
                    first_k + to < k_c
                        ? w[((size_t)(a * k_w + b) * i_c + c0 + c) * k_c + first_k + to] : 0.0f;
            }
            __syncthreads();
            for (int b = 0; b < k_w; b++) {
                const float* pixel = tile + ((h * s_h + a) * columns + v * s_w + b) * depth;
                const float* row = weights + b * depth * TILE_K + lane;
                for (int c = 0; c < count; c++) {
                    float value[PIXELS], weight[CHANNELS];
                    #pragma unroll
                    for (int p = 0; p < PIXELS; p++) value[p] = pixel[p * s_w * depth + c];
                    #pragma unroll
                    for (int j = 0; j < CHANNELS; j++) weight[j] = row[c * TILE_K + j * LANES];
                    #pragma unroll
                    for (int p = 0; p < PIXELS; p++)
                        #pragma unroll
                        for (int j = 0; j < CHANNELS; j++) sum[p][j] += value[p] * weight[j];
                }
            }
            __syncthreads();
        }
    }
    #pragma unroll
    for (int p = 0; p < PIXELS; p++)
        #pragma unroll
        for (int j = 0; j < CHANNELS; j++) {
            int to_h = first_h + h, to_v = first_v + v + p, k = first_k + lane + j * LANES;
            if (to_h < o_h && to_v < o_w && k < k_c)
                y[(((size_t)n * o_h + to_h) * o_w + to_v) * k_c + k] = sum[p][j];
        }
}
