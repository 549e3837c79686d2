// What the lanes of a warp say to one another. Lanes of `mask` wait until all have come.
#pragma once

CL_PLAIN static void __syncwarp(unsigned mask = 0xffffffffu) { cl_syncwarp(mask, CL_SITE); }

CL_PLAIN static unsigned __ballot_sync(unsigned mask, int predicate) {
    return cl_vote(mask, predicate, CL_SITE);
}
CL_PLAIN static int __any_sync(unsigned mask, int predicate) {
    return cl_vote(mask, predicate, CL_SITE) != 0;
}
CL_PLAIN static int __all_sync(unsigned mask, int predicate) {
    return cl_vote(mask, predicate, CL_SITE) == mask;
}

// A shuffle stays within segments of `width` lanes; a lane outside one's own gives one's own value.
template <class T> CL_PLAIN T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    int lane = cl_now->lane, first = lane & ~(width - 1);
    cl_exchange(mask, first + (source & (width - 1)), &value, sizeof value, CL_SITE);
    return value;
}
template <class T> CL_PLAIN T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    int lane = cl_now->lane, source = lane - (int)by;
    if (source < (lane & ~(width - 1))) source = lane;
    cl_exchange(mask, source, &value, sizeof value, CL_SITE);
    return value;
}
template <class T>
CL_PLAIN T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    int lane = cl_now->lane, source = lane + (int)by;
    if (source > (lane | (width - 1))) source = lane;
    cl_exchange(mask, source, &value, sizeof value, CL_SITE);
    return value;
}
template <class T> CL_PLAIN T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {
    int lane = cl_now->lane, source = lane ^ by;
    if (source > (lane | (width - 1))) source = lane;
    cl_exchange(mask, source, &value, sizeof value, CL_SITE);
    return value;
}

// Of the lanes that are there: some may have ended.
#define CL_REDUCE(name, T, expression)                                                 \
    CL_PLAIN static T __reduce_##name##_sync(unsigned mask, T value) {                 \
        T sum = value;                                                                 \
        bool first = true;                                                             \
        unsigned there = cl_vote(mask, 1, CL_SITE);                                    \
        for (int lane = 0; lane < 32; lane++) {                                        \
            if (!(there >> lane & 1)) continue;                                        \
            T other = value;                                                           \
            cl_exchange(mask, lane, &other, sizeof other, CL_SITE);                    \
            sum = first ? other : (expression);                                        \
            first = false;                                                             \
        }                                                                              \
        return sum;                                                                    \
    }
CL_REDUCE(add, unsigned, sum + other)
CL_REDUCE(add, int, sum + other)
CL_REDUCE(min, unsigned, sum < other ? sum : other)
CL_REDUCE(min, int, sum < other ? sum : other)
CL_REDUCE(max, unsigned, sum > other ? sum : other)
CL_REDUCE(max, int, sum > other ? sum : other)
CL_REDUCE(and, unsigned, sum & other)
CL_REDUCE(or, unsigned, sum | other)
CL_REDUCE(xor, unsigned, sum ^ other)
#undef CL_REDUCE
