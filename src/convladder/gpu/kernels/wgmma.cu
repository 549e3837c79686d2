// requires sm_90a
// Implicit GEMM on Hopper's tensor cores: wgmma, which reads both factors from shared memory.
//
// As tensor_core.cu, but a warpgroup (four warps) multiplies 64 x BN values at a time, straight
// from shared memory and while its threads go on: no ldmatrix, no fragments in registers. What
// wgmma calls 128-byte swizzle is the layout that chunk ^ row makes of rows of 64 halves.
//
// What each thing is for:
//   warpgroups of two kinds   one fetches slices, the others multiply; barriers in shared memory
//                             tell them what is there and what has been read
//   the copy engine           brings a slice of weights by one instruction, as they lie, and one of
//                             the image by 64 / VEC others (VEC = 64 or 32, a multiple of which I_C
//                             is; where the image has fewer, zeros come): it knows windows and
//                             padding from a map. Else the threads gather by cp.async
//   tiles in turn             a block goes on to its next tile, whose slices come while this one
//                             is stored
//   SPLIT > 1                 so many blocks share a tile, each with its part of the window, where
//                             tiles are too few for the chip; their sums meet in shared memory
// defines: I_H=30 I_W=31 I_C=24 K_H=3 K_W=5 K_C=104 O_H=28 O_W=15 S_H=1 S_W=2 P_H=0 P_W=1
// instances: wgmma_conv<128, 256, 2, 1, 3, 8, 1, 1, __half>
// instances: wgmma_conv<128, 128, 2, 1, 4, 64, 1, 1, __half>
// instances: wgmma_conv<128, 64, 2, 2, 3, 1, 2, 4, float>
// instances: wgmma_conv<128, 96, 2, 1, 3, 32, 2, 1, __half>
#include "half_slices.cuh"
#include <convladder/tensor_core.cuh>
#include "wgmma.cuh"

// Waits until all but the last N slices that this thread asked for are there, for wgmma to see too,
// which reads by another path.
template <int N> __device__ __forceinline__ void arrived()
{
    asm volatile("cp.async.wait_group %0;\n" :: "n"(N));
    fence_proxy_async();
}
// What is left when the last slice, `turn` - 1, has been asked for: each is told of as it comes.
template <int LEFT, typename Barrier>
__device__ __forceinline__ void drain(int turn, const Barrier& there)
{
    if constexpr (LEFT > 0) {
        arrived<LEFT - 1>();
        if (turn >= LEFT) mbarrier_arrive(there(turn - LEFT));
        drain<LEFT - 1>(turn, there);
    }
}
// As store_sums, of blocks that each have the sums of a part of the window: they meet in one
// another's shared memory, and block r of the cluster adds up and stores the r-th part of the rows.
template <int BM, int BN, int THREADS, int SPLIT, int MI, int NI, typename Out>
__device__ __forceinline__ void store_split(const float (&sum)[MI][NI][4], float* tile, Out* y,
                                            int tid, int m0, int n0, int M, int row, int column)
{
    constexpr int WIDE = BN + 8, ROWS = BM / SPLIT;
    together<THREADS>();  // the slices, which lay where the tile goes, have been read
    #pragma unroll
    for (int i = 0; i < MI; i++)
        #pragma unroll
        for (int j = 0; j < NI; j++)
            #pragma unroll
            for (int r = 0; r < 2; r++)
                *(float2*)(tile + (row + i * 64 + r * 8) * WIDE + column + j * 8) =
                    make_float2(sum[i][j][2 * r], sum[i][j][2 * r + 1]);
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    #pragma unroll (SPLIT == 8 ? 2 : 4)
    for (int index = tid; index < ROWS * BN / 4; index += THREADS) {
        int row = blockIdx.z * ROWS + index / (BN / 4), column = index % (BN / 4) * 4;
        float4 part[SPLIT];
        #pragma unroll
        for (int r = 0; r < SPLIT; r++)
            part[r] = *(const float4*)((const float*)__cluster_map_shared_rank(tile, r)
                                       + row * WIDE + column);
        float4 total = part[0];
        #pragma unroll
        for (int r = 1; r < SPLIT; r++) {
            total.x += part[r].x; total.y += part[r].y; total.z += part[r].z; total.w += part[r].w;
        }
        int m = m0 + row, n = n0 + column;
        __align__(4 * sizeof(Out)) Out v[4] = {Out(total.x), Out(total.y), Out(total.z),
                                               Out(total.w)};
        Out* to = y + (size_t)m * K_C + n;
        if (m < M && K_C % 4 == 0 && n < K_C) {
            if (sizeof(Out) == 2) *(uint2*)to = *(uint2*)v;
            else *(uint4*)to = *(uint4*)v;
        } else if (m < M && K_C % 4)
            for (int q = 0; q < 4 && n + q < K_C; q++) to[q] = v[q];
    }
    __cluster_barrier_arrive();
    __cluster_barrier_wait();  // a block that ends takes its shared memory with it
}

// GROUPS warpgroups multiply, PRODUCERS fetch. `map` is of x; w[slice][n][BK] is what wgmma reads
// in shared memory, in that order, n padded to a multiple of 8.
template <int BM, int BN, int GROUPS, int PRODUCERS, int STAGES, int VEC, int BLOCKS, int SPLIT,
          typename Out>
__global__ void __cluster_dims__(1, 1, SPLIT) __launch_bounds__((GROUPS + PRODUCERS) * 128, BLOCKS)
wgmma_conv(const __grid_constant__ TensorMap map, const __half* __restrict__ x,
           const __half* __restrict__ w, Out* __restrict__ y, int i_n)
{
    constexpr int THREADS = GROUPS * 128, BK = 64, MI = BM / 64 / GROUPS, NI = BN / 8;
    constexpr int TILES_N = (K_C + BN - 1) / BN, N = (K_C + 7) / 8 * 8;
    constexpr int HALF = NI < 16 ? NI : NI % 16 ? 12 : 16;  // of NI, or all: an instruction's
    constexpr int LAG = STAGES - 2;  // slices under way before the oldest is waited for
    constexpr bool ENGINE = VEC >= 32;
    constexpr int WIDE = ENGINE ? VEC : BK;  // A[BM][BK] lies as BK / WIDE parts A[BM][WIDE]
    using Part = Slices<BM, BN, BK, STAGES, VEC, PRODUCERS * 128>;
    constexpr int SHARE = (Part::COUNT + SPLIT - 1) / SPLIT;
    // Columns of the last slice, if they are fewer and known to be this block's.
    constexpr int TAIL = ENGINE && SPLIT == 1 ? Part::K % BK : 0;
    static_assert(BM % (64 * GROUPS) == 0 && STAGES >= 3, "warpgroups and stages");
    // 1 KiB of barriers, over which nothing may be stored as long as they live (it came out wrong);
    // STAGES of A[BM][BK] and B[BN][BK]; the result. Where the window is split, sums over slices.
    extern __shared__ __align__(1024) __half memory[];
    __half* const stages = memory + 512;
    const int M = i_n * O_H * O_W, tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const int tiles = (M + BM - 1) / BM * TILES_N;
    const int first = SPLIT > 1 ? blockIdx.z * SHARE : 0;
    const int share = min(SHARE, Part::COUNT - first);  // none, perhaps, for the last ones
    auto there = [&](int turn) { return (mbarrier*)memory + turn % STAGES * 2; };
    auto read = [&](int turn) { return there(turn) + 1; };
    auto a_of = [&](int turn) { return stages + turn % STAGES * Part::STAGE; };
    auto b_of = [&](int turn) { return a_of(turn) + BM * BK; };
    if (tid == 0) {
        #pragma unroll
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(there(s), ENGINE ? 1 : PRODUCERS * 128 + 1);
            mbarrier_init(read(s), GROUPS * 4);
        }
        fence_proxy_async();
    }
    __syncthreads();

    // Large tiles want more registers than all threads can have, and fetching wants fewer.
    constexpr bool LARGE = BM * BN > 128 * 128;
    constexpr int EACH = 65536 / ((GROUPS + PRODUCERS) * 128) / 8 * 8;
    constexpr int FETCHING = ENGINE ? 40 : BM / 8 + 56;
    constexpr int SPARE = (EACH - FETCHING) * PRODUCERS / GROUPS / 8 * 8;
    int turn = 0;  // slices of all tiles
    if (warp >= GROUPS * 4) {
        if (LARGE) registers_down<FETCHING>();
        if (ENGINE && tid == THREADS) {
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                const int m = tile / TILES_N * BM, n0 = tile % TILES_N * BN;
                const int v = m % O_W * S_W - P_W, h = m / O_W % O_H * S_H - P_H;
                const int weights = min(BN, N - n0) * BK * 2;
                for (int slice = first; slice < first + share; slice++, turn++) {
                    if (turn >= STAGES) mbarrier_wait_parity(read(turn), (turn / STAGES - 1) % 2);
                    const int depth = TAIL && slice == Part::COUNT - 1 ? TAIL : BK;
                    mbarrier_arrive_expect_tx(there(turn), BM * depth * 2 + weights);
                    #pragma unroll
                    for (int part = 0; part < BK; part += WIDE) {
                        const int k = slice * BK + part;
                        const int c = k < Part::K ? k % I_C : I_C;  // past the window: zeros
                        if (part < depth)
                            copy_windows(a_of(turn) + part * BM, &map, c, v, h, m / (O_H * O_W),
                                         k / I_C % K_W, k / I_C / K_W, there(turn));
                    }
                    cp_async_bulk(b_of(turn), w + ((size_t)slice * N + n0) * BK, weights,
                                  there(turn));
                }
            }
        }
        if constexpr (!ENGINE) {
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                const int m0 = tile / TILES_N * BM, n0 = tile % TILES_N * BN;
                const int weights = min(BN, N - n0) * BK * 2;
                const Part slices(x, stages, tid - THREADS, m0, M);
                for (int slice = first; slice < first + share; slice++, turn++) {
                    if (turn >= STAGES) mbarrier_wait_parity(read(turn), (turn / STAGES - 1) % 2);
                    if (tid == THREADS) {
                        mbarrier_arrive_expect_tx(there(turn), weights);
                        cp_async_bulk(b_of(turn), w + ((size_t)slice * N + n0) * BK, weights,
                                  there(turn));
                    }
                    slices.load_image(slice, shared_address(a_of(turn)));
                    asm volatile("cp.async.commit_group;\n" ::);
                    if (turn >= LAG) {
                        arrived<LAG>();
                        mbarrier_arrive(there(turn - LAG));
                    }
                }
            }
            drain<LAG>(turn, there);
        }
        __syncwarp();
        if (SPLIT > 1) {  // the barriers of store_split are of all threads
            __cluster_barrier_arrive();
            __cluster_barrier_wait();
            __cluster_barrier_arrive();
            __cluster_barrier_wait();
        }
    } else {
        if (LARGE) registers_up<EACH + SPARE>();
        const int wm = warp / 4 * 64 * MI;  // this warpgroup's first row
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int m0 = tile / TILES_N * BM, n0 = tile % TILES_N * BN;
            float sum[MI][NI][4] = {};
            auto multiply = [&](int depth, bool another) {
                mbarrier_wait_parity(there(turn), turn / STAGES % 2);
                const unsigned a = shared_address(a_of(turn)), b = shared_address(b_of(turn));
                const int part = BM * WIDE * 2, row = WIDE * 2;  // bytes
                wgmma_fence();
                #pragma unroll
                for (int kk = 0; kk < BK / 16; kk++) {
                    if (kk * 16 >= depth) continue;
                    #pragma unroll
                    for (int i = 0; i < MI; i++)
                        #pragma unroll
                        for (int j = 0; j < NI; j += HALF)
                            wgmma(*(float (*)[HALF][4])sum[i][j],
                                  descriptor<WIDE>(a + kk * 16 / WIDE * part + (wm + i * 64) * row)
                                      + kk * 16 % WIDE / 8,
                                  descriptor(b + j * 8 * BK * 2) + kk * 2);
                }
                wgmma_commit();
                wgmma_wait<1>();
                if (another && lane == 0) mbarrier_arrive(read(turn - 1));
                turn++;
            };
            for (int s = 0; s < share - (TAIL > 0); s++) multiply(BK, s > 0);
            if constexpr (TAIL > 0) multiply(TAIL, share > 1);
            wgmma_wait<0>();
            if (share > 0 && lane == 0) mbarrier_arrive(read(turn - 1));
            const int row = wm + warp % 4 * 16 + lane / 4, column = lane % 4 * 2;
            if constexpr (SPLIT > 1)
                store_split<BM, BN, THREADS, SPLIT>(sum, (float*)stages, y, tid, m0, n0, M, row,
                                                    column);
            else
                store_sums<BM, BN, THREADS, 64>(sum, stages + STAGES * Part::STAGE, y, tid, m0, n0,
                                                M, row, column);
        }
    }
}
