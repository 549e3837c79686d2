// Winograd's transforms: V = Bt d B of every tile d of x, and y = At P A of its products P.
//
// A thread does N channels of a tile. Channels lie next to each other, in x and y as in V and P, so
// that a warp reads and writes whole lines; places of a tile lie `step` apart, a matrix each for
// the GEMMs in between: V[place, tile, channel]. The `tiles` are numbered over all images. Where
// one hangs over its image it reads zeros.
//
// Before this text are #defined SIDE (m: outputs of a tile), TAPS (r) and the rows of the matrices.
// The loops unroll, so that their numbers become constants and zeros cost nothing.
// defines: SIDE=2 TAPS=3 BT_ROWS={{1,0,-1,0},{0,1,1,0},{0,-1,1,0},{0,-1,0,1}}
// defines: AT_ROWS={{1,1,1,0},{0,1,-1,1}}
// instances: winograd_in<1>; winograd_in<2>; winograd_out<1>; winograd_out<2>
constexpr int A = SIDE + TAPS - 1;

template <int N> struct alignas(4 * N) Channels { float v[N]; };

// The sum of row[k] * values[k].
template <int N>
__device__ __forceinline__ Channels<N> dot(const float (&row)[A], const Channels<N> (&values)[A])
{
    Channels<N> sum = {};
    #pragma unroll
    for (int k = 0; k < A; ++k)
        if (row[k] != 0.0f)
            #pragma unroll
            for (int c = 0; c < N; ++c) sum.v[c] += row[k] * values[k].v[c];
    return sum;
}

template <int N>
__global__ void winograd_in(
    const float* __restrict__ x, float* __restrict__ V, int i_h, int i_w, int i_c,
    int rows, int cols, int p_h, int p_w, unsigned tiles)
{
    const float BT[A][A] = BT_ROWS;
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, groups = i_c / N;
    if (k >= tiles * groups) return;
    unsigned c = k % groups * N, tile = k / groups;
    int top = tile / cols % rows * SIDE - p_h, left = tile % cols * SIDE - p_w;
    const float* from = x + (((long long)(tile / cols / rows) * i_h + top) * i_w + left) * i_c + c;
    Channels<N> t[A][A], d[A];
    #pragma unroll
    for (int j = 0; j < A; ++j) {
        bool column = left + j >= 0 && left + j < i_w;
        #pragma unroll
        for (int i = 0; i < A; ++i) {
            d[i] = {};
            if (column && top + i >= 0 && top + i < i_h)
                d[i] = *(const Channels<N>*)(from + ((long long)i * i_w + j) * i_c);
        }
        #pragma unroll
        for (int i = 0; i < A; ++i) t[i][j] = dot<N>(BT[i], d);
    }
    size_t step = (size_t)tiles * i_c;
    V += (size_t)k * N;
    #pragma unroll
    for (int i = 0; i < A; ++i)
        #pragma unroll
        for (int j = 0; j < A; ++j) *(Channels<N>*)(V + (i * A + j) * step) = dot<N>(BT[j], t[i]);
}

template <int N>
__global__ void winograd_out(
    const float* __restrict__ P, float* __restrict__ y, int o_h, int o_w, int k_c,
    int rows, int cols, unsigned tiles)
{
    const float AT[SIDE][A] = AT_ROWS;
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, groups = k_c / N;
    if (k >= tiles * groups) return;
    unsigned c = k % groups * N, tile = k / groups;
    int top = tile / cols % rows * SIDE, left = tile % cols * SIDE;
    float* to = y + (((size_t)(tile / cols / rows) * o_h + top) * o_w + left) * k_c + c;
    size_t step = (size_t)tiles * k_c;
    P += (size_t)k * N;
    Channels<N> t[SIDE][A], d[A];
    #pragma unroll
    for (int j = 0; j < A; ++j) {
        #pragma unroll
        for (int i = 0; i < A; ++i) d[i] = *(const Channels<N>*)(P + (i * A + j) * step);
        #pragma unroll
        for (int i = 0; i < SIDE; ++i) t[i][j] = dot<N>(AT[i], d);
    }
    #pragma unroll
    for (int i = 0; i < SIDE; ++i)
        #pragma unroll
        for (int j = 0; j < SIDE; ++j)
            if (top + i < o_h && left + j < o_w)
                *(Channels<N>*)(to + ((size_t)i * o_w + j) * k_c) = dot<N>(AT[j], t[i]);
}
