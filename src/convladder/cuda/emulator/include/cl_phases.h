// cuda::barrier and cuda::pipeline of a block, which <cuda/barrier> and <cuda/pipeline> open.
#pragma once

namespace cl_cuda_barrier {
using cl_cuda_atomic::thread_scope;
using cl_cuda_atomic::thread_scope_block;
using cl_cuda_atomic::thread_scope_thread;

template <thread_scope scope> class barrier {
    static_assert(scope == thread_scope_block,
                  "cl_gpu_only(a cuda::barrier of another scope than thread_scope_block)");
    alignas(8) char state[8];

public:
    struct arrival_token { unsigned phase; };
    barrier() = default;
    CL_PLAIN explicit barrier(ptrdiff_t count) { cl_phase_init(state, count, CL_SITE); }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    CL_IN static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
    friend CL_PLAIN void init(barrier *self, ptrdiff_t count) {
        cl_phase_init(self->state, count, CL_SITE);
    }
    CL_PLAIN arrival_token arrive(ptrdiff_t count = 1) {
        return {cl_phase_arrive(state, count, 0, CL_SITE)};
    }
    CL_PLAIN void wait(arrival_token token) { cl_phase_wait(state, token.phase, CL_SITE); }
    CL_PLAIN void wait_parity(bool parity) { cl_phase_wait(state, parity, CL_SITE); }
    CL_PLAIN void arrive_and_wait() {
        unsigned phase = cl_phase_arrive(state, 1, 0, CL_SITE);
        cl_phase_wait(state, phase, CL_SITE);
    }
    CL_PLAIN void arrive_and_drop() { cl_phase_arrive(state, 1, 1, CL_SITE); }
    CL_IN char *cl_state() { return state; }
};

// Copies of which the barrier's phase waits.
template <class T, class S, thread_scope scope>
CL_PLAIN void memcpy_async(T *to, const T *from, S bytes, barrier<scope> &last) {
    cl_copy_part(to, from, bytes, 0, 1, CL_SITE);
    cl_copy_for(last.cl_state(), CL_SITE);
}
template <class G, class T, class S, thread_scope scope>
CL_PLAIN void memcpy_async(const G &group, T *to, const T *from, S bytes, barrier<scope> &last) {
    cl_copy_part(to, from, bytes, group.thread_rank(), group.num_threads(), CL_SITE);
    cl_copy_for(last.cl_state(), CL_SITE);
}
}  // namespace cl_cuda_barrier

namespace cl_cuda_pipeline {
using namespace cl_cuda_barrier;
enum class pipeline_role { producer, consumer };

template <thread_scope scope, unsigned char stages> class pipeline_shared_state {
public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
    struct { barrier<scope> produced, consumed; } cl_stages[stages];
};

// Of a block: each stage has a barrier for those who fill it and one for those who empty it.
template <thread_scope scope> class pipeline {
    char *stages;
    unsigned count, head = 0, tail = 0;

    CL_IN char *produced(unsigned i) const {
        return stages + i % count * 2 * sizeof(barrier<scope>);
    }
    CL_IN char *consumed(unsigned i) const { return produced(i) + sizeof(barrier<scope>); }

public:
    CL_IN pipeline(char *stages, unsigned count) : stages(stages), count(count) {}
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    CL_PLAIN void producer_acquire() {
        cl_phase_wait(consumed(head), head / count % 2 ^ 1, CL_SITE);
    }
    CL_PLAIN void producer_commit() {
        cl_copy_for(produced(head), CL_SITE);
        cl_phase_arrive(produced(head++), 1, 0, CL_SITE);
    }
    CL_PLAIN void consumer_wait() { cl_phase_wait(produced(tail), tail / count % 2, CL_SITE); }
    CL_PLAIN void consumer_release() { cl_phase_arrive(consumed(tail++), 1, 0, CL_SITE); }
};

// Of one thread: its groups of copies, in order.
template <> class pipeline<thread_scope_thread> {
    unsigned committed = 0, awaited = 0;

public:
    pipeline() = default;
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    CL_IN void producer_acquire() {}
    CL_PLAIN void producer_commit() {
        cl_copy_commit();
        committed++;
    }
    CL_PLAIN void consumer_wait() {
        awaited++;
        cl_copy_wait(committed - awaited, CL_SITE);
    }
    CL_IN void consumer_release() {}
    CL_PLAIN void cl_wait_prior(unsigned prior, const void *site) {
        awaited = committed > prior ? committed - prior : 0;
        cl_copy_wait(prior, site);
    }
};
__forceinline__ pipeline<thread_scope_thread> make_pipeline() { return {}; }

template <unsigned char prior>
CL_PLAIN void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe) {
    pipe.cl_wait_prior(prior, CL_SITE);
}

template <class G, thread_scope scope, unsigned char stages>
CL_PLAIN pipeline<scope> cl_pipeline(const G &group, pipeline_shared_state<scope, stages> *shared,
                                     unsigned producers, unsigned consumers, int line,
                                     const void *site) {
    if (group.thread_rank() == 0)
        for (auto &stage : shared->cl_stages) {
            cl_phase_init(stage.consumed.cl_state(), consumers, site);
            cl_phase_init(stage.produced.cl_state(), producers, site);
        }
    cl_groups::cl_meet(group, line, site);
    return {shared->cl_stages[0].produced.cl_state(), stages};
}
template <class G, thread_scope scope, unsigned char stages>
CL_PLAIN pipeline<scope> make_pipeline(const G &group,
                                       pipeline_shared_state<scope, stages> *shared,
                                       int line = __builtin_LINE()) {
    unsigned all = group.num_threads();
    return cl_pipeline(group, shared, all, all, line, CL_SITE);
}
template <class G, thread_scope scope, unsigned char stages>
CL_PLAIN pipeline<scope> make_pipeline(const G &group,
                                       pipeline_shared_state<scope, stages> *shared,
                                       pipeline_role role, int line = __builtin_LINE()) {
    unsigned filling = cl_groups::cl_count(group, role == pipeline_role::producer, line, CL_SITE);
    return cl_pipeline(group, shared, filling, group.num_threads() - filling, line, CL_SITE);
}

// Copies of the stage that is being filled.
template <class T, class S, thread_scope scope>
CL_PLAIN void memcpy_async(T *to, const T *from, S bytes, pipeline<scope> &) {
    cl_copy_part(to, from, bytes, 0, 1, CL_SITE);
}
template <class G, class T, class S, thread_scope scope>
CL_PLAIN void memcpy_async(const G &group, T *to, const T *from, S bytes, pipeline<scope> &) {
    cl_copy_part(to, from, bytes, group.thread_rank(), group.num_threads(), CL_SITE);
}
}  // namespace cl_cuda_pipeline
