// Prefix sums and what is built on them.
#define LOG_BANKS 5
#ifdef NO_PADDING
#define PAD(i) (i)
#else
#define PAD(i) ((i) + ((i) >> LOG_BANKS))
#endif
#define WARP 32

extern "C" __global__ void scan_hillis_steele(const int *g_in, int *g_out, int n)
{
    extern __shared__ int temp[];  // two rows of blockDim.x
    const int t = threadIdx.x, w = blockDim.x;
    int pout = 0, pin = 1;
    temp[t] = t < n ? g_in[t] : 0;
    __syncthreads();  // row 0
    for (int d = 1; d < w; d *= 2) {
        pout = 1 - pout; pin = 1 - pout;
        temp[pout * w + t] = temp[pin * w + t];
        if (t >= d) temp[pout * w + t] += temp[pin * w + t - d];
        __syncthreads();  // next row
    }
    if (t < n) g_out[t] = temp[pout * w + t];
}
//! races: __syncthreads();  // row 0 => @ temp[t] = t @ pin * w + t - d
//! races: __syncthreads();  // next row => @ pin * w + t - d @ temp[pout * w + t] =
//! uninitialised: pout = 1 - pout; => @ pin * w + t - d
//! out_of_bounds: if (t < n) => if (t <= n) @ g_out[t]
//! out_of_bounds: if (t >= d) => if (t > d - 2) @ pin * w + t - d
//! barriers: __syncthreads();  // next row => if (t >= d) __syncthreads();
//! uninitialised: temp[t] = t < n ? => if (t) temp[t] = t < n ? @ pin * w + t - d
template <typename T, int N>
__global__ void scan_blelloch(const T *in, T *out, int n)
{
    __shared__ T s[PAD(N)];
    const int t = threadIdx.x;
    s[PAD(t)] = t < n ? in[t] : T(0);
    s[PAD(t + N / 2)] = t + N / 2 < n ? in[t + N / 2] : T(0);
    int step = 1;
    for (int d = N / 2; d > 0; d >>= 1, step *= 2) {
        __syncthreads();  // up
        if (t < d) s[PAD(step * (2 * t + 2) - 1)] += s[PAD(step * (2 * t + 1) - 1)];
    }
    if (t == 0) s[PAD(N - 1)] = 0;
    for (int d = 1; d < N; d *= 2) {
        step >>= 1;
        __syncthreads();  // down
        if (t < d) {
            const int a = PAD(step * (2 * t + 1) - 1), b = PAD(step * (2 * t + 2) - 1);
            const T left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();  // out
    if (t < n) out[t] = s[PAD(t)];
    if (t + N / 2 < n) out[t + N / 2] = s[PAD(t + N / 2)];
}
//! races: __syncthreads();  // up => @ s[PAD(step * (2 * t + 2) - 1)] += @ s[PAD(t)] = t
//! races: __syncthreads();  // down => @ s[b] += left
//! races: __syncthreads();  // out => @ out[t] = s @ s[b] += left
//! out_of_bounds: N / 2 < n ? => N / 2 <= n ?
//! out_of_bounds: int step = 1 => int step = 2 @ s[PAD(step * (2 * t + 2) - 1)] +=
//! uninitialised: s[PAD(t)] = t => if (t != 5) s[PAD(t)] = t @ s[PAD(step * (2 * t + 2) - 1)] +=
//! barriers: if (t < d) s[ => if (t >= d) break; s[ @ // up
__device__ int warp_scan(int v)
{
    const int lane = threadIdx.x % WARP;
#pragma unroll
    for (int o = 1; o < WARP; o <<= 1) {
        const int u = __shfl_up_sync(0xffffffff, v, o);
        if (lane >= o) v += u;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(256, 2) scan_warps(int *data, int n)
{
    __shared__ int sums[WARP];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int v = warp_scan(i < n ? data[i] : 0);
    if (lane == WARP - 1) sums[warp] = v;
    __syncthreads();  // sums in
    if (warp == 0) sums[lane] = warp_scan(lane < blockDim.x / WARP ? sums[lane] : 0);
    __syncthreads();  // totals scanned
    if (warp) v += sums[warp - 1];
    if (i < n) data[i] = v;
}
//! races: __syncthreads();  // sums in => @ sums[lane] = warp_scan @ sums[warp] = v
//! races: __syncthreads();  // totals scanned => @ v += sums @ sums[lane] = warp_scan
//! uninitialised: lane < blockDim.x / WARP ? => true ? @ sums[lane] = warp_scan
//! out_of_bounds: if (i < n) data => if (i <= n) data
//! out_of_bounds: if (warp) v += => v += @ sums[warp - 1]
//! lanes: int v = warp_scan( => int v = 0; if (i < n) v = warp_scan( @ __shfl_up_sync
//! barriers: __syncthreads();  // totals scanned => if (warp == 0) __syncthreads();
// decoupled look-back: a tile's state is 2 bits of flag over 30 of sum
enum Flag : unsigned { EMPTY = 0, PARTIAL = 1u << 30, PREFIX = 2u << 30, SUM = (1u << 30) - 1 };

extern "C" __global__ void scan_lookback(const unsigned *in, unsigned *out, int n, unsigned *state,
                                         int *ticket)
{
    __shared__ unsigned row[128], before;
    __shared__ int tile_;
    const int t = threadIdx.x;
    if (t == 0) tile_ = atomicAdd(ticket, 1);
    __syncthreads();  // my tile
    const int tile = tile_, i = tile * 128 + t;
    row[t] = i < n ? in[i] : 0u;
    __syncthreads();  // row
    for (int d = 1; d < 128; d <<= 1) {
        const unsigned u = t >= d ? row[t - d] : 0u;
        __syncthreads();  // all read
        row[t] += u;
        __syncthreads();  // all added
    }
    if (t == 127) {
        unsigned sum = 0;
        atomicExch(&state[tile], (tile ? PARTIAL : PREFIX) | row[t]);
        for (int b = tile - 1; b >= 0; --b) {
            unsigned s;
            while ((s = atomicAdd(&state[b], 0u)) == EMPTY) { }
            sum += s & SUM;
            if ((s & ~SUM) == PREFIX) break;
        }
        before = sum;
        if (tile) atomicExch(&state[tile], PREFIX | (sum + row[t]));
    }
    __syncthreads();  // before
    if (i < n) out[i] = before + row[t];
}
//! races: __syncthreads();  // my tile => @ const int tile = tile_ @ tile_ = atomicAdd
//! races: __syncthreads();  // all read => @ row[t - d] @ row[t] += u
//! races: __syncthreads();  // before => @ before + row[t] @ before = sum
//! out_of_bounds: i < n ? => i <= n ?
//! uninitialised: before = sum; => @ before + row[t]
//! out_of_bounds: row[t - d] => row[t - d - 1]
//! barriers: __syncthreads();  // row => if (i < n) __syncthreads();
extern "C" __global__ void compact_positive(const float *x, float *y, int *count, int n)
{
    __shared__ int offset[8], base;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const bool keep = i < n && x[i] > 0;
    const unsigned votes = __ballot_sync(0xffffffff, keep);
    if (lane == 0) offset[threadIdx.x / 32] = __popc(votes);
    __syncthreads();  // counts
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < blockDim.x / 32; ++w) {
            const int c = offset[w]; offset[w] = total; total += c;
        }
        base = atomicAdd(count, total);
    }
    __syncthreads();  // offsets
    if (keep) y[base + offset[threadIdx.x / 32] + __popc(votes & ((1u << lane) - 1))] = x[i];
}
//! races: __syncthreads();  // counts => @ const int c = offset @ offset[threadIdx.x / 32] = __popc
//! races: __syncthreads();  // offsets => @ if (keep) y @ offset[w] = total
//! races: base = atomicAdd(count, total); => base = *count; *count += total;
//! out_of_bounds: i < n && => @ x[i] > 0
//! lanes: __ballot_sync(0xffffffff, keep); => keep ? __ballot_sync(0xffffffff, keep) : 0;
//! uninitialised: w < blockDim.x / 32 => w < 5 @ const int c = offset
//! races: popc(votes & => popc(0 & @ if (keep) y
