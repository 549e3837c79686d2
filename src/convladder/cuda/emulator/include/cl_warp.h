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

// What lanes can exchange: numbers, of 16 bits and in pairs of such too.
template <class T> constexpr bool cl_exchanged = !__is_class(T) && !__is_union(T);
template <> constexpr bool cl_exchanged<cl_fp16::__half> = true;
template <> constexpr bool cl_exchanged<cl_fp16::__half2> = true;
template <> constexpr bool cl_exchanged<cl_bf16::__nv_bfloat16> = true;
template <> constexpr bool cl_exchanged<cl_bf16::__nv_bfloat162> = true;
#define CL_EXCHANGED(T) static_assert(cl_exchanged<T>, "cl_exchanged: a number")

// A shuffle stays within segments of `width` lanes; a lane outside one's own gives one's own value.
template <class T> CL_PLAIN T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
    CL_EXCHANGED(T);
    int lane = cl_now->cl_lane, first = lane & ~(width - 1);
    cl_exchange(mask, first + (source & (width - 1)), &value, sizeof value, CL_SITE);
    return value;
}
template <class T> CL_PLAIN T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    CL_EXCHANGED(T);
    int lane = cl_now->cl_lane, source = lane - (int)by;
    if (source < (lane & ~(width - 1))) source = lane;
    cl_exchange(mask, source, &value, sizeof value, CL_SITE);
    return value;
}
template <class T>
CL_PLAIN T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    CL_EXCHANGED(T);
    int lane = cl_now->cl_lane, source = lane + (int)by;
    if (source > (lane | (width - 1))) source = lane;
    cl_exchange(mask, source, &value, sizeof value, CL_SITE);
    return value;
}
template <class T> CL_PLAIN T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {
    CL_EXCHANGED(T);
    int lane = cl_now->cl_lane, source = lane ^ by;
    if (source > (lane | (width - 1))) source = lane;
    cl_exchange(mask, source, &value, sizeof value, CL_SITE);
    return value;
}

// Of the lanes that are there: some may have ended.
#define CL_REDUCE(name, T, expression)                                                 \
    CL_PLAIN static T __reduce_##name##_sync(unsigned mask, T value) {                 \
        alignas(16) char all[32][16];                                                  \
        unsigned there = cl_collect(mask, &value, sizeof value, all, CL_SITE);         \
        bool first = true;                                                             \
        T sum = value;                                                                 \
        for (int lane = 0; lane < 32; lane++) {                                        \
            if (!(there >> lane & 1)) continue;                                        \
            T other = *(T *)all[lane];                                                 \
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

// Which lanes have the same value, bit by bit; of 4 or 8 bytes.
CL_PLAIN static unsigned cl_alike(unsigned mask, const void *value, size_t size, unsigned *there,
                                  const void *site) {
    alignas(16) char all[32][16];
    unsigned same = 0;
    *there = cl_collect(mask, value, size, all, site);
    for (int lane = 0; lane < 32; lane++)
        if (*there >> lane & 1 && !__builtin_memcmp(all[lane], value, size)) same |= 1u << lane;
    return same;
}
template <class T> CL_PLAIN unsigned __match_any_sync(unsigned mask, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes can be matched");
    unsigned there;
    return cl_alike(mask, &value, sizeof value, &there, CL_SITE);
}
template <class T> CL_PLAIN unsigned __match_all_sync(unsigned mask, T value, int *same) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 4 or 8 bytes can be matched");
    unsigned there, alike = cl_alike(mask, &value, sizeof value, &there, CL_SITE);
    *same = alike == there;
    return *same ? there : 0;
}

// Which lanes run together is the GPU's affair; here all that get to this line without waiting for
// the others.
CL_PLAIN static unsigned __activemask(int line = __builtin_LINE()) {
    return cl_converged(line, CL_SITE);
}
