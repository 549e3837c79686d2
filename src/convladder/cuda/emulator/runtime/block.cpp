// The scheduler: it runs a block's fibers until all have ended, barrier by barrier.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "fiber.h"

static bool may_run(const Fiber &f) {
    if (f.state == State::ready) return true;
    if (f.state == State::at_phase) return *f.phase != f.generation;
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
    if (m.orders && runner->launch->traced) trace_syncwarp(f.self.warp, m.mask);
    m.orders = false;
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
        if ((f.site != first->site || f.call != first->call) && !elsewhere) elsewhere = &f;
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
        f.events.clear();
        // Stacks begin at different places of their pages, else all want the same cache lines.
        prepare_fiber(f, r.stacks + i * STACK, STACK - i % 64 * 192);
    }
    for (auto &meetings : r.meetings) meetings.clear();
    r.phases.clear();
    if (!r.copies.empty())
        for (Fiber &f : r.fibers) f.copies = nullptr;
    r.copies.clear();
    if (!r.scheduler) r.scheduler = scheduler_context();
    r.live = r.fibers.size();
    while (r.live) {
        bool progress = false;
        unsigned waiting = 0;
        for (size_t i = 0; i < r.fibers.size(); i++) {
            Fiber &f = r.fibers[i];
            if (may_run(f)) {
                progress = true;
                f.state = State::ready;
                if (i + 2 < r.fibers.size())  // their stacks are in no near cache, if there are many
                    for (int line = 0; line < 4; line++)
                        __builtin_prefetch((char *)r.fibers[i + 2].stack_pointer + 64 * line);
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
        if (!r.live) {
            for (auto &[place, phases] : r.phases) check_copies(phases.copies);
            break;
        }
        if (waiting == r.live) {
            release_barrier(r);
        } else if (!progress && !release_converging(r)) {  // they wait for others elsewhere
            for (Fiber &f : r.fibers)
                if (f.state == State::at_meeting || f.state == State::at_phase) {
                    cl_now = &f.self;
                    bool lanes = f.state == State::at_meeting;
                    bool bytes = false;
                    for (auto &[place, phases] : r.phases)
                        bytes |= !lanes && f.phase == &phases.phase && !phases.missing;
                    note_fault(fault_here(lanes ? "lanes that never come"
                                          : bytes ? "bytes that never come"
                                                  : "arrivals that never come", f.site));
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
        clear_shadow(r.stacks, r.fibers.size() * STACK);
        give_stacks(r.stacks, r.fibers.size());
    }
    munmap(r.dynamic + (r.launch->shared_bytes + 15) / 16 * 16 - room - page, room + 2 * page);
}
