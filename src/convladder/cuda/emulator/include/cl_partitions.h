// Groups made of others while the kernel runs.
#pragma once

namespace cl_groups {

// Tiles of a size that is known only when the kernel runs.
CL_PLAIN inline thread_group tiled_partition(const thread_group &parent, unsigned size) {
    if (!size || size > 32 || size & (size - 1)) cl_trap();
    unsigned lane = cl_now->cl_lane, mask = 0, first = parent.thread_rank() / size * size;
    if (!parent.cl_mask) {
        unsigned left = cl_threads() - first, count = left < size ? left : size;
        mask = (count == 32 ? ~0u : (1u << count) - 1) << (lane & ~(size - 1));
    } else {
        unsigned count = __builtin_popcount(parent.cl_mask);
        for (unsigned rank = first; rank < first + size && rank < count; rank++)
            mask |= 1u << cl_lane_of(parent.cl_mask, rank);
    }
    return thread_group(mask, first / size, (parent.size() + size - 1) / size);
}
CL_PLAIN inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
    if (!size || size > 32 || size & (size - 1)) cl_trap();
    unsigned mask = 0, first = parent.thread_rank() / size * size;
    for (unsigned rank = first; rank < first + size && rank < parent.size(); rank++)
        mask |= 1u << cl_lane_of(parent.cl_lanes(), rank);
    return coalesced_group(mask, first / size, (parent.size() + size - 1) / size);
}

// Lanes with the same label, or with the same answer.
template <class G, class T> CL_PLAIN coalesced_group labeled_partition(const G &group, T label) {
    unsigned there, mask = cl_alike(group.cl_lanes(), &label, sizeof label, &there, CL_SITE);
    unsigned first = __builtin_ctz(mask);
    unsigned leaders = cl_vote(group.cl_lanes(), cl_now->cl_lane == first, CL_SITE);
    return coalesced_group(mask, __builtin_popcount(leaders & ((1u << first) - 1)),
                           __builtin_popcount(leaders));
}
template <class G> CL_PLAIN coalesced_group binary_partition(const G &group, bool answer) {
    unsigned lanes = group.cl_lanes(), yes = cl_vote(lanes, answer, CL_SITE);
    if (yes == lanes || !yes) return coalesced_group(lanes);
    return coalesced_group(answer ? yes : lanes & ~yes, answer, 2);
}
}  // namespace cl_groups
