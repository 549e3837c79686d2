// Rung 3 of chapter 08: four floats an instruction, larger register tiles, and no bank conflict.
//
// A load of 16 bytes costs one instruction where four loads of 4 bytes cost four. Input channels
// are contiguous in x, output channels in w and y, so a thread takes both by fours: up to 8 pixels
// by 8 channels, 16 vector loads for 256 multiply-adds (register_tile.cu: 32 loads for 64).
//
// A warp is 8 lanes of channels by 4 pixels. Vectors come to half a warp at a time: 8 of weights,
// which are all 32 banks once, and those of 2 neighbouring pixels, s_w*depth floats apart. Were
// that a multiple of 32, both would want the same banks: with a stride of 4 whoever launches takes
// a depth of 4, not 8.
//
// Where i_c or k_c is not a multiple of 4, rows are not 16-byte aligned: those loads and stores go
// float by float, and channels up to the next multiple of 4 are zeros in shared memory.
#define TILE_H 8
#define LANES 8        // of channels; each takes 4 and another 4, 32 apart
#define TILE_K 64
#define GROUPS 16      // of pixels: 2 on each row
#define THREADS (LANES * GROUPS)

__device__ __forceinline__ float part(float4 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

__device__ __forceinline__ void add(float4& sum, float value, float4 weight)
{
    sum.x += value * weight.x;
    sum.y += value * weight.y;
    sum.z += value * weight.z;
    sum.w += value * weight.w;
}

// Four values of an array's row from place `at`, of which `left` exist; `whole` rows are aligned.
__device__ __forceinline__ float4 four(const float* __restrict__ at, int left, bool whole)
{
    if (left <= 0) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (whole) return *reinterpret_cast<const float4*>(at);
    return make_float4(at[0], left > 1 ? at[1] : 0.0f, left > 2 ? at[2] : 0.0f,
                       left > 3 ? at[3] : 0.0f);
}
// instances: conv_vectorised<8>; conv_vectorised<4>; conv_vectorised<2>; conv_vectorised<1>
// PIXELS of a thread: 8, or less where a large kernel or stride leaves no room for the tile.
// blockDim = (LANES, GROUPS); a block of the grid's x is one tile of one image. Room is asked for 3
// blocks a multiprocessor. For a fourth, nvcc makes do with 128 registers; cv8 was 9 % faster so.
template <int PIXELS>
__global__ void __launch_bounds__(THREADS, 3) conv_vectorised(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int depth)
{
    constexpr int TILE_W = 2 * PIXELS;
    int rows = (TILE_H - 1) * s_h + k_h, columns = (TILE_W - 1) * s_w + k_w;
    extern __shared__ float4 memory[];
    float* tile = reinterpret_cast<float*>(memory);   // [rows][columns][depth]
    float* weights = tile + rows * columns * depth;   // [k_w][depth][TILE_K]

    int tiles_w = (o_w + TILE_W - 1) / TILE_W, tiles_h = (o_h + TILE_H - 1) / TILE_H;
    int first_v = blockIdx.x % tiles_w * TILE_W;
    int first_h = blockIdx.x / tiles_w % tiles_h * TILE_H;
    int n = blockIdx.x / tiles_w / tiles_h;
    int first_k = blockIdx.y * TILE_K;

    int lane = threadIdx.x, h = threadIdx.y / 2, side = threadIdx.y % 2;
    int thread = threadIdx.y * LANES + lane;
    int fours = depth / 4;
    bool whole_c = i_c % 4 == 0, whole_k = k_c % 4 == 0;

    float4 sum[PIXELS][2];
    #pragma unroll
    for (int p = 0; p < PIXELS; p++)
        sum[p][0] = sum[p][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int c0 = 0; c0 < i_c; c0 += depth) {
        for (int a = 0; a < k_h; a++) {
            if (a == 0)
                for (int i = thread; i < rows * columns * fours; i += THREADS) {
                    int c = i % fours * 4, column = i / fours % columns, row = i / fours / columns;
                    int from_h = first_h * s_h - p_h + row, from_w = first_v * s_w - p_w + column;
                    bool inside = from_h >= 0 && from_h < i_h && from_w >= 0 && from_w < i_w;
                    const float* pixel = x + (((size_t)n * i_h + from_h) * i_w + from_w) * i_c;
                    *reinterpret_cast<float4*>(tile + (row * columns + column) * depth + c) =
                        four(pixel + c0 + c, inside ? i_c - c0 - c : 0, whole_c);
                }
            for (int i = thread; i < k_w * depth * (TILE_K / 4); i += THREADS) {
                int to = i % (TILE_K / 4) * 4, c = i / (TILE_K / 4) % depth;
                int b = i / (TILE_K / 4) / depth;
                const float* row = w + ((size_t)(a * k_w + b) * i_c + c0 + c) * k_c;
                *reinterpret_cast<float4*>(weights + (b * depth + c) * TILE_K + to) =
                    four(row + first_k + to, c0 + c < i_c ? k_c - first_k - to : 0, whole_k);
            }
            __syncthreads();
            for (int b = 0; b < k_w; b++)
                for (int c = 0; c < depth; c += 4) {
                    const float* pixel =
                        tile + ((h * s_h + a) * columns + side * s_w + b) * depth + c;
                    const float* row = weights + (b * depth + c) * TILE_K + 4 * lane;
                    float4 value[PIXELS];
                    #pragma unroll
                    for (int p = 0; p < PIXELS; p++)
                        value[p] = *reinterpret_cast<const float4*>(pixel + 2 * p * s_w * depth);
                    #pragma unroll
                    for (int i = 0; i < 4; i++) {
                        float4 low = *reinterpret_cast<const float4*>(row + i * TILE_K);
                        float4 high = *reinterpret_cast<const float4*>(row + i * TILE_K + 32);
                        #pragma unroll
                        for (int p = 0; p < PIXELS; p++) {
                            add(sum[p][0], part(value[p], i), low);
                            add(sum[p][1], part(value[p], i), high);
                        }
                    }
                }
            __syncthreads();
        }
    }

    int to_h = first_h + h;
    #pragma unroll
    for (int p = 0; p < PIXELS; p++) {
        int to_v = first_v + 2 * p + side;
        if (to_h >= o_h || to_v >= o_w) continue;
        float* pixel = y + (((size_t)n * o_h + to_h) * o_w + to_v) * k_c;
        #pragma unroll
        for (int j = 0; j < 2; j++) {
            int k = first_k + 4 * lane + 32 * j;
            if (whole_k) {
                if (k < k_c) *reinterpret_cast<float4*>(pixel + k) = sum[p][j];
            } else {
                #pragma unroll
                for (int i = 0; i < 4; i++)
                    if (k + i < k_c) pixel[k + i] = part(sum[p][j], i);
            }
        }
    }
}
