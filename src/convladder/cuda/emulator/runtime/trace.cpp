// Every access to memory, told by the thread sanitizer's instrumentation, and every step of the
// control flow, told by the coverage instrumentation. No sanitizer is linked: these are the
// functions that such code calls.
#include <algorithm>
#include <cstring>

#include "clocks.h"
#include "regions.h"
#include "report.h"
#include "warps.h"

static const size_t MOST_EVENTS = 1 << 24;  // that a thread keeps until it waits or ends: 256 MiB
static char *base;  // of the module, so that a place in the code fits into 32 bits
// A signal may come while a list of events grows, so what it asks for is kept beside the lists.
static __thread const void *volatile latest __attribute__((tls_model("initial-exec")));

void trace_start(const Launch &l) {
    latest = nullptr;
    if (!l.traced) return;
    base = l.module;
    regions_start(l);
    clocks_start(l);
    warps_start(l);
}

void trace_end() {
    settle_races();
    regions_end();
}

void trace_block_begins(Runner &r) {
    clocks_block();
    regions_block();
}

const void *trace_last() { return latest; }

void trace_barrier(Runner &r) {
    clocks_barrier();
    warps_barrier();
}

void trace_syncwarp(unsigned warp, unsigned lanes) { clocks_syncwarp(warp, lanes); }

void trace_shared(const Shared &array) { regions_shared(array); }

void trace_warp(Runner &r, unsigned warp) {
    settle_races();
    size_t first = warp * 32, count = std::min<size_t>(32, r.fibers.size() - first);
    bool any = false;
    for (size_t i = 0; i < count; i++) any |= !r.fibers[first + i].events.empty();
    if (!any) return;
    merge_warp(&r.fibers[first], count);
    for (size_t i = 0; i < count; i++) {
        Fiber &f = r.fibers[first + i], &next = r.fibers[(first + 32 + i) % r.fibers.size()];
        f.events.clear();
        if (next.events.empty()) f.events.swap(next.events);  // memory that is in a near cache
    }
}

static void keep(Fiber *f, const Event &event, const void *site) {
    latest = site;
    if (f->events.size() == MOST_EVENTS) give_up(fault_here("too long", site));
    f->events.push_back(event);
}

static void touch(void *address, size_t size, Event::Kind kind, const void *site,
                  unsigned how = 0, bool counted = true) {
    Runner *r = runner;
    char *at = (char *)address;
    if (!r || (at >= r->stacks && at < r->stacks_end)) return;
    Fiber *f = r->current;
    if (at == (char *)&cl_now || ((char *)f <= at && at < (char *)(f + 1))) return;
    uint32_t pc = (uint32_t)((const char *)site - 1 - base);
    Found found = check_access(at, size, kind, how, site, pc);
    if (found == Found::nothing) return;
    if (!counted) return;
    uint8_t number = kind | (found == Found::shared ? SHARED : 0);
    f->reads += number == (Event::load | SHARED);
    keep(f, {pc, (how & ONE) != 0, number, size, (uint64_t)at}, site);
}

extern "C" void cl_atomic(const void *at, size_t size, unsigned how, const void *site) {
    latest = site;
    if (!runner->launch->traced) return;
    settle_races();
    Event::Kind kind = !(how & STORES) ? Event::load : how & LOADS ? Event::atomic : Event::store;
    touch((void *)at, size, kind, site, how);
}

extern "C" void cl_fence(int device) {
    if (runner->launch->traced) clocks_fence(device);
}

static void touch_pieces(char *at, size_t size, size_t step, Event::Kind kind, const void *site,
                         bool counted = true) {
    while (size % step) step /= 2;
    for (size_t i = 0; i < size; i += step) touch(at + i, step, kind, site, 0, counted);
}

// A structure, of an alignment of `least` or more; one of which nothing is known goes in pieces of
// `most` bytes, if that divides its size.
static void touch_range(char *at, size_t size, Event::Kind kind, const void *site,
                        size_t least = 1, size_t most = 4) {
    if (!runner || (at >= runner->stacks && at < runner->stacks_end)) return;
    size_t step = begin_structure(at, size, least);
    touch_pieces(at, size, step ? step : most, kind, site);
    end_structure();
}

static size_t vector_or_word(size_t size) { return size == 16 || size == 8 ? size : 4; }

// The copy may touch its bytes at any time between its issue and the end of the wait, so it is
// noted at both; the GPU is asked for them once.
void trace_copy(const Copy &c, bool begins) {
    settle_races();
    if (begins)
        warps_copied((uint32_t)((const char *)c.site - 1 - base), c.size, false);
    else
        regions_flight(c.to, c.size, false);
    size_t bytes = c.size - c.zeros;
    touch_pieces((char *)c.from, bytes, vector_or_word(bytes), Event::load, c.site, begins);
    touch_pieces(c.to, c.size, vector_or_word(c.size), Event::store, c.site, begins);
    regions_flight(c.to, c.size, true);
}

void trace_bulk(const Copy &c) {
    settle_races();
    touch_pieces((char *)c.from, c.size - c.zeros, 16, Event::load, c.site, false);
    touch_pieces(c.to, c.size, 16, Event::store, c.site, false);
    regions_flight(c.to, c.size, true);
}

// Did its thread read shared memory, which is to compute, while it was on its way?
void trace_overlap(const Copy &c) {
    uint32_t pc = (uint32_t)((const char *)c.site - 1 - base);
    if (((Fiber *)cl_now->fiber)->reads > c.reads) warps_copied(pc, c.size, true);
}

void trace_copied(const Copy &c) { regions_flight(c.to, c.size, false); }

void trace_phases(const void *place, size_t size, bool begins, const void *site) {
    settle_races();
    touch((void *)place, size, begins ? Event::store : Event::atomic, site, begins ? 0 : SILENT);
}

void trace_arrival(const char *barrier, uint32_t phase, bool first) {
    clocks_arrive(barrier, phase & 1, first);
}

void trace_departure(const char *barrier, uint32_t phase) { clocks_depart(barrier, phase & 1); }

extern "C" void cl_copy_bytes(char *to, const char *from, size_t size, unsigned rank,
                              unsigned count, const void *site) {
    for (size_t i = rank; i < size; i += count) {
        if (runner->launch->traced) {
            settle_races();
            touch((void *)(from + i), 1, Event::load, site);
            touch(to + i, 1, Event::store, site);
        }
        to[i] = from[i];
    }
}

static void noted(void *at, size_t size, Event::Kind kind, const void *site, unsigned how) {
    settle_races();
    if (size == 16 && !how)  // a vector, or a structure of two doubles
        touch_range((char *)at, size, kind, site, 8, size);
    else
        touch(at, size, kind, site, how);
}

#define CL_HERE __builtin_return_address(0)
extern "C" {
void __sanitizer_cov_trace_pc() {
    if (!runner) return;
    uint32_t pc = (uint32_t)((const char *)CL_HERE - 1 - base);
    keep(runner->current, {pc, false, Event::step, 0, 0}, CL_HERE);
}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
#define CL_TOLD(name, n, kind, how)                                                    \
    void __tsan_##name##n(void *at) {                                                  \
        noted(at, n, Event::kind, CL_HERE, how);                                     \
    }
#define CL_ACCESS(n)                                                                   \
    CL_TOLD(read, n, load, 0)                                                          \
    CL_TOLD(write, n, store, 0)                                                        \
    CL_TOLD(unaligned_read, n, load, 0)                                                \
    CL_TOLD(unaligned_write, n, store, 0)                                              \
    CL_TOLD(volatile_read, n, load, LOADS | OLD)                                       \
    CL_TOLD(volatile_write, n, store, STORES | OLD)                                    \
    CL_TOLD(unaligned_volatile_read, n, load, LOADS | OLD)                             \
    CL_TOLD(unaligned_volatile_write, n, store, STORES | OLD)                          \
    void __tsan_read_write##n(void *at) {                                              \
        settle_races();                                                                \
        touch(at, n, Event::load, CL_HERE);                                            \
        touch(at, n, Event::store, CL_HERE);                                           \
    }
CL_ACCESS(1)
CL_ACCESS(2)
CL_ACCESS(4)
CL_ACCESS(8)
CL_ACCESS(16)
void __tsan_read_range(char *at, size_t size) {
    settle_races();
    touch_range(at, size, Event::load, CL_HERE);
}
void __tsan_write_range(char *at, size_t size) {
    settle_races();
    touch_range(at, size, Event::store, CL_HERE);
}
void *__tsan_memcpy(void *to, const void *from, size_t size) {
    settle_races();
    touch_range((char *)from, size, Event::load, CL_HERE, 1, vector_or_word(size));
    touch_range((char *)to, size, Event::store, CL_HERE, 1, vector_or_word(size));
    return std::memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    settle_races();
    touch_range((char *)from, size, Event::load, CL_HERE, 1, vector_or_word(size));
    touch_range((char *)to, size, Event::store, CL_HERE, 1, vector_or_word(size));
    return std::memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    settle_races();
    touch_range((char *)to, size, Event::store, CL_HERE);
    return std::memset(to, value, size);
}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
}
