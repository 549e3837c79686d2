#pragma once
#include <string>

void printing_start();
const void *printing_now();   // where the kernel called for what this thread prints, else null
std::string printing_text();  // `,"printed":[calls, those passed on, place of a later one]`
