// Sorting networks.
template <typename T>
__device__ __forceinline__ void compare_swap(T &a, T &b, bool up)
{
    if ((a > b) == up) { T c = a; a = b; b = c; }
}

extern "C" __global__ void bitonic_shared(int *keys, int n)
{
    extern __shared__ int s[];
    const int t = threadIdx.x;
    s[t] = t < n ? keys[t] : 0x7fffffff;
    for (int k = 2; k <= blockDim.x; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();  // step
            const int other = t ^ j;
            if (other > t) compare_swap(s[t], s[other], (t & k) == 0);
        }
    __syncthreads();  // sorted
    if (t < n) keys[t] = s[t];
}
//! races: __syncthreads();  // step => @ if ((a > b) == up)
//! races: __syncthreads();  // sorted => @ keys[t] = s[t] @ if ((a > b) == up)
//! out_of_bounds: t < n ? => t <= n ?
//! out_of_bounds: k <= blockDim.x => k <= 2 * blockDim.x @ if ((a > b) == up)
//! uninitialised: s[t] = t < n => if (t < n) s[t] = t < n @ if ((a > b) == up)
//! barriers: __syncthreads();  // step => if (t < n) __syncthreads();
extern "C" __global__ void odd_even(short *data, int n)
{
    __shared__ short v[512];
    for (int i = threadIdx.x; i < n; i += blockDim.x) v[i] = data[i];
    __syncthreads();  // loaded
    for (int phase = 0; phase < n; ++phase) {
        const int i = 2 * threadIdx.x + (phase & 1);
        if (i + 1 < n && v[i] > v[i + 1]) {
            const short h = v[i];
            v[i] = v[i + 1];
            v[i + 1] = h;
        }
        __syncthreads();  // phase
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = v[i];
}
//! races: __syncthreads();  // loaded => @ v[i] > v[i + 1] @ v[i] = data[i]
//! races: __syncthreads();  // phase => __syncwarp(); @ v[i] > v[i + 1]
//! uninitialised: i + 1 < n && => i < n && @ v[i] > v[i + 1]
//! out_of_bounds: v[i] = data[i] => v[i + 512] = data[i]
//! out_of_bounds: i < n; i += blockDim.x) v => i <= n; i += blockDim.x) v
//! barriers: __syncthreads();  // phase => if (i + 1 < n) __syncthreads();
