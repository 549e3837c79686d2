// half: stored in 16 bits, each operation rounded to nearest even as the GPU does.
#pragma once

struct __attribute__((aligned(2))) __half {
    unsigned short bits;
    __half() = default;
    static __forceinline__ __half from(float value) {
        unsigned u = __float_as_uint(value), sign = u >> 16 & 0x8000u, mag = u & 0x7fffffffu;
        __half h;
        if (mag >= 0x7f800000u)
            h.bits = sign | 0x7c00u | (mag > 0x7f800000u ? 0x200u : 0u);
        else if (mag >= 0x477ff000u)
            h.bits = sign | 0x7c00u;  // rounds to infinity
        else if (mag < 0x38800000u) {  // below the least normal number: units of 2^-24
            float scaled = __uint_as_float(mag) * 16777216.0f;
            h.bits = sign | (unsigned)nearbyintf(scaled);
        } else {
            unsigned odd = mag >> 13 & 1u;
            h.bits = sign | ((mag - 0x38000000u + 0xfffu + odd) >> 13);
        }
        return h;
    }
    __half(float value) { *this = from(value); }
    __half(double value) { *this = from((float)value); }
    __half(int value) { *this = from((float)value); }
    operator float() const {
        unsigned sign = (bits & 0x8000u) << 16, mag = bits & 0x7fffu;
        if (mag >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | (mag & 0x3ffu) << 13);
        if (mag >= 0x400u) return __uint_as_float(sign | ((mag << 13) + 0x38000000u));
        float value = (float)mag * (1.0f / 16777216.0f);
        return sign ? -value : value;
    }
    __half &operator+=(__half o) { return *this = from((float)*this + (float)o); }
    __half &operator-=(__half o) { return *this = from((float)*this - (float)o); }
    __half &operator*=(__half o) { return *this = from((float)*this * (float)o); }
    __half &operator/=(__half o) { return *this = from((float)*this / (float)o); }
};
typedef __half half;

struct __attribute__((aligned(4))) __half2 { __half x, y; };
typedef __half2 half2;

CL_FN __half operator+(__half a, __half b) { return a += b; }
CL_FN __half operator-(__half a, __half b) { return a -= b; }
CL_FN __half operator*(__half a, __half b) { return a *= b; }
CL_FN __half operator/(__half a, __half b) { return a /= b; }
CL_FN __half operator-(__half a) { a.bits ^= 0x8000u; return a; }
CL_FN bool operator<(__half a, __half b) { return (float)a < (float)b; }
CL_FN bool operator>(__half a, __half b) { return (float)a > (float)b; }
CL_FN bool operator<=(__half a, __half b) { return (float)a <= (float)b; }
CL_FN bool operator>=(__half a, __half b) { return (float)a >= (float)b; }
CL_FN bool operator==(__half a, __half b) { return (float)a == (float)b; }
CL_FN bool operator!=(__half a, __half b) { return (float)a != (float)b; }

CL_FN __half __float2half(float x) { return __half::from(x); }
CL_FN __half __float2half_rn(float x) { return __half::from(x); }
CL_FN float __half2float(__half x) { return (float)x; }
CL_FN __half __ushort_as_half(unsigned short x) { __half h; h.bits = x; return h; }
CL_FN unsigned short __half_as_ushort(__half x) { return x.bits; }
CL_FN __half __hadd(__half a, __half b) { return a + b; }
CL_FN __half __hsub(__half a, __half b) { return a - b; }
CL_FN __half __hmul(__half a, __half b) { return a * b; }
CL_FN __half __hdiv(__half a, __half b) { return a / b; }
CL_FN __half __hneg(__half a) { return -a; }
CL_FN __half __hmax(__half a, __half b) { return a > b ? a : b; }
CL_FN __half __hmin(__half a, __half b) { return a < b ? a : b; }
// One rounding: two halves multiply exactly in float, and float's 24 bits hold sum and product of
// all but extreme operands; double holds those.
CL_FN __half __hfma(__half a, __half b, __half c) {
    return __half::from((float)((double)(float)a * (float)b + (float)c));
}
CL_FN __half2 make_half2(__half x, __half y) { return {x, y}; }
CL_FN __half2 __halves2half2(__half x, __half y) { return {x, y}; }
CL_FN __half2 __half2half2(__half x) { return {x, x}; }
CL_FN __half2 __floats2half2_rn(float x, float y) { return {__half::from(x), __half::from(y)}; }
CL_FN __half2 __float2half2_rn(float x) { return {__half::from(x), __half::from(x)}; }
CL_FN float2 __half22float2(__half2 a) { return {(float)a.x, (float)a.y}; }
CL_FN float __low2float(__half2 a) { return (float)a.x; }
CL_FN float __high2float(__half2 a) { return (float)a.y; }
CL_FN __half __low2half(__half2 a) { return a.x; }
CL_FN __half __high2half(__half2 a) { return a.y; }
CL_FN __half2 __hadd2(__half2 a, __half2 b) { return {a.x + b.x, a.y + b.y}; }
CL_FN __half2 __hsub2(__half2 a, __half2 b) { return {a.x - b.x, a.y - b.y}; }
CL_FN __half2 __hmul2(__half2 a, __half2 b) { return {a.x * b.x, a.y * b.y}; }
CL_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
CL_FN __half2 __hmax2(__half2 a, __half2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
