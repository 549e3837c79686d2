// CUDA's functions of numbers. Roundings are the processor's own, to nearest.
#pragma once

#define CL_FN static __forceinline__
// Names that a learner may use too. Where a function has float and double, 1 suits both equally:
// an error, as it is for NVRTC.
#define CL_OWN template <int = 0> CL_FN

#define CL_ONE(name)                                                                   \
    extern "C" float name##f(float);                                                   \
    CL_OWN float name(float x) { return __builtin_##name##f(x); }                      \
    CL_OWN double name(double x) { return __builtin_##name(x); }
CL_ONE(acos) CL_ONE(acosh) CL_ONE(asin) CL_ONE(asinh) CL_ONE(atan) CL_ONE(atanh) CL_ONE(cbrt)
CL_ONE(ceil) CL_ONE(cos) CL_ONE(cosh) CL_ONE(erf) CL_ONE(erfc) CL_ONE(exp) CL_ONE(exp2)
CL_ONE(expm1) CL_ONE(fabs) CL_ONE(floor) CL_ONE(lgamma) CL_ONE(log)
CL_ONE(log10) CL_ONE(log1p) CL_ONE(log2) CL_ONE(logb) CL_ONE(nearbyint) CL_ONE(rint)
CL_ONE(round) CL_ONE(sin) CL_ONE(sinh) CL_ONE(sqrt) CL_ONE(tan) CL_ONE(tanh) CL_ONE(tgamma)
CL_ONE(trunc)
#undef CL_ONE

#define CL_TWO(name)                                                                   \
    extern "C" float name##f(float, float);                                            \
    CL_OWN float name(float x, float y) { return __builtin_##name##f(x, y); }          \
    CL_OWN double name(double x, double y) { return __builtin_##name(x, y); }
CL_TWO(atan2) CL_TWO(copysign) CL_TWO(fdim) CL_TWO(fmax) CL_TWO(fmin) CL_TWO(fmod)
CL_TWO(hypot) CL_TWO(nextafter) CL_TWO(pow) CL_TWO(remainder)
#undef CL_TWO

#define CL_REST(T, f)                                                                  \
    CL_OWN T fma(T x, T y, T z) { return __builtin_fma##f(x, y, z); }                  \
    CL_OWN T ldexp(T x, int n) { return __builtin_ldexp##f(x, n); }                    \
    CL_OWN T scalbn(T x, int n) { return __builtin_scalbn##f(x, n); }                  \
    CL_OWN T scalbln(T x, long n) { return __builtin_scalbln##f(x, n); }               \
    CL_OWN T frexp(T x, int *n) { return __builtin_frexp##f(x, n); }                   \
    CL_OWN T modf(T x, T *whole) { return __builtin_modf##f(x, whole); }               \
    CL_OWN T remquo(T x, T y, int *n) { return __builtin_remquo##f(x, y, n); }         \
    CL_OWN int ilogb(T x) { return __builtin_ilogb##f(x); }                            \
    CL_OWN long lrint(T x) { return __builtin_lrint##f(x); }                           \
    CL_OWN long lround(T x) { return __builtin_lround##f(x); }                         \
    CL_OWN long long llrint(T x) { return __builtin_llrint##f(x); }                    \
    CL_OWN long long llround(T x) { return __builtin_llround##f(x); }                  \
    CL_OWN int isnan(T x) { return __builtin_isnan(x) != 0; }                          \
    CL_OWN int isinf(T x) { return __builtin_isinf(x) != 0; }                          \
    CL_OWN int isfinite(T x) { return __builtin_isfinite(x) != 0; }                    \
    CL_OWN int signbit(T x) { return __builtin_signbit(x) != 0; }                      \
    CL_OWN T abs(T x) { return __builtin_fabs##f(x); }
CL_REST(float, f)
CL_REST(double, )
#undef CL_REST
// Those that only CUDA has, `name` and `namef`.
#define CL_OF_CUDA(T, f)                                                               \
    CL_OWN T rsqrt##f(T x) { return 1 / __builtin_sqrt##f(x); }                        \
    CL_OWN T rcbrt##f(T x) { return 1 / __builtin_cbrt##f(x); }                        \
    CL_OWN T exp10##f(T x) { return __builtin_pow##f(10, x); }                         \
    CL_OWN T rhypot##f(T x, T y) { return 1 / __builtin_hypot##f(x, y); }              \
    CL_OWN T norm3d##f(T x, T y, T z) { return __builtin_sqrt##f(x * x + y * y + z * z); }   \
    CL_OWN T rnorm3d##f(T x, T y, T z) { return 1 / __builtin_sqrt##f(x * x + y * y + z * z); } \
    CL_OWN T normcdf##f(T x) { return __builtin_erfc##f(x * (T)-0.70710678118654752440) / 2; }  \
    CL_OWN T fdivide##f(T x, T y) { return x / y; }                                    \
    CL_OWN void sincos##f(T x, T *s, T *c) {                                           \
        *s = __builtin_sin##f(x);                                                      \
        *c = __builtin_cos##f(x);                                                      \
    }                                                                                  \
    CL_OWN T sinpi##f(T x) { /* the period taken off first, where it is exact */       \
        return __builtin_sin##f(__builtin_remainder##f(x, 2) * (T)3.14159265358979323846); \
    }                                                                                  \
    CL_OWN T cospi##f(T x) {                                                           \
        return __builtin_cos##f(__builtin_remainder##f(x, 2) * (T)3.14159265358979323846); \
    }                                                                                  \
    CL_OWN void sincospi##f(T x, T *s, T *c) { *s = sinpi##f(x), *c = cospi##f(x); }
CL_OF_CUDA(float, f)
CL_OF_CUDA(double, )
#undef CL_OF_CUDA
CL_OWN float rsqrt(float x) { return 1 / __builtin_sqrtf(x); }
CL_OWN float rcbrt(float x) { return 1 / __builtin_cbrtf(x); }
CL_OWN float exp10(float x) { return __builtin_powf(10, x); }
CL_OWN float sinpi(float x) { return sinpif(x); }
CL_OWN float cospi(float x) { return cospif(x); }
CL_OWN void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

extern "C" {
float fmaf(float, float, float), ldexpf(float, int), scalbnf(float, int), scalblnf(float, long);
float frexpf(float, int *), modff(float, float *), remquof(float, float, int *);
float nanf(const char *);
double nan(const char *);
int ilogbf(float);
long lrintf(float), lroundf(float), labs(long);
long long llrintf(float), llroundf(float), llabs(long long);
}
// Not to be had everywhere: whoever calls them is told that the emulator has them not.
float j0f(float), j1f(float), jnf(int, float), y0f(float), y1f(float), ynf(int, float);
double j0(double), j1(double), jn(int, double), y0(double), y1(double), yn(int, double);
CL_OWN int abs(int x) { return x < 0 ? -x : x; }
CL_OWN long abs(long x) { return x < 0 ? -x : x; }
CL_OWN long long abs(long long x) { return x < 0 ? -x : x; }

// Of two types that are both there only.
#define CL_LEAST(T, A, B)                                                              \
    CL_OWN constexpr T min(A a, B b) { return (T)b < (T)a ? (T)b : (T)a; }             \
    CL_OWN constexpr T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
#define CL_LEAST_WHOLE(T)                                                              \
    CL_LEAST(T, T, T)                                                                  \
    CL_LEAST(unsigned T, unsigned T, unsigned T)                                       \
    CL_LEAST(unsigned T, T, unsigned T)                                                \
    CL_LEAST(unsigned T, unsigned T, T)
CL_LEAST_WHOLE(int)
CL_LEAST_WHOLE(long)
CL_LEAST_WHOLE(long long)
#undef CL_LEAST_WHOLE
#undef CL_LEAST
#define CL_LEAST(T, A, B, f)                                                           \
    CL_OWN T min(A a, B b) { return __builtin_fmin##f(a, b); }                         \
    CL_OWN T max(A a, B b) { return __builtin_fmax##f(a, b); }
CL_LEAST(float, float, float, f)
CL_LEAST(double, double, double, )
CL_LEAST(double, float, double, )
CL_LEAST(double, double, float, )
#undef CL_LEAST
CL_OWN unsigned umin(unsigned a, unsigned b) { return min(a, b); }
CL_OWN unsigned umax(unsigned a, unsigned b) { return max(a, b); }
CL_OWN long long llmin(long long a, long long b) { return min(a, b); }
CL_OWN long long llmax(long long a, long long b) { return max(a, b); }
CL_OWN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
CL_OWN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
