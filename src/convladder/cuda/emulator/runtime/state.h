// What the parts of the runtime share: the launch, and the block that one core is running.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "cl_runtime.h"

struct Array {  // of global memory, as one argument of the launch
    char *at;
    size_t bytes;
    uint8_t *written;  // a flag for each byte; null: all of it was
    bool constant;     // the kernel may not store to it
    size_t element, alignment;  // of what its pointer points to
};

struct Launch {
    dim3 grid, block;
    uint32_t shared_bytes;  // dynamic
    uint32_t cores;
    int fibers;  // threads that may wait for one another
    int traced;
    int looked_at;  // every access is: it may go on around the arrays
    void **arguments;
    void (*run_thread)(void **);  // the kernel, for the thread that cl_now describes
    void (*run_block)(void **);   // all threads of cl_now's block in turn, if none waits
    std::vector<Array> arrays;
    char *constants, *constants_end;  // the module's __constant__ memory
    char *module, *module_end;        // from its code to the end of its __device__ memory
    const cl_variable *variables;     // of the source, then one without a name
    const cl_layout *structures;      // that the source defines, then one of no bytes
    std::vector<uint32_t> order;      // of the blocks; empty: as they are numbered
    uint32_t watched_block, watched_warps;  // the warps are bits
    bool watched_whole;  // steps and barriers too
};

enum class State : uint8_t { ready, at_barrier, at_meeting, at_phase, converging, done };

struct Event {  // of one thread, in order: where, what, and which bytes
    enum Kind : uint8_t { step, load, store, atomic };
    uint32_t pc;
    bool one;  // an atomic that adds one
    uint64_t kind : 8, size : 8, at : 48;  // packed: there are millions
};

struct Meeting {  // of lanes that named the same mask
    unsigned mask, arrived, generation;
    bool orders;  // memory: it is a __syncwarp
    alignas(16) char values[2][32][16];
    unsigned votes[2], came[2];
};

struct Copy {  // into shared memory, issued and not yet done
    char *to;
    const char *from;
    uint32_t size, zeros;
    uint32_t group;  // its number among those that the thread commits
    const void *site;
    cl_thread self;
    uint64_t reads;  // its thread's from shared memory, before
};

struct Copies {  // of one thread
    std::vector<Copy> under_way;
    uint32_t groups;  // committed
};

struct Phases {  // a cuda::barrier: how many arrivals end a phase, how many of them are to come
    uint32_t count, missing, phase;
    bool begun;                // some have arrived in this phase
    int64_t bytes;             // announced and not yet asked of the copy engine
    std::vector<Copy> copies;  // that the phase waits for
    struct Fiber *unfenced;    // who began it, until a fence lets the copy engine know of it
};

struct alignas(64) Fiber {  // what the scheduler asks of one lies in one cache line
    void *stack_pointer;
    State state;
    const void *site;   // where it waits
    int call, kind, predicate;  // of __syncthreads and its variants
    union {
        Meeting *meeting;
        const uint32_t *phase;  // of a barrier
    };
    unsigned generation;  // of either, which it waits to see pass
    uint32_t tick;   // see clocks.h
    uint64_t reads;  // from shared memory, traced
    Copies *copies;  // null: it has issued none
    cl_thread self;
    std::vector<Event> events;
};

struct Shared {  // one array of shared memory, known once its declaration was passed
    char *at;
    size_t bytes, element;
    const size_t *sides;  // of its axes, then 0; null: one axis
    const char *name;
    size_t alignment;  // of an element
};

struct Runner {  // one core's share of the grid
    Launch *launch;
    std::vector<Fiber> fibers;
    std::vector<std::deque<Meeting>> meetings;  // of each warp; fibers point to them
    Fiber *current;
    void *scheduler;  // its stack pointer, while a fiber runs
    char *stacks, *stacks_end;
    char *dynamic;  // shared memory of the launch's size, its end before a guard page
    std::vector<Shared> shared;
    size_t static_bytes;  // of the shared memory declared so far
    std::unordered_map<const char *, Phases> phases;  // by their places
    std::deque<Copies> copies;                        // fibers point to them
    int barrier_result;
    unsigned live;
};

uint3 block_of(const Launch &l, uint64_t turn);  // which runs then

extern __thread Runner *runner;
extern Launch *launch_now;

struct TypeName {  // as the bounds sanitizer lays it out
    uint16_t kind, layout;  // of a whole number: twice the logarithm of its bits, 1 more if signed
    char name[1];
};
struct Subscript {  // likewise: where in the source, of which array
    const char *file;
    uint32_t line, column;
    const TypeName *array, *index;
};

// Why a launch failed or what it did wrong; threads and places as the learner knows them.
struct Fault {
    const char *kind;
    cl_thread self;
    const void *site;
    bool has_other;
    cl_thread other;
    const void *other_site;
    int kinds;  // of a race's accesses: four times this one's, and the other one's
    bool same;  // a race of stores, each of what was there already
    int array;          // number of the argument, -1: none
    const char *name;   // of a shared array, or of a variable of the source
    size_t element;     // of it, in bytes
    const size_t *sides;
    int64_t offset;     // bytes from its start; of a subscript, the index
    const Subscript *subscript;  // that left the size declared; null: it is about something else
    uint32_t size;
    bool store;
    uint64_t count;
    std::string far;  // where no array is near: how far it is from each, in JSON
};
// A place in the code is an address in it, or a line, kept as a small address.
inline const void *site_of_line(int line) { return (const void *)(uintptr_t)line; }
const size_t NO_FAULT = ~0ull;
size_t note_fault(const Fault &fault);  // its number, or NO_FAULT where there are too many
void differing_race(size_t fault);      // its stores are not of the same value
Fault fault_here(const char *kind, const void *site);

void start_runner(Runner &r, Launch &launch);
void end_runner(Runner &r);
void run_block(Runner &r);
void yield_fiber();  // to the scheduler
bool release_converging(Runner &r);  // were there any?
[[noreturn]] void abandon();
[[noreturn]] void give_up(const Fault &fault);  // ends this process, with a last report
bool abandoned();

// The tracer's, called by the scheduler.
void trace_block_begins(Runner &r);
void trace_barrier(Runner &r);
void trace_warp(Runner &r, unsigned warp);
void trace_syncwarp(unsigned warp, unsigned lanes);
void trace_shared(const Shared &array);
void finish_copies(std::vector<Copy> &copies);
void check_bulk(const Copy &copy);  // its size and places
void check_copies(const std::vector<Copy> &copies);
void trace_copy(const Copy &copy, bool begins);  // it begins; or a wait for it is over
void trace_copied(const Copy &copy);             // its bytes are there
void trace_bulk(const Copy &copy);               // the copy engine begins; no lane is counted
void trace_overlap(const Copy &copy);            // its own thread has waited for it
void trace_phases(const void *place, size_t size, bool begins, const void *site);
void trace_arrival(const char *barrier, uint32_t phase, bool first);
void trace_departure(const char *barrier, uint32_t phase);
void trace_end();
