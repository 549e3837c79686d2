#pragma once
#include <unistd.h>

#include "state.h"

// Bytes of one fiber's, the first page of it forbidden. Of an odd number of pages: at a power of two
// all tops of stacks would want the same few entries of the processor's translation cache.
const size_t STACK = (128 << 10) + sysconf(_SC_PAGESIZE);

char *take_stacks(size_t count);  // `count` of them in a row
void give_stacks(char *stacks, size_t count);
void clear_shadow(char *stacks, size_t bytes);  // see red_zones.cpp
void prepare_fiber(Fiber &fiber, char *stack, size_t size);  // to begin with the kernel
void *scheduler_context();  // where the scheduler's own state goes, if a pointer does not do
void switch_to(void **mine, void *other);  // store this stack's pointer, go on on the other
