// What the caller says of a launch before it begins.
#include <dlfcn.h>

#include <random>

#include "state.h"

uint3 block_of(const Launch &l, uint64_t turn) {
    uint64_t b = l.order.empty() ? turn : l.order[turn];
    return {(unsigned)(b % l.grid.x), (unsigned)(b / l.grid.x % l.grid.y),
            (unsigned)(b / l.grid.x / l.grid.y)};
}

// One launch at a time: its description is built by these, since only C++ knows its layout.
extern "C" Launch *cl_prepare(const unsigned grid[3], const unsigned block[3],
                              unsigned shared_bytes, unsigned cores, int fibers, int traced,
                              int checked, void *module) {
    static Launch l;
    l = Launch();
    l.grid = {grid[0], grid[1], grid[2]};
    l.block = {block[0], block[1], block[2]};
    l.shared_bytes = shared_bytes;
    l.cores = cores;
    l.fibers = fibers || traced;
    l.traced = traced;
    l.looked_at = traced || checked;
    l.run_thread = (void (*)(void **))dlsym(module, "cl_run_thread");
    l.run_block = (void (*)(void **))dlsym(module, "cl_run_block");
    char *(*range)(int) = (char *(*)(int))dlsym(module, "cl_module_range");
    l.constants = range(0);
    l.constants_end = range(1);
    l.module = range(2);
    l.module_end = range(3);
    l.variables = ((const cl_variable *(*)())dlsym(module, "cl_variables"))();
    l.structures = ((const cl_layout *(*)())dlsym(module, "cl_structures"))();
    return &l;
}
extern "C" void cl_add_array(Launch *l, char *at, size_t bytes, uint8_t *written, int constant,
                             size_t element, size_t alignment) {
    l->arrays.push_back({at, bytes, written, constant != 0, element, alignment});
}
// Run the blocks in another order, the same one for the same seed.
extern "C" void cl_shuffle(Launch *l, unsigned seed) {
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    std::mt19937 random(seed);
    l->order.resize(blocks);
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t j = random() % (i + 1);
        l->order[i] = l->order[j];
        l->order[j] = i;
    }
}
extern "C" void cl_set_arguments(Launch *l, void **arguments) { l->arguments = arguments; }
extern "C" void cl_watch(Launch *l, unsigned block, unsigned warps, int whole) {
    l->watched_block = block;
    l->watched_warps = warps;
    l->watched_whole = whole;
}
