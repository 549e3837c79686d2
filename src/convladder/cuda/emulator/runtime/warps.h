// From the events of 32 threads to the requests that their warp made.
#pragma once
#include <string>

#include "state.h"

const uint8_t SHARED = 4;  // added to an event's kind: the access was to shared memory

void warps_start(const Launch &launch);
void warps_copied(uint32_t pc, uint64_t bytes, bool overlapped);  // by a copy issued there
void warps_barrier();  // all warps of a block have come to it
void merge_warp(Fiber *lanes, size_t count);
