// Every access to memory, told by the thread sanitizer's instrumentation, and every step of the
// control flow, told by the coverage instrumentation. No sanitizer is linked: these are the
// functions that such code calls.
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "report.h"
#include "warps.h"

static const size_t MOST_EVENTS = 1 << 24;  // that a thread keeps until it waits or ends: 256 MiB
static char *base;  // of the module, so that a place in the code fits into 32 bits

struct Access {  // who touched a byte of shared memory last, and in which interval
    uint32_t epoch, syncs;
    int thread;
    const void *site;
};
struct Byte {
    Access store, load, other_load;  // the two loads are of different threads
    bool written, atomic;
};
struct Region : Shared {
    std::vector<Byte> bytes_of;
};
static std::vector<Region> shared_regions;
static uint32_t epoch;  // barriers passed, over all blocks

void trace_start(const Launch &l) {
    if (!l.traced) return;
    epoch = 0;
    base = l.module;
    warps_start(l);
}

void trace_block_begins(Runner &r) {
    epoch++;
    shared_regions.clear();
}

const void *trace_last() {
    const std::vector<Event> &events = runner->current->events;
    return events.empty() ? nullptr : base + events.back().pc + 1;
}

void trace_barrier(Runner &r) { epoch++; }

void trace_shared(const Shared &array) {
    shared_regions.push_back({array, std::vector<Byte>(array.bytes)});
}

void trace_warp(Runner &r, unsigned warp) {
    size_t first = warp * 32, count = std::min<size_t>(32, r.fibers.size() - first);
    bool any = false;
    for (size_t i = 0; i < count; i++) any |= !r.fibers[first + i].events.empty();
    if (!any) return;
    merge_warp(&r.fibers[first], count);
    for (size_t i = 0; i < count; i++) r.fibers[first + i].events.clear();
}

static void accuse(const char *kind, const void *site, const Region *region, int array,
                   int64_t offset, size_t size, bool store, const Access *other) {
    Fault fault = fault_here(kind, site);
    if (region) {
        fault.name = region->name;
        fault.element = region->element;
        fault.sides = region->sides;
    }
    fault.array = array;
    fault.offset = offset;
    fault.size = size;
    fault.store = store;
    if (other) {
        fault.has_other = true;
        fault.other = runner->fibers[other->thread].self;
        fault.other_site = other->site;
    }
    note_fault(fault);
}

// May the two have happened at once? Not if a barrier lay between, or one of their common warp.
static bool at_once(const Access &a, const Access &b) {
    if (!a.site || a.epoch != b.epoch || a.thread == b.thread) return false;
    return a.thread / 32 != b.thread / 32 || a.syncs == b.syncs;
}

static void touch_shared(Region &region, char *at, size_t size, Event::Kind kind,
                         const void *site) {
    Fiber *f = (Fiber *)cl_now->fiber;
    Access now = {epoch, f->warp_syncs, (int)(f - &runner->fibers[0]), site};
    int64_t offset = at - region.at;
    bool unwritten = false, accused = false;  // once for an access, however many bytes it has
    for (size_t i = 0; i < size; i++) {
        Byte &b = region.bytes_of[offset + i];
        bool ordered = kind == Event::atomic && b.atomic;  // atomics do not race with each other
        if (kind != Event::store) {
            unwritten |= !b.written;
            if (at_once(b.store, now) && !ordered && !accused) {
                accuse("race", site, &region, -1, offset, size, kind != Event::load, &b.store);
                accused = true;
            }
        }
        if (kind != Event::load) {
            const Access *rival = at_once(b.store, now)        ? &b.store
                                  : at_once(b.load, now)       ? &b.load
                                  : at_once(b.other_load, now) ? &b.other_load
                                                               : nullptr;
            if (rival && !ordered && !accused) {
                accuse("race", site, &region, -1, offset, size, true, rival);
                accused = true;
            }
            b.store = now;
            b.written = true;
            b.atomic = kind == Event::atomic;
        } else {
            if (b.load.epoch != epoch || b.load.thread == now.thread)
                b.load = now;
            else
                b.other_load = now;
        }
    }
    if (unwritten && !accused) accuse("unwritten", site, &region, -1, offset, size, false, nullptr);
}

static void touch_array(const Array &a, int number, char *at, size_t size, Event::Kind kind,
                        const void *site) {
    int64_t offset = at - a.at;
    if (offset < 0 || offset + (int64_t)size > (int64_t)a.bytes) {
        accuse("out of bounds", site, nullptr, number, offset, size, kind != Event::load, nullptr);
        return;
    }
    if (!a.written) return;
    bool all = true;
    for (size_t i = 0; i < size; i++) all &= a.written[offset + i];
    if (!all && kind != Event::store)
        accuse("unwritten", site, nullptr, number, offset, size, false, nullptr);
    if (kind != Event::load) std::memset(a.written + offset, 1, size);
}

static void keep(Fiber *f, const Event &event, const void *site) {
    if (f->events.size() == MOST_EVENTS) give_up(fault_here("too long", site));
    f->events.push_back(event);
}

static void touch(void *address, size_t size, Event::Kind kind, const void *site) {
    Runner *r = runner;
    char *at = (char *)address;
    if (!r || (at >= r->stacks && at < r->stacks_end)) return;
    Launch &l = *r->launch;
    Fiber *f = r->current;
    if (at == (char *)&cl_now || ((char *)f <= at && at < (char *)(f + 1))) return;
    if (at >= l.constants && at < l.constants_end) {
        if (kind != Event::load)
            accuse("stores to a constant", site, nullptr, -1, 0, size, true, nullptr);
        return;
    }
    uint32_t pc = (uint32_t)((const char *)site - 1 - base);
    if ((uintptr_t)at % size && size <= 16) {
        accuse("misaligned", site, nullptr, -1, (int64_t)((uintptr_t)at % size), size,
               kind != Event::load, nullptr);
        abandon();  // as on the GPU; and this processor may refuse it too
    }
    for (Region &region : shared_regions)
        if (at >= region.at && at < region.at + region.bytes) {
            if (at + size > region.at + region.bytes) break;
            touch_shared(region, at, size, kind, site);
            keep(f, {pc, (uint8_t)(kind | SHARED), (uint8_t)size, (uint64_t)at}, site);
            return;
        }
    int nearest = -1;
    uint64_t distance = 64 << 20;  // as far as guards reach
    for (size_t i = 0; i < l.arrays.size(); i++) {
        const Array &a = l.arrays[i];
        uint64_t away = at < a.at ? a.at - at : at < a.at + a.bytes ? 0 : at - a.at - a.bytes + 1;
        if (away < distance) distance = away, nearest = i;
    }
    for (Region &region : shared_regions) {  // beyond the end of a shared array, or before it
        uint64_t away = at < region.at ? region.at - at : at - region.at - region.bytes + 1;
        if (away < 4096 && away < distance) {
            accuse("out of bounds", site, &region, -1, at - region.at, size, kind != Event::load,
                   nullptr);
            if (kind != Event::load && region.at != r->dynamic)
                abandon();  // behind a static array lies memory of our own
            return;
        }
    }
    if (nearest >= 0) {
        touch_array(l.arrays[nearest], nearest, at, size, kind, site);
    } else if (at < l.module || at >= l.module_end) {
        accuse("out of bounds", site, nullptr, -1, (int64_t)at, size, kind != Event::load, nullptr);
        abandon();
    }
    keep(f, {pc, (uint8_t)kind, (uint8_t)size, (uint64_t)at}, site);
}

extern "C" void cl_atomic(const void *at, size_t size, const void *site) {
    if (runner->launch->traced) touch((void *)at, size, Event::atomic, site);
}

// A vector moves as one; a larger structure in pieces of 4 bytes, what its members mostly have.
static void touch_range(char *at, size_t size, Event::Kind kind, const void *site) {
    size_t step = size == 16 || size == 8 || size < 4 ? size : 4;
    for (size_t i = 0; i < size; i += step) touch(at + i, step, kind, site);
}

#define CL_HERE __builtin_return_address(0)
extern "C" {
void __sanitizer_cov_trace_pc() {
    if (!runner) return;
    uint32_t pc = (uint32_t)((const char *)CL_HERE - 1 - base);
    keep(runner->current, {pc, Event::step, 0, 0}, CL_HERE);
}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
#define CL_ACCESS(n)                                                                   \
    void __tsan_read##n(void *at) { touch(at, n, Event::load, CL_HERE); }              \
    void __tsan_write##n(void *at) { touch(at, n, Event::store, CL_HERE); }            \
    void __tsan_unaligned_read##n(void *at) { touch(at, n, Event::load, CL_HERE); }    \
    void __tsan_unaligned_write##n(void *at) { touch(at, n, Event::store, CL_HERE); }  \
    void __tsan_volatile_read##n(void *at) { touch(at, n, Event::load, CL_HERE); }     \
    void __tsan_volatile_write##n(void *at) { touch(at, n, Event::store, CL_HERE); }   \
    void __tsan_read_write##n(void *at) {                                              \
        touch(at, n, Event::load, CL_HERE);                                            \
        touch(at, n, Event::store, CL_HERE);                                           \
    }
CL_ACCESS(1)
CL_ACCESS(2)
CL_ACCESS(4)
CL_ACCESS(8)
CL_ACCESS(16)
void __tsan_read_range(char *at, size_t size) { touch_range(at, size, Event::load, CL_HERE); }
void __tsan_write_range(char *at, size_t size) { touch_range(at, size, Event::store, CL_HERE); }
void *__tsan_memcpy(void *to, const void *from, size_t size) {
    touch_range((char *)from, size, Event::load, CL_HERE);
    touch_range((char *)to, size, Event::store, CL_HERE);
    return std::memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    touch_range((char *)from, size, Event::load, CL_HERE);
    touch_range((char *)to, size, Event::store, CL_HERE);
    return std::memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    touch_range((char *)to, size, Event::store, CL_HERE);
    return std::memset(to, value, size);
}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
}
