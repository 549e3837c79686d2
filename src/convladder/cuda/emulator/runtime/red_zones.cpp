// An access beside a thread's own array, or beside one of the source's, by whatever pointer, and
// what is read of a thread's own before it was written: told by
// the address sanitizer's instrumentation of a checked kernel. No sanitizer is linked here either.
// The compiler leaves room around each array and notes it, eight bytes in one of "shadow" memory.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>

#include "report.h"

static const uintptr_t SHADOW = 0x7fff8000;  // as toolchain.py tells the compiler
static int8_t *shadow_of(const char *at) { return (int8_t *)(((uintptr_t)at >> 3) + SHADOW); }

// Maps it, all zero; and anew at the end, since threads that never ended have left theirs.
void clear_shadow(char *stacks, size_t bytes) {
    uintptr_t page = sysconf(_SC_PAGESIZE), begin = (uintptr_t)shadow_of(stacks) & ~(page - 1);
    mmap((char *)begin, (uintptr_t)shadow_of(stacks + bytes) - begin, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);  // of whole pages
}

struct Global {  // as the compiler lays it out
    char *at;
    size_t bytes, with_room;
    const char *name, *module;
    uintptr_t more[3];
};
static std::vector<Global> globals;

static bool in_room(const char *at) {
    int8_t here = *shadow_of(at);
    return here && (here < 0 || ((uintptr_t)at & 7) >= (uintptr_t)here);
}

struct Nearest {
    const char *name = nullptr;
    char *at = nullptr;
    size_t bytes = 0, away = ~(size_t)0;
    void look(const char *place, char *begin, size_t size, const char *called) {
        size_t far = place < begin          ? begin - place
                     : place < begin + size ? 0
                                            : place - begin - size + 1;
        if (far < away) name = called, at = begin, bytes = size, away = far;
    }
};

// A frame begins with a word of the compiler's and a text: how many arrays there are, and of each
// its place, its bytes and its name, whose length stands before it.
static Nearest own_array(const char *at, std::string &name) {
    Nearest nearest;
    char *frame = (char *)((uintptr_t)at & ~(uintptr_t)7);
    const uint64_t BEGINS = 0x41b58ab3;
    while (*(uint64_t *)frame != BEGINS || *shadow_of(frame) != (int8_t)0xf1)
        if ((frame -= 8) < runner->stacks + 4096) return nearest;
    char *text = *(char **)(frame + 8);
    for (size_t left = std::strtoull(text, &text, 10); left; left--) {
        size_t place = std::strtoull(text, &text, 10), bytes = std::strtoull(text, &text, 10);
        size_t length = std::strtoull(text, &text, 10), before = nearest.away;
        nearest.look(at, frame + place, bytes, "");
        if (nearest.away < before) name.assign(text + 1, length);
        text += 1 + length;
    }
    name = name.substr(0, name.find(':'));  // its line stands behind it
    return nearest;
}

// Does it hold what the compiler fills variables with (toolchain.py) that nothing is assigned to?
static bool unset(const char *at, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (at[i] != (char)0xfe) return false;
    return size >= 4;
}

static void look_beside(char *at, size_t size, bool store, const void *site) {
    static std::set<std::string> names;
    static std::set<std::pair<size_t, size_t>> sides;  // each with the 0 behind it
    Nearest nearest;
    bool beside = true;
    if (at >= runner->stacks && at < runner->stacks_end) {
        beside = in_room(at) || in_room(at + size - 1);
        if (!beside && (store || !unset(at, size))) return;
        std::string name;
        nearest = own_array(at, name);
        nearest.name = names.insert(name).first->c_str();
    } else if (at >= launch_now->module && at < launch_now->module_end) {
        for (const Global &g : globals) {
            if (at >= g.at && at + size <= g.at + g.bytes) return;
            if (at >= g.at - 64 && at < g.at + g.with_room) nearest.look(at, g.at, g.bytes, g.name);
        }
    }
    if (!nearest.at) return;
    Fault fault = fault_here(beside ? "out of bounds" : "unwritten", site);
    fault.name = nearest.name;
    fault.element = size;
    fault.sides = &sides.insert({nearest.bytes / size, 0}).first->first;
    fault.offset = at - nearest.at;
    fault.size = size;
    fault.store = store;
    note_fault(fault);  // and go on: this room is nobody's
}

static inline void beside(char *at, size_t size, bool store, const void *site) {
    if (runner && ((at >= runner->stacks && at < runner->stacks_end) ||
                   (at >= launch_now->module && at < launch_now->module_end)))
        look_beside(at, size, store, site);  // elsewhere the traced run looks
}

extern "C" {
void __asan_register_globals(const Global *more, size_t count) {
    globals.insert(globals.end(), more, more + count);
}
void __asan_unregister_globals(const Global *, size_t) {}
void __asan_handle_no_return() {}
void __asan_before_dynamic_init(const char *) {}
void __asan_after_dynamic_init() {}
#define CL_BESIDE(n)                                                                   \
    void __asan_load##n##_noabort(char *at) {                                          \
        beside(at, n, false, __builtin_return_address(0));                             \
    }                                                                                  \
    void __asan_store##n##_noabort(char *at) {                                         \
        beside(at, n, true, __builtin_return_address(0));                              \
    }
CL_BESIDE(1)
CL_BESIDE(2)
CL_BESIDE(4)
CL_BESIDE(8)
CL_BESIDE(16)
void __asan_loadN_noabort(char *at, size_t size) {
    beside(at, size, false, __builtin_return_address(0));
}
void __asan_storeN_noabort(char *at, size_t size) {
    beside(at, size, true, __builtin_return_address(0));
}
}
