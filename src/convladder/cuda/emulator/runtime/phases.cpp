// Barriers in shared memory that count arrivals: when all of a phase have come, those who wait for
// it go on, and the next phase begins.
#include "state.h"

static Phases &phases_of(char *at, const void *site) {
    auto found = runner->phases.find(at);
    if (found != runner->phases.end()) return found->second;
    note_fault(fault_here("barrier without count", site));
    abandon();
}

static void touch(const void *at, bool begins, const void *site) {
    if (runner->launch->traced) trace_phases(at, 8, begins, site);
}

extern "C" void cl_phase_init(void *barrier, unsigned count, const void *site) {
    touch(barrier, true, site);
    runner->phases[(const char *)barrier] = {count, count, 0, false, {}};
}

extern "C" unsigned cl_phase_arrive(void *barrier, unsigned count, int drop, const void *site) {
    Phases &p = phases_of((char *)barrier, site);
    touch(barrier, false, site);
    uint32_t phase = p.phase;
    if (count > p.missing) {
        note_fault(fault_here("too many arrivals", site));
        abandon();
    }
    if (runner->launch->traced) trace_arrival((char *)barrier, phase, !p.begun);
    p.begun = true;
    p.missing -= count;
    if (drop) p.count -= count;
    if (!p.missing) {
        finish_copies(p.copies);
        p.phase++;
        p.missing = p.count;
        p.begun = false;
    }
    return phase;
}

// `phase`: its number, of which only whether it is odd matters.
extern "C" void cl_phase_wait(void *barrier, unsigned phase, const void *site) {
    Phases &p = phases_of((char *)barrier, site);
    touch(barrier, false, site);
    Fiber *f = (Fiber *)cl_now->fiber;
    while (!((p.phase ^ phase) & 1)) {
        f->state = State::at_phase;
        f->site = site;
        f->phase = &p.phase;
        f->generation = p.phase;
        yield_fiber();
    }
    if (runner->launch->traced) trace_departure((char *)barrier, phase & 1);
}
