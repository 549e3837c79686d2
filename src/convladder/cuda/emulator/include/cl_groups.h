// Cooperative groups, which <cooperative_groups.h> opens: blocks, tiles of a warp, and the lanes
// that run together.
#pragma once

namespace cl_groups {

CL_FN unsigned cl_rank() {
    const uint3 &t = cl_now->cl_thread_idx;
    const dim3 &b = cl_now->cl_block_dim;
    return (t.z * b.y + t.y) * b.x + t.x;
}
CL_FN dim3 cl_sides_of(const uint3 &v) { return {v.x, v.y, v.z}; }
CL_FN unsigned cl_threads() {
    const dim3 &b = cl_now->cl_block_dim;
    return b.x * b.y * b.z;
}
CL_PLAIN static int cl_lane_of(unsigned mask, unsigned rank) {  // the bit that is set after `rank`
    while (rank--) mask &= mask - 1;
    return __builtin_ctz(mask);
}
CL_PLAIN static unsigned cl_packed(unsigned of, unsigned mask) {  // bits of `mask`, side by side
    unsigned packed = 0, place = 0;
    for (int lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) packed |= (of >> lane & 1u) << place++;
    return packed;
}

// Any group: lanes of a warp, or (no lanes) the block.
class thread_group {
protected:
    unsigned cl_mask, cl_meta_rank, cl_meta_size;
    CL_IN thread_group(unsigned mask, unsigned rank = 0, unsigned size = 1)
        : cl_mask(mask), cl_meta_rank(rank), cl_meta_size(size) {}

public:
    CL_PLAIN unsigned long long size() const {
        return cl_mask ? __builtin_popcount(cl_mask) : cl_threads();
    }
    CL_IN unsigned long long num_threads() const { return size(); }
    CL_PLAIN unsigned long long thread_rank() const {
        return cl_mask ? __builtin_popcount(cl_mask & ((1u << cl_now->cl_lane) - 1)) : cl_rank();
    }
    CL_PLAIN void sync(int line = __builtin_LINE()) const {
        if (cl_mask)
            cl_syncwarp(cl_mask, CL_SITE);
        else
            cl_barrier(0, 0, line);
    }
    friend CL_PLAIN thread_group tiled_partition(const thread_group &parent, unsigned size);
};

class thread_block : public thread_group {
    CL_IN thread_block() : thread_group(0) {}
    friend thread_block this_thread_block();

public:
    CL_IN static unsigned size() { return cl_threads(); }
    CL_IN static unsigned num_threads() { return cl_threads(); }
    CL_IN static unsigned thread_rank() { return cl_rank(); }
    CL_IN static dim3 group_index() { return cl_sides_of(cl_now->cl_block_idx); }
    CL_IN static dim3 thread_index() { return cl_sides_of(cl_now->cl_thread_idx); }
    CL_IN static dim3 group_dim() { return cl_now->cl_block_dim; }
    CL_IN static dim3 dim_threads() { return cl_now->cl_block_dim; }
    CL_IN static void sync(int line = __builtin_LINE()) { cl_barrier(0, 0, line); }
};
__forceinline__ thread_block this_thread_block() { return thread_block(); }

class grid_group {
    CL_IN grid_group() {}
    friend grid_group this_grid();

public:
    CL_IN static dim3 group_dim() { return cl_now->cl_grid_dim; }
    CL_IN static dim3 dim_blocks() { return cl_now->cl_grid_dim; }
    CL_IN static dim3 block_index() { return cl_sides_of(cl_now->cl_block_idx); }
    CL_IN static unsigned long long num_blocks() {
        const dim3 &g = cl_now->cl_grid_dim;
        return (unsigned long long)g.x * g.y * g.z;
    }
    CL_IN static unsigned long long block_rank() {
        const dim3 &g = cl_now->cl_grid_dim;
        const uint3 &b = cl_now->cl_block_idx;
        return ((unsigned long long)b.z * g.y + b.y) * g.x + b.x;
    }
    CL_IN static unsigned long long size() { return num_blocks() * cl_threads(); }
    CL_IN static unsigned long long num_threads() { return size(); }
    CL_IN static unsigned long long thread_rank() {
        return block_rank() * cl_threads() + cl_rank();
    }
    CL_IN static bool is_valid() { return false; }
    template <class T = void> static void sync() {
        static_assert(sizeof(T *) == 0, "cl_gpu_only(a barrier of the whole grid (grid.sync))");
    }
};
__forceinline__ grid_group this_grid() { return grid_group(); }

// What lanes of a warp can do together. D has cl_lanes(), cl_lane(rank) and cl_pack(lanes).
template <class D> class cl_lanes_together {
    CL_IN const D &me() const { return *static_cast<const D *>(this); }

public:
    CL_PLAIN void sync() const { cl_syncwarp(me().cl_lanes(), CL_SITE); }
    template <class T> CL_PLAIN T shfl(T value, int rank) const {
        return cl_from(me().cl_lane(rank), value, CL_SITE);
    }
    template <class T> CL_PLAIN T shfl_up(T value, unsigned by) const {
        unsigned rank = me().thread_rank();
        return cl_from(me().cl_lane(rank < by ? rank : rank - by), value, CL_SITE);
    }
    template <class T> CL_PLAIN T shfl_down(T value, unsigned by) const {
        unsigned rank = me().thread_rank(), size = me().num_threads();
        return cl_from(me().cl_lane(rank + by < size ? rank + by : rank), value, CL_SITE);
    }
    CL_PLAIN int any(int predicate) const {
        return cl_vote(me().cl_lanes(), predicate, CL_SITE) != 0;
    }
    CL_PLAIN int all(int predicate) const {
        return cl_vote(me().cl_lanes(), predicate, CL_SITE) == me().cl_lanes();
    }
    CL_PLAIN unsigned ballot(int predicate) const {
        return me().cl_pack(cl_vote(me().cl_lanes(), predicate, CL_SITE));
    }
    template <class T> CL_PLAIN unsigned match_any(T value) const {
        unsigned there;
        return me().cl_pack(cl_alike(me().cl_lanes(), &value, sizeof value, &there, CL_SITE));
    }
    template <class T> CL_PLAIN unsigned match_all(T value, int &same) const {
        unsigned there;
        unsigned alike = cl_alike(me().cl_lanes(), &value, sizeof value, &there, CL_SITE);
        same = alike == there;
        return same ? me().cl_pack(there) : 0;
    }
    // The value that a lane has; in pieces of as much as lanes exchange at a time.
    template <class T> CL_PLAIN T cl_from(int lane, T value, const void *site) const {
        static_assert(sizeof(T) <= 32, "a group's lanes exchange at most 32 bytes");
        for (size_t i = 0; i < sizeof(T); i += 16)
            cl_exchange(me().cl_lanes(), lane, (char *)&value + i,
                        sizeof(T) - i < 16 ? sizeof(T) - i : 16, site);
        return value;
    }
};

class coalesced_group : public thread_group, public cl_lanes_together<coalesced_group> {
    typedef cl_lanes_together<coalesced_group> together;

public:
    CL_IN explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned size = 1)
        : thread_group(mask, rank, size) {}
    using together::sync;
    CL_IN unsigned size() const { return __builtin_popcount(cl_mask); }
    CL_IN unsigned num_threads() const { return size(); }
    CL_IN unsigned thread_rank() const {
        return __builtin_popcount(cl_mask & ((1u << cl_now->cl_lane) - 1));
    }
    CL_IN unsigned meta_group_rank() const { return cl_meta_rank; }
    CL_IN unsigned meta_group_size() const { return cl_meta_size; }
    CL_IN unsigned cl_lanes() const { return cl_mask; }
    CL_PLAIN int cl_lane(unsigned rank) const { return cl_lane_of(cl_mask, rank % size()); }
    CL_PLAIN unsigned cl_pack(unsigned lanes) const { return cl_packed(lanes, cl_mask); }
};
CL_PLAIN static coalesced_group coalesced_threads(int line = __builtin_LINE()) {
    return coalesced_group(cl_converged(line, CL_SITE));
}

template <unsigned N> class cl_tile : public cl_lanes_together<cl_tile<N>> {
    static_assert(N && N <= 32 && !(N & (N - 1)),
                  "cl_gpu_only(a tile of more lanes than 32, or of another number than 1, 2, 4, 8, "
                  "16, 32)");

public:
    CL_IN static constexpr unsigned size() { return N; }
    CL_IN static constexpr unsigned num_threads() { return N; }
    CL_IN static unsigned thread_rank() { return cl_now->cl_lane % N; }
    template <class T> CL_PLAIN T shfl_xor(T value, unsigned by) const {
        return this->cl_from(cl_lane(thread_rank() ^ by), value, CL_SITE);
    }
    CL_IN static unsigned cl_lanes() {
        return (N == 32 ? ~0u : (1u << N % 32) - 1) << cl_first();
    }
    CL_IN static unsigned cl_first() { return cl_now->cl_lane & ~(N - 1); }
    CL_IN static int cl_lane(unsigned rank) { return cl_first() + rank % N; }
    CL_IN static unsigned cl_pack(unsigned lanes) { return lanes >> cl_first(); }
};

// A tile knows its place in its parent: from the parent's type, or (void) by itself.
template <unsigned N, class Parent = void> class thread_block_tile : public cl_tile<N> {
public:
    CL_IN explicit thread_block_tile(const Parent &) {}
    CL_IN static unsigned meta_group_rank() { return Parent::thread_rank() / N; }
    CL_IN static unsigned meta_group_size() { return (Parent::size() + N - 1) / N; }
    CL_IN operator thread_block_tile<N, void>() const {
        return thread_block_tile<N, void>(meta_group_rank(), meta_group_size());
    }
};
template <unsigned N> class thread_block_tile<N, void> : public cl_tile<N>, public thread_group {
public:
    CL_IN thread_block_tile(unsigned rank = 0, unsigned size = 1)
        : thread_group(cl_tile<N>::cl_lanes(), rank, size) {}
    template <class Parent> CL_IN thread_block_tile(const thread_block_tile<N, Parent> &tile)
        : thread_block_tile(tile.meta_group_rank(), tile.meta_group_size()) {}
    using cl_tile<N>::sync;
    using cl_tile<N>::size;
    using cl_tile<N>::num_threads;
    using cl_tile<N>::thread_rank;
    CL_IN unsigned meta_group_rank() const { return cl_meta_rank; }
    CL_IN unsigned meta_group_size() const { return cl_meta_size; }
};

template <unsigned N, class Parent>
__forceinline__ thread_block_tile<N, Parent> tiled_partition(const Parent &parent) {
    return thread_block_tile<N, Parent>(parent);
}
__forceinline__ thread_block_tile<1> this_thread() { return {cl_rank(), cl_threads()}; }

template <class G> __forceinline__ auto thread_rank(const G &group) { return group.thread_rank(); }
template <class G> __forceinline__ auto group_size(const G &group) { return group.num_threads(); }
template <class G> CL_PLAIN void cl_meet(const G &group, int line, const void *site) {
    if constexpr (__is_same(G, thread_block))
        cl_barrier(0, 0, line);
    else if constexpr (__is_same(G, thread_group))
        group.sync(line);
    else
        cl_syncwarp(group.cl_lanes(), site);
}
template <class G> CL_PLAIN void sync(const G &group, int line = __builtin_LINE()) {
    cl_meet(group, line, CL_SITE);
}
// How many of a group say yes.
template <class G>
CL_PLAIN unsigned cl_count(const G &group, bool answer, int line, const void *site) {
    if constexpr (__is_same(G, thread_block))
        return cl_barrier(1, answer, line);
    else
        return __builtin_popcount(cl_vote(group.cl_lanes(), answer, site));
}
}  // namespace cl_groups
