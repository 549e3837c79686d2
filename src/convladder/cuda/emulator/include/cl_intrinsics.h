// CUDA's functions with underscores, most of them one instruction.
#pragma once

// Loads with a hint are loads.
#define __ldg(p) (*(p))
#define __ldcg(p) (*(p))
#define __ldca(p) (*(p))
#define __ldcs(p) (*(p))
#define __ldlu(p) (*(p))
#define __ldcv(p) (*(p))
#define __stwb(p, v) ((void)(*(p) = (v)))
#define __stcg(p, v) ((void)(*(p) = (v)))
#define __stcs(p, v) ((void)(*(p) = (v)))
#define __stwt(p, v) ((void)(*(p) = (v)))

CL_FN float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
CL_FN float __expf(float x) { return expf(x); }
CL_FN float __exp10f(float x) { return powf(10.0f, x); }
CL_FN float __logf(float x) { return logf(x); }
CL_FN float __log2f(float x) { return log2f(x); }
CL_FN float __log10f(float x) { return log10f(x); }
CL_FN float __powf(float x, float y) { return powf(x, y); }
CL_FN float __sinf(float x) { return sinf(x); }
CL_FN float __cosf(float x) { return cosf(x); }
CL_FN float __tanf(float x) { return tanf(x); }
CL_FN float __tanhf(float x) { return tanhf(x); }
CL_FN void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
CL_FN float __fdividef(float x, float y) { return x / y; }
CL_FN float __frcp_rn(float x) { return 1.0f / x; }
CL_FN float __fsqrt_rn(float x) { return sqrtf(x); }
CL_FN float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
CL_FN float __fadd_rn(float x, float y) { return x + y; }
CL_FN float __fsub_rn(float x, float y) { return x - y; }
CL_FN float __fmul_rn(float x, float y) { volatile float z = x * y; return z; }
CL_FN float __fdiv_rn(float x, float y) { return x / y; }
CL_FN float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
CL_FN double __fma_rn(double x, double y, double z) { return fma(x, y, z); }

CL_FN double __dadd_rn(double x, double y) { return x + y; }
CL_FN double __dsub_rn(double x, double y) { return x - y; }
CL_FN double __dmul_rn(double x, double y) { volatile double z = x * y; return z; }
CL_FN double __ddiv_rn(double x, double y) { return x / y; }
CL_FN double __drcp_rn(double x) { return 1.0 / x; }
CL_FN double __dsqrt_rn(double x) { return sqrt(x); }

#define CL_CONVERTED(F, f, name, T)                                                    \
    CL_FN T __##F##2##name##_rn(F x) { return cl_to<T>(__builtin_nearbyint##f(x)); }   \
    CL_FN T __##F##2##name##_rz(F x) { return cl_to<T>(x); }                           \
    CL_FN T __##F##2##name##_rd(F x) { return cl_to<T>(__builtin_floor##f(x)); }       \
    CL_FN T __##F##2##name##_ru(F x) { return cl_to<T>(__builtin_ceil##f(x)); }
#define CL_WHOLE(name, T)                                                              \
    CL_CONVERTED(float, f, name, T)                                                    \
    CL_CONVERTED(double, , name, T)                                                    \
    CL_FN float __##name##2float_rn(T x) { return (float)x; }                          \
    CL_FN double __##name##2double_rn(T x) { return (double)x; }
CL_WHOLE(int, int)
CL_WHOLE(uint, unsigned)
CL_WHOLE(ll, long long)
CL_WHOLE(ull, unsigned long long)
#undef CL_CONVERTED
#undef CL_WHOLE
CL_FN float __double2float_rn(double x) { return (float)x; }

template <class To, class From> CL_FN To cl_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
CL_FN int __float_as_int(float x) { return cl_bits<int>(x); }
CL_FN unsigned __float_as_uint(float x) { return cl_bits<unsigned>(x); }
CL_FN float __int_as_float(int x) { return cl_bits<float>(x); }
CL_FN float __uint_as_float(unsigned x) { return cl_bits<float>(x); }
CL_FN long long __double_as_longlong(double x) { return cl_bits<long long>(x); }
CL_FN double __longlong_as_double(long long x) { return cl_bits<double>(x); }
CL_FN int __double2hiint(double x) { return (int)(cl_bits<long long>(x) >> 32); }
CL_FN int __double2loint(double x) { return (int)cl_bits<long long>(x); }
CL_FN double __hiloint2double(int high, int low) {
    return cl_bits<double>((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

CL_FN int __popc(unsigned x) { return __builtin_popcount(x); }
CL_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CL_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
CL_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
CL_FN int __ffs(int x) { return __builtin_ffs(x); }
CL_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
CL_FN unsigned __brev(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++) r |= (x >> i & 1u) << (31 - i);
    return r;
}
CL_FN unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
CL_FN int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
CL_FN int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
CL_FN unsigned __uhadd(unsigned x, unsigned y) {
    return (unsigned)(((unsigned long long)x + y) >> 1);
}
CL_FN unsigned __urhadd(unsigned x, unsigned y) {
    return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
CL_FN unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
CL_FN unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
CL_FN int __mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
CL_FN int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
CL_FN unsigned __umulhi(unsigned x, unsigned y) {
    return (unsigned)(((unsigned long long)x * y) >> 32);
}
CL_FN unsigned __sad(int x, int y, unsigned z) { return z + (x < y ? y - x : x - y); }
CL_FN int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 32; i += 8) c += (int)(signed char)(a >> i) * (signed char)(b >> i);
    return c;
}
// 32 bits of 64, whose upper half is `high`: the upper ones after a shift to the left, or the lower
// ones after one to the right. By 31 places at most, with a c behind the name by 32.
CL_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
CL_FN unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by < 32 ? __funnelshift_l(low, high, by) : low;
}
CL_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
CL_FN unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by < 32 ? __funnelshift_r(low, high, by) : high;
}
CL_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) r |= (unsigned)(bytes >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
    return r;
}
