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

static void end_if_complete(Phases &p) {
    if (p.missing || p.bytes) return;
    finish_copies(p.copies);
    p.phase++;
    p.missing = p.count;
    p.begun = false;
}

extern "C" void cl_phase_init(void *barrier, unsigned count, const void *site) {
    touch(barrier, true, site);
    runner->phases[(const char *)barrier] = {
        count, count, 0, false, 0, {}, (Fiber *)cl_now->fiber};
}

extern "C" void cl_proxy_fence() {
    for (auto &[place, phases] : runner->phases)
        if (phases.unfenced == cl_now->fiber) phases.unfenced = nullptr;
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
    end_if_complete(p);
    return phase;
}

extern "C" void cl_phase_expect(void *barrier, unsigned bytes, const void *site) {
    phases_of((char *)barrier, site).bytes += bytes;
}

// Whoever waits for the phase knows the bytes, though they come after all have arrived.
extern "C" void cl_bulk_copy(void *to, const void *from, size_t size, size_t zeros, void *barrier,
                             const void *site) {
    Copy copy = {(char *)to, (const char *)from, (uint32_t)size, (uint32_t)zeros, 0, site, *cl_now,
                 0};
    check_bulk(copy);
    Phases &p = phases_of((char *)barrier, site);
    if (p.unfenced) note_fault(fault_here("barrier without fence", site));
    p.unfenced = nullptr;
    if (runner->launch->traced) {
        trace_bulk(copy);
        trace_arrival((char *)barrier, p.phase, !p.begun);
    }
    p.begun = true;
    p.copies.push_back(copy);
    p.bytes -= size;
    end_if_complete(p);
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

// PTX takes 0 or 1; what the hardware makes of another number nobody promises.
extern "C" void cl_phase_wait_parity(void *barrier, int parity, const void *site) {
    if (parity & ~1) note_fault(fault_here("neither parity", site));
    cl_phase_wait(barrier, parity, site);
}
