// What whole groups compute together: reduce and scans, in the order in which NVIDIA's headers do
// it, so that sums of floating-point numbers are the same.
#pragma once

namespace cl_groups {
template <class T> struct plus {
    __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    __forceinline__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    __forceinline__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    __forceinline__ T operator()(T a, T b) const { return a ^ b; }
};
}  // namespace cl_groups

namespace cl_group_scan {
template <class G, class T, class F>
CL_PLAIN T cl_inclusive(const G &group, T value, F &op, const void *site) {
    unsigned rank = group.thread_rank(), size = group.num_threads();
    for (unsigned by = 1; by < size; by <<= 1) {
        T other = group.cl_from(group.cl_lane(by <= rank ? rank - by : rank), value, site);
        if (by <= rank) value = op(value, other);
    }
    return value;
}
template <class G, class T, class F>
CL_PLAIN T inclusive_scan(const G &group, T value, F op) {
    return cl_inclusive(group, value, op, CL_SITE);
}
template <class G, class T> CL_PLAIN T inclusive_scan(const G &group, T value) {
    cl_groups::plus<T> op;
    return cl_inclusive(group, value, op, CL_SITE);
}
template <class G, class T, class F>
CL_PLAIN T cl_exclusive(const G &group, T value, F &op, const void *site) {
    T sum = cl_inclusive(group, value, op, site);
    unsigned rank = group.thread_rank();
    T before = group.cl_from(group.cl_lane(rank ? rank - 1 : 0), sum, site);
    return rank ? before : T();
}
template <class G, class T, class F>
CL_PLAIN T exclusive_scan(const G &group, T value, F op) {
    return cl_exclusive(group, value, op, CL_SITE);
}
template <class G, class T> CL_PLAIN T exclusive_scan(const G &group, T value) {
    cl_groups::plus<T> op;
    return cl_exclusive(group, value, op, CL_SITE);
}
}  // namespace cl_group_scan

namespace cl_group_reduce {
template <class G, class T, class F> CL_PLAIN T reduce(const G &group, T value, F op) {
    unsigned size = group.num_threads(), rank = group.thread_rank();
    if (size & (size - 1) || (__is_same(G, cl_groups::coalesced_group) && size != 32)) {
        T sum = cl_group_scan::cl_inclusive(group, value, op, CL_SITE);
        return group.cl_from(group.cl_lane(size - 1), sum, CL_SITE);
    }
    for (unsigned by = size >> 1; by; by >>= 1)
        value = op(value, group.cl_from(group.cl_lane(rank ^ by), value, CL_SITE));
    return value;
}
}  // namespace cl_group_reduce
