// One of the 16-bit floating types with its pair, its operators and intrinsics. Included once for
// each type, with
//   CL_H, CL_H2          the type and the pair;  CL_NAME, CL_NAME2: as functions' names have them
//   CL_BITS(float, how)  rounds;  CL_VALUE(bits) gives the value
//   CL_DOUBLE(value)     what of a double is converted
// Everything takes its operands by value, so that a pair in memory is read as one.

#define CL_JOIN_(a, b, c, d) a##b##c##d
#define CL_JOIN(a, b, c, d) CL_JOIN_(a, b, c, d)
#define CL_TO(prefix, suffix) CL_JOIN(prefix, CL_NAME, suffix, )
#define CL_TO2(prefix, suffix) CL_JOIN(prefix, CL_NAME2, suffix, )

struct __attribute__((aligned(2))) CL_H {
    unsigned short cl_bits;
    CL_H() = default;
    CL_IN CL_H(float value) : cl_bits(CL_BITS(value, cl_nearest)) {}
    CL_IN CL_H(double value) : cl_bits(CL_BITS(cl_odd(CL_DOUBLE(value)), cl_nearest)) {}
#define CL_FROM(T) CL_IN CL_H(T value) : cl_bits(CL_BITS(cl_odd((double)value), cl_nearest)) {}
#define CL_FROM_LONG(T, wide)                                                          \
    CL_IN CL_H(T value) : cl_bits(CL_BITS(cl_odd(cl_odd((wide)value)), cl_nearest)) {}
    CL_FROM(short) CL_FROM(unsigned short) CL_FROM(int) CL_FROM(unsigned)
    CL_FROM_LONG(long, long long) CL_FROM_LONG(unsigned long, unsigned long long)
    CL_FROM_LONG(long long, long long) CL_FROM_LONG(unsigned long long, unsigned long long)
#undef CL_FROM
#undef CL_FROM_LONG
    CL_IN operator float() const { return CL_VALUE(cl_bits); }
    CL_IN operator bool() const { return (cl_bits & 0x7fffu) != 0; }
#define CL_WHOLE(T) CL_IN operator T() const { return cl_whole<T>(CL_VALUE(cl_bits)); }
    CL_WHOLE(char) CL_WHOLE(signed char) CL_WHOLE(unsigned char)
    CL_WHOLE(short) CL_WHOLE(unsigned short) CL_WHOLE(int) CL_WHOLE(unsigned)
    CL_WHOLE(long) CL_WHOLE(unsigned long) CL_WHOLE(long long) CL_WHOLE(unsigned long long)
#undef CL_WHOLE
};

struct __attribute__((aligned(4))) CL_H2 {
    CL_H x, y;
    CL_H2() = default;
    CL_IN constexpr CL_H2(CL_H a, CL_H b) : x(a), y(b) {}
};

CL_FN CL_H cl_raw(unsigned short bits, CL_H) { CL_H made; made.cl_bits = bits; return made; }
CL_FN CL_H cl_fused(CL_H a, CL_H b, CL_H c) {  // one rounding: the product is exact in double
    double product = (double)CL_VALUE(a.cl_bits) * CL_VALUE(b.cl_bits);
    return CL_H(cl_odd(cl_odd_sum(product, CL_VALUE(c.cl_bits))));
}
CL_FN CL_H cl_saturated(CL_H a) { return CL_H(__saturatef(CL_VALUE(a.cl_bits))); }
CL_FN bool cl_no_number(CL_H a) { return CL_VALUE(a.cl_bits) != CL_VALUE(a.cl_bits); }
CL_FN CL_H cl_positive(CL_H a) {
    return cl_no_number(a) ? cl_raw(0x7fff, a) : a.cl_bits & 0x8000u ? cl_raw(0, a) : a;
}
// The greater, or with `less` the lesser; -0 is less than 0. Of a number and none, the number.
CL_FN CL_H cl_extreme(CL_H a, CL_H b, bool less, bool keep) {
    if (cl_no_number(a) || cl_no_number(b))
        return keep || (cl_no_number(a) && cl_no_number(b)) ? cl_raw(0x7fff, a)
               : cl_no_number(a) ? b : a;
    float u = CL_VALUE(a.cl_bits), v = CL_VALUE(b.cl_bits);
    bool below = u < v || (u == v && a.cl_bits > b.cl_bits);
    return below == less ? a : b;
}

// One function of the type and the same for the pair.
#define CL_ONE(name, name2, expression)                                                \
    CL_FN CL_H name(CL_H a) { float u = CL_VALUE(a.cl_bits); (void)u; return expression; } \
    CL_FN CL_H2 name2(CL_H2 a) { return CL_H2(name(a.x), name(a.y)); }
#define CL_TWO(name, name2, expression)                                                \
    CL_FN CL_H name(CL_H a, CL_H b) {                                                  \
        float u = CL_VALUE(a.cl_bits), v = CL_VALUE(b.cl_bits);                        \
        (void)u, (void)v;                                                              \
        return expression;                                                             \
    }                                                                                  \
    CL_FN CL_H2 name2(CL_H2 a, CL_H2 b) { return CL_H2(name(a.x, b.x), name(a.y, b.y)); }
#define CL_THREE(name, name2, expression)                                              \
    CL_FN CL_H name(CL_H a, CL_H b, CL_H c) { return expression; }                     \
    CL_FN CL_H2 name2(CL_H2 a, CL_H2 b, CL_H2 c) {                                     \
        return CL_H2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                        \
    }
CL_TWO(__hadd, __hadd2, CL_H(u + v))
CL_TWO(__hsub, __hsub2, CL_H(u - v))
CL_TWO(__hmul, __hmul2, CL_H(__fmul_rn(u, v)))
CL_TWO(__hadd_rn, __hadd2_rn, CL_H(u + v))
CL_TWO(__hsub_rn, __hsub2_rn, CL_H(u - v))
CL_TWO(__hmul_rn, __hmul2_rn, CL_H(__fmul_rn(u, v)))
CL_TWO(__hadd_sat, __hadd2_sat, cl_saturated(CL_H(u + v)))
CL_TWO(__hsub_sat, __hsub2_sat, cl_saturated(CL_H(u - v)))
CL_TWO(__hmul_sat, __hmul2_sat, cl_saturated(CL_H(__fmul_rn(u, v))))
CL_TWO(__hdiv, __h2div, CL_H(u / v))
CL_TWO(__hmax, __hmax2, cl_extreme(a, b, false, false))
CL_TWO(__hmin, __hmin2, cl_extreme(a, b, true, false))
CL_TWO(__hmax_nan, __hmax2_nan, cl_extreme(a, b, false, true))
CL_TWO(__hmin_nan, __hmin2_nan, cl_extreme(a, b, true, true))
CL_THREE(__hfma, __hfma2, cl_fused(a, b, c))
CL_THREE(__hfma_sat, __hfma2_sat, cl_saturated(cl_fused(a, b, c)))
CL_THREE(__hfma_relu, __hfma2_relu, cl_positive(cl_fused(a, b, c)))
CL_ONE(__hneg, __hneg2, cl_raw(u != u ? 0x7fff : a.cl_bits ^ 0x8000u, a))
CL_ONE(__habs, __habs2, cl_raw(u != u ? 0x7fff : a.cl_bits & 0x7fffu, a))
CL_ONE(hceil, h2ceil, CL_H(ceilf(u)))
CL_ONE(hfloor, h2floor, CL_H(floorf(u)))
CL_ONE(htrunc, h2trunc, CL_H(truncf(u)))
CL_ONE(hrint, h2rint, CL_H(rintf(u)))
CL_ONE(hsqrt, h2sqrt, CL_H(sqrtf(u)))
CL_ONE(hrsqrt, h2rsqrt, CL_H(cl_odd(1.0 / sqrt((double)u))))
CL_ONE(hrcp, h2rcp, CL_H(cl_odd(1.0 / (double)u)))
CL_ONE(hexp, h2exp, CL_H(cl_odd(exp((double)u))))
CL_ONE(hexp2, h2exp2, CL_H(cl_odd(exp2((double)u))))
CL_ONE(hexp10, h2exp10, CL_H(cl_odd(pow(10.0, (double)u))))
CL_ONE(hlog, h2log, CL_H(cl_odd(log((double)u))))
CL_ONE(hlog2, h2log2, CL_H(cl_odd(log2((double)u))))
CL_ONE(hlog10, h2log10, CL_H(cl_odd(log10((double)u))))
CL_ONE(hsin, h2sin, CL_H(cl_odd(sin((double)u))))
CL_ONE(hcos, h2cos, CL_H(cl_odd(cos((double)u))))
CL_ONE(htanh, h2tanh, CL_H(cl_odd(tanh((double)u))))
#undef CL_ONE
#undef CL_TWO
#undef CL_THREE
CL_FN CL_H2 __hcmadd(CL_H2 a, CL_H2 b, CL_H2 c) {
    return CL_H2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                 __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// Comparisons: false where one is no number, or with a u behind the name, true.
#define CL_COMPARE(name, expression)                                                   \
    CL_FN bool __h##name(CL_H a, CL_H b) {                                             \
        float u = CL_VALUE(a.cl_bits), v = CL_VALUE(b.cl_bits);                        \
        return expression;                                                             \
    }                                                                                  \
    CL_FN CL_H2 __h##name##2(CL_H2 a, CL_H2 b) {                                       \
        return CL_H2(CL_H(__h##name(a.x, b.x) ? 1.0f : 0.0f),                          \
                     CL_H(__h##name(a.y, b.y) ? 1.0f : 0.0f));                         \
    }                                                                                  \
    CL_FN unsigned __h##name##2_mask(CL_H2 a, CL_H2 b) {                               \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
    }                                                                                  \
    CL_FN bool __hb##name##2(CL_H2 a, CL_H2 b) {                                       \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                             \
    }
CL_COMPARE(eq, u == v)
CL_COMPARE(ne, u < v || u > v)
CL_COMPARE(lt, u < v)
CL_COMPARE(le, u <= v)
CL_COMPARE(gt, u > v)
CL_COMPARE(ge, u >= v)
CL_COMPARE(equ, !(u < v || u > v))
CL_COMPARE(neu, !(u == v))
CL_COMPARE(ltu, !(u >= v))
CL_COMPARE(leu, !(u > v))
CL_COMPARE(gtu, !(u <= v))
CL_COMPARE(geu, !(u < v))
#undef CL_COMPARE
CL_FN bool __hisnan(CL_H a) { return cl_no_number(a); }
CL_FN CL_H2 __hisnan2(CL_H2 a) {
    return CL_H2(CL_H(__hisnan(a.x) ? 1.0f : 0.0f), CL_H(__hisnan(a.y) ? 1.0f : 0.0f));
}
CL_FN int __hisinf(CL_H a) {
    float u = CL_VALUE(a.cl_bits);
    return u - u == 0 || u != u ? 0 : u > 0 ? 1 : -1;
}

#define CL_OPERATORS(T, add, sub, mul, div, neg, one)                                  \
    CL_FN T operator+(T a, T b) { return add(a, b); }                                  \
    CL_FN T operator-(T a, T b) { return sub(a, b); }                                  \
    CL_FN T operator*(T a, T b) { return mul(a, b); }                                  \
    CL_FN T operator/(T a, T b) { return div(a, b); }                                  \
    CL_FN T &operator+=(T &a, T b) { return a = add(a, b); }                           \
    CL_FN T &operator-=(T &a, T b) { return a = sub(a, b); }                           \
    CL_FN T &operator*=(T &a, T b) { return a = mul(a, b); }                           \
    CL_FN T &operator/=(T &a, T b) { return a = div(a, b); }                           \
    CL_FN T operator+(T a) { return a; }                                               \
    CL_FN T operator-(T a) { return neg(a); }                                          \
    CL_FN T &operator++(T &a) { return a = add(a, one); }                              \
    CL_FN T &operator--(T &a) { return a = sub(a, one); }                              \
    CL_FN T operator++(T &a, int) { T old = a; a = add(a, one); return old; }          \
    CL_FN T operator--(T &a, int) { T old = a; a = sub(a, one); return old; }
CL_OPERATORS(CL_H, __hadd, __hsub, __hmul, __hdiv, __hneg, CL_H(1.0f))
CL_OPERATORS(CL_H2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, CL_H2(CL_H(1.0f), CL_H(1.0f)))
#undef CL_OPERATORS
#define CL_COMPARED(T, eq, ne, gt, lt, ge, le)                                         \
    CL_FN bool operator==(T a, T b) { return eq(a, b); }                               \
    CL_FN bool operator!=(T a, T b) { return ne(a, b); }                               \
    CL_FN bool operator>(T a, T b) { return gt(a, b); }                                \
    CL_FN bool operator<(T a, T b) { return lt(a, b); }                                \
    CL_FN bool operator>=(T a, T b) { return ge(a, b); }                               \
    CL_FN bool operator<=(T a, T b) { return le(a, b); }
CL_COMPARED(CL_H, __heq, __hneu, __hgt, __hlt, __hge, __hle)
CL_COMPARED(CL_H2, __hbeq2, __hbneu2, __hbgt2, __hblt2, __hbge2, __hble2)
#undef CL_COMPARED

// From and to other types.
CL_FN CL_H CL_TO(__float2, )(float a) { return CL_H(a); }
CL_FN CL_H CL_TO(__double2, )(double a) { return CL_H(a); }
CL_FN float CL_TO(__, 2float)(CL_H a) { return CL_VALUE(a.cl_bits); }
#define CL_ROUNDED(suffix, how)                                                        \
    CL_FN CL_H CL_TO(__float2, suffix)(float a) { return cl_raw(CL_BITS(a, how), CL_H()); } \
    CL_CONVERT(int, int, suffix, how)                                                  \
    CL_CONVERT(uint, unsigned, suffix, how)                                            \
    CL_CONVERT(short, short, suffix, how)                                              \
    CL_CONVERT(ushort, unsigned short, suffix, how)                                    \
    CL_CONVERT(ll, long long, suffix, how)                                             \
    CL_CONVERT(ull, unsigned long long, suffix, how)
#define CL_CONVERT(name, T, suffix, how)                                               \
    CL_FN CL_H CL_TO(__##name##2, suffix)(T a) {                                       \
        return cl_raw(CL_BITS(cl_odd(cl_odd(cl_widest(a))), how), CL_H());             \
    }                                                                                  \
    CL_FN T CL_TO(__, 2##name##suffix)(CL_H a) { return cl_whole<T>(CL_VALUE(a.cl_bits), how); }
CL_ROUNDED(_rn, cl_nearest)
CL_ROUNDED(_rz, cl_to_zero)
CL_ROUNDED(_rd, cl_down)
CL_ROUNDED(_ru, cl_up)
#undef CL_ROUNDED
#undef CL_CONVERT
CL_FN signed char CL_TO(__, 2char_rz)(CL_H a) { return cl_whole<signed char>((float)a); }
CL_FN unsigned char CL_TO(__, 2uchar_rz)(CL_H a) { return cl_whole<unsigned char>((float)a); }
CL_FN short CL_TO(__, _as_short)(CL_H a) { return (short)a.cl_bits; }
CL_FN unsigned short CL_TO(__, _as_ushort)(CL_H a) { return a.cl_bits; }
CL_FN CL_H CL_TO(__short_as_, )(short a) { return cl_raw((unsigned short)a, CL_H()); }
CL_FN CL_H CL_TO(__ushort_as_, )(unsigned short a) { return cl_raw(a, CL_H()); }

CL_FN CL_H2 CL_TO2(make_, )(CL_H a, CL_H b) { return CL_H2(a, b); }
CL_FN CL_H2 CL_TO2(__halves2, )(CL_H a, CL_H b) { return CL_H2(a, b); }
CL_FN CL_H2 CL_JOIN(__, CL_NAME, 2, CL_NAME2)(CL_H a) { return CL_H2(a, a); }
CL_FN CL_H2 CL_TO2(__float2, _rn)(float a) { return CL_H2(CL_H(a), CL_H(a)); }
CL_FN CL_H2 CL_TO2(__floats2, _rn)(float a, float b) { return CL_H2(CL_H(a), CL_H(b)); }
CL_FN CL_H2 CL_TO2(__float22, _rn)(float2 a) { return CL_H2(CL_H(a.x), CL_H(a.y)); }
CL_FN float2 CL_TO2(__, 2float2)(CL_H2 a) { return {(float)a.x, (float)a.y}; }
CL_FN float __low2float(CL_H2 a) { return (float)a.x; }
CL_FN float __high2float(CL_H2 a) { return (float)a.y; }
CL_FN CL_H CL_TO(__low2, )(CL_H2 a) { return a.x; }
CL_FN CL_H CL_TO(__high2, )(CL_H2 a) { return a.y; }
CL_FN CL_H2 CL_TO2(__low2, )(CL_H2 a) { return CL_H2(a.x, a.x); }
CL_FN CL_H2 CL_TO2(__high2, )(CL_H2 a) { return CL_H2(a.y, a.y); }
CL_FN CL_H2 CL_TO2(__lows2, )(CL_H2 a, CL_H2 b) { return CL_H2(a.x, b.x); }
CL_FN CL_H2 CL_TO2(__highs2, )(CL_H2 a, CL_H2 b) { return CL_H2(a.y, b.y); }
CL_FN CL_H2 __lowhigh2highlow(CL_H2 a) { return CL_H2(a.y, a.x); }

// Added in 16 bits; of a pair, each half by itself.
CL_PLAIN static CL_H atomicAdd(CL_H *at, CL_H value) {
    cl_atomic(at, sizeof *at, CL_DEVICE_ATOMIC, CL_SITE);
    unsigned short *bits = (unsigned short *)at, old = *(volatile unsigned short *)bits;
    while (!cl_swap(bits, &old, __hadd(cl_raw(old, value), value).cl_bits)) {}
    return cl_raw(old, value);
}
CL_PLAIN static CL_H2 atomicAdd(CL_H2 *at, CL_H2 value) {
    cl_atomic(at, sizeof *at, CL_DEVICE_ATOMIC, CL_SITE);
    unsigned *bits = (unsigned *)at, old = *(volatile unsigned *)bits;
    CL_H2 before;
    do before = CL_H2(cl_raw(old & 0xffffu, value.x), cl_raw(old >> 16, value.x));
    while (!cl_swap(bits, &old, cl_bits<unsigned>(__hadd2(before, value))));
    return before;
}

#undef CL_JOIN_
#undef CL_JOIN
#undef CL_TO
#undef CL_TO2
