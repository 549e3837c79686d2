// What the rungs from ldmatrix to TMA share: how a warp multiplies its part of a swizzled tile.
//
// A tile is rows of 64 halves, eight chunks of 16 bytes. Chunk c of row r lies in place c ^ (r % 8),
// so that eight rows of one chunk, which ldmatrix reads at once, lie in eight groups of banks.
// Hopper's copy engine calls this its 128-byte swizzle.
#include <cuda_fp16.h>
#include <convladder/tensor_core.cuh>

constexpr int BM = 128, BN = 128, BK = 64, WM = 64, WN = 32;  // of a block, of a warp; 8 warps
constexpr int THREADS = 256, CHUNKS = BK / 8, TILE = BM * BK;  // BN is BM
constexpr int MI = WM / 16, NI = WN / 8;

__device__ __forceinline__ int swizzled(int row, int chunk)  // where its halves begin
{
    return row * BK + (chunk ^ row % CHUNKS) * 8;
}
// sum += a tile of A times a tile of B, for the warp whose rows begin at wm and columns at wn.
__device__ __forceinline__ void multiply(float (&sum)[MI][NI][4], const __half* as,
                                         const __half* bs, int wm, int wn, int lane)
{
    #pragma unroll
    for (int kk = 0; kk < BK / 8; kk += 2) {
        unsigned am[MI][4], bn[NI / 2][4];
        #pragma unroll
        for (int i = 0; i < MI; i++)
            ldmatrix_x4(am[i], as + swizzled(wm + i * 16 + lane % 16, kk + lane / 16));
        #pragma unroll
        for (int j = 0; j < NI / 2; j++)
            ldmatrix_x4(bn[j], bs + swizzled(wn + j * 16 + lane % 8 + lane / 16 * 8,
                                             kk + lane / 8 % 2));
        #pragma unroll
        for (int i = 0; i < MI; i++)
            #pragma unroll
            for (int j = 0; j < NI; j++) {
                unsigned part[2] = {bn[j / 2][j % 2 * 2], bn[j / 2][j % 2 * 2 + 1]};
                mma_m16n8k16(sum[i][j], am[i], part);
            }
    }
}
// Two sums side by side at a time: a warp's store is eight pieces of 16 bytes.
__device__ __forceinline__ void store_pairs(const float (&sum)[MI][NI][4], __half* c, int n,
                                            int row, int column, int lane)
{
    #pragma unroll
    for (int i = 0; i < MI; i++)
        #pragma unroll
        for (int j = 0; j < NI; j++)
            #pragma unroll
            for (int r = 0; r < 2; r++) {
                size_t at = (size_t)(row + i * 16 + r * 8 + lane / 4) * n + column + j * 8
                            + lane % 4 * 2;
                *(__half2*)(c + at) = __floats2half2_rn(sum[i][j][2 * r], sum[i][j][2 * r + 1]);
            }
}
// Through shared memory, whose rows are 16 bytes longer: then 16 bytes a lane, whole sectors.
__device__ __forceinline__ void store_rows(const float (&sum)[MI][NI][4], __half* tile, __half* c,
                                           int n, int m0, int n0, int wm, int wn)
{
    constexpr int WIDE = BN + 8;
    int lane = threadIdx.x % 32;
    __syncthreads();  // the slices, which lay where the result goes, have been read
    store_pairs(sum, tile, WIDE, wm, wn, lane);
    __syncthreads();
    for (int i = threadIdx.x; i < BM * BN / 8; i += THREADS) {
        int row = i / (BN / 8), column = i % (BN / 8) * 8;
        *(uint4*)(c + (size_t)(m0 + row) * n + n0 + column) = *(uint4*)(tile + row * WIDE + column);
    }
}
