// CUDA C++'s language, for an ordinary C++17 compiler: included before a learner's source.
//
// A `.cu` file is compiled as it stands (source.py changes only its declarations of shared
// memory, each on its own line). What a thread asks of its block or warp goes to the runtime.
//
// Nothing of a C or C++ library is included: NVRTC has none either. Macros of the learner's reach
// no header, since all are read before the source. So whoever adds one keeps to three rules:
// 1. a macro that is left defined turns into keywords, names that begin with `cl_` or `__`, and its
//    own parameters: not into `thread` or `x`, which may be a learner's macro by then;
// 2. what CUDA does not name itself begins with `cl_`, macros for the header's own use with `CL_`;
// 3. a function of CUDA's without underscores is a template, `template <int = 0>`: a learner may
//    define one of the same name, as for NVRTC, and his is then preferred.
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT64_TYPE__ clock_t;
typedef __UINT64_TYPE__ cl_bits64;
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
#define NULL __null
namespace std {
template <class T> class initializer_list {  // laid out as the compiler has it
    const T *cl_first;
    size_t cl_size;

public:
    constexpr size_t size() const { return cl_size; }
    constexpr const T *begin() const { return cl_first; }
    constexpr const T *end() const { return cl_first + cl_size; }
};
}  // namespace std

#define __global__
#define __host__
// Inlined, so that code lies in the order in which it runs: the tracer relies on that.
#ifdef CL_RECURSIVE
#define __device__
#else
#define __device__ __attribute__((__always_inline__))
#endif
#define __forceinline__ inline __attribute__((__always_inline__))
#define __noinline__ __attribute__((noinline))
#define __constant__ __attribute__((__section__(CL_CONSTANT_SECTION), __used__))
// Constant, or GCC has a class's arrays made by whoever comes first, and that would be traced.
// Aligned as no type is more: GCC takes this alignment instead of the type's, if that is larger, too.
#ifdef __clang__
#define __shared__ thread_local __attribute__((__aligned__(128)))
#else
#define __shared__ CL_CONSTINIT thread_local __attribute__((__aligned__(128)))
#endif
#define __launch_bounds__(...)
#define __align__(n) __attribute__((__aligned__(n)))
#define __restrict__ __restrict
#define __grid_constant__
#define __managed__
#ifdef __clang__
#define CL_CONSTINIT __attribute__((require_constant_initialization))
#elif __GNUC__ >= 10
#define CL_CONSTINIT __constinit
#else
#define CL_CONSTINIT
#endif
#define __maxnreg__(n)
#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define __CUDA_ARCH__ 900
#define CONVLADDER_EMULATOR 1
#ifdef __APPLE__
#define CL_CONSTANT_SECTION "__DATA,cl_constant"
#else
#define CL_CONSTANT_SECTION "cl_constant"
#endif

#include "cl_vectors.h"

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// One thread of the grid, as the runtime and the kernel both see it.
struct cl_thread {
    uint3 cl_thread_idx, cl_block_idx;
    dim3 cl_block_dim, cl_grid_dim;
    unsigned cl_lane, cl_warp_number;
    cl_bits64 cl_declared;  // declarations of shared memory that this block has passed, a bit each
    void *cl_fiber;         // null where threads are turns of a loop
};

#define CL_SITE __builtin_return_address(0)
// Never watched; where nothing is, nothing is to keep a kernel from being inlined.
#ifndef CL_TRACED
#define CL_PLAIN __attribute__((noinline))
#elif defined(__clang__)
#define CL_PLAIN __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define CL_PLAIN __attribute__((noinline, __no_sanitize__("thread"), __no_sanitize_coverage__))
#endif
#define CL_IN __attribute__((always_inline))  // a member function

// All else is hidden: a kernel may have the name of a function of the C library.
#pragma GCC visibility push(default)
extern "C" {
extern __thread cl_thread *cl_now __attribute__((__tls_model__("initial-exec")));
// `call`: which call on that line, 0 if only the line is known.
int cl_barrier(int kind, int predicate, int line, int call = 0);
void cl_syncwarp(unsigned mask, const void *site);
// Leave `size` bytes for the other lanes of `mask`, and have those of `lane` put into `value`.
void cl_exchange(unsigned mask, int lane, void *value, size_t size, const void *site);
unsigned cl_vote(unsigned mask, int predicate, const void *site);
// What each lane of `mask` has: 16 bytes a lane, put into `all`. Gives the lanes that came.
unsigned cl_collect(unsigned mask, const void *value, size_t size, void *all, const void *site);
// The lanes that are at this line once none of the block can go on elsewhere.
unsigned cl_converged(int line, const void *site);
void *cl_dynamic_shared(const char *name, size_t element, size_t alignment);
int cl_is_shared(const void *at);
// `sides`: of the array's axes, then 0.
void cl_declare(unsigned number, void *at, size_t element, size_t alignment, const size_t *sides,
                const char *name);
void cl_atomic(const void *at, size_t size, unsigned how, const void *site);  // see cl_how
void cl_spin(const void *site);  // asked again and again: others may run meanwhile
// Copies that are done when they are waited for (copies.cpp), and barriers in shared memory with
// phases, in which threads arrive first and wait later (phases.cpp).
void cl_copy(void *to, const void *from, size_t size, size_t zeros, const void *site);
void cl_copy_bytes(void *to, const void *from, size_t size, unsigned rank, unsigned count,
                   const void *site);  // at once, each `count`-th byte from the `rank`-th on
void cl_copy_commit();
void cl_copy_wait(unsigned prior, const void *site);
void cl_copy_for(const void *barrier, const void *site);  // its next phase ends with them
void cl_phase_init(void *barrier, unsigned count, const void *site);
unsigned cl_phase_arrive(void *barrier, unsigned count, int drop, const void *site);
void cl_phase_wait(void *barrier, unsigned phase, const void *site);
void cl_phase_wait_parity(void *barrier, int parity, const void *site);
void cl_phase_expect(void *barrier, unsigned bytes, const void *site);  // before its phase ends
// By the copy engine, on behalf of a barrier: `size` bytes, of which the last are zeros.
void cl_bulk_copy(void *to, const void *from, size_t size, size_t zeros, void *barrier,
                  const void *site);
void cl_fence(int device);
void cl_proxy_fence();  // barriers that this thread began are there for the copy engine too
int cl_printf(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));
void cl_trap() __attribute__((__noreturn__));
long long cl_clock();
}
#pragma GCC visibility pop

#define threadIdx ((const uint3 &)cl_now->cl_thread_idx)
#define blockIdx ((const uint3 &)cl_now->cl_block_idx)
#define blockDim ((const dim3 &)cl_now->cl_block_dim)
#define gridDim ((const dim3 &)cl_now->cl_grid_dim)
extern const int warpSize;  // 32, but no constant expression

#define __syncthreads() ((void)cl_barrier(0, 0, __LINE__, __COUNTER__))
#define __syncthreads_count(p) cl_barrier(1, (p) ? 1 : 0, __LINE__, __COUNTER__)
#define __syncthreads_and(p) cl_barrier(2, (p) ? 1 : 0, __LINE__, __COUNTER__)
#define __syncthreads_or(p) cl_barrier(3, (p) ? 1 : 0, __LINE__, __COUNTER__)
#ifdef CL_TRACED
#define __threadfence() cl_fence(1)
#define __threadfence_block() cl_fence(0)
#else
#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)
#endif
#define __threadfence_system() __threadfence()
#ifdef CL_CHECKED  // a second run of what prints already
template <class... T> __forceinline__ int cl_unprinted(const char *, T...) { return 0; }
#define printf(...) cl_unprinted(__VA_ARGS__)
#else
#define printf(...) cl_printf(__VA_ARGS__)
#endif
// Byte by byte, so that each access is seen.
template <int = 0> __forceinline__ void *memcpy(void *to, const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
template <int = 0> __forceinline__ void *memset(void *to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = (char)value;
    return to;
}
__forceinline__ void *operator new(size_t, void *at) noexcept { return at; }
__forceinline__ void *operator new[](size_t, void *at) noexcept { return at; }
#define __trap() cl_trap()
#define assert(condition) ((condition) ? (void)0 : cl_trap())
#define __nanosleep(ns) ((void)0)
#define clock64() cl_clock()
#define clock() ((int)cl_clock())

// Written after each declaration of shared memory: its place is known from here on.
#define CL_DECLARE(number, name)                                                       \
    static_assert(sizeof(name) <= 227 << 10, "cl_shared_limit");                       \
    CL_ONCE(number) cl_declare(number, (void *)&name, cl_sides<decltype(name)>::cl_element,  \
                               cl_sides<decltype(name)>::cl_alignment,                 \
                               cl_sides<decltype(name)>::cl_extents, #name)
#ifdef CL_TRACED  // no branch, which would be told of as if it were the learner's
#define CL_ONCE(number)
#else
#define CL_ONCE(number) if (!(cl_now->cl_declared >> (number) & 1))
#endif

template <class T> struct cl_of_element {
    static constexpr size_t cl_element = sizeof(T), cl_alignment = alignof(T);
};
template <class T> struct cl_sides : cl_of_element<T> {
    static constexpr size_t cl_extents[] = {0};
};
template <class T, size_t a> struct cl_sides<T[a]> : cl_of_element<T> {
    static constexpr size_t cl_extents[] = {a, 0};
};
template <class T, size_t a, size_t b> struct cl_sides<T[a][b]> : cl_of_element<T> {
    static constexpr size_t cl_extents[] = {a, b, 0};
};
template <class T, size_t a, size_t b, size_t c> struct cl_sides<T[a][b][c]> : cl_of_element<T> {
    static constexpr size_t cl_extents[] = {a, b, c, 0};
};
template <class T, size_t a, size_t b, size_t c, size_t d>
struct cl_sides<T[a][b][c][d]> : cl_of_element<T> {
    static constexpr size_t cl_extents[] = {a, b, c, d, 0};
};

// `extern __shared__ T name[]` outside of all functions: a name that turns into its address.
#define CL_DYNAMIC(T, name)                                                            \
    static const struct cl_dynamic_##name {                                            \
        __forceinline__ operator T *() const {                                         \
            return (T *)cl_dynamic_shared(#name, sizeof(T), alignof(T));               \
        }                                                                              \
        template <class cl_to> __forceinline__ explicit operator cl_to *() const {     \
            return (cl_to *)(T *)*this;                                                \
        }                                                                              \
    } name = {};

#include "cl_math.h"
#include "cl_whole.h"
#include "cl_intrinsics.h"
#include "cl_atomics.h"
#include "cl_halves.h"
#include "cl_warp.h"
#include "cl_groups.h"
#include "cl_partitions.h"
#include "cl_collectives.h"
#include "cl_orders.h"
#include "cl_copies.h"
#include "cl_phases.h"
#include "cl_tensor_core.h"
#include "cl_launch.h"
