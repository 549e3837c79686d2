// Corners of the language, in which compilers differ.

//: hints for the compiler
extern "C" __global__ void f(float *y) {
    float *p = (float *)__builtin_assume_aligned(y, 16);
    if (__builtin_expect(p[0] > 0, 1)) p[0] = __builtin_bit_cast(int, 1.0f);
    if (p[0] < -1) __builtin_unreachable();
    __builtin_assume(p[0] > -1);
}

//: packed structures
struct __attribute__((packed)) Tight { char a; int b; };
#pragma pack(1)
struct Tighter { char a; int b; };
extern "C" __global__ void f(float *y) { y[0] = sizeof(Tight) + sizeof(Tighter) + __alignof__(int); }

//: refused: __extension__
extern "C" __global__ void f(float *y) { y[0] = __extension__ 1; }

//: refused: __auto_type
extern "C" __global__ void f(float *y) { __auto_type v = 1; y[0] = v; }

//: refused: _Bool
extern "C" __global__ void f(float *y) { _Bool b = 1; y[0] = b; }

//: refused: _Float16
extern "C" __global__ void f(float *y) { _Float16 v = 1; y[0] = v; }

//: refused: complex numbers of C
extern "C" __global__ void f(float *y) { _Complex float v = 1; y[0] = 1; }

//: refused: __VA_OPT__
#define PRINT(format, ...) printf(format __VA_OPT__(, ) __VA_ARGS__)
extern "C" __global__ void f(float *y) { PRINT("none"); }

//: __has_include
#if __has_include(<vector>) || !__has_include(<cuda_fp16.h>)
#error not what NVRTC has
#endif
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: arithmetic with void*
extern "C" __global__ void f(float *y) { void *p = y; p = p + 1; y[0] = 1; }

//: refused: a pointer beside a number
extern "C" __global__ void f(float *y) { if (y == 5) y[0] = 1; }

//: refused: pointers of two types compared
extern "C" __global__ void f(float *y, int *z) { if (y == z) y[0] = 1; }

//: a pointer beside 0
extern "C" __global__ void f(float *y) { if (y == 0 || y != nullptr) y[0] = 1; }

//: a pointer less than 0
extern "C" __global__ void f(float *y) { if (y < 0) y[0] = 1; }

//: goto past an initial value
extern "C" __global__ void f(float *y) {
    if (y[0] > 1) goto end;
    int n = 1;
    y[0] = n;
end:
    y[1] = 1;
}

//: a variable within a switch
extern "C" __global__ void f(float *y, int which) {
    switch (which) {
    case 1:
        int n = 1;
        y[0] = n;
        break;
    case 2: y[0] = 2;
    }
}

//: refused: a case twice
extern "C" __global__ void f(float *y, int n) { switch (n) { case 1: case 1: y[0] = 2; } }

//: refused: an array of fewer than no elements
extern "C" __global__ void f(float *y) { float own[2 - 3]; y[0] = own[0]; }

//: refused: a float that is too large
extern "C" __global__ void f(float *y) { y[0] = 1e40f; }

//: a shift that is too far
extern "C" __global__ void f(int *y) { y[0] = 1 << 40; }

//: refused: 08
extern "C" __global__ void f(int *y) { y[0] = 08; }

//: two letters for one
extern "C" __global__ void f(int *y) { y[0] = 'ab'; }

//: an undeclared function in a template that nobody uses
template <class T> __device__ T square(T v) { return missing(3); }
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: an undeclared function of a template's type, not used either
template <class T> __device__ T square(T v) { return missing(v); }
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: an undeclared function of a template's type, used
template <class T> __device__ T square(T v) { return missing(v); }
extern "C" __global__ void f(float *y) { y[0] = square(y[1]); }

//: static_assert(false) in a template that nobody uses
template <class T> __device__ T square(T v) { static_assert(false, "not yet"); return v; }
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: a reference to a number
__device__ void set(float &v) { v = 1; }
extern "C" __global__ void f(float *y) { set(2); }

//: refused: a reference of another type
__device__ void set(int &v) { v = 1; }
extern "C" __global__ void f(float *y) { set(y[0]); }

//: a reference to an element
__device__ void set(float &v) { v = 1; }
extern "C" __global__ void f(float *y) { set(y[threadIdx.x]); }

//: refused: a number's address
extern "C" __global__ void f(float *y) { const int *p = &3; y[0] = *p; }

//: casts that take const away
extern "C" __global__ void f(const float *x) {
    const_cast<float *>(x)[0] = 1;
    ((float *)x)[1] = 2;
}

//: refused: an enum counted up
enum Side { left, right };
extern "C" __global__ void f(int *y) { Side side = left; side++; y[0] = side; }

//: refused: arrays assigned
extern "C" __global__ void f(float *y) { float a[2], b[2] = {1, 2}; a = b; y[0] = a[0]; }

//: refused: a structure that is only announced
struct Later;
extern "C" __global__ void f(float *y) { Later later; y[0] = 1; }

//: refused: a deleted constructor
struct Never { Never() = delete; int n; };
extern "C" __global__ void f(float *y) { Never never; y[0] = never.n; }

//: refused: an explicit constructor
struct Size { int n; __device__ explicit Size(int of) : n(of) {} };
extern "C" __global__ void f(float *y) { Size size = 3; y[0] = size.n; }

//: operators of a class
struct View {
    float *data;
    int columns;
    __device__ float &operator()(int row, int column) { return data[row * columns + column]; }
    __device__ float &operator[](int i) { return data[i]; }
    __device__ operator float() const { return data[0]; }
};
extern "C" __global__ void f(float *y) {
    View view{y, 8};
    view(1, 2) = view[3] + view;
}

//: static members
struct Count {
    static int next() { return total + 1; }
    static int total;
};
int Count::total = 3;
extern "C" __global__ void f(int *y) { y[0] = Count::next(); }

//: a static member that is only declared
struct Count { static int total; };
extern "C" __global__ void f(int *y) { y[0] = Count::total; }

//: a list of numbers as an argument
__device__ int count(std::initializer_list<int> list) { return list.size(); }
extern "C" __global__ void f(int *y) { y[0] = count({1, 2, 3}); }

//: names for the members of a vector
extern "C" __global__ void f(float *y) {
    auto [a, b] = make_float2(1, 2);
    float pair[2] = {a, b};
    auto &[c, d] = pair;
    y[0] = c + d;
}

//: new at an address
extern "C" __global__ void f(float *y) { new (y) float(1); }

//: shared memory in a helper, and outside of all functions
__shared__ float outside[4];
__device__ float last(float v) {
    __shared__ float own[4];
    own[threadIdx.x % 4] = v;
    return own[3];
}
extern "C" __global__ void f(float *y) { outside[0] = 1; y[0] = last(y[1]) + outside[0]; }

//: static __shared__
extern "C" __global__ void f(float *y) { static __shared__ float own[4]; own[0] = 1; y[0] = own[0]; }

//: refused: const __shared__
extern "C" __global__ void f(float *y) { __shared__ const float own[4]; y[0] = own[0]; }

//: refused: __shared__ in a structure
struct Tile { __shared__ float own[4]; };
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: a __shared__ parameter
__device__ float first(__shared__ float *own) { return own[0]; }
extern "C" __global__ void f(float *y) { y[0] = first(y); }

//: extern __shared__ without brackets
extern "C" __global__ void f(float *y) { extern __shared__ float one; one = 1; y[0] = one; }

//: refused: a __device__ variable within a function
extern "C" __global__ void f(float *y) { __device__ float own = 1; y[0] = own; }

//: __constant__ and more words
static __constant__ float a[2];
__constant__ const float b[2] = {1, 2};
namespace mine { __constant__ float c[2] = {3}; }
extern "C" __global__ void f(float *y) { y[0] = a[0] + b[1] + mine::c[1]; }

//: __managed__
__managed__ float both;
extern "C" __global__ void f(float *y) { y[0] = both; }

//: a structure as __grid_constant__
struct Sizes { int rows; };
extern "C" __global__ void f(const __grid_constant__ Sizes sizes, float *y) { y[0] = sizes.rows; }

//: no parameters
__device__ int done;
extern "C" __global__ void f(void) { done = 1; }

//: refused: the same kernel twice
extern "C" __global__ void f(float *y) { y[0] = 1; }
extern "C" __global__ void f(float *y) { y[0] = 2; }

//: refused: two kernels of one name
__global__ void f(float *y) { y[0] = 1; }
__global__ void f(int *y) { y[0] = 1; }

//: refused: a parameter declared again
extern "C" __global__ void f(float *y, int n) { int n = 1; y[0] = n; }

//: barriers in expressions and helpers
__device__ int wait() { __syncthreads(); return 1; }
extern "C" __global__ void f(float *y) { y[0] = (__syncthreads(), wait()); }

//: other alphabets in comments and strings
// größe – α
extern "C" __global__ void f(float *y) { printf("größe – %g\n", y[0]); /* ½ */ }

//: a macro defined twice
#define N 1
#define N 2
extern "C" __global__ void f(float *y) { y[0] = N; }

//: refused: Python's True
extern "C" __global__ void f(float *y) { bool done = True; y[0] = done; }

//: refused: len
extern "C" __global__ void f(float *y) { y[0] = len(y); }
