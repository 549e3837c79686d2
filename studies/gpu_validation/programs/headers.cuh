// What can be included, and what is there without.

//: refused: <vector>
#include <vector>
extern "C" __global__ void f(float *y) { std::vector<float> v(2); y[0] = v[0]; }

//: refused: <vector> that nothing uses
#include <vector>
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: <stdio.h>
#include <stdio.h>
extern "C" __global__ void f(float *y) { printf("%g\n", y[0]); }

//: refused: <cstdio>
#include <cstdio>
extern "C" __global__ void f(float *y) { printf("%g\n", y[0]); }

//: refused: <assert.h>
#include <assert.h>
extern "C" __global__ void f(float *y) { assert(y[0] > 0); }

//: refused: <cstdint>
#include <cstdint>
extern "C" __global__ void f(float *y) { uint32_t n = 3; y[0] = n; }

//: refused: <stdint.h>
#include <stdint.h>
extern "C" __global__ void f(float *y) { uint32_t n = 3; y[0] = n; }

//: refused: <cmath>
#include <cmath>
extern "C" __global__ void f(float *y) { y[0] = sqrtf(y[1]); }

//: refused: <math.h>
#include <math.h>
extern "C" __global__ void f(float *y) { y[0] = sqrtf(y[1]); }

//: refused: <iostream>
#include <iostream>
extern "C" __global__ void f(float *y) { std::cout << y[0]; }

//: refused: <algorithm>
#include <algorithm>
extern "C" __global__ void f(float *y) { y[0] = std::max(y[0], y[1]); }

//: refused: a header beside the source
#include "mine.cuh"
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: <cuda_fp16.h>
#include <cuda_fp16.h>
extern "C" __global__ void f(half *y) { y[0] = __float2half(2 * __half2float(y[1])); }

//: <cuda_runtime.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: <cuda/std/cstdint>
#include <cuda/std/cstdint>
extern "C" __global__ void f(float *y) { uint32_t n = 3; cuda::std::int8_t m = 2; y[0] = n + m; }

//: <math_constants.h>
#include <math_constants.h>
extern "C" __global__ void f(float *y) { y[0] = fminf(y[1], CUDART_INF_F) * CUDART_PI_F; }

//: refused: half without its header
extern "C" __global__ void f(half *y) { y[0] = y[1]; }

//: a header within #if 0
#if 0
#include <vector>
#endif
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: a header for other compilers only
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: a header after macros
#define T 16
#define bits 8
#include <cuda_fp16.h>
extern "C" __global__ void f(half *y) { y[0] = __float2half(T + bits); }

//: refused: a header after a macro that breaks NVIDIA's
#define x 3
#include <cuda_fp16.h>
extern "C" __global__ void f(half *y) { y[0] = __float2half(x); }

//: refused: uint32_t
extern "C" __global__ void f(float *y) { uint32_t n = 3; y[0] = n; }

//: refused: int8_t as a parameter
extern "C" __global__ void f(const int8_t *x, int *y) { y[0] = x[0]; }

//: refused: uint
extern "C" __global__ void f(float *y) { uint n = threadIdx.x; y[n] = 1; }

//: uint32_t of one's own
typedef unsigned int uint32_t;
using u64 = unsigned long long;
extern "C" __global__ void f(float *y) { uint32_t n = 3; u64 m = 4; y[0] = n + m; }

//: size_t, ptrdiff_t and NULL
extern "C" __global__ void f(float *y) {
    size_t n = 3;
    ptrdiff_t m = -2;
    y[0] = y == NULL ? n : m;
}

//: refused: INT_MAX
extern "C" __global__ void f(int *y) { y[0] = INT_MAX; }

//: refused: FLT_MAX
extern "C" __global__ void f(float *y) { y[0] = FLT_MAX; }

//: refused: INFINITY
extern "C" __global__ void f(float *y) { y[0] = -INFINITY; }

//: refused: M_PI
extern "C" __global__ void f(float *y) { y[0] = sinf(M_PI); }

//: infinity by its bits
#define INFINITY __int_as_float(0x7f800000)
extern "C" __global__ void f(float *y) { y[0] = fmaxf(y[1], -INFINITY); }

//: printf and assert without a header
extern "C" __global__ void f(float *y) {
    assert(y[0] >= 0);
    printf("thread %d has %g\n", threadIdx.x, y[0]);
}

//: refused: std::printf
extern "C" __global__ void f(float *y) { std::printf("%g\n", y[0]); }

//: refused: std::min
extern "C" __global__ void f(float *y) { y[0] = std::min(y[1], y[2]); }

//: refused: std::sqrt
extern "C" __global__ void f(float *y) { y[0] = std::sqrt(y[1]); }

//: refused: std::swap
extern "C" __global__ void f(float *y) { std::swap(y[0], y[1]); }

//: refused: swap
extern "C" __global__ void f(float *y) { swap(y[0], y[1]); }

//: refused: std::numeric_limits
extern "C" __global__ void f(float *y) { y[0] = std::numeric_limits<float>::max(); }

//: using namespace std
using namespace std;
extern "C" __global__ void f(float *y) { y[0] = max(y[1], y[2]); }

//: refused: rand
extern "C" __global__ void f(float *y) { y[0] = rand(); }

//: refused: strlen
extern "C" __global__ void f(float *y) { y[0] = strlen("four"); }

//: refused: <mma.h> that nothing uses, with a slip
#include <mma.h>
extern "C" __global__ void f(float *y) { y[0] = z; }
