#pragma once
#include <string>

#include "state.h"

const void *program_counter(void *context);  // where a signal met the thread
const void *called_from(void *context);       // so, or who called a place where no code is
const void *in_kernel(const void *site);     // if it was in a library: who called that, if known
void place_fault(Fault &fault, char *at);    // which array an address belongs to, and where in it
std::string far_from_all(const char *at);       // `,"far":[[array or name, sides, bytes, element]...]`
void name_variable(Fault &fault, char *at);   // of the source, to which an address belongs
bool out_of_stack(void *context, const void *at);
std::string site_text(const void *site);
std::string fault_text(const Fault &fault);  // JSON
void trace_start(const Launch &launch);
const void *trace_last();  // the place in the kernel that was told last; null if none was
std::string trace_text(const Launch &launch);  // `,"sites":[...],"watched":[...]`, or nothing
