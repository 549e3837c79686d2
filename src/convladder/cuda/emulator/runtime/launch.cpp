// A launch: its blocks dealt out to the cores, its faults, and what is told of a crash.
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#ifdef __GLIBC__  // the headers above say so
#include <malloc.h>
#endif

#include "arrays.h"
#include "printing.h"
#include "report.h"
#include "state.h"

__thread cl_thread *cl_now = nullptr;
__thread Runner *runner = nullptr;
Launch *launch_now = nullptr;

static const size_t MOST_FAULTS = 200;  // of different kinds or places
static std::mutex fault_lock;
static std::vector<Fault> faults;
static std::atomic<uint64_t> next_block;
static std::atomic<int> stopped;
static std::atomic<int> reported;  // for the last time
static int crash_file = -1;
static pthread_t first_runner;

Fault fault_here(const char *kind, const void *site) {
    Fault fault = {};
    fault.kind = kind;
    fault.self = *cl_now;
    fault.site = site;
    fault.array = -1;
    fault.count = 1;
    return fault;
}

static bool in_one_warp(const Fault &f) {
    return f.self.warp == f.other.warp && !std::memcmp(&f.self.block, &f.other.block, sizeof(uint3));
}

size_t note_fault(const Fault &fault) {
    std::lock_guard<std::mutex> hold(fault_lock);
    for (Fault &f : faults)
        if (f.kind == fault.kind && f.site == fault.site && f.other_site == fault.other_site &&
            f.array == fault.array && f.name == fault.name && f.kinds == fault.kinds &&
            f.subscript == fault.subscript) {
            f.count++;
            // Of races the one that counts: lanes of one warp, as a rule, go together.
            if (f.has_other && in_one_warp(f) && !in_one_warp(fault)) {
                f.self = fault.self, f.other = fault.other;
                f.offset = fault.offset;
            }
            return &f - &faults[0];
        }
    if (faults.size() == MOST_FAULTS) return NO_FAULT;
    faults.push_back(fault);
    return faults.size() - 1;
}

void differing_race(size_t fault) { faults[fault].same = false; }

static void run_blocks(Launch &l) {
    static const size_t ALTERNATE = 64 << 10;
    Runner r = {};
    cl_thread turn = {{0, 0, 0}, {0, 0, 0}, l.block, l.grid, 0, 0, 0, nullptr};
    std::vector<char> stack(ALTERNATE);
    stack_t alternate = {};
    alternate.ss_sp = stack.data();
    alternate.ss_size = ALTERNATE;
    sigaltstack(&alternate, nullptr);
    start_runner(r, l);
    runner = &r;
    uint64_t blocks = (uint64_t)l.grid.x * l.grid.y * l.grid.z;
    for (uint64_t b; !stopped && (b = next_block++) < blocks;) {
        cl_now = &turn;
        turn.block = block_of(l, b);
        turn.declared = 0;
        r.shared.clear();
        r.static_bytes = 0;
        if (l.fibers) {
            run_block(r);
        } else {
            if (l.shared_bytes) std::memset(r.dynamic, 0xff, l.shared_bytes);
            l.run_block(l.arguments);
        }
    }
    runner = nullptr;
    cl_now = nullptr;
    end_runner(r);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, nullptr);
}

static void last_report(const Fault &fault, int signal) {
    std::string text = "{\"faults\":[";
    for (const Fault &f : faults) text += fault_text(f) + ",";
    text += fault_text(fault) + "],\"signal\":" + std::to_string(signal) + printing_text() +
            ",\"last\":" + site_text(trace_last()) + "}\n";
    fflush(stdout);
    if (write(crash_file, text.data(), text.size())) {}
    _exit(71);
}

// The kernel crashed, or ran out of time: say where, and end this process.
static void last_words(int signal, siginfo_t *info, void *context) {
    if (!cl_now) {
        if (signal == SIGUSR1 && launch_now) {
            pthread_kill(first_runner, SIGUSR1);
            return;
        }
        _exit(70);
    }
    if (reported.exchange(1)) pause();  // another core was first
    const void *site = in_kernel(called_from(context));
    if (signal == SIGUSR1 && launch_now->traced && trace_last()) site = trace_last();
    bool touched = signal == SIGSEGV || signal == SIGBUS;
    bool stack = touched && out_of_stack(context, info->si_addr);
    Fault fault = fault_here(signal == SIGUSR1  ? "endless"
                             : signal == SIGFPE ? "division"
                             : printing_now()   ? "printf"
                             : stack            ? "stack"
                                                : "crash", site);
    if (touched && !stack) place_fault(fault, (char *)info->si_addr);
    last_report(fault, signal);
}

extern "C" void cl_start(int file) {
    crash_file = file;
    struct sigaction action = {};
    action.sa_sigaction = last_words;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGUSR1})
        sigaction(signal, &action, nullptr);
}

// This thread never runs again, and no further block begins.
void abandon() {
    stopped = 1;
    ((Fiber *)cl_now->fiber)->state = State::done;
    for (;;) yield_fiber();
}

bool abandoned() { return stopped; }

extern "C" void cl_trap() {
    Fault fault = fault_here("trap", __builtin_return_address(0));
    if (cl_now->fiber) {
        note_fault(fault);
        abandon();
    }
    give_up(fault);
}

void give_up(const Fault &fault) {
    if (!reported.exchange(1)) last_report(fault, SIGTRAP);
    for (;;) pause();
}

// Run a launch, of which `cl_add_array` told the arrays. Returns a report in JSON, valid until the
// next one.
extern "C" const char *cl_launch(Launch *l) {
    static std::string text;
    faults.clear();
    next_block = 0;
    stopped = 0;
    launch_now = l;
    printing_start();
    first_runner = pthread_self();
    for (const Array &a : l->arrays) {
        set_canaries(a);
        if (l->looked_at) open_guards(a, true);
    }
    trace_start(*l);
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    std::vector<std::thread> others;
    if (!l->traced)  // what is traced runs in order, so that it says the same each time
        for (uint64_t i = 1; i < l->cores && i < blocks; i++)
            others.emplace_back(run_blocks, std::ref(*l));
    run_blocks(*l);
    for (std::thread &other : others) other.join();
    if (l->traced) {
        trace_end();
#ifdef __GLIBC__
        malloc_trim(0);  // what was noted of a launch is many times what is needed between two
#endif
    }
    launch_now = nullptr;
    text = "{\"faults\":[";
    for (const Fault &f : faults) text += (&f == &faults[0] ? "" : ",") + fault_text(f);
    text += "],\"beside\":[";
    bool first = true;
    for (size_t i = 0; i < l->arrays.size(); i++) {
        int64_t at = l->traced ? 0 : dead_canary(l->arrays[i]);
        if (l->looked_at) open_guards(l->arrays[i], false);
        if (!at) continue;
        text += (first ? "[" : ",[") + std::to_string(i) + "," + std::to_string(at) + "]";
        first = false;
    }
    text += "]" + printing_text() + trace_text(*l) + "}";
    return text.c_str();
}

extern "C" void *cl_dynamic_shared(const char *name, size_t element, size_t alignment) {
    Launch &l = *runner->launch;
    for (const Shared &s : runner->shared)
        if (s.at == runner->dynamic && s.name == name) return s.at;
    Shared all = {runner->dynamic, l.shared_bytes, element, nullptr, name, alignment};
    runner->shared.push_back(all);
    if (l.traced) trace_shared(all);
    return all.at;
}

extern "C" void cl_declare(unsigned number, void *at, size_t element, size_t alignment,
                           const size_t *sides, const char *name) {
    if (cl_now->declared >> number & 1) return;
    for (Fiber &f : runner->fibers) f.self.declared |= 1ull << number;
    cl_now->declared |= 1ull << number;
    size_t size = element;
    for (const size_t *side = sides; *side; side++) size *= *side;
    std::memset(at, 0xff, size);  // not a number, for those who read what nobody wrote
    Shared array = {(char *)at, size, element, sides, name, alignment};
    runner->shared.push_back(array);
    runner->static_bytes += size;
    if (runner->static_bytes > 48 << 10) {
        Fault fault = fault_here("static shared memory", __builtin_return_address(0));
        fault.name = name;
        fault.size = runner->static_bytes;
        note_fault(fault);
    }
    if (runner->launch->traced) trace_shared(array);
}

extern "C" long long cl_clock() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}
