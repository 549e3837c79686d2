// Stencils and image filters; borders are clamped unless a comment says otherwise.
#define RADIUS 3
#define IDX(y, x, w) ((y) * (w) + (x))
#define clampi(v, lo, hi) min(max(v, lo), hi)
__constant__ float taps[2 * RADIUS + 1];

extern "C" __global__ void stencil_1d(const float *in, float *out, int n)
{
    extern __shared__ float s[];  // blockDim.x + 2 * RADIUS
    const int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
    s[l] = in[clampi(g, 0, n - 1)];
    if (threadIdx.x < RADIUS) {
        s[l - RADIUS] = in[clampi(g - RADIUS, 0, n - 1)];
        s[l + blockDim.x] = in[clampi(g + (int)blockDim.x, 0, n - 1)];
    }
    __syncthreads();  // halo too
    if (g >= n) return;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += taps[k + RADIUS] * s[l + k];
    out[g] = sum;
}
//! races: __syncthreads();  // halo too => @ sum += taps @ s[l] = in
//! out_of_bounds: clampi(g + (int)blockDim.x, 0, n - 1) => g + (int)blockDim.x
//! out_of_bounds: k <= RADIUS => k <= RADIUS + 1 @ sum += taps
//! uninitialised: s[l + blockDim.x] = => if (threadIdx.x) s[l + blockDim.x] = @ sum += taps
//! barriers: __syncthreads();  // halo too => if (g < n) __syncthreads();
//! races: out[g] = sum => out[g / 2] = sum
//! out_of_bounds: s[l + k] => s[l + k - 1]
template <int BX, int BY>
__global__ void jacobi_2d(const float *a, float *b, int h, int w)
{
    __shared__ float t[BY + 2][BX + 2];
    const int x0 = blockIdx.x * BX - 1, y0 = blockIdx.y * BY - 1;
    for (int i = threadIdx.y * BX + threadIdx.x; i < (BX + 2) * (BY + 2); i += BX * BY) {
        const int ly = i / (BX + 2), lx = i % (BX + 2);
        t[ly][lx] = a[IDX(clampi(y0 + ly, 0, h - 1), clampi(x0 + lx, 0, w - 1), w)];
    }
    __syncthreads();  // tile and halo
    const int lx = threadIdx.x + 1, ly = threadIdx.y + 1, x = x0 + lx, y = y0 + ly;
    if (x < w && y < h)
        b[IDX(y, x, w)] = 0.25f * (t[ly - 1][lx] + t[ly + 1][lx] + t[ly][lx - 1] + t[ly][lx + 1]);
}
//! races: __syncthreads();  // tile and halo => @ b[IDX(y, x, w)] = @ t[ly][lx] = a
//! out_of_bounds: t[ly][lx + 1] => t[ly][lx + 2] @ b[IDX
//! uninitialised: i < (BX + 2) * (BY + 2) => i < (BX + 2) * (BY + 1) @ b[IDX(y, x, w)] =
//! out_of_bounds: y < h) => y <= h) @ b[IDX(y, x, w)] =
//! out_of_bounds: clampi(y0 + ly, 0, h - 1) => clampi(y0 + ly, 0, h)
//! barriers: __syncthreads();  // tile and halo => if (x0 + 1 + threadIdx.x < w) __syncthreads();
// 3 x 3 box blur, four pixels a thread; image has one column of float4 to spare on each side
extern "C" __global__ void __launch_bounds__(128) blur_float4(const float4 *in, float4 *out, int h,
                                                              int w4)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w4 || y >= h) return;
    const int pitch = w4 + 2;
    float sum[4] = {0, 0, 0, 0};
    for (int dy = -1; dy <= 1; ++dy) {
        const float4 *p = in + IDX(clampi(y + dy, 0, h - 1), x + 1, pitch);
        const float4 l = p[-1], m = p[0], r = p[1];
        const float v[6] = {l.w, m.x, m.y, m.z, m.w, r.x};
        for (int i = 0; i < 4; ++i) sum[i] += v[i] + v[i + 1] + v[i + 2];
    }
    out[IDX(y, x, w4)] = make_float4(sum[0] / 9, sum[1] / 9, sum[2] / 9, sum[3] / 9);
}
//! out_of_bounds: clampi(y + dy, 0, h - 1) => min(y + dy, h - 1) @ const float4 l = p
//! out_of_bounds: y >= h) => y > h) @ out[IDX(y, x, w4)] =
//! races: out[IDX(y, x, w4)] => out[IDX(y, 0, w4)]
//! misaligned: const float4 *p = in => const float4 *p = (const float4 *)((const float *)in + 1) @ float4 l = p
//! out_of_bounds: v[i + 2] => v[i + 3]
//! uninitialised: sum[4] = {0, 0, 0, 0} => sum[4] @ sum[i] += v
