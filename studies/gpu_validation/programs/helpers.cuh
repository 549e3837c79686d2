// Functions that a kernel calls, and what else stands beside it.

//: a helper with __device__
__device__ float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: a helper without __device__
float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: a template without __device__
template <class T> T twice(T v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: constexpr without __device__
constexpr int up(int a, int b) { return (a + b - 1) / b; }
extern "C" __global__ void f(float *y, int n) {
    __shared__ float tile[up(30, 8)];
    tile[0] = up(n, 4);
    y[0] = tile[0];
}

//: a helper that nothing calls
float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: refused: __host__ alone
__host__ float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = 1; }

//: __host__ __device__
__host__ __device__ float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: __host__ and __device__ with words between
__host__ __forceinline__ __device__ float twice(float v) { return 2 * v; }
template <class T> __device__ inline __host__ T thrice(T v) { return 3 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(thrice(y[1])); }

//: main beside a kernel
extern "C" __global__ void f(float *y) { y[0] = 1; }
int main() { return 0; }

//: refused: main that allocates
extern "C" __global__ void f(float *y) { y[0] = 1; }
int main() {
    float *y;
    cudaMalloc(&y, 4);
    return 0;
}

//: refused: a launch within the source
extern "C" __global__ void g(float *y) { y[0] = 1; }
extern "C" __global__ void f(float *y) { g<<<1, 1>>>(y); }

//: a variable without __device__
float scale = 2;
extern "C" __global__ void f(float *y) { y[0] *= scale; }

//: constants without __constant__
const int n = 3;
const float half_of = 0.5f;
constexpr float weights[3] = {1, 2, 1};
extern "C" __global__ void f(float *y) { y[0] = weights[threadIdx.x % n] * half_of; }

//: members without __device__
struct Pair {
    float a, b;
    Pair(float both) : a(both), b(both) {}
    float sum() const { return a + b; }
};
extern "C" __global__ void f(float *y) { y[0] = Pair(y[1]).sum(); }

//: an operator of vectors
__device__ float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
extern "C" __global__ void f(float4 *y) { y[0] = y[1] + y[2]; }

//: refused: no operator of vectors
extern "C" __global__ void f(float4 *y) { y[0] = y[1] + y[2]; }

//: overloads
__device__ int kind(int) { return 1; }
__device__ int kind(float) { return 2; }
extern "C" __global__ void f(int *y) { y[0] = kind(1) + kind(1.0f); }

//: refused: an overload that two calls would suit
__device__ int kind(int) { return 1; }
__device__ int kind(float) { return 2; }
extern "C" __global__ void f(int *y) { y[0] = kind(1.0); }

//: default arguments
__device__ float scaled(float v, float by = 2, int more = 0) { return v * by + more; }
extern "C" __global__ void f(float *y) { y[0] = scaled(y[1]) + scaled(y[2], 3); }

//: recursion
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
extern "C" __global__ void f(int *y) { y[0] = factorial(5); }

//: two functions that call each other
__device__ bool odd(int n);
__device__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ bool odd(int n) { return n != 0 && even(n - 1); }
extern "C" __global__ void f(int *y) { y[0] = even(y[1]); }

//: refused: called before it is declared
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }
__device__ float twice(float v) { return 2 * v; }

//: declared, called, then defined
__device__ float twice(float v);
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }
__device__ float twice(float v) { return 2 * v; }

//: refused: declared and never defined
__device__ float twice(float v);
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: refused: too many arguments
__device__ float twice(float v) { return 2 * v; }
extern "C" __global__ void f(float *y) { y[0] = twice(y[1], 2); }

//: __forceinline__, __noinline__, static, inline
static __device__ __forceinline__ float one(float v) { return v + 1; }
__device__ __noinline__ float two(float v) { return v + 2; }
inline __device__ float three(float v) { return v + 3; }
extern "C" __device__ float four(float v) { return v + 4; }
extern "C" __global__ void f(float *y) { y[0] = one(two(three(four(y[1])))); }

//: a function by its address
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
extern "C" __global__ void f(float *y, int which) {
    float (*chosen)(float, float) = which ? plus : times;
    y[0] = chosen(y[1], y[2]);
}

//: a lambda
extern "C" __global__ void f(float *y) {
    auto twice = [](float v) { return 2 * v; };
    y[0] = twice(y[1]);
}

//: a lambda that captures
extern "C" __global__ void f(float *y, int n) {
    auto store = [&](int i) { y[i] = n; };
    auto add = [=](float v) { return v + n; };
    store(0);
    y[1] = add(y[2]);
}

//: a lambda for any type
extern "C" __global__ void f(float *y) {
    auto twice = [](auto v) { return 2 * v; };
    y[0] = twice(y[1]) + twice(3);
}

//: a lambda passed to a template
template <class F> __device__ void each(int n, F todo) {
    for (int i = 0; i < n; i++) todo(i);
}
extern "C" __global__ void f(float *y) {
    each(4, [=](int i) { y[i] = i; });
}

//: refused: a lambda with __device__
extern "C" __global__ void f(float *y) {
    auto twice = [] __device__(float v) { return 2 * v; };
    y[0] = twice(y[1]);
}

//: a lambda outside of all functions
auto twice = [](float v) { return 2 * v; };
extern "C" __global__ void f(float *y) { y[0] = twice(y[1]); }

//: refused: a function within a function
extern "C" __global__ void f(float *y) {
    float twice(float v) { return 2 * v; }
    y[0] = twice(y[1]);
}

//: virtual functions
struct Shape { __device__ virtual float area() const { return 0; } };
struct Square : Shape {
    float side;
    __device__ float area() const override { return side * side; }
};
extern "C" __global__ void f(float *y) {
    Square square;
    square.side = y[1];
    const Shape *shape = &square;
    y[0] = shape->area();
}

//: a number of arguments that varies
__device__ int second(int first, ...) {
    va_list list;
    va_start(list, first);
    int next = va_arg(list, int);
    va_end(list);
    return next;
}
extern "C" __global__ void f(int *y) { y[0] = second(1, 2); }

//: functions in namespaces
namespace blur::inner {
__device__ float mean(float a, float b) { return (a + b) / 2; }
}
namespace b = blur::inner;
extern "C" __global__ void f(float *y) { y[0] = b::mean(y[1], y[2]); }

//: functions of CUDA's, defined again
__device__ float min(float a, float b) { return a < b ? a : b; }
__device__ float clamp(float v, float low, float high) { return min(high, v < low ? low : v); }
__device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ float sqrtf(float v) { return v; }
extern "C" __global__ void f(float *y) { y[0] = lerp(clamp(y[1], 0, 1), min(y[2], y[3]), sqrtf(2)); }

//: a template like one of CUDA's
template <class T> __device__ T max(T a, T b) { return a < b ? b : a; }
extern "C" __global__ void f(int *y) { y[0] = max(y[1], y[2]); }

//: no return where a value is due
__device__ int none() {}
extern "C" __global__ void f(float *y) { if (y[0] > 1) y[0] = none(); }
