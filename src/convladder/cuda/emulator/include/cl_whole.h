// What C++ leaves open and every NVIDIA GPU does alike: shifts by as many places as there are bits
// or more, and whole numbers of floating ones that they cannot hold. exact_operators.py puts these
// names into a source.
#pragma once

template <class T> constexpr bool cl_floating = false;
template <> constexpr bool cl_floating<float> = true;
template <> constexpr bool cl_floating<double> = true;

// The nearest that there is in 32 bits, or in 64, of which a narrower type takes the lowest.
template <class T, class W, class F> CL_FN constexpr T cl_saturated(F value) {
    constexpr int bits = 8 * sizeof(W);
    constexpr W top = (W)((unsigned long long)1 << (bits - 1));
    constexpr bool negative = (W)-1 < (W)0;
    constexpr W least = negative ? top : (W)0, most = (W)(negative ? ~top : (W)-1);
    if (value != value) return (T)(bits == 64 || sizeof(F) == 8 ? top : (W)0);
    const F end = (F)((unsigned long long)1 << (bits - 1)) * (negative ? 1 : 2);
    return (T)(value >= end ? most : value <= (negative ? -end : (F)-1) ? least : (W)value);
}
template <class T, class F> CL_FN constexpr T cl_to(F value) {
    if constexpr (cl_floating<F> && !__is_same(T, bool)) {
        if constexpr ((T)-1 < (T)0)
            return sizeof(T) == 8 ? cl_saturated<T, long long>(value) : cl_saturated<T, int>(value);
        else
            return sizeof(T) == 8 ? cl_saturated<T, unsigned long long>(value)
                                  : cl_saturated<T, unsigned>(value);
    } else {
        return (T)value;
    }
}

// A cast `(int)x` becomes `(int)(cl_exact<int>)x`, and the compiler finds where `x` ends.
template <class T> struct cl_exact {
    T cl_value;
    template <class F> CL_IN constexpr explicit cl_exact(F value) : cl_value(cl_to<T>(value)) {}
    CL_IN constexpr operator T() const { return cl_value; }
};

// `at = cl_vector << float4{}` stores a vector that is made there.
struct cl_vectors {};
constexpr cl_vectors cl_vector = {};
template <class V> CL_FN V operator<<(cl_vectors, V made) { return made; }

// `a << cl_shifted << by` shifts `a` by `by`; `a << cl_set = by` does so in its place.
struct cl_shift {};
constexpr cl_shift cl_shifted = {};
struct cl_shift_set {};
constexpr cl_shift_set cl_set = {};
template <class T> struct cl_operand { T cl_value; };
template <class T> CL_FN constexpr cl_operand<T> operator<<(T value, cl_shift) { return {value}; }
template <class T> CL_FN constexpr cl_operand<T> operator>>(T value, cl_shift) { return {value}; }
// Without a branch, which would be told of as if it were the learner's.
template <class T, class N> CL_FN constexpr auto operator<<(cl_operand<T> a, N places) {
    if constexpr (__is_class(T)) {
        return a.cl_value << places;
    } else {
        typedef decltype(a.cl_value << places) P;
        constexpr unsigned bits = 8 * sizeof(P);
        const unsigned by = (unsigned)places;
        return (P)(((unsigned long long)a.cl_value << (by & (bits - 1))) &
                   (0 - (unsigned long long)(by < bits)));
    }
}
template <class T, class N> CL_FN constexpr auto operator>>(cl_operand<T> a, N places) {
    if constexpr (__is_class(T)) {
        return a.cl_value >> places;
    } else {
        typedef decltype(a.cl_value >> places) P;
        constexpr unsigned bits = 8 * sizeof(P);
        const unsigned by = (unsigned)places;
        if constexpr ((P)-1 < (P)0)
            return (P)(a.cl_value >> ((by | (0 - (unsigned)(by >= bits))) & (bits - 1)));
        else
            return (P)(((P)a.cl_value >> (by & (bits - 1))) & (P)(0 - (P)(by < bits)));
    }
}
template <class T> struct cl_left_set {
    T &cl_at;
    template <class N> CL_IN constexpr T &operator=(N places) const {
        return cl_at = (T)(cl_at << cl_shifted << places);
    }
};
template <class T> struct cl_right_set {
    T &cl_at;
    template <class N> CL_IN constexpr T &operator=(N places) const {
        return cl_at = (T)(cl_at >> cl_shifted >> places);
    }
};
template <class T> CL_FN constexpr cl_left_set<T> operator<<(T &at, cl_shift_set) { return {at}; }
template <class T> CL_FN constexpr cl_right_set<T> operator>>(T &at, cl_shift_set) { return {at}; }
