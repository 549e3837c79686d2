// Included behind a learner's source: how the runtime calls its kernel. CL_KERNEL names it.
#pragma once
#include <stddef.h>

namespace cl {
template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<const T> { typedef T type; };

template <size_t...> struct Numbers {};
template <size_t n, size_t... rest> struct Count : Count<n - 1, n - 1, rest...> {};
template <size_t... rest> struct Count<0, rest...> { typedef Numbers<rest...> type; };

template <class... A, size_t... i>
inline __attribute__((always_inline)) void call(void (*kernel)(A...), void **arguments,
                                                Numbers<i...>) {
    kernel(*(typename Plain<A>::type *)arguments[i]...);
}
template <class... A>
inline __attribute__((always_inline)) void run(void (*kernel)(A...), void **arguments) {
    call(kernel, arguments, typename Count<sizeof...(A)>::type());
}

// What a parameter takes: p a pointer, i a signed number, u an unsigned one, f a floating one,
// h a half, b a bool, s any structure; then its size in bytes (a pointer's: of what it points to).
template <class T> constexpr char letter() {
    if constexpr (__is_same(T, bool)) return 'b';
    else if constexpr (__is_class(T)) return sizeof(T) == 2 ? 'h' : 's';
    else if constexpr ((T)0.5 != (T)0) return 'f';
    else return (T)-1 < (T)0 ? 'i' : 'u';
}
struct Parameter { char pointer, constant, letter; int size; };
template <class T> struct Describe {
    static constexpr Parameter value = {0, 0, letter<typename Plain<T>::type>(), sizeof(T)};
};
template <class T> struct Describe<T *> {
    static constexpr Parameter value = {1, 0, letter<T>(), sizeof(T)};
};
template <class T> struct Describe<const T *> {
    static constexpr Parameter value = {1, 1, letter<T>(), sizeof(T)};
};
template <class T> struct Describe<T *const> : Describe<T *> {};
template <class T> struct Describe<T *__restrict> : Describe<T *> {};
template <> struct Describe<void *> { static constexpr Parameter value = {1, 0, 'v', 1}; };
template <> struct Describe<const void *> { static constexpr Parameter value = {1, 1, 'v', 1}; };

template <class... A> int describe(void (*)(A...), Parameter *out, int most) {
    const Parameter all[] = {Describe<A>::value..., {0, 0, 0, 0}};
    for (int i = 0; i < (int)sizeof...(A) && i < most; i++) out[i] = all[i];
    return sizeof...(A);
}
}  // namespace cl

static_assert((CL_CONSTANT_BYTES) <= 64 << 10, "cl_constant_limit");

#pragma GCC visibility push(default)
extern "C" {
CL_PLAIN void cl_run_thread(void **arguments) { cl::run(&CL_KERNEL, arguments); }

CL_PLAIN void cl_run_block(void **arguments) {
    cl_thread &t = *cl_now;
    const dim3 block = t.block_dim;
    unsigned number = 0;
    for (unsigned z = 0; z < block.z; z++)
        for (unsigned y = 0; y < block.y; y++)
            for (unsigned x = 0; x < block.x; x++, number++) {
                t.thread = {x, y, z};
                t.lane = number % 32;
                t.warp = number / 32;
                cl::run(&CL_KERNEL, arguments);
            }
}

int cl_most_threads() { return CL_BOUNDS; }

int cl_parameters(cl::Parameter *out, int most) { return cl::describe(&CL_KERNEL, out, most); }

#ifdef __APPLE__
extern char cl_constants_begin __asm("section$start$__DATA$cl_constant");
extern char cl_constants_end __asm("section$end$__DATA$cl_constant");
extern char cl_data_begin __asm("segment$start$__DATA"), cl_data_end __asm("segment$end$__DATA");
#else
extern char __start_cl_constant[] __attribute__((weak, visibility("hidden")));
extern char __stop_cl_constant[] __attribute__((weak, visibility("hidden")));
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));
#endif
struct cl_variable {
    const char *name;
    void *at;
    size_t size, element;
    const size_t *sides;
};
#define CL_VARIABLE(name)                                                              \
    {#name, (void *)&name, sizeof(name), cl_sides<decltype(name)>::element,            \
     cl_sides<decltype(name)>::value}
// Those of the source, then one without a name. CL_VARIABLES lists them.
const cl_variable *cl_variables() {
    static const cl_variable all[] = {CL_VARIABLES{nullptr, nullptr, 0, 0, nullptr}};
    return all;
}

char *cl_module_range(int which) {
#ifdef __APPLE__
    char *of[] = {&cl_constants_begin, &cl_constants_end, &cl_data_begin, &cl_data_end};
#else
    char *of[] = {__start_cl_constant, __stop_cl_constant, __ehdr_start, _end};
#endif
    return of[which];
}
}
#pragma GCC visibility pop
