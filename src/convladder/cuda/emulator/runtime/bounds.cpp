// An index outside the size that an array was declared with, told by the bounds sanitizer's
// instrumentation of a checked kernel. As with the tracer no sanitizer is linked: this is what such
// code calls, just before the access, with a place that the compiler has laid down.
#include <cstdlib>

#include "report.h"

// May a shared array be meant? Its accesses are looked at in the traced run (regions.cpp), so that
// the thread is to go on.
static bool may_be_shared(const char *type) {
    int inside = 0;  // of a template's arguments
    while (*type && (inside || *type != '[')) inside += (*type == '<') - (*type == '>'), type++;
    size_t size = *type ? std::strtoull(type + 1, nullptr, 10) : 0;
    for (const Shared &s : runner->shared) {
        if (!s.sides || !*s.sides) return true;  // sized by the launch, or a structure
        for (const size_t *side = s.sides; *side; side++)
            if (*side == size) return true;
    }
    return false;
}

extern "C" void __ubsan_handle_out_of_bounds(const Subscript *subscript, uintptr_t value) {
    if (!runner) return;
    Fault fault = fault_here("out of bounds", __builtin_return_address(0));
    fault.subscript = subscript;
    unsigned bits = 1u << (subscript->index->layout >> 1), spare = 64 - bits;
    if (bits > 8 * sizeof value)  // then it was told where it lies
        fault.offset = *(const int64_t *)value;
    else if (subscript->index->layout & 1)
        fault.offset = (int64_t)((uint64_t)value << spare) >> spare;
    else
        fault.offset = (int64_t)((uint64_t)value << spare >> spare);
    note_fault(fault);
    // Behind a thread's own array lies its stack: what it would do then says nothing.
    if (!may_be_shared(subscript->array->name)) abandon();
}
