// Winograd's transforms: V = Bt d B of every tile d of x, and y = At P A of its products P.
//
// A thread does N channels of a tile. Channels lie next to each other, in x and y as in V and P, so
// that a warp reads and writes whole lines; places of a tile lie `step` apart, a matrix each for
// the GEMMs in between: V[place, tile, channel]. The `tiles` are numbered over all images. Where
// one hangs over its image it reads zeros.
//
// Before this text are #defined, for columns (_H) and rows (_W), M (outputs of a tile along it),
// A (m + r - 1, its pixels) and the rows of the matrices; columns or rows of one pixel stay as is.
// The loops unroll, so that their numbers become constants and zeros cost nothing.
// defines: M_H=2 A_H=4 BT_H={{1,0,-1,0},{0,1,1,0},{0,-1,1,0},{0,-1,0,1}} AT_H={{1,1,1,0},{0,1,-1,1}}
// defines: M_W=2 A_W=4 BT_W={{1,0,-1,0},{0,1,1,0},{0,-1,1,0},{0,-1,0,1}} AT_W={{1,1,1,0},{0,1,-1,1}}
// instances: winograd_in<1>; winograd_in<2>; winograd_out<1>; winograd_out<2>
template <int N> struct alignas(4 * N) Channels { float v[N]; };

// The sum of row[k] * values[k].
template <int N, int A>
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
    const float bt_h[A_H][A_H] = BT_H, bt_w[A_W][A_W] = BT_W;
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, groups = i_c / N;
    if (k >= tiles * groups) return;
    unsigned c = k % groups * N, tile = k / groups;
    int top = tile / cols % rows * M_H - p_h, left = tile % cols * M_W - p_w;
    const float* from = x + (((long long)(tile / cols / rows) * i_h + top) * i_w + left) * i_c + c;
    Channels<N> t[A_H][A_W], d[A_H];
    #pragma unroll
    for (int j = 0; j < A_W; ++j) {
        bool column = left + j >= 0 && left + j < i_w;
        #pragma unroll
        for (int i = 0; i < A_H; ++i) {
            d[i] = {};
            if (column && top + i >= 0 && top + i < i_h)
                d[i] = *(const Channels<N>*)(from + ((long long)i * i_w + j) * i_c);
        }
        #pragma unroll
        for (int i = 0; i < A_H; ++i) t[i][j] = dot(bt_h[i], d);
    }
    size_t step = (size_t)tiles * i_c;
    V += (size_t)k * N;
    #pragma unroll
    for (int i = 0; i < A_H; ++i)
        #pragma unroll
        for (int j = 0; j < A_W; ++j)
            *(Channels<N>*)(V + (i * A_W + j) * step) = dot(bt_w[j], t[i]);
}

template <int N>
__global__ void winograd_out(
    const float* __restrict__ P, float* __restrict__ y, int o_h, int o_w, int k_c,
    int rows, int cols, unsigned tiles)
{
    const float at_h[M_H][A_H] = AT_H, at_w[M_W][A_W] = AT_W;
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x, groups = k_c / N;
    if (k >= tiles * groups) return;
    unsigned c = k % groups * N, tile = k / groups;
    int top = tile / cols % rows * M_H, left = tile % cols * M_W;
    float* to = y + (((size_t)(tile / cols / rows) * o_h + top) * o_w + left) * k_c + c;
    size_t step = (size_t)tiles * k_c;
    P += (size_t)k * N;
    Channels<N> t[M_H][A_W], d[A_H];
    #pragma unroll
    for (int j = 0; j < A_W; ++j) {
        #pragma unroll
        for (int i = 0; i < A_H; ++i) d[i] = *(const Channels<N>*)(P + (i * A_W + j) * step);
        #pragma unroll
        for (int i = 0; i < M_H; ++i) t[i][j] = dot(at_h[i], d);
    }
    #pragma unroll
    for (int i = 0; i < M_H; ++i)
        #pragma unroll
        for (int j = 0; j < M_W; ++j)
            if (top + i < o_h && left + j < o_w)
                *(Channels<N>*)(to + ((size_t)i * o_w + j) * k_c) = dot(at_w[j], t[i]);
}
