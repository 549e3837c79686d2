// The kernel itself: how it is declared and what it takes.

//: without extern "C"
__global__ void f(float *y) { y[0] = 1; }

//: static
static __global__ void f(float *y) { y[0] = 1; }

//: refused: in a namespace
namespace mine {
__global__ void f(float *y) { y[0] = 1; }
}

//: in a namespace, by its full name [mine::f]
namespace mine {
__global__ void f(float *y) { y[0] = 1; }
}

//: refused: one that returns a number
extern "C" __global__ int f(float *y) { return y[0]; }

//: refused: another name
extern "C" __global__ void g(float *y) { y[0] = 1; }

//: refused: no kernel
extern "C" __device__ void f(float *y) { y[0] = 1; }

//: __launch_bounds__
#define THREADS 128
extern "C" __global__ void __launch_bounds__(THREADS, 2) f(float *y) { y[threadIdx.x] = 1; }

//: __launch_bounds__ before __global__
extern "C" __launch_bounds__(128) __global__ void f(float *y) { y[threadIdx.x] = 1; }

//: __restrict__
extern "C" __global__ void f(const float *__restrict__ x, float *__restrict__ y) { y[0] = x[0]; }

//: refused: restrict as C has it
extern "C" __global__ void f(const float *restrict x, float *restrict y) { y[0] = x[0]; }

//: a reference
extern "C" __global__ void f(float &y) { y = 1; }

//: a structure
struct Sizes { int rows, columns; };
extern "C" __global__ void f(float *y, Sizes sizes) { y[0] = sizes.rows * sizes.columns; }

//: an array as a parameter
extern "C" __global__ void f(float y[], const float x[4]) { y[0] = x[3]; }

//: a pointer to rows
extern "C" __global__ void f(float (*y)[8]) { y[1][2] = 1; }

//: a default argument
extern "C" __global__ void f(float *y, int n = 3) { y[0] = n; }

//: numbers of every kind
extern "C" __global__ void f(double *y, char a, unsigned char b, short c, unsigned d, long long e,
                             float g, double h, bool i, size_t j) {
    y[0] = a + b + c + d + e + g + h + i + j;
}

//: a template [f<float, 8>]
template <typename T, int n> __global__ void f(T *y) {
    __shared__ T tile[n];
    tile[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

//: refused: a template without its arguments
template <int n> __global__ void f(float *y) { y[0] = n; }

//: refused: a template with one argument too few [f<float>]
template <typename T, int n> __global__ void f(T *y) { y[0] = n; }

//: refused: an instance that does not compile [f<float *>]
template <class T> __global__ void f(T *y) { y[0] = y[1] * y[2]; }

//: an instance that would not, not asked for [f<float>]
template <class T> __global__ void f(T *y) { y[0] = y[1] * y[2]; }

//: an explicit instance [f<4>]
template <int n> __global__ void f(float *y) { y[0] = n; }
template __global__ void f<4>(float *);

//: a template within a template [f<Wide<float>>]
template <class T> struct Wide { T a, b; };
template <class T> __global__ void f(T *y) { y[0].a = y[0].b; }

//: if constexpr by type [f<int>]
template <class T, class U> constexpr bool same = false;
template <class T> constexpr bool same<T, T> = true;
template <class T> __global__ void f(T *y) {
    if constexpr (same<T, int>) y[0] = 7;
    else y[0].nothing();
}

//: a kernel that calls another
extern "C" __global__ void g(float *y) { y[0] = 1; }
extern "C" __global__ void f(float *y) { g(y); }

//: several kernels, one with a slip of style
extern "C" __global__ void f(float *y) { y[0] = 1; }
extern "C" __global__ void g(float *y) { int unused; y[0] = 2; };

//: refused: a mistake in another kernel
extern "C" __global__ void f(float *y) { y[0] = 1; }
extern "C" __global__ void g(float *y) { y[0] = missing; }

//: #pragma unroll
#define N 4
extern "C" __global__ void f(float *y, int n) {
#pragma unroll
    for (int i = 0; i < 4; i++) y[i] = i;
#pragma unroll N
    for (int i = 0; i < N; i++) y[i] += i;
#pragma unroll (2 + 2)
    for (int i = 0; i < n; i++) y[i] += i;
#pragma unroll 1
    while (n-- > 0) y[n] += n;
}

//: refused: threadIdx changed
extern "C" __global__ void f(float *y) { threadIdx.x = 3; y[0] = 1; }

//: refused: blockDim changed
extern "C" __global__ void f(float *y) { blockDim.x /= 2; y[0] = 1; }

//: refused: threadIdx.w
extern "C" __global__ void f(float *y) { y[0] = threadIdx.w; }

//: threadIdx kept and passed on
__device__ int along(uint3 at, dim3 size) { return at.y * size.x + at.x; }
extern "C" __global__ void f(float *y) {
    const uint3 at = threadIdx;
    auto size = blockDim;
    y[along(at, size)] = along(threadIdx, gridDim);
}

//: a variable warpSize
extern "C" __global__ void f(float *y) { const int warpSize = 16; y[0] = warpSize; }

//: warpSize in a sum
extern "C" __global__ void f(float *y) { y[threadIdx.x / warpSize] = threadIdx.x % warpSize; }

//: refused: __syncthreads without brackets
extern "C" __global__ void f(float *y) { __syncthreads; y[0] = undeclared; }

//: refused: __syncthreads with an argument
extern "C" __global__ void f(float *y) { __syncthreads(1); y[0] = 1; }

//: refused: __syncthread
extern "C" __global__ void f(float *y) { __syncthread(); y[0] = 1; }

//: assembly
extern "C" __global__ void f(int *y) { asm volatile("mov.u32 %0, %%laneid;" : "=r"(y[0])); }

//: refused: assembly with a slip
extern "C" __global__ void f(int *y) { asm volatile("move.u32 %0, %%laneid;" : "=r"(y[0])); }

//: refused: cudaDeviceSynchronize
extern "C" __global__ void f(float *y) { y[0] = 1; cudaDeviceSynchronize(); }
