// How the runtime calls a kernel and asks what it takes: cl_module.h does so behind the source.
#pragma once

namespace cl_launch {
template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<const T> { typedef T type; };

template <size_t...> struct Numbers {};
template <size_t n, size_t... rest> struct Count : Count<n - 1, n - 1, rest...> {};
template <size_t... rest> struct Count<0, rest...> { typedef Numbers<rest...> type; };

template <class... A, size_t... i>
__forceinline__ void call(void (*kernel)(A...), void **arguments, Numbers<i...>) {
    kernel(*(typename Plain<A>::type *)arguments[i]...);
}
template <class... A> __forceinline__ void thread(void (*kernel)(A...), void **arguments) {
    call(kernel, arguments, typename Count<sizeof...(A)>::type());
}
template <class... A> __forceinline__ void block(void (*kernel)(A...), void **arguments) {
    cl_thread &t = *cl_now;
    const dim3 block = t.cl_block_dim;
    unsigned number = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++, number++) {
                t.cl_thread_idx = {x, y, z};
                t.cl_lane = number % 32;
                t.cl_warp_number = number / 32;
                thread(kernel, arguments);
            }
}

// What a parameter takes: p a pointer, i a signed number, u an unsigned one, f a floating one,
// h a half, g a bfloat16, b a bool, s any structure; then its size and alignment in bytes (a pointer's: of what it points to).
template <class T> constexpr char letter() {
    if constexpr (__is_same(T, bool)) return 'b';
    else if constexpr (__is_same(T, cl_fp16::__half)) return 'h';
    else if constexpr (__is_same(T, cl_bf16::__nv_bfloat16)) return 'g';
    else if constexpr (__is_class(T) || __is_union(T)) return 's';
    else if constexpr ((T)0.5 != (T)0) return 'f';
    else return (T)-1 < (T)0 ? 'i' : 'u';
}
struct Parameter { char pointer, constant, letter; int size, alignment; };
template <class T> struct Describe {
    static constexpr Parameter value = {0, 0, letter<typename Plain<T>::type>(), sizeof(T),
                                        alignof(T)};
};
template <class T> struct Describe<T *> {
    static constexpr Parameter value = {1, 0, letter<T>(), sizeof(T), alignof(T)};
};
template <class T> struct Describe<const T *> {
    static constexpr Parameter value = {1, 1, letter<T>(), sizeof(T), alignof(T)};
};
template <class T, size_t n> struct Describe<T (*)[n]> : Describe<T *> {};
template <class T, size_t n> struct Describe<const T (*)[n]> : Describe<const T *> {};
template <class T> struct Describe<T *const> : Describe<T *> {};
template <class T> struct Describe<T *__restrict> : Describe<T *> {};
template <> struct Describe<void *> { static constexpr Parameter value = {1, 0, 'v', 1, 1}; };
template <> struct Describe<const void *> { static constexpr Parameter value = {1, 1, 'v', 1, 1}; };

template <class... A> int describe(void (*)(A...), Parameter *out, int most) {
    static const Parameter all[] = {Describe<A>::value..., {0, 0, 0, 0, 0}};
    for (int i = 0; i < (int)sizeof...(A) && i < most; i++) out[i] = all[i];
    return sizeof...(A);
}
}  // namespace cl_launch

// In words that no macro of the learner's can change.
template <class T> __forceinline__ void cl_thread_of(T *kernel, void **arguments) {
    cl_launch::thread(kernel, arguments);
}
template <class T> __forceinline__ void cl_block_of(T *kernel, void **arguments) {
    cl_launch::block(kernel, arguments);
}
template <class T> int cl_parameters_of(T *kernel, void *out, int most) {
    return cl_launch::describe(kernel, (cl_launch::Parameter *)out, most);
}

#pragma GCC visibility push(default)
extern "C" CL_PLAIN void cl_run_thread(void **arguments);
extern "C" CL_PLAIN void cl_run_block(void **arguments);
#pragma GCC visibility pop
struct cl_variable {
    const char *cl_name;
    void *cl_at;
    size_t cl_size, cl_element;
    const size_t *cl_extents;
};
struct cl_layout { size_t cl_size, cl_alignment; };
template <class T> constexpr cl_layout cl_layout_of(decltype(sizeof(T)) *) {
    return {sizeof(T), alignof(T)};
}
template <class T> constexpr cl_layout cl_layout_of(...) { return {1, 1}; }  // declared only
typedef int cl_int;
typedef char cl_char;
