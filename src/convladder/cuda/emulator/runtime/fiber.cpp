// Threads that wait for one another on one core: fibers, and the scheduler that runs a block.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

#include "state.h"

static const size_t STACK = 128 << 10;

// Stacks of runners that have ended, for those to come: making them costs more than small launches.
static std::mutex spare_lock;
static std::vector<std::pair<char *, size_t>> spare;

static char *take_stacks(size_t count) {
    {
        std::lock_guard<std::mutex> hold(spare_lock);
        for (size_t i = 0; i < spare.size(); i++)
            if (spare[i].second >= count) {
                char *stacks = spare[i].first;
                spare.erase(spare.begin() + i);
                return stacks;
            }
    }
    char *stacks = (char *)mmap(nullptr, count * STACK, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t i = 0; i < count; i++)
        mprotect(stacks + i * STACK, sysconf(_SC_PAGESIZE), PROT_NONE);
    return stacks;
}

// cl_switch(&mine, other): store the stack pointer here, go on there. Only what a call must keep
// is kept.
#if defined(__x86_64__) && !defined(CL_UCONTEXT)
asm(R"(
.text
.p2align 4
cl_switch:
_cl_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");
static const int SAVED = 6;  // words below the return address
#elif defined(__aarch64__) && !defined(CL_UCONTEXT)
asm(R"(
.text
.p2align 4
cl_switch:
_cl_switch:
    stp x29, x30, [sp, #-160]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    ret
)");
#else
#undef CL_UCONTEXT
#define CL_UCONTEXT 1
#include <ucontext.h>
#endif

static void fiber_main() {
    Fiber *fiber = runner->current;
    runner->launch->run_thread(runner->launch->arguments);
    fiber->state = State::done;
    fiber->site = nullptr;
    yield_fiber();
}

#ifdef CL_UCONTEXT
static void switch_to(void **mine, void *other) {
    swapcontext((ucontext_t *)*mine, (ucontext_t *)other);
}
static void prepare(Fiber &fiber, char *stack, size_t size) {
    ucontext_t *context = (ucontext_t *)(stack + size) - 1;
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = size - sizeof *context;
    context->uc_link = nullptr;
    makecontext(context, fiber_main, 0);
    fiber.stack_pointer = context;
}
#else
extern "C" void cl_switch(void **mine, void *other);
static void switch_to(void **mine, void *other) { cl_switch(mine, other); }
static void prepare(Fiber &fiber, char *stack, size_t size) {
    void **top = (void **)(stack + size);
#if defined(__x86_64__)
    // A function begins with the stack 8 bytes off a multiple of 16, as after a call.
    *--top = nullptr;
    *--top = (void *)fiber_main;
    top -= SAVED;
    std::memset(top, 0, SAVED * sizeof *top);
#else
    top -= 20;
    std::memset(top, 0, 20 * sizeof *top);
    top[1] = (void *)fiber_main;
#endif
    fiber.stack_pointer = top;
}
#endif

void yield_fiber() {
    Fiber *fiber = runner->current;
    switch_to(&fiber->stack_pointer, runner->scheduler);
}

static bool may_run(const Fiber &f) {
    if (f.state == State::ready) return true;
    if (f.state != State::at_meeting) return false;
    Meeting &m = *f.meeting;
    if (m.generation != f.generation) return true;
    // Lanes that have ended are waited for no longer.
    unsigned alive = 0, first = f.self.warp * 32, count = runner->fibers.size();
    for (unsigned lane = 0; lane < 32 && first + lane < count; lane++)
        if (runner->fibers[first + lane].state != State::done) alive |= 1u << lane;
    if ((m.arrived & m.mask & alive) != (m.mask & alive)) return false;
    m.generation++;
    m.arrived = 0;
    return true;
}

// All who still run are at a barrier: let them go, unless some ended before it.
static void release_barrier(Runner &r) {
    int count = 0, all = 1;
    Fiber *first = nullptr, *ended = nullptr, *elsewhere = nullptr;
    for (Fiber &f : r.fibers) {
        if (f.state == State::done) {
            if (!ended) ended = &f;
            continue;
        }
        if (!first) first = &f;
        if (f.site != first->site && !elsewhere) elsewhere = &f;
        count += f.predicate != 0;
        all &= f.predicate != 0;
        f.state = State::ready;
    }
    if (Fiber *other = abandoned() ? nullptr : ended ? ended : elsewhere) {
        cl_now = &first->self;
        Fault fault = fault_here(ended ? "ended before a barrier" : "barriers apart", first->site);
        fault.has_other = true;
        fault.other = other->self;
        fault.other_site = other->site;
        note_fault(fault);
    }
    int kind = first->kind;
    r.barrier_result = kind == 1 ? count : kind == 2 ? all : count > 0;
    if (r.launch->traced) trace_barrier(r);
}

static bool settled(const Runner &r, unsigned warp) {
    for (size_t i = warp * 32; i < r.fibers.size() && i < (warp + 1) * 32; i++)
        if (r.fibers[i].state != State::done && r.fibers[i].state != State::at_barrier)
            return false;
    return true;
}

static void run_fibers(Runner &r) {
    for (size_t i = 0; i < r.fibers.size(); i++) {
        Fiber &f = r.fibers[i];
        f.state = State::ready;
        f.warp_syncs = 0;
        f.events.clear();
        // Tops of stacks at different places of their pages, else they all want the same cache lines.
        prepare(f, r.stacks + i * STACK, STACK - i % 64 * 192);
    }
    for (auto &meetings : r.meetings) meetings.clear();
#ifdef CL_UCONTEXT
    ucontext_t here;
    r.scheduler = &here;
#endif
    r.live = r.fibers.size();
    while (r.live) {
        bool progress = false;
        unsigned waiting = 0;
        for (size_t i = 0; i < r.fibers.size(); i++) {
            Fiber &f = r.fibers[i];
            if (may_run(f)) {
                progress = true;
                f.state = State::ready;
                r.current = &f;
                cl_now = &f.self;
                switch_to(&r.scheduler, f.stack_pointer);
                r.live -= f.state == State::done;
            }
            waiting += f.state == State::at_barrier;
            if (r.launch->traced && progress && (i % 32 == 31 || i + 1 == r.fibers.size()) &&
                settled(r, i / 32))
                trace_warp(r, i / 32);
        }
        if (!r.live) break;
        if (waiting == r.live) {
            release_barrier(r);
        } else if (!progress) {  // lanes wait for others that are elsewhere
            for (Fiber &f : r.fibers)
                if (f.state == State::at_meeting) {
                    cl_now = &f.self;
                    note_fault(fault_here("lanes that never come", f.site));
                    return;
                }
        }
    }
}

void run_block(Runner &r) {
    Launch &l = *r.launch;
    r.shared.clear();
    r.static_bytes = 0;
    if (l.shared_bytes) std::memset(r.dynamic, 0xff, l.shared_bytes);
    for (Fiber &f : r.fibers) {
        f.self.block = cl_now->block;
        f.self.declared = 0;
    }
    if (l.traced) trace_block_begins(r);
    run_fibers(r);
}

void start_runner(Runner &r, Launch &launch) {
    size_t page = sysconf(_SC_PAGESIZE);
    size_t threads = launch.fibers ? launch.block.x * launch.block.y * launch.block.z : 0;
    r.launch = &launch;
    r.fibers.resize(threads);
    r.meetings.resize((threads + 31) / 32);
    if (threads) {
        r.stacks = take_stacks(threads);
        r.stacks_end = r.stacks + threads * STACK;
    }
    size_t room = (launch.shared_bytes + page - 1) / page * page;
    char *shared = (char *)mmap(nullptr, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0);
    if (room) mprotect(shared + page, room, PROT_READ | PROT_WRITE);
    if (launch.traced) mprotect(shared, room + 2 * page, PROT_READ | PROT_WRITE);
    r.dynamic = shared + page + room - (launch.shared_bytes + 15) / 16 * 16;
    unsigned i = 0;
    for (unsigned z = 0; z < launch.block.z && threads; z++)
        for (unsigned y = 0; y < launch.block.y; y++)
            for (unsigned x = 0; x < launch.block.x; x++, i++) {
                Fiber &f = r.fibers[i];
                f.self = {{x, y, z}, {0, 0, 0}, launch.block, launch.grid, i % 32, i / 32, 0, &f};
            }
}

void end_runner(Runner &r) {
    size_t page = sysconf(_SC_PAGESIZE), room = (r.launch->shared_bytes + page - 1) / page * page;
    if (r.stacks) {
        std::lock_guard<std::mutex> hold(spare_lock);
        spare.push_back({r.stacks, r.fibers.size()});
    }
    munmap(r.dynamic + (r.launch->shared_bytes + 15) / 16 * 16 - room - page, room + 2 * page);
}

// The line of the source names a barrier: compilers may make two pieces of code of one.
extern "C" int cl_barrier(int kind, int predicate, int line) {
    Fiber *f = (Fiber *)cl_now->fiber;
    f->state = State::at_barrier;
    f->site = site_of_line(line);
    f->kind = kind;
    f->predicate = predicate;
    yield_fiber();
    return runner->barrier_result;
}

static Meeting &meet(unsigned mask, const void *site, unsigned &parity, void *value, size_t size,
                     int predicate) {
    Fiber *f = (Fiber *)cl_now->fiber;
    auto &meetings = runner->meetings[f->self.warp];
    Meeting *meeting = nullptr;
    for (Meeting &m : meetings)
        if (m.mask == mask) meeting = &m;
    if (!meeting) {
        meetings.push_back({mask, 0, 0, {}, {0, 0}});
        meeting = &meetings.back();
    }
    parity = meeting->generation & 1;
    unsigned bit = 1u << f->self.lane;
    if (!meeting->arrived) meeting->votes[parity] = 0;
    if (value) std::memcpy(meeting->values[parity][f->self.lane], value, size);
    if (predicate) meeting->votes[parity] |= bit;
    meeting->arrived |= bit;
    f->meeting = meeting;
    f->generation = meeting->generation;
    f->state = State::at_meeting;
    f->site = site;
    if (!(mask & bit)) note_fault(fault_here("not in its own mask", site));
    yield_fiber();
    f->warp_syncs++;
    return *meeting;
}

extern "C" void cl_syncwarp(unsigned mask, const void *site) {
    unsigned parity;
    meet(mask, site, parity, nullptr, 0, 0);
}

extern "C" void cl_exchange(unsigned mask, int lane, void *value, size_t size, const void *site) {
    unsigned parity;
    Meeting &m = meet(mask, site, parity, value, size, 0);
    if (mask >> lane & 1) std::memcpy(value, m.values[parity][lane], size);
}

extern "C" unsigned cl_vote(unsigned mask, int predicate, const void *site) {
    unsigned parity;
    return meet(mask, site, parity, nullptr, 0, predicate).votes[parity];
}
