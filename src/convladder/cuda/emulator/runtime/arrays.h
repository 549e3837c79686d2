#pragma once
#include "state.h"

void open_guards(const Array &array, bool open);
void set_canaries(const Array &array);
int64_t dead_canary(const Array &array);
