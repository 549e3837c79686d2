// cuda::atomic and cuda::atomic_ref, with memory orders and scopes: what <cuda/atomic> opens.
#pragma once

namespace cl_cuda_atomic {

enum thread_scope {
    thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10,
};

namespace std {
enum class memory_order { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr memory_order memory_order_relaxed = memory_order::relaxed;
constexpr memory_order memory_order_consume = memory_order::consume;
constexpr memory_order memory_order_acquire = memory_order::acquire;
constexpr memory_order memory_order_release = memory_order::release;
constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
template <class T> struct cl_bare { typedef T type; };
template <class T> struct cl_bare<T &> { typedef T type; };
template <class T> struct cl_bare<T &&> { typedef T type; };
template <class T> CL_FN constexpr typename cl_bare<T>::type &&move(T &&value) {
    return static_cast<typename cl_bare<T>::type &&>(value);
}
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

constexpr unsigned cl_promises(unsigned what, memory_order order, thread_scope scope) {
    if (what & CL_LOADS && order != memory_order_relaxed && order != memory_order_release)
        what |= CL_ACQUIRES;
    if (what & CL_STORES && order >= memory_order_release) what |= CL_RELEASES;
    return scope >= thread_scope_block ? what | CL_BLOCK : what;
}

CL_FN void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order != memory_order_relaxed) cl_fence(scope < thread_scope_block);
}

// What both types can do, on the place that `at()` of the type D gives.
template <class D, class T, thread_scope scope> struct cl_place {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "an atomic has 1, 2, 4 or 8 bytes here");
    static constexpr bool is_always_lock_free = true;
    typedef T value_type;

    CL_PLAIN T load(memory_order order = memory_order_seq_cst) const {
        tell(CL_LOADS, order, CL_SITE);
        cl_spin(CL_SITE);
        return get();
    }
    CL_PLAIN void store(T value, memory_order order = memory_order_seq_cst) const {
        tell(CL_STORES, order, CL_SITE);
        __atomic_store(at(), &value, __ATOMIC_SEQ_CST);
    }
    CL_PLAIN T exchange(T value, memory_order order = memory_order_seq_cst) const {
        tell(CL_LOADS | CL_STORES, order, CL_SITE);
        T old;
        __atomic_exchange(at(), &value, &old, __ATOMIC_SEQ_CST);
        return old;
    }
    CL_PLAIN bool compare_exchange_strong(T &expected, T value,
                                          memory_order order = memory_order_seq_cst) const {
        return swap(expected, value, order, CL_SITE);
    }
    CL_PLAIN bool compare_exchange_strong(T &expected, T value, memory_order order,
                                          memory_order) const {
        return swap(expected, value, order, CL_SITE);
    }
    CL_PLAIN bool compare_exchange_weak(T &expected, T value,
                                        memory_order order = memory_order_seq_cst) const {
        return swap(expected, value, order, CL_SITE);
    }
    CL_PLAIN bool compare_exchange_weak(T &expected, T value, memory_order order,
                                        memory_order) const {
        return swap(expected, value, order, CL_SITE);
    }
    CL_PLAIN void wait(T old, memory_order order = memory_order_seq_cst) const {
        do {
            tell(CL_LOADS, order, CL_SITE);
            cl_spin(CL_SITE);
        } while (get() == old);
    }
    __forceinline__ void notify_one() const {}
    __forceinline__ void notify_all() const {}
    __forceinline__ bool is_lock_free() const { return true; }

#define CL_FETCH(name, expression)                                                     \
    CL_PLAIN T name(T value, memory_order order = memory_order_seq_cst) const {        \
        tell(CL_LOADS | CL_STORES, order, CL_SITE);                                    \
        T old = get(), next;                                                           \
        do next = (T)(expression);                                                     \
        while (!cl_swap(at(), &old, next));                                            \
        return old;                                                                    \
    }
    CL_FETCH(fetch_add, old + value)
    CL_FETCH(fetch_sub, old - value)
    CL_FETCH(fetch_and, old & value)
    CL_FETCH(fetch_or, old | value)
    CL_FETCH(fetch_xor, old ^ value)
    CL_FETCH(fetch_min, old < value ? old : value)
    CL_FETCH(fetch_max, old > value ? old : value)
#undef CL_FETCH
#define CL_THEN(op, expression)                                                        \
    CL_PLAIN T op const {                                                              \
        tell(CL_LOADS | CL_STORES, memory_order_seq_cst, CL_SITE);                     \
        T old = get(), next;                                                           \
        do next = (T)(expression);                                                     \
        while (!cl_swap(at(), &old, next));                                            \
        return next;                                                                   \
    }
    CL_THEN(operator+=(T value), old + value)
    CL_THEN(operator-=(T value), old - value)
    CL_THEN(operator&=(T value), old & value)
    CL_THEN(operator|=(T value), old | value)
    CL_THEN(operator^=(T value), old ^ value)
    CL_THEN(operator++(), old + 1)
    CL_THEN(operator--(), old - 1)
#undef CL_THEN
    CL_PLAIN T operator++(int) const { return then((T)1, CL_SITE); }
    CL_PLAIN T operator--(int) const { return then((T)-1, CL_SITE); }
    CL_PLAIN operator T() const {
        tell(CL_LOADS, memory_order_seq_cst, CL_SITE);
        cl_spin(CL_SITE);
        return get();
    }

private:
    CL_PLAIN T *at() const { return static_cast<const D *>(this)->cl_at(); }
    CL_PLAIN T get() const {
        T value;
        __atomic_load(at(), &value, __ATOMIC_SEQ_CST);
        return value;
    }
    CL_PLAIN void tell(unsigned what, memory_order order, const void *site) const {
        cl_atomic(at(), sizeof(T), cl_promises(what, order, scope), site);
    }
    CL_PLAIN bool swap(T &expected, T value, memory_order order, const void *site) const {
        tell(CL_LOADS | CL_STORES, order, site);
        T old = expected;
        bool done = cl_swap(at(), &old, value);
        if (!done) expected = old, cl_spin(site);
        return done;
    }
    CL_PLAIN T then(T more, const void *site) const {
        tell(CL_LOADS | CL_STORES, memory_order_seq_cst, site);
        T old = get();
        while (!cl_swap(at(), &old, (T)(old + more))) {}
        return old;
    }
};

template <class T, thread_scope scope = thread_scope_system>
struct atomic_ref : cl_place<atomic_ref<T, scope>, T, scope> {
    __forceinline__ explicit atomic_ref(T &place) : cl_to(&place) {}
    CL_PLAIN T operator=(T value) const {
        cl_atomic(cl_to, sizeof(T), cl_promises(CL_STORES, memory_order_seq_cst, scope), CL_SITE);
        __atomic_store(cl_to, &value, __ATOMIC_SEQ_CST);
        return value;
    }
    CL_PLAIN T *cl_at() const { return cl_to; }

private:
    T *cl_to;
};

template <class T, thread_scope scope = thread_scope_system>
struct atomic : cl_place<atomic<T, scope>, T, scope> {
    atomic() = default;
    constexpr atomic(T value) : cl_value(value) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    CL_PLAIN T operator=(T value) {
        cl_atomic(&cl_value, sizeof(T), cl_promises(CL_STORES, memory_order_seq_cst, scope),
                  CL_SITE);
        __atomic_store(&cl_value, &value, __ATOMIC_SEQ_CST);
        return value;
    }
    CL_PLAIN T *cl_at() const { return &cl_value; }

private:
    mutable T cl_value;
};
}  // namespace cl_cuda_atomic
