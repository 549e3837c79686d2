// Atomic operations, on global and on shared memory. Each gives back the value before.
#pragma once

// What an access that is atomic (or volatile) does, and what it promises: for cl_atomic.
enum cl_how : unsigned {
    CL_LOADS = 1, CL_STORES = 2, CL_ACQUIRES = 4, CL_RELEASES = 8,
    CL_BLOCK = 16,  // among the threads of one block only
    CL_OLD = 32,    // of before there were memory orders: takes what is there without a fence
    CL_ONE = 128,   // adds one to a whole number of 32 bits
    CL_DEVICE_ATOMIC = CL_LOADS | CL_STORES | CL_OLD,
    CL_BLOCK_ATOMIC = CL_DEVICE_ATOMIC | CL_BLOCK,
};

template <class T> CL_PLAIN bool cl_swap(T *at, T *old, T next) {
    return __atomic_compare_exchange(at, old, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

template <class T> CL_PLAIN unsigned cl_one(T) { return 0; }
CL_PLAIN static unsigned cl_one(int value) { return value == 1 ? CL_ONE : 0; }
CL_PLAIN static unsigned cl_one(unsigned value) { return value == 1 ? CL_ONE : 0; }

#define CL_SCOPED(name, T, how, expression)                                            \
    CL_PLAIN static T atomic##name(T *at, T value) {                                   \
        cl_atomic(at, sizeof(T), how, CL_SITE);                                        \
        T old = *(volatile T *)at, next;                                               \
        do next = (expression);                                                        \
        while (!cl_swap(at, &old, next));                                              \
        return old;                                                                    \
    }
#define CL_ATOMIC(name, T, expression)                                                 \
    CL_SCOPED(name, T, CL_DEVICE_ATOMIC, expression)                                   \
    CL_SCOPED(name##_system, T, CL_DEVICE_ATOMIC, expression)                          \
    CL_SCOPED(name##_block, T, CL_BLOCK_ATOMIC, expression)
#define CL_ATOMIC_NUMBER(T)                                                            \
    CL_SCOPED(Add, T, CL_DEVICE_ATOMIC | cl_one(value), old + value)                   \
    CL_SCOPED(Add_system, T, CL_DEVICE_ATOMIC | cl_one(value), old + value)            \
    CL_SCOPED(Add_block, T, CL_BLOCK_ATOMIC | cl_one(value), old + value)              \
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
CL_ATOMIC(Add, double, old + value)
CL_ATOMIC(Sub, int, old - value)
CL_ATOMIC(Sub, unsigned, old - value)
CL_ATOMIC(Inc, unsigned, old >= value ? 0 : old + 1)
CL_ATOMIC(Dec, unsigned, old == 0 || old > value ? value : old - 1)
// Each member by itself, as a GPU does from sm_90 on.
#define CL_ADD_VECTOR(V, n)                                                            \
    CL_PLAIN static V atomicAdd(V *at, V value) {                                      \
        cl_atomic(at, sizeof(V), CL_DEVICE_ATOMIC, CL_SITE);                           \
        V before;                                                                      \
        for (int i = 0; i < n; i++) {                                                  \
            float *place = &at->x + i, old = *(volatile float *)place;                 \
            while (!cl_swap(place, &old, old + (&value.x)[i])) {}                      \
            (&before.x)[i] = old;                                                      \
        }                                                                              \
        return before;                                                                 \
    }
CL_ADD_VECTOR(float2, 2)
CL_ADD_VECTOR(float4, 4)
#undef CL_ADD_VECTOR
#undef CL_SCOPED
#undef CL_ATOMIC
#undef CL_ATOMIC_NUMBER
#undef CL_ATOMIC_WHOLE

#define CL_CAS(name, T, how)                                                           \
    CL_PLAIN static T name(T *at, T compare, T value) {                                \
        cl_atomic(at, sizeof(T), how, CL_SITE);                                        \
        if (!cl_swap(at, &compare, value)) cl_spin(CL_SITE);                           \
        return compare;                                                                \
    }
#define CL_CAS_SCOPES(T)                                                               \
    CL_CAS(atomicCAS, T, CL_DEVICE_ATOMIC)                                             \
    CL_CAS(atomicCAS_system, T, CL_DEVICE_ATOMIC)                                      \
    CL_CAS(atomicCAS_block, T, CL_BLOCK_ATOMIC)
CL_CAS_SCOPES(int)
CL_CAS_SCOPES(unsigned)
CL_CAS_SCOPES(unsigned short)
CL_CAS_SCOPES(unsigned long long)
#undef CL_CAS
#undef CL_CAS_SCOPES
