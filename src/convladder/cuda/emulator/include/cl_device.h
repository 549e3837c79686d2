// CUDA C++'s language, for an ordinary C++17 compiler: included before a learner's source.
//
// A `.cu` file is compiled as it stands (source.py changes only its declarations of shared
// memory, each on its own line). What a thread asks of its block or warp goes to the runtime.
#pragma once
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define __global__
#define __host__
// Inlined, so that code lies in the order in which it runs: the tracer relies on that.
#ifdef CL_RECURSIVE
#define __device__
#else
#define __device__ __attribute__((always_inline))
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __constant__ __attribute__((section(CL_CONSTANT_SECTION), used))
#define __shared__ static thread_local __attribute__((aligned(16)))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
#define __grid_constant__
#define __CUDACC__ 1
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
    uint3 thread, block;
    dim3 block_dim, grid_dim;
    unsigned lane, warp;
    uint64_t declared;  // declarations of shared memory that this block has passed, one bit each
    void *fiber;        // null where threads are turns of a loop
};

#define CL_SITE __builtin_return_address(0)
#ifdef __clang__
#define CL_PLAIN __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define CL_PLAIN __attribute__((noinline, no_sanitize("thread", "coverage")))
#endif

// All else is hidden: a kernel may have the name of a function of the C library.
#pragma GCC visibility push(default)
extern "C" {
extern __thread cl_thread *cl_now __attribute__((tls_model("initial-exec")));
int cl_barrier(int kind, int predicate, int line);
void cl_syncwarp(unsigned mask, const void *site);
// Leave `size` bytes for the other lanes of `mask`, and have those of `lane` put into `value`.
void cl_exchange(unsigned mask, int lane, void *value, size_t size, const void *site);
unsigned cl_vote(unsigned mask, int predicate, const void *site);
void *cl_dynamic_shared(const char *name, size_t element);
// `sides`: of the array's axes, then 0.
void cl_declare(unsigned number, void *at, size_t element, const size_t *sides, const char *name);
void cl_atomic(const void *at, size_t size, const void *site);
void cl_fence(int device);
int cl_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cl_trap() __attribute__((noreturn));
long long cl_clock();
}
#pragma GCC visibility pop

#define threadIdx (cl_now->thread)
#define blockIdx (cl_now->block)
#define blockDim (cl_now->block_dim)
#define gridDim (cl_now->grid_dim)
#define warpSize 32

#define __syncthreads() ((void)cl_barrier(0, 0, __LINE__))
#define __syncthreads_count(p) cl_barrier(1, (p) ? 1 : 0, __LINE__)
#define __syncthreads_and(p) cl_barrier(2, (p) ? 1 : 0, __LINE__)
#define __syncthreads_or(p) cl_barrier(3, (p) ? 1 : 0, __LINE__)
#ifdef CL_TRACED
#define __threadfence() cl_fence(1)
#define __threadfence_block() cl_fence(0)
#else
#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)
#endif
#define __threadfence_system() __threadfence()
#define printf(...) cl_printf(__VA_ARGS__)
namespace std { using ::cl_printf; }
#define __trap() cl_trap()
#define assert(condition) ((condition) ? (void)0 : cl_trap())
#define __nanosleep(ns) ((void)0)
#define clock64() cl_clock()
#define clock() ((int)cl_clock())

// Written after each declaration of shared memory: its place is known from here on.
#define CL_DECLARE(number, name)                                                       \
    static_assert(sizeof(name) <= 227 << 10, "cl_shared_limit");                       \
    CL_ONCE(number) cl_declare(number, (void *)&name, cl_sides<decltype(name)>::element,     \
                               cl_sides<decltype(name)>::value, #name)
#ifdef CL_TRACED  // no branch, which would be told of as if it were the learner's
#define CL_ONCE(number)
#else
#define CL_ONCE(number) if (!(cl_now->declared >> (number) & 1))
#endif

template <class T> struct cl_sides {
    static constexpr size_t element = sizeof(T), value[] = {0};
};
template <class T, size_t a> struct cl_sides<T[a]> {
    static constexpr size_t element = sizeof(T), value[] = {a, 0};
};
template <class T, size_t a, size_t b> struct cl_sides<T[a][b]> {
    static constexpr size_t element = sizeof(T), value[] = {a, b, 0};
};
template <class T, size_t a, size_t b, size_t c> struct cl_sides<T[a][b][c]> {
    static constexpr size_t element = sizeof(T), value[] = {a, b, c, 0};
};
template <class T, size_t a, size_t b, size_t c, size_t d> struct cl_sides<T[a][b][c][d]> {
    static constexpr size_t element = sizeof(T), value[] = {a, b, c, d, 0};
};

// `extern __shared__ T name[]` outside of all functions: a name that turns into its address.
#define CL_DYNAMIC(T, name)                                                            \
    static const struct cl_dynamic_##name {                                            \
        __forceinline__ operator T *() const {                                         \
            return (T *)cl_dynamic_shared(#name, sizeof(T));                           \
        }                                                                              \
        template <class U> __forceinline__ explicit operator U *() const {             \
            return (U *)(T *)*this;                                                    \
        }                                                                              \
    } name = {};

#include "cl_warp.h"
#include "cl_atomics.h"
#include "cl_math.h"
