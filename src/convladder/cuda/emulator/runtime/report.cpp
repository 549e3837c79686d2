// Faults as JSON: places in the code as offsets in the module, places in memory as array and bytes.
#include <dlfcn.h>
#include <ucontext.h>

#include "printing.h"
#include "report.h"

const void *program_counter(void *context) {
    ucontext_t *u = (ucontext_t *)context;
#if defined(__APPLE__) && defined(__x86_64__)
    return (const void *)(u->uc_mcontext->__ss.__rip + 1);
#elif defined(__APPLE__)
    return (const void *)(u->uc_mcontext->__ss.__pc + 1);
#elif defined(__x86_64__)
    return (const void *)(u->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    return (const void *)(u->uc_mcontext.pc + 1);
#else
    return nullptr;
#endif
}

static uintptr_t stack_pointer(void *context) {
    ucontext_t *u = (ucontext_t *)context;
#if defined(__APPLE__) && defined(__x86_64__)
    return u->uc_mcontext->__ss.__rsp;
#elif defined(__APPLE__)
    return u->uc_mcontext->__ss.__sp;
#elif defined(__x86_64__)
    return u->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return u->uc_mcontext.sp;
#else
    return 0;
#endif
}

// Where the last call returns to: on Arm that is in a register, elsewhere on top of the stack.
static const void *return_address(void *context) {
#if defined(__APPLE__) && defined(__aarch64__)
    return (const void *)((ucontext_t *)context)->uc_mcontext->__ss.__lr;
#elif defined(__aarch64__)
    return (const void *)((ucontext_t *)context)->uc_mcontext.regs[30];
#else
    uintptr_t top = stack_pointer(context);
    return top ? *(void *const *)top : nullptr;
#endif
}

// Where a signal met the thread; after a call through a bad pointer, where that stands.
const void *called_from(void *context) {
    const void *here = program_counter(context), *caller;
    Dl_info info;
    if (dladdr(here, &info)) return here;
    caller = return_address(context);
    return dladdr(caller, &info) ? caller : here;
}

// No array lies so near to the top of a stack.
bool out_of_stack(void *context, const void *at) {
    uintptr_t top = stack_pointer(context), place = (uintptr_t)at, near = 64 << 10;
    return place + near > top && place < top + near;
}

const void *in_kernel(const void *site) {
    Dl_info here, kernel;
    if (dladdr(site, &here) && dladdr((void *)launch_now->run_thread, &kernel) &&
        here.dli_fbase == kernel.dli_fbase)
        return site;
    if (const void *printing = printing_now()) return printing;
    return trace_last();
}

void place_fault(Fault &fault, char *at) {
    const Launch &l = *launch_now;
    uint64_t nearest = 64 << 20;  // as far as guards reach
    for (size_t i = 0; i < l.arrays.size(); i++) {
        const Array &a = l.arrays[i];
        uint64_t away = at < a.at ? a.at - at : at < a.at + a.bytes ? 0 : at - a.at - a.bytes + 1;
        if (away >= nearest) continue;
        nearest = away;
        fault.array = i;
        fault.offset = at - a.at;
    }
    for (const Shared &s : runner->shared)
        if (at >= s.at && at < s.at + s.bytes) {
            fault.name = s.name;
            fault.element = s.element;
            fault.sides = s.sides;
            fault.offset = at - s.at;
            return;
        }
    if (fault.array >= 0) return;
    fault.offset = (int64_t)at;
    name_variable(fault, at);
    if (!fault.name) fault.far = far_from_all(at);
}

static std::string sides_text(const size_t *sides) {
    std::string text;
    for (; sides && *sides; sides++) text += (text.empty() ? "" : ",") + std::to_string(*sides);
    return "[" + text + "]";
}

std::string far_from_all(const char *at) {
    std::string text;
    auto add = [&](const std::string &which, const char *base, size_t element,
                   const size_t *sides) {
        text += (text.empty() ? "[" : ",[") + which + "," + sides_text(sides) + "," +
                std::to_string(at - base) + "," + std::to_string(element) + "]";
    };
    const Launch &l = *launch_now;
    for (size_t i = 0; i < l.arrays.size(); i++)
        add(std::to_string(i), l.arrays[i].at, l.arrays[i].element, nullptr);
    for (const Shared &s : runner->shared)
        add("\"" + std::string(s.name) + "\"", s.at, s.element, s.sides);
    return ",\"far\":[" + text + "]";
}

void name_variable(Fault &fault, char *at) {
    for (const cl_variable *v = launch_now->variables; v->name; v++) {
        if (at < v->at || at >= v->at + v->size) continue;
        fault.name = v->name;
        fault.element = v->element;
        fault.sides = v->sides;
        fault.offset = at - v->at;
    }
}

static std::string three(uint3 v) {
    return "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]";
}

// Calls return behind themselves, so a place is one before. Lines are told as negative numbers.
std::string site_text(const void *site) {
    if (site && (uintptr_t)site < 1 << 20) return std::to_string(-(intptr_t)site);
    Dl_info info;
    if (!site || !dladdr(site, &info) || !info.dli_fbase) return "null";
    return std::to_string((const char *)site - 1 - (const char *)info.dli_fbase);
}

static std::string quoted(const char *text) {
    std::string quoted = "\"";
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') quoted += '\\';
        quoted += *text;
    }
    return quoted + "\"";
}

std::string fault_text(const Fault &f) {
    std::string text = "{\"kind\":\"" + std::string(f.kind) +
                       "\",\"thread\":" + three(f.self.thread) +
                       ",\"block\":" + three(f.self.block) + ",\"site\":" + site_text(f.site);
    if (f.has_other)
        text += ",\"other_thread\":" + three(f.other.thread) +
                ",\"other_block\":" + three(f.other.block) +
                ",\"other_site\":" + site_text(f.other_site);
    static const char *const kinds[] = {"read", "write", "atomic"};
    if (f.kinds)
        text += std::string(",\"does\":\"") + kinds[f.kinds / 4 - 1] + "\",\"did\":\"" +
                kinds[f.kinds % 4 - 1] + "\",\"same\":" + (f.same ? "true" : "false");
    if (f.name) {
        text += ",\"shared\":\"" + std::string(f.name) + "\",\"element\":" +
                std::to_string(f.element) + ",\"sides\":" + sides_text(f.sides);
        if (f.sides && !*f.sides) text += ",\"alone\":true";  // no array at all
    }
    if (f.subscript)
        text += ",\"subscript\":{\"file\":" + quoted(f.subscript->file) +
                ",\"line\":" + std::to_string(f.subscript->line) +
                ",\"column\":" + std::to_string(f.subscript->column) +
                ",\"type\":" + quoted(f.subscript->array->name) + "}";
    text += ",\"array\":" + std::to_string(f.array) + ",\"offset\":" + std::to_string(f.offset) +
            ",\"size\":" + std::to_string(f.size) + ",\"store\":" + (f.store ? "true" : "false") +
            ",\"count\":" + std::to_string(f.count) + f.far + "}";
    return text;
}
