// Asynchronous copies into shared memory. A GPU does them at some time between their issue and the
// end of a wait; here they are done when they are waited for, so that who reads too early shows.
#include <cstring>

#include "report.h"

static bool in_shared(const char *at, size_t size) {
    for (const Shared &s : runner->shared)
        if (at >= s.at && at + size <= s.at + s.bytes) return true;
    return false;
}

extern "C" int cl_is_shared(const void *at) { return in_shared((const char *)at, 1); }

// `at`: the place that is wrong, if one is.
static void refuse(const char *kind, size_t size, const void *site, const void *at = nullptr) {
    Fault fault = fault_here(kind, site);
    if (at) place_fault(fault, (char *)at);
    fault.size = size;
    fault.store = !at || fault.name;  // it goes into shared memory
    note_fault(fault);
    abandon();
}

static Copies &copies_of_fiber() {
    Fiber *f = (Fiber *)cl_now->fiber;
    if (!f->copies) {
        runner->copies.emplace_back();
        f->copies = &runner->copies.back();
    }
    return *f->copies;
}

extern "C" void cl_copy(void *to, const void *from, size_t size, size_t zeros, const void *site) {
    bool possible = (size == 4 || size == 8 || size == 16) && zeros <= size;
    if (!possible) refuse("copy of a size", size, site);
    for (const void *at : {(const void *)to, from})
        if ((size_t)at & (size - 1)) refuse("misaligned", size, site, at);
    if (!in_shared((char *)to, size)) refuse("copy beside shared memory", size, site);
    Copies &own = copies_of_fiber();
    Copy copy = {(char *)to, (const char *)from, (uint32_t)size, (uint32_t)zeros, own.groups, site,
                 *cl_now, ((Fiber *)cl_now->fiber)->reads};
    if (runner->launch->traced) trace_copy(copy, true);
    own.under_way.push_back(copy);
}

void check_bulk(const Copy &c) {
    if (c.size % 16 || !c.size) refuse("bulk copy of a size", c.size, c.site);
    for (const void *at : {(const void *)c.to, (const void *)c.from})
        if ((size_t)at % 16) refuse("misaligned", 16, c.site, at);
    if (!in_shared(c.to, c.size)) refuse("copy beside shared memory", c.size, c.site);
}

static void finish(const Copy &c) {
    std::memcpy(c.to, c.from, c.size - c.zeros);
    std::memset(c.to + c.size - c.zeros, 0, c.zeros);
    if (runner->launch->traced) trace_copied(c);
}

extern "C" void cl_copy_commit() { copies_of_fiber().groups++; }

// Until no more than the last `prior` groups of this thread are on their way.
extern "C" void cl_copy_wait(unsigned prior, const void *site) {
    Copies &own = copies_of_fiber();
    size_t kept = 0;
    for (Copy &c : own.under_way) {
        if (c.group >= own.groups || own.groups - c.group <= prior) {
            own.under_way[kept++] = c;
            continue;
        }
        if (runner->launch->traced) {
            trace_copy(c, false);
            trace_overlap(c);
        }
        finish(c);
    }
    own.under_way.resize(kept);
}

extern "C" void cl_copy_for(const void *barrier, const void *site) {
    Copies &own = copies_of_fiber();
    auto found = runner->phases.find((const char *)barrier);
    if (found == runner->phases.end()) return;  // the arrival will tell
    for (const Copy &c : own.under_way) {
        if (runner->launch->traced) trace_copy(c, false);
        found->second.copies.push_back(c);
    }
    own.under_way.clear();
}

void finish_copies(std::vector<Copy> &copies) {
    for (const Copy &c : copies) finish(c);
    copies.clear();
}

// A thread ends, or a block with its barriers: who issued copies has waited for them.
void check_copies(const std::vector<Copy> &copies) {
    for (const Copy &c : copies) {
        Fault fault = fault_here("copy without wait", c.site);
        fault.self = c.self;
        note_fault(fault);
    }
}
