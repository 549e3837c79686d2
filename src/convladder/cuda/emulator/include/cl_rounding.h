// Conversions of the 16-bit floating types, in whole numbers alone, so that a GPU can run the same
// text beside its own instructions: counts/exhaustive.py does, over all inputs.
#pragma once

enum cl_rounding { cl_nearest, cl_to_zero, cl_down, cl_up };  // cl_nearest: ties to even

// `kept` and one more where what was `lost` of it, in units of which `half` are one half, says so.
CL_FN unsigned cl_rounded(unsigned kept, unsigned lost, unsigned half, bool negative,
                          cl_rounding how) {
    if (how == cl_nearest) return kept + (lost > half || (lost == half && (kept & 1u)));
    return kept + (lost && how == (negative ? cl_down : cl_up));
}

CL_FN unsigned short cl_half_bits(float value, cl_rounding how = cl_nearest) {
    unsigned u = __float_as_uint(value), sign = u >> 16 & 0x8000u, mag = u & 0x7fffffffu;
    if (mag > 0x7f800000u) return 0x7fffu;           // not a number: the GPU's one
    if (mag == 0x7f800000u) return sign | 0x7c00u;
    unsigned kept, lost, half = 0x1000u;
    if (mag >= 0x47800000u) {                        // 65536 and more
        kept = 0x7bffu, lost = 2 * half - 1;
    } else if (mag >= 0x38800000u) {
        kept = (mag - 0x38000000u) >> 13, lost = mag & 0x1fffu;
    } else if (mag >= 0x33000000u) {                 // below the least normal number
        unsigned digits = (mag & 0x7fffffu) | 0x800000u, shift = 126u - (mag >> 23);
        kept = digits >> shift, lost = digits & ((1u << shift) - 1), half = 1u << (shift - 1);
    } else {
        kept = 0, lost = mag != 0;
    }
    return sign | cl_rounded(kept, lost, half, sign, how);
}

CL_FN float cl_half_value(unsigned short bits) {
    unsigned sign = (bits & 0x8000u) << 16, mag = bits & 0x7fffu;
    if (mag > 0x7c00u) return __uint_as_float(0x7fffffffu);
    if (mag == 0x7c00u) return __uint_as_float(sign | 0x7f800000u);
    if (mag >= 0x400u) return __uint_as_float(sign | ((mag << 13) + 0x38000000u));
    return __uint_as_float(sign | __float_as_uint((float)mag * (1.0f / 16777216.0f)));
}

CL_FN unsigned short cl_bfloat16_bits(float value, cl_rounding how = cl_nearest) {
    unsigned u = __float_as_uint(value), sign = u >> 16 & 0x8000u, mag = u & 0x7fffffffu;
    if (mag > 0x7f800000u) return 0x7fffu;
    return sign | cl_rounded(mag >> 16, mag & 0xffffu, 0x8000u, sign, how);
}

CL_FN float cl_bfloat16_value(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}

// Rounded to odd: what is rounded again afterwards, to fewer digits, comes out as if only then
// (Boldo and Melquiond, doi 10.1109/TC.2007.70819).
CL_FN float cl_odd(double value) {
    float near = (float)value;
    if ((double)near == value || value != value) return near;
    unsigned u = __float_as_uint(near), sign = u & 0x80000000u, mag = u & 0x7fffffffu;
    double size = value < 0 ? -value : value;
    if ((double)__uint_as_float(mag) > size) mag--;
    return __uint_as_float(sign | mag | 1u);
}

CL_FN double cl_odd_sum(double a, double b) {
    double sum = a + b, other = sum - a, lost = (a - (sum - other)) + (b - other);
    long long bits = __double_as_longlong(sum);
    if (!(lost < 0 || lost > 0) || (bits & 1)) return sum;  // exact, odd already, or no number
    return __longlong_as_double(bits + ((lost > 0) == (sum > 0) ? 1 : -1));
}

CL_FN double cl_odd(unsigned long long value) {
    if (value >> 53 == 0) return (double)value;
    return (double)(long long)(value >> 11 | ((value & 0x7ffu) != 0)) * 2048.0;
}
CL_FN double cl_odd(long long value) {
    unsigned long long size = value;
    return value < 0 ? -cl_odd(0 - size) : cl_odd(size);
}
