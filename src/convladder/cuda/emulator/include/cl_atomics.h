// Atomic operations, on global and on shared memory. Each gives back the value before.
#pragma once

#define CL_ATOMIC(name, T, expression)                                                 \
    CL_PLAIN static T atomic##name(T *at, T value) {                                   \
        cl_atomic(at, sizeof(T), CL_SITE);                                             \
        T old = *(volatile T *)at, next;                                               \
        do next = (expression);                                                        \
        while (!cl_swap(at, &old, next));                                              \
        return old;                                                                    \
    }

template <class T> CL_PLAIN bool cl_swap(T *at, T *old, T next) {
    return __atomic_compare_exchange(at, old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#define CL_ATOMIC_NUMBER(T)                                                            \
    CL_ATOMIC(Add, T, old + value)                                                     \
    CL_ATOMIC(Exch, T, value)
#define CL_ATOMIC_WHOLE(T)                                                             \
    CL_ATOMIC_NUMBER(T)                                                                \
    CL_ATOMIC(Min, T, old < value ? old : value)                                       \
    CL_ATOMIC(Max, T, old > value ? old : value)                                       \
    CL_ATOMIC(And, T, old & value)                                                     \
    CL_ATOMIC(Or, T, old | value)                                                      \
    CL_ATOMIC(Xor, T, old ^ value)

CL_ATOMIC_WHOLE(int)
CL_ATOMIC_WHOLE(unsigned)
CL_ATOMIC_WHOLE(unsigned long long)
CL_ATOMIC(Min, long long, old < value ? old : value)
CL_ATOMIC(Max, long long, old > value ? old : value)
CL_ATOMIC_NUMBER(float)
CL_ATOMIC_NUMBER(double)
CL_ATOMIC(Sub, int, old - value)
CL_ATOMIC(Sub, unsigned, old - value)
CL_ATOMIC(Inc, unsigned, old >= value ? 0 : old + 1)
CL_ATOMIC(Dec, unsigned, old == 0 || old > value ? value : old - 1)
#undef CL_ATOMIC
#undef CL_ATOMIC_NUMBER
#undef CL_ATOMIC_WHOLE

template <class T> CL_PLAIN T cl_cas(T *at, T compare, T value) {
    cl_atomic(at, sizeof(T), CL_SITE);
    cl_swap(at, &compare, value);
    return compare;
}
#define CL_CAS(T)                                                                      \
    __forceinline__ T atomicCAS(T *at, T compare, T value) { return cl_cas(at, compare, value); }
CL_CAS(int)
CL_CAS(unsigned)
CL_CAS(unsigned short)
CL_CAS(unsigned long long)
#undef CL_CAS
