// half and bfloat16, each in a namespace that <cuda_fp16.h> and <cuda_bf16.h> open.
#pragma once
#include "cl_rounding.h"

CL_FN long long cl_widest(long long value) { return value; }
CL_FN unsigned long long cl_widest(unsigned long long value) { return value; }
CL_FN long long cl_widest(int value) { return value; }
CL_FN unsigned long long cl_widest(unsigned value) { return value; }
CL_FN long long cl_widest(short value) { return value; }
CL_FN unsigned long long cl_widest(unsigned short value) { return value; }

// A whole number, the nearest there is in its type; 0 for what is no number.
template <class T> CL_FN T cl_whole(float value, cl_rounding how = cl_to_zero) {
    if (value != value) return 0;
    double whole = how == cl_nearest ? rint(value) : how == cl_down ? floor(value)
                   : how == cl_up ? ceil(value) : trunc(value);
    const bool negative = (T)-1 < (T)0;
    const T most = negative ? (T)(((unsigned long long)1 << (8 * sizeof(T) - 1)) - 1) : (T)-1;
    const T least = negative ? (T)(-most - 1) : (T)0;
    return whole >= (double)most ? most : whole <= (double)least ? least : (T)whole;
}

namespace cl_fp16 {
#define CL_H __half
#define CL_H2 __half2
#define CL_NAME half
#define CL_NAME2 half2
#define CL_BITS cl_half_bits
#define CL_VALUE cl_half_value
#define CL_DOUBLE(value) value
#include "cl_small_floats.h"
#undef CL_H
#undef CL_H2
#undef CL_NAME
#undef CL_NAME2
#undef CL_BITS
#undef CL_VALUE
#undef CL_DOUBLE
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
}  // namespace cl_fp16

namespace cl_bf16 {
#define CL_H __nv_bfloat16
#define CL_H2 __nv_bfloat162
#define CL_NAME bfloat16
#define CL_NAME2 bfloat162
#define CL_BITS cl_bfloat16_bits
// An H200 takes doubles below the least normal number for zero, here and nowhere else.
#define CL_DOUBLE(value) (fabs(value) < 0x1p-126 ? copysign(0.0, value) : value)
#define CL_VALUE cl_bfloat16_value
#include "cl_small_floats.h"
#undef CL_H
#undef CL_H2
#undef CL_NAME
#undef CL_NAME2
#undef CL_BITS
#undef CL_VALUE
#undef CL_DOUBLE
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
}  // namespace cl_bf16
