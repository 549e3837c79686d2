// y = A x for a sparse A: CSR by rows, CSR by warps, ELLPACK, COO.
#include <cuda/std/cstdint>
struct Csr { const int *offsets, *columns; const float *values; };

__device__ float row_dot(const Csr &a, int row, const float *__restrict__ x)
{
    float sum = 0;
    for (int e = a.offsets[row]; e < a.offsets[row + 1]; ++e)
        sum += a.values[e] * __ldg(&x[a.columns[e]]);
    return sum;
}

extern "C" __global__ void csr_scalar(const int *offsets, const int *columns, const float *values,
                                      const float *x, float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) y[row] = row_dot({offsets, columns, values}, row, x);
}
//! out_of_bounds: row < rows => row <= rows @ e < a.offsets[row + 1]
//! out_of_bounds: values}, row, x => values}, row + 1, x @ e < a.offsets[row + 1]
//! races: y[row] => y[row / 2]
template <unsigned LANES>
__global__ void csr_vector(const int *offsets, const int *columns, const float *values,
                           const float *x, float *y, int rows)
{
    __shared__ volatile int bounds[128 / LANES][2];
    const unsigned lane = threadIdx.x % LANES, slot = threadIdx.x / LANES;
    const int row = blockIdx.x * (blockDim.x / LANES) + slot;
    if (lane < 2 && row < rows) bounds[slot][lane] = offsets[row + lane];
    __syncwarp();
    if (row < rows) {
        const unsigned team = LANES == 32 ? ~0u : ((1u << LANES) - 1) << (threadIdx.x % 32 - lane);
        float sum = 0;
        for (int e = bounds[slot][0] + lane; e < bounds[slot][1]; e += LANES)
            sum += values[e] * x[columns[e]];
        for (int d = LANES / 2; d; d /= 2) sum += __shfl_down_sync(team, sum, d, LANES);
        if (lane == 0) y[row] = sum;
    }
}
//! races: __syncwarp(); => @ for (int e = bounds @ if (lane < 2
//! out_of_bounds: offsets[row + lane] => offsets[row + lane + 1]
//! uninitialised: lane < 2 => lane < 1 @ for (int e = bounds
//! out_of_bounds: e < bounds[slot][1] => e <= bounds[slot][1] @ sum += values
//! lanes: (team, sum => (0xffu, sum
//! races: y[row] = sum => y[0] = sum
//! out_of_bounds: e < bounds[slot][1] => e < bounds[slot][2]
extern "C" __global__ void ell(const int32_t *columns, const float *values, const float *x, float *y,
                               int rows, int width)
{
    const int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        const int c = columns[k * rows + row];  // column-major, -1 fills
        if (c >= 0) sum += values[k * rows + row] * x[c];
    }
    y[row] = sum;
}
//! out_of_bounds: if (c >= 0) =>
//! out_of_bounds: k < width => k <= width @ const int c
//! out_of_bounds: row >= rows => row > rows @ y[row] = sum
//! races: y[row] = sum => y[row % 32] = sum
extern "C" __global__ void coo_atomic(const int2 *at, const float *values, const float *x, float *y,
                                      int entries)
{
    const int stride = blockDim.x * gridDim.x;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < entries; e += stride) {
        const int2 rc = __ldg(at + e);
        atomicAdd(&y[rc.x], values[e] * x[rc.y]);
    }
}
//! races: atomicAdd(&y[rc.x], values[e] * x[rc.y]) => y[rc.x] += values[e] * x[rc.y]
//! out_of_bounds: e < entries => e <= entries @ int2 rc
//! misaligned: __ldg(at + e) => __ldg((const int2 *)((const int *)at + e + 1))
//! out_of_bounds: x[rc.y] => x[rc.x]
