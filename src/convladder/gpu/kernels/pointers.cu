// Where each GEMM of MEC finds its matrices: the addresses of all A, then of all B, then of all C.
//
// GEMM i is output row i % per of image i / per. `a`, `b`, `c` are addresses; distances are in
// bytes: from a row to the next, from an image to the next, from a result to the next.
extern "C" __global__ void pointers(
    unsigned long long* __restrict__ where, long long a, long long b, long long c,
    long long row, long long image, long long result, int per, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    where[i] = a + i / per * image + i % per * row;
    where[count + i] = b;
    where[2 * count + i] = c + i * result;
}
