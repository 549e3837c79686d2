// float2, int4, uchar4 and their kind, with the sizes and alignments that CUDA gives them. Values
// that are known when they are compiled go to memory at once too: no function here is constexpr, and
// an assignment takes braces, or GCC would store member by member.
#pragma once

// Of a list, value `i`, or 0 where it is shorter.
template <class T> __forceinline__ T cl_value_of(std::initializer_list<T> list, size_t i) {
    return i < list.size() ? list.begin()[i] : T();
}
#define CL_VECTORS(T, name, align2, align4)                                            \
    struct name##1 { T x; };                                                           \
    struct __attribute__((aligned(align2))) name##2 {                                  \
        T x, y;                                                                        \
        __forceinline__ name##2 &operator=(std::initializer_list<T> l) {               \
            name##2 v = {cl_value_of(l, 0), cl_value_of(l, 1)};                        \
            return *this = v;                                                          \
        }                                                                              \
    };                                                                                 \
    struct name##3 { T x, y, z; };                                                     \
    struct __attribute__((aligned(align4))) name##4 {                                  \
        T x, y, z, w;                                                                  \
        __forceinline__ name##4 &operator=(std::initializer_list<T> l) {               \
            name##4 v = {cl_value_of(l, 0), cl_value_of(l, 1), cl_value_of(l, 2),      \
                         cl_value_of(l, 3)};                                           \
            return *this = v;                                                          \
        }                                                                              \
    };                                                                                 \
    __forceinline__ name##1 make_##name##1(T x) { return {x}; }                        \
    __forceinline__ name##2 make_##name##2(T x, T y) { return {x, y}; }                \
    __forceinline__ name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }        \
    __forceinline__ name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

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
