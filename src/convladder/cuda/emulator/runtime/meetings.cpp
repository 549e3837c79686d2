// Where threads wait: for their block at a barrier, for lanes of their warp at a meeting.
#include <cstring>

#include "state.h"

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
