// Memory that a watched launch may touch, and what is wrong with an access to it.
#pragma once
#include "state.h"

void regions_start(const Launch &l);
void regions_block();
void regions_shared(const Shared &array);
void regions_end();

enum class Found { global, shared, nothing };  // nothing: told already, not to be counted
// `how`: of clocks.h; 0 is a plain access.
Found check_access(char *at, size_t size, Event::Kind kind, unsigned how, const void *site,
                   uint32_t pc);
// The pieces in which a structure of `size` bytes moves; 0 if none of that size is known whose
// alignment is `least` or more. Until `end_structure` its padding need not have been written.
size_t begin_structure(char *at, size_t size, size_t least);
void end_structure();
// Bytes of shared memory that a copy is on its way to, or has reached.
void regions_flight(char *at, size_t size, bool under_way);
// Stores that were said to race have been done: were they of what was there already?
void settle_races();
