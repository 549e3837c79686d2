// Chapter 08: lab 07's blur along rows, whose rows come one after the other; first each is waited
// for, then others are on their way meanwhile.
#include <cuda_pipeline.h>
#define TILE 64  // threads of a block, and the columns that it goes down

// A row of x from column `first` on, and one value more on either side; zeros beside the image.
// Past the last row nothing is fetched.
__device__ __forceinline__ void fetch(float* row, const float* __restrict__ x, int h, int first,
                                      int i_h, int i_w)
{
    if (h >= i_h) return;
    for (int i = threadIdx.x; i < TILE + 2; i += TILE) {
        int w = first + i - 1;
        bool inside = w >= 0 && w < i_w;
        __pipeline_memcpy_async(row + i, inside ? x + (size_t)h * i_w + w : x, 4, inside ? 0 : 4);
    }
}

extern "C" __global__ void blur_waiting(const float* __restrict__ x, float* __restrict__ y,
                                        int i_h, int i_w)
{
    __shared__ float row[TILE + 2];
    int t = threadIdx.x, first = blockIdx.x * TILE, w = first + t;
    for (int h = 0; h < i_h; h++) {
        fetch(row, x, h, first, i_h, i_w);
        __pipeline_commit();
        __pipeline_wait_prior(0);  // this thread's part is there
        __syncthreads();           // all parts are
        if (w < i_w) y[(size_t)h * i_w + w] = (row[t] + row[t + 1] + row[t + 2]) / 3;
        __syncthreads();           // all have read, the row may be overwritten
    }
}

// STAGES rows in a ring: one is read, the others are on their way.
// instances: blur_staged<2>; blur_staged<3>; blur_staged<4>
template <int STAGES>
__global__ void blur_staged(const float* __restrict__ x, float* __restrict__ y, int i_h, int i_w)
{
    __shared__ float row[STAGES][TILE + 2];
    int t = threadIdx.x, first = blockIdx.x * TILE, w = first + t;
    for (int h = 0; h < STAGES - 1; h++) {
        fetch(row[h], x, h, first, i_h, i_w);
        __pipeline_commit();
    }
    for (int h = 0; h < i_h; h++) {
        __pipeline_wait_prior(STAGES - 2);  // of this thread's fetches, row h is there
        __syncthreads();                    // everyone's is, and all are done with row h - 1,
        fetch(row[(h + STAGES - 1) % STAGES], x, h + STAGES - 1, first, i_h, i_w);  // its place
        __pipeline_commit();
        const float* here = row[h % STAGES] + t;
        if (w < i_w) y[(size_t)h * i_w + w] = (here[0] + here[1] + here[2]) / 3;
    }
}
