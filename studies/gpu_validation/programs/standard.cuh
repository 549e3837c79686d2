// C++17, what came after it, what only some compilers have, and the preprocessor.

//: C++17 statements
struct Pair { int a, b; };
extern "C" __global__ void f(int *y) {
    if (int n = y[1]; n > 2) y[0] = n;
    auto [a, b] = Pair{1, 2};
    if constexpr (sizeof(int) == 4) y[0] += a + b;
    switch (int n = y[2]; n) {
    case 1: y[0]++; [[fallthrough]];
    default: y[0]++;
    }
}

//: C++17 declarations
template <class... A> __device__ int sum(A... a) { return (a + ... + 0); }
template <class T> struct Box { T item; };
template <class T> Box(T) -> Box<T>;
inline __device__ int more = 2;
[[nodiscard]] __device__ int three() { return 3; }
template <auto n> __device__ int number() { return n; }
extern "C" __global__ void f(int *y) {
    Box box{4};
    [[maybe_unused]] int spare;
    y[0] = sum(1, 2, 3) + box.item + more + three() + number<7>();
}

//: a for loop over an array
extern "C" __global__ void f(int *y) {
    int own[3] = {1, 2, 3};
    for (int v : own) y[0] += v;
    for (auto &v : own) v = 2;
    for (int v : {4, 5}) y[v] = 1;
}

//: goto
extern "C" __global__ void f(int *y) {
    int i = 0;
again:
    y[i++] = 1;
    if (i < 3) goto again;
}

//: a constexpr function with a loop
constexpr __device__ int power(int n, int to) {
    int all = 1;
    for (int i = 0; i < to; i++) all *= n;
    return all;
}
extern "C" __global__ void f(int *y) {
    constexpr int eight = power(2, 3);
    __shared__ int own[eight];
    own[threadIdx.x % 8] = 1;
    y[threadIdx.x] = own[threadIdx.x % 8];
}

//: refused: C++20's concepts
template <class T> concept Small = sizeof(T) < 8;
template <Small T> __device__ T twice(T v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: refused: C++20's requires
template <class T> requires true __device__ T twice(T v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: refused: C++20's auto parameters
__device__ auto twice(auto v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: refused: C++20's lambdas with types
extern "C" __global__ void f(float *y) {
    auto twice = []<class T>(T v) { return 2 * v; };
    y[0] = twice(y[1]);
}

//: refused: C++20's for loop with a beginning
extern "C" __global__ void f(int *y) { for (int n = 2; int v : {1, 2}) y[v] = n; }

//: refused: C++20's consteval
consteval int three() { return 3; }
extern "C" __global__ void f(int *y) { y[0] = three(); }

//: refused: C++20's constinit
constinit __device__ int three = 3;
extern "C" __global__ void f(int *y) { y[0] = three; }

//: refused: C++20's three-way comparison
struct Size { int n; auto operator<=>(const Size &) const = default; };
extern "C" __global__ void f(int *y) { y[0] = Size{1} < Size{2}; }

//: refused: C++20's using enum
enum class Colour { red, green };
extern "C" __global__ void f(int *y) { using enum Colour; y[0] = (int)green; }

//: refused: C++20's bit fields with values
struct Packed { unsigned a : 4 = 1; };
extern "C" __global__ void f(int *y) { Packed p; y[0] = p.a; }

//: C++20's likely
extern "C" __global__ void f(int *y) { if (y[1] > 0) [[likely]] y[0] = 1; }

//: refused: an exception thrown
extern "C" __global__ void f(int *y) { if (y[0] > 1) throw 1; }

//: refused: an exception caught
extern "C" __global__ void f(int *y) { try { y[0] = 1; } catch (...) { y[0] = 2; } }

//: refused: a value of braces
extern "C" __global__ void f(int *y) { y[0] = ({ int n = 2; n + 1; }); }

//: refused: ?: with nothing between
extern "C" __global__ void f(int *y) { y[0] = y[1] ?: 2; }

//: refused: a range of cases
extern "C" __global__ void f(int *y) { switch (y[1]) { case 1 ... 3: y[0] = 1; } }

//: refused: a label's address
extern "C" __global__ void f(int *y) { void *to = &&end; goto *to; end: y[0] = 1; }

//: refused: typeof
extern "C" __global__ void f(float *y) { typeof(y[0]) v = 1; y[0] = v; }

//: refused: __typeof__
extern "C" __global__ void f(float *y) { __typeof__(y[0]) v = 1; y[0] = v; }

//: refused: register
extern "C" __global__ void f(float *y) { register float v = 1; y[0] = v; }

//: attributes of g++
__device__ __attribute__((noinline)) float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: a semicolon too many
struct Sizes { int rows; };;
__device__ int rows(Sizes s) { return s.rows; };
extern "C" __global__ void f(int *y) { Sizes s{2};; y[0] = rows(s); }

//: a structure without a name, within another
struct Point { union { struct { float a, b; }; float both[2]; }; };
extern "C" __global__ void f(float *y) { Point p; p.a = 1, p.b = 2; y[0] = p.both[1]; }

//: refused: an array without elements
struct Open { int n; float items[0]; };
extern "C" __global__ void f(int *y) { y[0] = sizeof(Open); }

//: macros with arguments
#define AT(row, column) ((row) * 8 + (column))
#define SQUARE(v) ((v) * (v))
#define JOIN(a, b) a##b
#define TEXT(a) #a
#define PRINT(format, ...) printf(format, ##__VA_ARGS__)
extern "C" __global__ void f(int *y) {
    int JOIN(n, 1) = SQUARE(3);
    y[AT(0, 1)] = n1 + sizeof(TEXT(four));
    PRINT("%d\n", n1);
    PRINT("none\n");
}

//: refused: a macro with an argument too few
#define AT(row, column) ((row) * 8 + (column))
extern "C" __global__ void f(int *y) { y[AT(1)] = 1; }

//: min and max as macros
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) < (b) ? (b) : (a))
extern "C" __global__ void f(float *y) { y[0] = max(y[1], 0) + min(y[2], 1); }

//: words for indices
#define tx threadIdx.x
#define ty threadIdx.y
#define bx blockIdx.x
#define INDEX (bx * blockDim.x + tx)
extern "C" __global__ void f(float *y) { y[INDEX] = ty; }

//: types as macros
#define float double
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: #if by architecture
#if __CUDA_ARCH__ < 700
#error too old
#endif
#if !defined(__CUDACC__) || defined(__NVCC__)
#error not what NVRTC says of itself
#endif
extern "C" __global__ void f(float *y) { y[0] = __CUDA_ARCH__; }

//: #if by compiler
#if defined(__GNUC__) || defined(__linux__) || defined(__x86_64__)
#error not a GPU
#endif
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: #error
#error not today
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: #warning
#warning perhaps tomorrow
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: #if without #endif
#if 1
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: #pragma once
#pragma once
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: comments and lines that go on
/* of several
   lines */
#define SUM(a, b) \
    ((a) + \
     (b))
extern "C" __global__ void f(float *y) { y[0] = SUM(y[1], /* and */ y[2]); }  // done

//: a last line without an end
extern "C" __global__ void f(float *y) { y[0] = 1; } // done
