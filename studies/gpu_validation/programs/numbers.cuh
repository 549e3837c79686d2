// Functions of numbers, atomics and what lanes exchange.

//: functions of floats
extern "C" __global__ void f(float *y) {
    y[0] = sqrtf(y[1]) + expf(y[2]) + fmaf(y[3], y[4], y[5]) + powf(y[6], 2) + rsqrtf(y[7]);
    y[1] = floorf(y[1]) + fabsf(y[2]) + fmaxf(y[3], 0) + roundf(y[4]) + __expf(y[5]) + tanhf(y[6]);
}

//: functions without f
extern "C" __global__ void f(float *y, double *z) {
    y[0] = sqrt(y[1]) + exp(y[2]) + pow(y[3], 2) + fabs(y[4]) + max(y[5], 0.0f) + abs(y[6]);
    z[0] = sqrt(z[1]) + exp(z[2]) + pow(z[3], 2) + fabs(z[4]) + max(z[5], 0.0) + rsqrt(z[6]);
}

//: refused: the root of a whole number
extern "C" __global__ void f(float *y, int n) { y[0] = sqrt(n); }

//: refused: exp of 1
extern "C" __global__ void f(float *y) { y[0] = exp(1); }

//: refused: pow of a float and a double
extern "C" __global__ void f(float *y) { y[0] = pow(y[1], 0.5); }

//: refused: max of a float and 0
extern "C" __global__ void f(float *y) { y[0] = max(y[1], 0); }

//: refused: min of size_t and int
extern "C" __global__ void f(float *y, size_t n) { y[0] = min(n, 3); }

//: refused: min of long and int
extern "C" __global__ void f(float *y, long n) { y[0] = min(n, 3); }

//: min and max of whole numbers
extern "C" __global__ void f(float *y, int n, unsigned m, long long l, short s, char c) {
    y[0] = min(n, 3) + max(m, 3u) + min(n, m) + max(l, 2ll) + min(s, n) + max(c, s);
    y[1] = max(threadIdx.x, 1) + min((int)blockIdx.x - 1, 0);
}

//: min and max of floats and doubles
extern "C" __global__ void f(float *y, double d) { y[0] = min(y[1], d) + max(d, y[2]); }

//: refused: min of pointers
extern "C" __global__ void f(float *y) { y[0] = *min(y, y + 1); }

//: refused: abs of an unsigned number
extern "C" __global__ void f(float *y, unsigned n) { y[0] = abs(n); }

//: isnan and its kind
extern "C" __global__ void f(float *y, double d) {
    y[0] = isnan(y[1]) + isinf(d) + isfinite(y[2]) + signbit(d);
}

//: two results of one function
extern "C" __global__ void f(float *y) {
    float s, c, whole;
    int power;
    sincosf(y[1], &s, &c);
    y[0] = s + c + modff(y[2], &whole) + frexpf(y[3], &power) + whole + power;
}

//: functions that only CUDA has
extern "C" __global__ void f(float *y) {
    y[0] = rcbrtf(y[1]) + exp10f(y[2]) + sinpif(y[3]) + norm3df(y[4], y[5], y[6]) + normcdff(y[7]);
    y[1] = __fdividef(y[1], y[2]) + __saturatef(y[3]) + __frcp_rn(y[4]) + __logf(y[5]);
}

//: roundings that are asked for
extern "C" __global__ void f(float *y) { y[0] = __fadd_rz(y[1], y[2]) + __fmul_ru(y[3], y[4]); }

//: inverses of the error function
extern "C" __global__ void f(float *y) { y[0] = erfinvf(y[1]) + normcdfinvf(y[2]); }

//: bits
extern "C" __global__ void f(int *y, unsigned n) {
    y[0] = __popc(n) + __clz(y[1]) + __ffs(y[2]) + __brev(n) + __byte_perm(n, n, 0x123);
    y[1] = __float_as_int(1.5f) + (int)__int_as_float(y[3]) + __mul24(y[1], y[2]) + __mulhi(y[3], 9);
}

//: four bytes at once
extern "C" __global__ void f(unsigned *y) { y[0] = __vadd4(y[1], y[2]); }

//: refused: a builtin of g++
extern "C" __global__ void f(int *y) { y[0] = __builtin_popcount(y[1]); }

//: refused: the least float by g++'s name
extern "C" __global__ void f(float *y) { y[0] = -__FLT_MAX__; }

//: loads with a hint
extern "C" __global__ void f(float *y, const float4 *x) {
    y[0] = __ldg(x).x + __ldg(y + 1) + __ldcg(y + 2) + __ldcs(&y[3]);
    __stcs(y + 4, 1.0f);
}

//: refused: a load with a hint, of a value
extern "C" __global__ void f(float *y) { y[0] = __ldg(y[1]); }

//: atomics
extern "C" __global__ void f(int *y, unsigned *u, float *z, double *d, unsigned long long *l) {
    __shared__ int own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    atomicAdd(&own, 1);
    atomicAdd(y, 1), atomicSub(y, 1), atomicMax(y, 2), atomicCAS(y, 0, 1), atomicExch(y, 3);
    atomicInc(u, 7u), atomicOr(u, 1u), atomicXor(u, 3u), atomicMin(u, 2u);
    atomicAdd(z, 1), atomicAdd(d, 1), atomicExch(z, 1.0f), atomicAdd(l, 1);
}

//: refused: atomicAdd to a char
extern "C" __global__ void f(char *y) { atomicAdd(y, 1); }

//: refused: atomicAdd to a long long
extern "C" __global__ void f(long long *y) { atomicAdd(y, 1); }

//: refused: atomicAdd to a size_t
extern "C" __global__ void f(size_t *y) { atomicAdd(y, 1); }

//: refused: atomicMax of floats
extern "C" __global__ void f(float *y) { atomicMax(y, 1.0f); }

//: refused: atomicAdd to a value
extern "C" __global__ void f(float *y) { atomicAdd(y[0], 1.0f); }

//: refused: atomicAdd through const
extern "C" __global__ void f(const float *y) { atomicAdd(y, 1.0f); }

//: shuffles
extern "C" __global__ void f(float *y, int *z) {
    float v = y[threadIdx.x];
    for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffff, v, by);
    y[threadIdx.x] = __shfl_sync(0xffffffff, v, 0) + __shfl_xor_sync(0xffffffff, v, 1, 8);
    z[threadIdx.x] = __ballot_sync(0xffffffff, v > 0) + __any_sync(0xffffffff, v > 1);
}

//: refused: a shuffle without its mask
extern "C" __global__ void f(float *y) { y[0] = __shfl_down(y[0], 1); }

//: refused: a shuffle of a vector
extern "C" __global__ void f(float4 *y) { y[0] = __shfl_down_sync(0xffffffff, y[0], 1); }

//: refused: __reduce_add_sync of floats, as a class
struct Sum { float v; };
extern "C" __global__ void f(Sum *y) { y[0] = __reduce_add_sync(0xffffffff, y[0]); }

//: clocks
extern "C" __global__ void f(long long *y) { y[0] = clock64() + clock(); }

//: numbers as C++17 writes them
extern "C" __global__ void f(float *y) { y[0] = 1'000 + 0b101 + 0x1.8p3f + 017 + 1e3f + .5f + 3.f; }

//: a division by a constant zero
extern "C" __global__ void f(int *y) { y[0] = y[1] / 0; }

//: refused: a constant of nothing
extern "C" __global__ void f(int *y) { constexpr int n = 1 / 0; y[0] = n; }
