// Asynchronous copies into shared memory: done when they are waited for, not before.
#pragma once

namespace cl_pipeline {
CL_PLAIN static void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                             size_t zeros = 0) {
    cl_copy(to, from, size, zeros, CL_SITE);
}
CL_FN void __pipeline_commit() { cl_copy_commit(); }
CL_PLAIN static void __pipeline_wait_prior(size_t prior) { cl_copy_wait(prior, CL_SITE); }
}  // namespace cl_pipeline

// One thread's part of a copy of any size, of a group of which it is number `rank`.
CL_PLAIN static void cl_copy_part(void *to, const void *from, size_t size, unsigned rank,
                                  unsigned count, const void *site) {
    size_t places = (size_t)to | (size_t)from;
    unsigned width = places % 16 == 0 ? 16 : places % 8 == 0 ? 8 : places % 4 == 0 ? 4 : 0;
    size_t whole = width ? size / width * width : 0;
    for (size_t i = (size_t)rank * width; i < whole; i += (size_t)count * width)
        cl_copy((char *)to + i, (const char *)from + i, width, 0, site);
    cl_copy_bytes((char *)to + whole, (const char *)from + whole, size - whole, rank, count, site);
}

namespace cl_cuda_barrier {
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    __forceinline__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    __forceinline__ constexpr operator size_t() const { return value; }
};
}  // namespace cl_cuda_barrier

namespace cl_group_copies {
template <class G, class T, class S>
CL_PLAIN void memcpy_async(const G &group, T *to, const T *from, const S &bytes) {
    cl_copy_part(to, from, bytes, group.thread_rank(), group.num_threads(), CL_SITE);
    cl_copy_commit();
}
template <class G, class T, class A, class B>
CL_PLAIN void memcpy_async(const G &group, T *to, const A &room, const T *from, const B &there) {
    size_t count = (size_t)room < (size_t)there ? (size_t)room : (size_t)there;
    cl_copy_part(to, from, count * sizeof(T), group.thread_rank(), group.num_threads(), CL_SITE);
    cl_copy_commit();
}
template <unsigned prior, class G>
CL_PLAIN void wait_prior(const G &group, int line = __builtin_LINE()) {
    cl_copy_wait(prior, CL_SITE);
    cl_groups::cl_meet(group, line, CL_SITE);
}
template <class G> CL_PLAIN void wait(const G &group, int line = __builtin_LINE()) {
    cl_copy_wait(0, CL_SITE);
    cl_groups::cl_meet(group, line, CL_SITE);
}
}  // namespace cl_group_copies
