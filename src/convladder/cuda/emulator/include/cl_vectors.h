// float2, int4, uchar4 and their kind, with the sizes and alignments that CUDA gives them.
#pragma once

#define CL_VECTORS(T, name, align2, align4)                                            \
    struct name##1 { T x; };                                                           \
    struct __attribute__((aligned(align2))) name##2 { T x, y; };                       \
    struct name##3 { T x, y, z; };                                                     \
    struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; };                 \
    __forceinline__ constexpr name##1 make_##name##1(T x) { return {x}; }              \
    __forceinline__ constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }      \
    __forceinline__ constexpr name##3 make_##name##3(T x, T y, T z) {                  \
        return {x, y, z};                                                              \
    }                                                                                  \
    __forceinline__ constexpr name##4 make_##name##4(T x, T y, T z, T w) {             \
        return {x, y, z, w};                                                           \
    }

CL_VECTORS(signed char, char, 2, 4)
CL_VECTORS(unsigned char, uchar, 2, 4)
CL_VECTORS(short, short, 4, 8)
CL_VECTORS(unsigned short, ushort, 4, 8)
CL_VECTORS(int, int, 8, 16)
CL_VECTORS(unsigned, uint, 8, 16)
CL_VECTORS(float, float, 8, 16)
CL_VECTORS(long, long, 16, 16)
CL_VECTORS(unsigned long, ulong, 16, 16)
CL_VECTORS(long long, longlong, 16, 16)
CL_VECTORS(unsigned long long, ulonglong, 16, 16)
CL_VECTORS(double, double, 16, 16)
#undef CL_VECTORS
