// The types that a compiled kernel and the runtime share (see cl_device.h, which kernels include).
#pragma once
#include <cstddef>
#include <cstdint>

struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };
struct cl_thread {
    uint3 thread, block;
    dim3 block_dim, grid_dim;
    unsigned lane, warp;
    uint64_t declared;
    void *fiber;
};
struct cl_variable {  // of the source, outside of all functions; sides as of shared arrays
    const char *name;
    char *at;
    size_t size, element;
    const size_t *sides;
};
struct cl_layout { size_t size, alignment; };
extern "C" __thread cl_thread *cl_now;
