// Where threads wait: for their block at a barrier, for lanes of their warp at a meeting.
#include <cstring>

#include "state.h"

// The source names a barrier, by its line and call: compilers may make two pieces of code of one.
extern "C" int cl_barrier(int kind, int predicate, int line, int call) {
    Fiber *f = (Fiber *)cl_now->fiber;
    f->state = State::at_barrier;
    f->site = site_of_line(line);
    f->call = call;
    f->kind = kind;
    f->predicate = predicate;
    yield_fiber();
    return runner->barrier_result;
}

static Meeting &meet(unsigned mask, const void *site, unsigned &parity, void *value, size_t size,
                     int predicate, bool orders = false) {
    Fiber *f = (Fiber *)cl_now->fiber;
    auto &meetings = runner->meetings[f->self.warp];
    Meeting *meeting = nullptr;
    for (Meeting &m : meetings)
        if (m.mask == mask) meeting = &m;
    if (!meeting) {
        meetings.push_back({mask, 0, 0, false, {}, {0, 0}, {0, 0}});
        meeting = &meetings.back();
    }
    parity = meeting->generation & 1;
    unsigned bit = 1u << f->self.lane;
    if (!meeting->arrived) meeting->votes[parity] = meeting->came[parity] = 0;
    if (value) std::memcpy(meeting->values[parity][f->self.lane], value, size);
    if (predicate) meeting->votes[parity] |= bit;
    meeting->arrived |= bit;
    meeting->came[parity] |= bit;
    meeting->orders |= orders;
    f->meeting = meeting;
    f->generation = meeting->generation;
    f->state = State::at_meeting;
    f->site = site;
    if (!(mask & bit)) note_fault(fault_here("not in its own mask", site));
    yield_fiber();
    return *meeting;
}

extern "C" unsigned cl_collect(unsigned mask, const void *value, size_t size, void *all,
                               const void *site) {
    unsigned parity;
    Meeting &m = meet(mask, site, parity, (void *)value, size, 0);
    std::memcpy(all, m.values[parity], sizeof m.values[parity]);
    return m.came[parity];
}

extern "C" unsigned cl_converged(int line, const void *site) {
    Fiber *f = (Fiber *)cl_now->fiber;
    f->state = State::converging;
    f->site = site;
    f->kind = line;
    yield_fiber();
    return (unsigned)f->predicate;
}

// All else of the block waits or has ended: lanes of a warp that are at one line are together.
bool release_converging(Runner &r) {
    bool any = false;
    for (size_t i = 0; i < r.fibers.size(); i++) {
        Fiber &f = r.fibers[i];
        if (f.state != State::converging) continue;
        any = true;
        unsigned lanes = 0;
        auto together = [&](const Fiber &other) {
            return other.state == State::converging && other.self.warp == f.self.warp &&
                   other.kind == f.kind;
        };
        for (size_t j = i; j < r.fibers.size() && r.fibers[j].self.warp == f.self.warp; j++)
            if (together(r.fibers[j])) lanes |= 1u << r.fibers[j].self.lane;
        for (size_t j = r.fibers.size(); j-- > i;)
            if (together(r.fibers[j])) {
                r.fibers[j].predicate = (int)lanes;
                if (j > i) r.fibers[j].state = State::ready;
            }
        f.state = State::ready;
    }
    return any;
}

extern "C" void cl_spin(const void *site) {
    Fiber *f = (Fiber *)cl_now->fiber;
    if (f) yield_fiber();
}

extern "C" void cl_syncwarp(unsigned mask, const void *site) {
    unsigned parity;
    meet(mask, site, parity, nullptr, 0, 0, true);
}

extern "C" void cl_exchange(unsigned mask, int lane, void *value, size_t size, const void *site) {
    unsigned parity;
    Meeting &m = meet(mask, site, parity, value, size, 0);
    if (mask & m.came[parity] & 1u << lane)
        std::memcpy(value, m.values[parity][lane], size);
    else  // undefined on a GPU
        note_fault(fault_here("value of no lane", site));
}

extern "C" unsigned cl_vote(unsigned mask, int predicate, const void *site) {
    unsigned parity;
    return meet(mask, site, parity, nullptr, 0, predicate).votes[parity];
}
