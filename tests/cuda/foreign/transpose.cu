// out[c][r] = in[r][c] for rows x cols, four ways; and two moves of memory beside them.
#include <cuda_fp16.h>
#define DIM 32
#define ROWS 8
using real = float;

extern "C" __global__ void transpose_naive(const real *in, real *out, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < cols && r < rows) out[c * rows + r] = in[r * cols + c];
}
//! out_of_bounds: c < cols && =>  @ out[c * rows + r]
//! out_of_bounds: in[r * cols + c] => in[r * cols + c + 1]
//! races: out[c * rows + r] => out[c]
template <int PADDING>
__global__ void transpose_tile(const real *in, real *out, int rows, int cols)
{
    __shared__ real tile[DIM][DIM + PADDING];
    int x = blockIdx.x * DIM + threadIdx.x, y = blockIdx.y * DIM + threadIdx.y;
    for (int j = 0; j < DIM; j += ROWS)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();  // whole tile
    x = blockIdx.y * DIM + threadIdx.x;
    y = blockIdx.x * DIM + threadIdx.y;
    for (int j = 0; j < DIM; j += ROWS)
        if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
//! races: __syncthreads();  // whole tile => @ out[(y + j) @ tile[threadIdx.y + j][threadIdx.x] =
//! uninitialised: [threadIdx.y + j]; => [threadIdx.y + j + PADDING];
//! out_of_bounds: tile[threadIdx.y + j] => tile[threadIdx.y + j + 1]
//! out_of_bounds: y + j < cols => y + j <= cols @ out[(y + j)
//! uninitialised: y + j < rows) => y + j + 1 < rows) @ out[(y + j)
//! barriers: __syncthreads();  // whole tile => if (x < cols) __syncthreads();
//! races: y = blockIdx.x * DIM + => y = @ out[(y + j)
extern "C" __global__ void transpose_swizzled(const real *in, real *out, int rows, int cols)
{
    __shared__ real tile[DIM * DIM];
#define SWIZZLE(r, c) tile[(r) * DIM + ((c) ^ (r))]
    const int tx = threadIdx.x, bx = blockIdx.x * DIM, by = blockIdx.y * DIM;
    for (int r = threadIdx.y; r < DIM; r += blockDim.y)
        if (bx + tx < cols && by + r < rows)
            SWIZZLE(r, tx) = in[(by + r) * cols + bx + tx];
    __syncthreads();  // full
    for (int r = threadIdx.y; r < DIM; r += blockDim.y)
        if (by + tx < rows && bx + r < cols) out[(bx + r) * rows + by + tx] = SWIZZLE(tx, r);
}
//! races: __syncthreads();  // full => @ out[(bx + r) @ SWIZZLE(r, tx) =
//! out_of_bounds: SWIZZLE(tx, r) => SWIZZLE(tx, r + 32)
//! out_of_bounds: bx + tx < cols && by => by @ SWIZZLE(r, tx) =
//! uninitialised: SWIZZLE(tx, r) => SWIZZLE(tx, r ^ 31) @ out[(bx + r)
//! barriers: __syncthreads();  // full => if (bx + tx < cols) __syncthreads();
__device__ void copy_row(float *to, const float4 *from, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        reinterpret_cast<float4 *>(to)[i] = from[i];
}

extern "C" __global__ void reverse_rows(const float *in, float *out, int cols)
{
    extern __shared__ float4 line4[];
    float *line = reinterpret_cast<float *>(line4);
    copy_row(line, (const float4 *)(in + blockIdx.x * cols), cols / 4);
    __syncthreads();  // line
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        out[blockIdx.x * cols + c] = line[cols - 1 - c];
}
//! races: __syncthreads();  // line => @ line[cols - 1 - c] @ reinterpret_cast<float4 *>(to)
//! misaligned: in + blockIdx.x * cols => in + blockIdx.x * cols + 1 @ reinterpret_cast<float4 *>(to)
//! misaligned: copy_row(line, => copy_row(line + 2, @ reinterpret_cast<float4 *>(to)
//! out_of_bounds: line[cols - 1 - c] => line[cols - c]
//! uninitialised: cols / 4); => cols / 4 - 1); @ line[cols - 1 - c]
//! out_of_bounds: cols / 4); => cols / 4 + 1); @ reinterpret_cast<float4 *>(to)
//! races: out[blockIdx.x * cols + c] => out[c]
extern "C" __global__ void axpy_half2(__half a, const __half2 *x, __half2 *y, int pairs)
{
    const __half2 a2 = __half2half2(a);
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += stride)
        y[i] = __hfma2(a2, x[i], y[i]);
}
//! out_of_bounds: i < pairs => i <= pairs @ __hfma2
//! misaligned: x[i], y[i] => *(const __half2 *)((const __half *)x + i), y[i]
//! races: y[i] = => y[i / 2] =
