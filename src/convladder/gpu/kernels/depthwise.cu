// Depthwise convolution: each channel with filters of its own, so there is no sum over channels.
//
// With 3x3 and stride 1 a value read and a value written, 8 bytes, go with 9 multiply-adds: 2.25
// FLOP a byte, where an H200 can do 14 (67 TFLOP/s by 4.8 TB/s, its data sheet). So the pace is
// memory's, if nothing else is in the way, and what is first in the way is the other instructions:
// an address and a test for each value of each window, to one multiply-add.
//
// conv_depthwise       any window: a thread makes PIXELS outputs side by side, and loads each
//                      weight once for all of them. It reads each value of x anew for each tap.
// conv_depthwise_tile  square windows as constants: a thread keeps the K * K weights of its V
//                      channels and goes down x; each row that it loads serves all the outputs
//                      that see it. With ROWS = 7 and COLUMNS = 4 it loads 63 values for 28
//                      outputs, where the other loads 252. V channels are one load.
//
// Threads are numbered along the channels: a warp's loads, weights and stores are neighbours.
// instances: conv_depthwise_tile<2, 3, 1, 7, 4>; conv_depthwise_tile<2, 3, 2, 3, 2>
// instances: conv_depthwise_tile<2, 5, 1, 2, 2>; conv_depthwise_tile<1, 7, 1, 7, 4>
#define PIXELS 4
#define THREADS 256
#define BLOCKS 2  // on a multiprocessor, at least: 128 registers a thread

extern "C" __global__ void conv_depthwise(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int d_h, int d_w)
{
    unsigned strips = (o_w + PIXELS - 1) / PIXELS;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= i_n * o_h * strips * k_c) return;
    int k = i % k_c;
    i /= k_c;
    int v = i % strips * PIXELS;
    i /= strips;
    int h = i % o_h, n = i / o_h;
    int c = k / (k_c / i_c);  // filters of one channel are neighbours

    float sum[PIXELS] = {};
    for (int a = 0; a < k_h; a++) {
        int row = h * s_h + a * d_h - p_h;
        if (row < 0 || row >= i_h) continue;
        const float* line = x + ((size_t)n * i_h + row) * i_w * i_c + c;
        for (int b = 0; b < k_w; b++) {
            float weight = w[(size_t)(a * k_w + b) * k_c + k];
            int column = v * s_w + b * d_w - p_w;
            for (int j = 0; j < PIXELS; j++, column += s_w)
                if ((unsigned)column < i_w) sum[j] += line[(unsigned)column * i_c] * weight;
        }
    }
    float* out = y + (((size_t)n * o_h + h) * o_w + v) * k_c + k;
    for (int j = 0; j < PIXELS && v + j < o_w; j++)
        out[(size_t)j * k_c] = sum[j];
}

template <int V> struct alignas(4 * V) Channels { float v[V]; };

template <int V, int K, int S, int ROWS, int COLUMNS>
__global__ void __launch_bounds__(THREADS, BLOCKS) conv_depthwise_tile(
    const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y,
    int i_n, int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
    int o_h, int o_w, int s_h, int s_w, int p_h, int p_w, int d_h, int d_w)
{
    constexpr int DOWN = (ROWS - 1) * S + K, ACROSS = (COLUMNS - 1) * S + K;  // of x
    const unsigned groups = k_c / V, strips = (o_w + COLUMNS - 1) / COLUMNS;
    const unsigned bands = (o_h + ROWS - 1) / ROWS;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= i_n * bands * strips * groups) return;
    const int k = i % groups * V;
    i /= groups;
    const int v = i % strips * COLUMNS;
    i /= strips;
    const int h = i % bands * ROWS, n = i / bands;
    const int c = V > 1 ? k : k / (k_c / i_c);

    Channels<V> weight[K][K], sum[ROWS][COLUMNS] = {};
    #pragma unroll
    for (int a = 0; a < K; a++)
        #pragma unroll
        for (int b = 0; b < K; b++)
            weight[a][b] = *(const Channels<V>*)(w + (a * K + b) * k_c + k);

    const int top = h * S - p_h, left = v * S - p_w;
    const float* row = x + (((long long)n * i_h + top) * i_w + left) * i_c + c;
    float* out = y + (((long long)n * o_h + h) * o_w + v) * k_c + k;
    #pragma unroll
    for (int r = 0; r < DOWN; r++, row += (long long)i_w * i_c) {
        Channels<V> line[ACROSS] = {};
        #pragma unroll
        for (int q = 0; q < ACROSS; q++)  // one test, so that loads need no branch and come early
            if (((unsigned)(top + r) < i_h) & ((unsigned)(left + q) < i_w))
                line[q] = *(const Channels<V>*)(row + q * i_c);
        #pragma unroll
        for (int j = 0; j < ROWS; j++) {
            const int a = r - j * S;  // the row of the window that this is for output row j
            if (a < 0 || a >= K) continue;
            #pragma unroll
            for (int q = 0; q < COLUMNS; q++)
                #pragma unroll
                for (int b = 0; b < K; b++)
                    #pragma unroll
                    for (int e = 0; e < V; e++)
                        sum[j][q].v[e] += line[q * S + b].v[e] * weight[a][b].v[e];
            if (a < K - 1 || h + j >= o_h) continue;
            #pragma unroll
            for (int q = 0; q < COLUMNS; q++)
                if (v + q < o_w) *(Channels<V>*)(out + q * k_c) = sum[j][q];
            out += (long long)o_w * k_c;
        }
    }
}
