// Rung 1 of chapter 08: a block fetches its part of the image once and shares it.
//
// Overlapping windows read each pixel k_h*k_w times, and every output channel reads it again. Here
// a block of 4x4 output pixels by 32 channels copies the input under its pixels, with the halo
// that its windows reach into, and one kernel row of weights into shared memory; all 512 threads
// then read from there. Padding becomes zeros in the tile, so that the inner loops need no test.
//
// Shared memory is small: `depth` input channels are staged at a time, chosen by whoever launches.
// A warp is one pixel and 32 channels: the pixel is a broadcast, the weights are 32 different
// banks.
#define TILE_H 4
#define TILE_W 4
#define LANES 32  // output channels of a block
#define THREADS (TILE_H * TILE_W * LANES)

// blockDim = (LANES, TILE_H * TILE_W); a block of the grid's x is one tile of one image.
extern "C" __global__ void __launch_bounds__(THREADS) conv_shared(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int depth)
{
    int rows = (TILE_H - 1) * s_h + k_h, columns = (TILE_W - 1) * s_w + k_w;
    extern __shared__ float memory[];
    float* tile = memory;                               // [rows][columns][depth]
    float* weights = memory + rows * columns * depth;   // [k_w][depth][LANES]

    int tiles_w = (o_w + TILE_W - 1) / TILE_W, tiles_h = (o_h + TILE_H - 1) / TILE_H;
    int first_v = blockIdx.x % tiles_w * TILE_W;
    int first_h = blockIdx.x / tiles_w % tiles_h * TILE_H;
    int n = blockIdx.x / tiles_w / tiles_h;
    int first_k = blockIdx.y * LANES;

    int lane = threadIdx.x, k = first_k + lane;
    int h = threadIdx.y / TILE_W, v = threadIdx.y % TILE_W;  // in the tile
    int thread = threadIdx.y * LANES + lane;

    float sum = 0.0f;
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
            for (int i = thread; i < k_w * count * LANES; i += THREADS) {
                int to = i % LANES, c = i / LANES % count, b = i / LANES / count;
                weights[(b * depth + c) * LANES + to] =
                    first_k + to < k_c
                        ? w[((size_t)(a * k_w + b) * i_c + c0 + c) * k_c + first_k + to] : 0.0f;
            }
            __syncthreads();  // all is there before anyone reads
            for (int b = 0; b < k_w; b++)
                for (int c = 0; c < count; c++)
                    sum += tile[((h * s_h + a) * columns + v * s_w + b) * depth + c]
                         * weights[(b * depth + c) * LANES + lane];
            __syncthreads();  // all have read before anyone overwrites
        }
    }
    h += first_h;
    v += first_v;
    if (h < o_h && v < o_w && k < k_c)
        y[(((size_t)n * o_h + h) * o_w + v) * k_c + k] = sum;
}
