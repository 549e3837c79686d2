// Cooperative groups: each function into a row of its own.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct Three { int x, y, z; };

extern "C" __global__ void ranks(unsigned* y)
{
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    auto tile = cg::tiled_partition<16>(block);
    auto part = cg::tiled_partition<4>(tile);
    cg::thread_block_tile<4> any = part;
    cg::thread_group eight = cg::tiled_partition(block, 8);
    unsigned i = grid.thread_rank(), n = grid.num_threads();
    y[0 * n + i] = block.thread_rank() + 1000 * block.num_threads();
    y[1 * n + i] = block.group_index().x + 10 * block.thread_index().y + 100 * block.group_dim().z;
    y[2 * n + i] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.num_threads();
    y[3 * n + i] = part.thread_rank() + 100 * part.meta_group_rank();
    y[4 * n + i] = any.meta_group_rank() + 100 * any.meta_group_size();
    y[5 * n + i] = eight.thread_rank() + 100 * eight.size();
    y[6 * n + i] = grid.block_rank() + 100 * grid.num_blocks() + 1000 * grid.dim_blocks().y;
}

extern "C" __global__ void tiles(unsigned* y, const int* a)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int t = block.thread_rank(), n = block.size(), v = a[t], same;
    s[t] = v;
    tile.sync();
    y[0 * n + t] = s[t ^ 5];
    y[1 * n + t] = tile.shfl(v, 3);
    y[2 * n + t] = tile.shfl_up(v, 2);
    y[3 * n + t] = tile.shfl_down(v, 3);
    y[4 * n + t] = tile.shfl_xor(v, 6);
    y[5 * n + t] = tile.any(v == a[20]);
    y[6 * n + t] = tile.all(v > -300);
    y[7 * n + t] = tile.ballot(v > 0);
    y[8 * n + t] = tile.match_any(v % 3);
    y[9 * n + t] = tile.match_all(t / 16, same);
    y[9 * n + t] += 1000 * same;
    Three three = {v, t, 2 * v};
    three = tile.shfl(three, 1);
    y[10 * n + t] = three.x + three.y + three.z;
    y[11 * n + t] = (unsigned)tile.shfl_xor((long long)v << 30, 1);
    block.sync();
    y[12 * n + t] = s[n - 1 - t];
    cg::sync(block);
    s[t] = 3 * v;
    cg::thread_group four = cg::tiled_partition(block, 4);
    four.sync();
    y[13 * n + t] = s[t ^ 3];
}

extern "C" __global__ void partitions(unsigned* y, const int* a)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x, n = blockDim.x, v = a[t], same;
    for (int k = 0; k < 8; k++) y[k * n + t] = 0;
    if (v % 3) {
        cg::coalesced_group some = cg::coalesced_threads();
        y[0 * n + t] = some.thread_rank() + 100 * some.num_threads();
        y[1 * n + t] = some.shfl(v, 2) + some.shfl_up(v, 1) + some.shfl_down(v, 2);
        y[2 * n + t] = some.ballot(v > 0) + 3 * some.any(v == a[40]) + some.all(v > 0);
        y[3 * n + t] = some.match_any(v % 4) + some.match_all((int)(v > -5000), same);
        y[3 * n + t] += same;
        some.sync();
        y[4 * n + t] = cg::reduce(some, v, cg::plus<int>());
        cg::coalesced_group few = cg::tiled_partition(some, 4);
        y[5 * n + t] = few.thread_rank() + 10 * few.size() + 100 * few.meta_group_rank() +
                       10000 * few.meta_group_size();
    }
    warp.sync();
    cg::coalesced_group half = cg::binary_partition(warp, v > 0);
    y[6 * n + t] = half.thread_rank() + 100 * half.size() + 10000 * half.meta_group_rank();
    cg::coalesced_group label = cg::labeled_partition(warp, v % 4);
    y[7 * n + t] = label.thread_rank() + 100 * label.size() + 10000 * label.meta_group_rank() +
                   1000000 * label.meta_group_size();
}

extern "C" __global__ void reductions(int* y, float* z, const int* a, const float* b)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    int t = threadIdx.x, n = blockDim.x, v = a[t];
    y[0 * n + t] = cg::reduce(warp, v, cg::plus<int>());
    y[1 * n + t] = cg::reduce(tile, v, cg::less<int>());
    y[2 * n + t] = cg::reduce(tile, v, cg::greater<int>());
    y[3 * n + t] = cg::reduce(warp, v, cg::bit_and<int>());
    y[4 * n + t] = cg::reduce(tile, v, cg::bit_or<int>());
    y[5 * n + t] = cg::reduce(warp, v, cg::bit_xor<int>());
    y[6 * n + t] = cg::inclusive_scan(warp, v);
    y[7 * n + t] = cg::exclusive_scan(tile, v);
    y[8 * n + t] = cg::inclusive_scan(tile, v, cg::greater<int>());
    y[9 * n + t] = cg::reduce(tile, v, [](int p, int q) { return p * 3 + q * 3; });
    z[0 * n + t] = cg::reduce(warp, b[t], cg::plus<float>());
    z[1 * n + t] = cg::reduce(tile, b[t], cg::less<float>());
    z[2 * n + t] = cg::inclusive_scan(warp, b[t], cg::plus<float>());
    z[3 * n + t] = cg::exclusive_scan(tile, b[t], cg::plus<float>());
    z[4 * n + t] = 0.0f;
    if (v % 3) z[4 * n + t] = cg::reduce(cg::coalesced_threads(), b[t], cg::plus<float>());
}

extern "C" __global__ void copies_of_a_group(float* y, const float* a)
{
    __shared__ alignas(16) float s[2][200];
    auto block = cg::this_thread_block();
    int t = threadIdx.x, n = blockDim.x;
    cg::memcpy_async(block, s[0], a, 200 * sizeof(float));
    cg::memcpy_async(block, s[1], a + 1, 199 * sizeof(float));
    cg::wait_prior<1>(block);
    y[t] = s[0][199 - t];
    cg::wait(block);
    y[n + t] = s[1][198 - t];
}
